r"""The generating functions of Lemma E, in FLINT integers.

With :math:`c_w(z) = (1+2z)^w - (1+z)^w` (falsified blocks), a list of width w contributes
:math:`G_w = (1+z)^w/(1-c_w)` when the path goes on after it and
:math:`L_w = ((1+z)^w - 1)/(1-c_w)` when the last block lies in it; a decision tree of depth w
contributes :math:`(1+z)^w` and :math:`(1+z)^w - 1`.  A process with modules M_1..M_K has
:math:`code'(z) = \sum_i g(M_1)\cdots g(M_{i-1})\, l(M_i)`; its coefficient of z^t counts the codes
of t queried stars.  All coefficients are non-negative integers.

Where the width allowed depends on the number y of stars, :math:`\binom wy` becomes
:math:`\binom{w_y}y` in these polynomials.

Main definitions: `placed`, `falsified`, `passed`, `ended`, `code_series`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from math import comb

from flint import ctx, fmpz_poly, fmpz_series

Width = int | tuple[int, ...]  # or the widths allowed with 1, 2, ... stars, the last one repeated


@contextmanager
def _terms(order: int) -> Iterator[None]:
    """Let FLINT keep ``order`` terms (its own default is ten), and restore its setting."""
    before, ctx.cap = ctx.cap, max(order, ctx.cap)
    try:
        yield
    finally:
        ctx.cap = before


def _series(poly: fmpz_poly, order: int) -> fmpz_series:
    return fmpz_series(poly, order)


def placed(w: Width, base: int = 1) -> fmpz_poly:
    """Return the polynomial of the places of y stars, times base^y; (1 + base z)^w for one width.

    Examples
    --------
    >>> placed(2), placed((3, 2))
    (x^2 + 2*x + 1, x^2 + 3*x + 1)
    """
    if isinstance(w, int):
        return fmpz_poly([1, base]) ** w
    allowed = [*w, *[w[-1]] * max(0, w[-1] - len(w))]
    return fmpz_poly([1, *(comb(v, y) * base**y for y, v in enumerate(allowed, 1))])


def falsified(w: Width) -> fmpz_poly:
    """Return c_w: blocks of a falsified term of width ``w`` by their number of stars.

    Examples
    --------
    >>> falsified(2)
    3*x^2 + 2*x
    """
    return placed(w, 2) - placed(w)


def passed(kind: str, w: Width, order: int) -> fmpz_series:
    """Return g of a module ("tree", "list" or "cut"), modulo z^order."""
    whole = _series(placed(w), order)
    return whole if kind == "tree" else whole / _series(1 - falsified(w), order)


def ended(kind: str, w: Width, order: int) -> fmpz_series:
    """Return l of a module: the last block is non-empty and lies in it; modulo z^order."""
    some = _series(placed(w) - 1, order)
    return some if kind == "tree" else some / _series(1 - falsified(w), order)


@lru_cache(maxsize=16)  # a search asks for many lengths with the same process
def code_series(process: tuple[tuple[str, Width], ...], top: int) -> tuple[int, ...]:
    """Return the coefficients of code' for 0..top stars.

    Examples
    --------
    >>> code_series((("tree", 1), ("list", 1)), 4)
    (0, 2, 2, 2, 2)
    """
    order = top + 1
    with _terms(order):
        total, lead = _series(fmpz_poly([0]), order), _series(fmpz_poly([1]), order)
        for kind, w in process:
            total = total + lead * ended(kind, w, order)
            lead = lead * passed(kind, w, order)
        return tuple(int(total[k]) for k in range(order))
