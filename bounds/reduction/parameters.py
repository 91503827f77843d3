r"""Which (eta, q, delta) reach a target share: exactly, explicitly, and with two of them given.

One step keeps the share (1 - 2 eta)(1 - (1 + delta) q) of the free inputs.  For every target
ratio rho = C'/C in (0, 1) there are parameters that keep exactly rho; the explicit family takes
delta = 1 and spends half of the loss, in the sense below, on eta.

Main definitions: :class:`Parameters`, :func:`explicit`, :func:`solve_q`.

References
----------
Hahn (2020), Section 5.1, end of Stage 3 [hahn2020]; the explicit family is our own.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import final

import sympy as sp

from bounds.bound import bind
from bounds.reduction import symbols as sym
from bounds.values import BoundError, Exact, shown

RHO = sp.Symbol("rho", positive=True)
"""C'/C."""

EXPLICIT_ETA = (1 - RHO) / 4
EXPLICIT_DELTA = sp.Integer(1)
EXPLICIT_Q = (1 - RHO) / (2 * (1 + RHO))
"""With these three, (1 - 2 eta)(1 - (1 + delta) q) equals rho identically."""

SOLVED_Q = (1 - RHO / (1 - 2 * sym.eta)) / (1 + sym.delta)
"""The q that reaches rho at given eta < (1 - rho)/2 and delta."""


@final
@dataclass(frozen=True, slots=True)
class Parameters:
    """eta, q and delta of one step, exact and inside their domains.

    Raises
    ------
    BoundError
        If a value is outside its domain or (1 + delta) q >= 1.

    Examples
    --------
    >>> Parameters(Fraction(1, 4), Fraction(1, 4), Fraction(1)).share
    Fraction(1, 4)
    """

    eta: Fraction
    q: Fraction
    delta: Fraction

    def __post_init__(self) -> None:
        bind(
            {s: sym.DOMAINS[s] for s in (sym.eta, sym.q, sym.delta)},
            (sym.FEW_FIXED,),
            {"eta": self.eta, "q": self.q, "delta": self.delta},
        )

    @property
    def share(self) -> Fraction:
        """Share of the free inputs that the step keeps; dimensionless, in (0, 1)."""
        return (1 - 2 * self.eta) * (1 - (1 + self.delta) * self.q)


def ratio(C: Exact, Cprime: Exact) -> Fraction:
    """Return C'/C after checking 0 < C' < C <= 1.

    Raises
    ------
    BoundError
        If that does not hold.

    Examples
    --------
    >>> ratio(Fraction(3, 4), Fraction(1, 2))
    Fraction(2, 3)
    """
    at = bind(
        {sym.C: sym.DOMAINS[sym.C], sym.Cp: sym.DOMAINS[sym.Cp]},
        (sym.TARGET_BELOW,),
        {"C": C, "Cprime": Cprime},
    )
    return Fraction(at[sym.Cp]) / Fraction(at[sym.C])


def explicit(*, C: Exact, Cprime: Exact) -> Parameters:
    """Return the explicit family's parameters, which keep exactly C'/C.

    Raises
    ------
    BoundError
        Unless 0 < C' < C <= 1.

    Examples
    --------
    >>> explicit(C=1, Cprime=Fraction(1, 2))
    Parameters(eta=Fraction(1, 8), q=Fraction(1, 6), delta=Fraction(1, 1))
    """
    rho = ratio(C, Cprime)
    return Parameters((1 - rho) / 4, (1 - rho) / (2 * (1 + rho)), Fraction(1))


def solve_q(*, C: Exact, Cprime: Exact, eta: Fraction, delta: Fraction) -> Parameters:
    """Return the parameters with the given eta and delta that keep exactly C'/C.

    Raises
    ------
    BoundError
        Unless 0 < C' < C <= 1, 0 < eta < (1 - C'/C)/2 and 0 < delta <= 1.

    Examples
    --------
    >>> solve_q(C=1, Cprime=Fraction(1, 2), eta=Fraction(1, 8), delta=Fraction(1)).q
    Fraction(1, 6)
    """
    rho = ratio(C, Cprime)
    if not 0 < eta < (1 - rho) / 2:
        raise BoundError(
            f"eta = {shown(eta)} leaves less than C'/C: choose 0 < eta < {shown((1 - rho) / 2)}"
        )
    return Parameters(eta, (1 - rho / (1 - 2 * eta)) / (1 + delta), delta)
