r"""The switching lemma as in the textbooks, with union bounds over positions, heads and values.

**Theorem.** Put m_0 = n and w_0 = 1.  For layers l = 1..L choose a rational a_l > 1, let
N_l = n H 2^(w_(l-1)) for l < L and N_L = H, let s_l be the least integer with a_l^(s_l) > N_l, and
put m_l = floor(m_(l-1) / (7 w_(l-1) a_l)), w_l = w_(l-1) + H (s_l - 1) for l < L.  If
floor((m_(L-1) - w_(L-1)) / (7 w_(L-1) a_L)) > H (s_L - 1), no transformer with L layers and H heads
computes PARITY of n bits.

*Proof.* A random restriction that keeps a share p <= 1/7 of the variables leaves the canonical
decision tree of a list of terms of width w with depth s or more with probability at most (7 p w)^s
[beame1994].  Here 7 p w <= 1/a_l, so the expected number of lists of depth s_l or more, over all
positions, own values (at most 2^w of them) and heads, is below one.  So some restriction makes all
lists shallower than s_l, and an activation asks at most w more for its own value and s_l - 1 for
each head.  In the last layer only the last position counts: its activation is made constant first
by fixing at most w variables, which leaves H lists.  Then the output is a decision tree of depth
H (s_L - 1) over more variables than that; PARITY needs all of them. []

`smallest` gives the least n from which on the condition holds: s_l grows with ln n, so n is checked
at the start of every interval on which all s_l are constant.  On such an interval the condition
stays true once it is true.  Intervals are checked up to 2^400.  Beyond, doubling n adds a bounded
number to every w_l, which has become large, so that the product of all w_l and w_L grows by less
than the factor 2 of n.

Main definitions: `holds`, `smallest`.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import ceil, log2

from bounds.limits.plan import LimitError

_BASES = tuple(Fraction(a, 8) for a in (9, 10, 11, 12, 14, 16, 20, 24, 32))
_FAR = 400  # powers of two up to which every interval is checked


def _exponent(base: Fraction, count: int) -> int:
    """Return the least s with base^s > count."""
    s = max(0, int(count.bit_length() / log2(base)) - 2)
    while s > 0 and base.numerator ** (s - 1) > count * base.denominator ** (s - 1):
        s -= 1
    while base.numerator**s <= count * base.denominator**s:
        s += 1
    return s


def walk(layers: int, heads: int, n: int, bases: tuple[Fraction, ...]) -> tuple[int, int]:
    """Return (free variables, depth) after all layers at length ``n``.

    Raises
    ------
    LimitError
        For sizes below 1, or bases that do not exceed 1 (one for each layer).
    """
    if layers < 1 or heads < 1 or n < 1:
        raise LimitError(f"layers = {layers}, heads = {heads}, n = {n}: all must be at least 1")
    if len(bases) != layers or min(bases) <= 1:
        raise LimitError(f"bases = {bases}: give one number above 1 for each layer")
    m, w = n, 1
    for base in bases[:-1]:
        s = _exponent(base, heads * 2**w * n)
        m = m * base.denominator // (7 * w * base.numerator)
        w += heads * (s - 1)
    last = bases[-1]
    m = max(0, m - w) * last.denominator // (7 * w * last.numerator)
    return m, heads * (_exponent(last, heads) - 1)


def holds(layers: int, heads: int, n: int, bases: tuple[Fraction, ...]) -> bool:
    """Decide the theorem's condition at length ``n``."""
    m, w = walk(layers, heads, n, bases)
    return m > w


def _intervals(heads: int, bases: tuple[Fraction, ...]) -> Iterator[tuple[int, int, int]]:
    """Yield (first n, last n, least n that satisfies the condition) while all s_l are constant."""
    n = 1
    while n < 1 << _FAR:
        w, last, chain = 1, 1 << _FAR, list[tuple[int, Fraction]]()
        for base in bases[:-1]:
            lists = heads * 2**w
            s = _exponent(base, lists * n)  # it changes when lists * n reaches base^s
            last = min(last, -(-(base.numerator**s) // (lists * base.denominator**s)) - 1)
            chain.append((w, base))
            w += heads * (s - 1)
        need = heads * (_exponent(bases[-1], heads) - 1) + 1
        need = ceil(need * 7 * w * bases[-1]) + w
        for width, base in reversed(chain):
            need = ceil(need * 7 * width * base)
        yield n, last, need
        n = last + 1


def smallest(layers: int, heads: int) -> int:
    """Return the least length from which on the condition holds, over a few bases.

    Examples
    --------
    >>> smallest(1, 1), smallest(2, 1)
    (9, 1278)
    """
    if layers < 1 or heads < 1:
        raise LimitError(f"layers = {layers}, heads = {heads}: both must be at least 1")
    tried = []
    for early in (
        product(_BASES, repeat=layers - 1) if layers < 4 else ((b,) * (layers - 1) for b in _BASES)
    ):
        bases = (*early, heads + Fraction(1, 100))  # so that s = 1 in the last layer
        first = next((need for _, last, need in _intervals(heads, bases) if need <= last), None)
        if first is not None:
            tried.append((first, bases))
    _, bases = min(tried)
    least = 1
    for first, last, need in _intervals(heads, bases):
        if need > first:  # the condition fails at the start of this interval
            least = min(need, last + 1)
    return least
