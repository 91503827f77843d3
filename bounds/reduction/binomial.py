r"""The exact probability that Stage 3 fixes too many inputs, beside the Chernoff form E8.

m free inputs are each fixed with probability q, so their number is binomial and its tail is a
rational number.  E8 is exp(-delta^2 q m / 3) with m = (1 - 2 eta) C n.  The tail is constant
between lattice points while E8 falls, so E8 first fails inside a step, where both are equal.

Main definitions: :func:`tail`, :func:`tails`, :func:`e8_exponent`, :func:`below_tail`,
:func:`first_failure`.

References
----------
Hahn (2020), Section 5.1, eq. (8) [hahn2020].
"""

from fractions import Fraction
from math import comb

import sympy as sp
from flint import arb, ctx

from bounds.ball import sign
from bounds.rounding import MAX_BITS, PrecisionError
from bounds.values import BoundError

_T, _X = sp.symbols("tail exponent", positive=True)


def tails(m: int, q: Fraction) -> list[Fraction]:
    """Return P(N >= j) for j = 0, ..., m + 1, where N is binomial with m trials of chance q.

    Parameters
    ----------
    m
        Number of free inputs, at least 1.
    q
        Chance that one of them is fixed, in (0, 1); exact.

    Raises
    ------
    BoundError
        If ``m < 1`` or q is outside (0, 1).

    Notes
    -----
    Deterministic and exact; O(m) operations on numbers of O(m) digits.

    Examples
    --------
    >>> tails(2, Fraction(1, 2))
    [Fraction(1, 1), Fraction(3, 4), Fraction(1, 4), Fraction(0, 1)]
    """
    if m < 1:
        raise BoundError(f"m = {m}: use at least one free input")
    if not 0 < q < 1:
        raise BoundError(f"q = {q} is outside (0, 1): choose a value inside")
    p, d = q.numerator, q.denominator
    counts, total = [0], 0
    for j in range(m, -1, -1):
        total += comb(m, j) * p**j * (d - p) ** (m - j)
        counts.append(total)
    return [Fraction(count, d**m) for count in reversed(counts)]


def tail(m: int, q: Fraction, delta: Fraction) -> Fraction:
    """Return P(N > (1 + delta) q m), exactly; arguments as in :func:`tails`, delta > 0.

    Examples
    --------
    >>> tail(4, Fraction(1, 4), Fraction(1))  # more than 2 of 4
    Fraction(13, 256)
    """
    if not delta > 0:
        raise BoundError(f"delta = {delta} is not positive: choose a value above 0")
    first = (1 + delta) * q * m // 1 + 1
    return tails(m, q)[min(first, m + 1)]


def e8_exponent(m: int, q: Fraction, delta: Fraction) -> Fraction:
    """Return delta^2 q m / 3; E8 is exp of minus that.

    Examples
    --------
    >>> e8_exponent(60, Fraction(1, 20), Fraction(1))
    Fraction(1, 1)
    """
    return delta**2 * q * m / 3


def below_tail(m: int, q: Fraction, delta: Fraction) -> bool:
    """Decide whether E8 lies below the exact tail, that is, whether E8 fails at this delta.

    Raises
    ------
    bounds.rounding.PrecisionError
        If the two cannot be told apart.

    Examples
    --------
    >>> below_tail(400, Fraction(1, 20), Fraction(4)), below_tail(400, Fraction(1, 20), Fraction(1))
    (True, False)
    """
    exactly, exponent = tail(m, q, delta), e8_exponent(m, q, delta)
    if exactly == 0:
        return False
    side = sign(sp.log(_T) + _X, {_T: exactly, _X: exponent}, bits=MAX_BITS)
    if side is None:
        raise PrecisionError(f"the tail and E8 agree to {MAX_BITS} bits at delta = {delta}")
    return side > 0


def first_failure(m: int, q: Fraction, *, bits: int = 128) -> arb | None:
    """Enclose the least delta from which on E8 falls below the exact tail within some step.

    Returns
    -------
    flint.arb or None
        A ball around the least such delta; ``None`` if E8 holds for all delta.

    Raises
    ------
    bounds.rounding.PrecisionError
        If ``bits`` do not tell whether E8 fails in some step.

    Examples
    --------
    >>> round(float(first_failure(400, Fraction(1, 20))), 3)
    2.847
    """
    values = tails(m, q)
    with ctx.workprec(bits):
        mean = arb(q.numerator) * m / q.denominator
        for j in range(int(q * m // 1) + 1, m + 1):
            size = arb(values[j].numerator).log() - arb(values[j].denominator).log()
            equal = (-3 * size / mean).sqrt()  # here exp(-delta^2 mean / 3) is P(N >= j)
            start, end = (j - 1) / mean - 1, j / mean - 1  # the step of P(N >= j)
            if equal < end:
                return equal.max(start)
            if not equal >= end:
                raise PrecisionError(f"open at {bits} bits whether E8 fails at j = {j}: use more")
    return None
