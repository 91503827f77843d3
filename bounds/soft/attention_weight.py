r"""Under logits of absolute value at most A no softmax weight over n positions exceeds a bound.

The largest weight is reached by one logit at +A and n - 1 logits at -A; every other bound here
is a relaxation of that value.  With ``u = exp(2 A) >= 1`` all of them are rational functions, so
claims about them can be decided by real arithmetic without the exponential.

Main definitions
----------------
WEIGHT_SHARP, WEIGHT_PAPER, WEIGHT_OVER_N : the three bounds in (A, n).
WEIGHT_SHARP_U, WEIGHT_PAPER_U, WEIGHT_OVER_N_U : the same in (u, n) with u = exp(2 A).
weight_ball : a rigorous enclosure of the sharp bound.

References
----------
Hahn (2020), Section 6, proof of Lemma 5 [hahn2020].
"""

from fractions import Fraction
from typing import TYPE_CHECKING

import sympy as sp

if TYPE_CHECKING:
    from flint import arb

A = sp.Symbol("A", nonnegative=True)
"""Bound on the absolute value of every attention logit; dimensionless."""

n = sp.Symbol("n", integer=True, positive=True)
"""Number of positions attended to."""

u = sp.Symbol("u", positive=True)
"""Stands for exp(2 A), hence at least 1."""

WEIGHT_SHARP = sp.exp(A) / (sp.exp(A) + (n - 1) * sp.exp(-A))
"""Largest possible weight; attained."""

WEIGHT_PAPER = sp.exp(2 * A) / (n - 1)
"""The paper's relaxation, for n >= 2; exceeds 1 as long as n - 1 < exp(2 A)."""

WEIGHT_OVER_N = sp.exp(2 * A) / n
"""A relaxation that is valid from n = 1 on and lies below the paper's."""

WEIGHT_SHARP_U = u / (u + n - 1)
WEIGHT_PAPER_U = u / (n - 1)
WEIGHT_OVER_N_U = u / n


class WeightBoundError(ValueError):
    """The bound was asked for outside its domain."""


def sharp_in_u(value: Fraction, positions: int) -> Fraction:
    """Return the sharp bound u / (u + n - 1) in exact arithmetic.

    Parameters
    ----------
    value
        ``u = exp(2 A)``, at least 1; dimensionless.
    positions
        Number n >= 1 of positions attended to.

    Returns
    -------
    Fraction
        The bound, in (0, 1].

    Raises
    ------
    WeightBoundError
        If ``value < 1`` or ``positions < 1``.

    Notes
    -----
    Deterministic and exact.

    References
    ----------
    Hahn (2020), proof of Lemma 5 [hahn2020].

    Examples
    --------
    >>> sharp_in_u(Fraction(4), 5)
    Fraction(1, 2)
    """
    if value < 1:
        raise WeightBoundError(f"u = exp(2 A) = {value} is below 1: A must be at least 0")
    if positions < 1:
        raise WeightBoundError(f"n = {positions}: attention needs at least one position")
    return value / (value + positions - 1)


def weight_ball(logit_bound: "arb", positions: int) -> "arb":
    """Enclose the sharp bound exp(2 A) / (exp(2 A) + n - 1) by a ball.

    Parameters
    ----------
    logit_bound
        A, a nonnegative ball; dimensionless.
    positions
        Number n >= 1 of positions attended to.

    Returns
    -------
    flint.arb
        A ball containing the bound for every A in ``logit_bound``.

    Raises
    ------
    WeightBoundError
        If ``logit_bound`` is not finite or may be negative, or ``positions < 1``.

    Notes
    -----
    Deterministic at the precision of ``flint.ctx``.  Written as ``1 / (1 + (n - 1) exp(-2 A))``
    so that a wide ball is used once and large A does not overflow.

    References
    ----------
    Hahn (2020), proof of Lemma 5 [hahn2020].

    Examples
    --------
    >>> from flint import arb
    >>> float(weight_ball(arb(0), 4))
    0.25
    """
    if not logit_bound.is_finite() or not logit_bound >= 0:
        raise WeightBoundError(f"A = {logit_bound} must be a finite ball of numbers >= 0")
    if positions < 1:
        raise WeightBoundError(f"n = {positions}: attention needs at least one position")
    return 1 / (1 + (positions - 1) * (-2 * logit_bound).exp())
