r"""Exact intervals for a share of successes among independent trials.

The interval of Clopper and Pearson holds the shares under which neither so many nor so few
successes are improbable.  Floating point only finds it; that its ends are right is checked with
integers, and the interval is widened to a multiple of :data:`GRID`.

Main definitions: :func:`interval`, :func:`surely_above`, :func:`surely_below`.

References
----------
Clopper and Pearson (1934) [clopper1934].
"""

from fractions import Fraction
from functools import cache
from math import log

import numpy as np
import numpy.typing as npt
from flint import fmpz

CONFIDENCE = Fraction(99, 100)
"""Of every interval that this package states."""

GRID = 10_000
"""Ends of intervals are multiples of one over this."""


class CountError(ValueError):
    """More successes than trials, or no trials."""


def _at_least(right: int, total: int, share: Fraction) -> tuple[int, int]:
    """Return the probability of at least ``right`` successes, exactly, as a quotient.

    It is not reduced: the greatest common divisor of such numbers costs more than the sum.
    """
    if right <= 0 or share == 1:
        return 1, 1
    if share == 0:
        return 0, 1
    if 2 * right < total:
        above, over = _at_least(total - right + 1, total, 1 - share)
        return over - above, over
    # from all successes down: T_k = C(total, k) a^k b^(total-k) over (a+b)^total
    a, b = share.numerator, share.denominator - share.numerator
    term = fmpz(a) ** total
    summed = term
    for k in range(total, right, -1):
        term = term * (k * b) // ((total - k + 1) * a)
        summed += term
    return int(summed), share.denominator**total


def _check(right: int, total: int) -> None:
    if not 0 <= right <= total or total < 1:
        raise CountError(f"{right} successes among {total} trials: need 0 <= k <= n, n > 0")


def surely_above(
    right: int, total: int, share: Fraction, *, confidence: Fraction = CONFIDENCE
) -> bool:
    """Return whether the counts exclude every share up to ``share``.

    Parameters
    ----------
    right, total
        Successes and independent trials.
    share
        In [0, 1].
    confidence
        Of the two-sided interval; each side errs with half of the rest.

    Notes
    -----
    Exact: under ``share`` at least ``right`` successes have probability at most half of
    ``1 - confidence``, and under smaller shares less.

    Examples
    --------
    >>> surely_above(1000, 1000, Fraction(99, 100)), surely_above(995, 1000, Fraction(99, 100))
    (True, False)
    """
    _check(right, total)
    above, over = _at_least(right, total, share)
    tail = (1 - confidence) / 2
    return above * tail.denominator <= tail.numerator * over


def surely_below(
    right: int, total: int, share: Fraction, *, confidence: Fraction = CONFIDENCE
) -> bool:
    """Return whether the counts exclude every share from ``share`` on; see :func:`surely_above`.

    Examples
    --------
    >>> surely_below(400, 1000, Fraction(1, 2))
    True
    """
    _check(right, total)
    return surely_above(total - right, total, 1 - share, confidence=confidence)


@cache
def _log_factorials(total: int) -> npt.NDArray[np.float64]:
    return np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, total + 1)))])


def _guess(right: int, total: int, tail: float) -> int:
    """Return about the largest grid point under which ``right`` successes are that improbable."""
    factorials = _log_factorials(total)
    reach = 12 * int(total**0.5) + 60

    def at_least(share: float) -> float:
        begin = max(right, int(total * share) - reach)
        k = np.arange(begin, min(total, begin + 2 * reach) + 1)
        logs = factorials[total] - factorials[k] - factorials[total - k]
        logs = logs + k * log(share) + (total - k) * log(1 - share)
        return float(np.exp(logs).sum())

    low, high = 0, GRID
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if at_least(middle / GRID) <= tail else (low, middle)
    return low


@cache
def interval(
    right: int, total: int, *, confidence: Fraction = CONFIDENCE
) -> tuple[Fraction, Fraction]:
    """Return the exact interval for the chance of a success, rounded outwards to the grid.

    Examples
    --------
    >>> interval(1000, 1000)
    (Fraction(9947, 10000), Fraction(1, 1))
    """
    _check(right, total)

    def lower(successes: int) -> Fraction:
        if successes == 0:
            return Fraction(0)
        at = _guess(successes, total, float(1 - confidence) / 2)
        while at > 0 and not surely_above(
            successes, total, Fraction(at, GRID), confidence=confidence
        ):
            at -= 1
        return Fraction(at, GRID)

    return lower(right), 1 - lower(total - right)
