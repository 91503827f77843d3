r"""Why a least k exists and two signs certify it: the slack of E12 changes sign exactly once.

With E = f/k^2 and r = RATE the slack of E10 (and of its k-th root E12) is

* published weights, A = 1/k^2, B = 1/2:  g(k) = r k - 2 ln k - ln 2 + E k^2 ln(1 - 1/k^2);
* best weights, A = 1/(f + 1):  h(k) = r k - ln(f+1) - f ln(1 + 1/f) + ln(1 - B).

Both derivatives are at least r - 2/k, and both slacks are negative for k < 2/r.  So the slack is
negative up to some point and increasing from 2/r on: the k that satisfy E12 are [k0, oo), and a
negative sign at k0 - 1 with a non-negative one at k0 shows that k0 is least.  The slack of E11
increases with k, because A falls, and is linear in n.

Main definitions: :class:`Weights`, PUBLISHED, :func:`best_weights`, E, BRACKET, MONOTONE.

References
----------
Hahn (2020), Section 5.1, eqs. (10) to (12) [hahn2020]; the monotonicity is our own.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import final

import sympy as sp

from bounds.reduction.local_lemma import (
    BEST_WEIGHT,
    HEADROOM11,
    PAPER_WEIGHTS,
    SLACK10,
    SLACK11,
    with_weights,
)
from bounds.reduction.neighbours import F
from bounds.reduction.symbols import A, k
from bounds.values import BoundError, shown

E = F / k**2
"""E: the published f divided by k^2; always above 8, because eta < 1/2."""

BRACKET_U = sp.Symbol("u", positive=True)
BRACKET = sp.log(1 - BRACKET_U) + BRACKET_U / (1 - BRACKET_U)
"""With u = 1/k^2, d/dk (k^2 ln(1 - 1/k^2)) = 2 k BRACKET, and BRACKET >= 0 for 0 < u < 1."""

MONOTONE = r"""
Write $E = f/k^2$ and $r = -\ln(1-(q/2)^c)\,\eta C/c^2$. Taking logarithms, E12 with $A = 1/k^2$,
$B = 1/2$ holds if and only if $g(k) = rk - 2\ln k - \ln 2 + E k^2 \ln(1-k^{-2}) \ge 0$.

*Increasing from $2/r$ on.* With $u = k^{-2}$ the derivative of $k^2\ln(1-k^{-2})$ is
$2k\,(\ln(1-u) + u/(1-u))$, which is $\ge 0$ because $-\ln(1-u) \le u/(1-u)$. So
$g'(k) \ge r - 2/k$.

*Negative before.* For $2 \le k < 2/r$ we have $rk < 2$, and
$-E k^2\ln(1-k^{-2}) \ge E > 8$ because $E = 2^{2c}c^2H/(\eta C)$ with $\eta < 1/2$, $C \le 1$.
So $g(k) < 2 - 8 < 0$.

Hence $\{k \ge 2 : g(k) \ge 0\} = [k_0, \infty)$: signs at $k_0$ and $k_0 - 1$ certify $k_0$.

For $A = 1/(f+1)$ the slack is $h(k) = rk - \ln(f+1) - f\ln(1+1/f) + \ln(1-B)$. As
$\frac{d}{df}(\ln(f+1) + f\ln(1+1/f)) = \ln(1+1/f) \le 1/f$ and $f' = 2f/k$, again
$h'(k) \ge r - 2/k$; and for $k < 2/r$ we have $h(k) < 2 - \ln 9 - 8\ln(9/8) < 0$, because
$f \ge E > 8$.
"""


@final
@dataclass(frozen=True, slots=True)
class Weights:
    """Local-lemma weights with the slacks that they give; build with the two names below.

    Attributes
    ----------
    name
        ``"published"`` or ``"best"``.
    weight
        A as an expression in the symbols of the reduction.
    other
        B, an exact number in (0, 1).
    least
        Smallest k for which the weight lies below 1.
    slack10, slack11, headroom
        ``SLACK10``, ``SLACK11`` and ``HEADROOM11`` with the weights and f put in.
    """

    name: str
    weight: sp.Expr
    other: Fraction
    least: int
    slack10: sp.Expr = field(init=False, repr=False)
    slack11: sp.Expr = field(init=False, repr=False)
    headroom: sp.Expr = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if not 0 < self.other < 1:
            raise BoundError(f"B = {shown(self.other)} is outside (0, 1): choose a value inside")
        other = sp.Rational(self.other.numerator, self.other.denominator)
        for name, form in (("slack10", SLACK10), ("slack11", SLACK11), ("headroom", HEADROOM11)):
            object.__setattr__(self, name, with_weights(form, self.weight, other))


PUBLISHED = Weights("published", PAPER_WEIGHTS[A], Fraction(1, 2), 2)
"""A = 1/k^2, B = 1/2."""


def best_weights(other: Fraction = Fraction(1, 1000)) -> Weights:
    """Return A = 1/(f + 1), which maximises A (1 - A)^f, with B = ``other``.

    Raises
    ------
    BoundError
        If ``other`` is outside (0, 1).

    Examples
    --------
    >>> best_weights().name
    'best'
    """
    return Weights("best", BEST_WEIGHT, other, 1)
