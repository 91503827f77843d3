"""Certified floor and ceiling of expressions, and the precision up to which signs are tried.

Main definitions: :func:`round_down`, :func:`round_up`, :class:`PrecisionError`.
"""

from collections.abc import Mapping
from typing import Any

import sympy as sp
from flint import ctx

from bounds.ball import START_BITS, enclose, exact
from bounds.values import BoundError

MAX_BITS = 1 << 17
"""Precision at which a sign counts as open; enough for integers of some 35 000 digits."""


class PrecisionError(BoundError):
    """A sign or a rounding stayed open at the largest precision allowed."""


def round_down(
    expression: sp.Expr, values: Mapping[sp.Symbol, Any], *, max_bits: int = MAX_BITS
) -> int:
    """Return the floor of ``expression`` at exact values, certified.

    Raises
    ------
    PrecisionError
        If a ball of ``max_bits`` still touches an integer without being one exactly.

    Notes
    -----
    Deterministic; precision doubles until the whole ball has one floor.

    Examples
    --------
    >>> x = sp.Symbol("x")
    >>> round_down(sp.log(x), {x: 10**100})
    230
    """
    value = exact(expression, values)
    if value is not None:
        return value.numerator // value.denominator
    bits = START_BITS
    while bits <= max_bits:
        ball = enclose(expression, values, bits=bits)
        with ctx.workprec(bits):
            whole = ball.floor().unique_fmpz()
        if whole is not None:
            return int(whole)
        bits *= 2
    raise PrecisionError(f"floor still open at {max_bits} bits: the value may be an integer")


def round_up(
    expression: sp.Expr, values: Mapping[sp.Symbol, Any], *, max_bits: int = MAX_BITS
) -> int:
    """Return the ceiling of ``expression``, certified; see :func:`round_down`."""
    return -round_down(-expression, values, max_bits=max_bits)
