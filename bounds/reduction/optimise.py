r"""Good parameters for one step: floats propose, exact rationals are certified.

The result is a certified upper bound: the named rational parameters reach C' exactly, and k (or
n) is the least for them.  That no other parameters do better is not certified.

Main definitions: :class:`Step`, :func:`smallest_k`, :func:`smallest_n`.

References
----------
Hahn (2020), Section 5.1 [hahn2020].
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import final

import numpy as np

from bounds.bound import bind
from bounds.reduction import symbols as sym
from bounds.reduction.estimate import Estimator, Floats, minimise
from bounds.reduction.final import C_OUT
from bounds.reduction.least import least_k, least_k_for_e11, least_n
from bounds.reduction.monotone import PUBLISHED, Weights
from bounds.reduction.parameters import Parameters, ratio, solve_q
from bounds.reduction.stage2 import LEAST_K
from bounds.rounding import MAX_BITS
from bounds.values import BoundError, Exact, shown

_LOGIT = (-9.0, 9.0)
_LOG_DELTA = (-50.0, 0.0)


@final
@dataclass(frozen=True, slots=True)
class Step:
    """One application of the depth reduction lemma with certified numbers.

    Attributes
    ----------
    c, H, C, Cprime
        Inputs per activation, heads, and the shares before and after.
    parameters
        eta, q, delta; they keep exactly C'/C.
    k
        Certified to satisfy E12, and E11 for all ``n >= n11``.
    n11
        Least n for E11 at this k.
    c_out
        Inputs per activation after the step.
    n0
        From this length on the step applies and more inputs are free than one activation can
        depend on: ``max(n11, floor(c_out / C') + 1)``.
    """

    c: int
    H: int
    C: Fraction
    Cprime: Fraction
    parameters: Parameters
    k: int
    n11: int
    c_out: int
    n0: int


def certified_step(
    *,
    c: int,
    H: int,
    C: Exact,
    Cprime: Exact,
    parameters: Parameters,
    weights: Weights = PUBLISHED,
    k_at_least: int = 2,
) -> Step:
    """Return the step with the least k >= ``k_at_least`` good for Stage 2, E12 and E11 at last.

    Raises
    ------
    BoundError
        If the parameters do not keep exactly C'/C, or a value is outside its domain.

    Examples
    --------
    >>> from bounds.reduction.parameters import explicit
    >>> half = Fraction(1, 2)
    >>> step = certified_step(c=1, H=1, C=1, Cprime=half, parameters=explicit(C=1, Cprime=half))
    >>> step.k, step.c_out
    (4555, 9111)
    """
    p = parameters
    if p.share != ratio(C, Cprime):
        raise BoundError(
            f"{p} keep the share {p.share}, not C'/C = {ratio(C, Cprime)}: solve for q"
        )
    d = p.delta
    k12 = least_k(c=c, H=H, C=C, eta=p.eta, q=p.q, weights=weights).value
    k11 = least_k_for_e11(c=c, H=H, C=C, eta=p.eta, q=p.q, delta=d, weights=weights).value
    k2 = int(LEAST_K.exact(c=c, C=C, eta=p.eta))  # Stage 2; E12 implies it, but it costs nothing
    k = max(k_at_least, k12, k11, k2)
    n11 = least_n(k=k, c=c, H=H, C=C, eta=p.eta, q=p.q, delta=d, weights=weights).value
    c_out = int(C_OUT.exact(c=c, k=k, H=H))
    n0 = max(n11, int(c_out / Fraction(Cprime)) + 1)
    return Step(c, H, Fraction(C), Fraction(Cprime), p, k, n11, c_out, n0)


def smallest_k(*, c: int, H: int, C: Exact, Cprime: Exact, weights: Weights = PUBLISHED) -> Step:
    """Return a step with k as small as the search finds, whatever n it needs.

    Raises
    ------
    BoundError
        Unless 0 < C' < C <= 1 and the integers are positive.

    Notes
    -----
    Deterministic; k is certified, its minimality over all parameters is not.

    Examples
    --------
    >>> smallest_k(c=1, H=1, C=1, Cprime=Fraction(1, 2)).k
    1789
    """
    rho, model = _model(c, H, C, Cprime, weights)

    def log_k(s: Floats, log_delta: Floats) -> Floats:
        eta, q, delta = _coordinates(rho, s, log_delta)
        return np.maximum(model.log_k12(eta, q), model.log_k11(eta, q, delta))

    s, log_delta = minimise(log_k, [_LOGIT, _LOG_DELTA])
    parameters = _round(C, Cprime, rho, s, log_delta)
    return certified_step(c=c, H=H, C=C, Cprime=Cprime, parameters=parameters, weights=weights)


def smallest_n(*, c: int, H: int, C: Exact, Cprime: Exact, weights: Weights = PUBLISHED) -> Step:
    """Return a step with ``n0`` as small as the search finds; see :func:`smallest_k`.

    Examples
    --------
    >>> smallest_n(c=1, H=1, C=1, Cprime=Fraction(1, 2)).n0 <= 7471
    True
    """
    rho, model = _model(c, H, C, Cprime, weights)
    log_target = math.log(float(Cprime))

    def log_n(s: Floats, log_delta: Floats) -> Floats:
        eta, q, delta = _coordinates(rho, s, log_delta)
        return balance(model, eta, q, delta, log_target)[0]

    s, log_delta = minimise(log_n, [_LOGIT, _LOG_DELTA])
    parameters = _round(C, Cprime, rho, s, log_delta)
    eta, q, delta = (np.array(float(x)) for x in (parameters.eta, parameters.q, parameters.delta))
    guess = float(balance(model, eta, q, delta, log_target)[1])
    k_at_least = 2 if guess > 600 else int(math.exp(guess))
    return certified_step(
        c=c,
        H=H,
        C=C,
        Cprime=Cprime,
        parameters=parameters,
        weights=weights,
        k_at_least=max(2, k_at_least),
    )


def balance(
    model: Estimator, eta: Floats, q: Floats, delta: Floats, log_target: Floats | float
) -> tuple[Floats, Floats]:
    """Estimate ln n0 and the ln k that attains it: E11 wants k large, c_out wants it small."""
    low = np.maximum(model.log_k12(eta, q), model.log_k11(eta, q, delta))
    start, high = low, low + 12.0
    for _ in range(36):
        middle = (low + high) / 2
        short = model.log_n11(middle, eta, q, delta) > model.log_c_out(middle) - log_target
        low, high = np.where(short, middle, low), np.where(short, high, middle)
    y = np.maximum(start, high)
    cost = np.maximum(model.log_n11(y, eta, q, delta), model.log_c_out(y) - log_target)
    return cost, y


def _model(c: int, H: int, C: Exact, Cprime: Exact, weights: Weights) -> tuple[float, Estimator]:
    """Return C'/C and the estimator as floats, after refusing what floats cannot represent."""
    exact = ratio(C, Cprime)
    at = bind({sym.c: sym.DOMAINS[sym.c], sym.H: sym.DOMAINS[sym.H]}, (), {"c": c, "H": H})
    if at[sym.c] > MAX_BITS:
        raise BoundError(f"c = {shown(c)} makes k too long to write out: use c <= {MAX_BITS}")
    if not 1e-12 <= exact <= 1 - 1e-12 or C < 1e-200 or at[sym.H] > 10**200:
        raise BoundError(
            "C'/C, C or H is too extreme for the search: use "
            "bounds.reduction.parameters.explicit and least_k"
        )
    return float(exact), Estimator(c, H, float(C), weights)


def _coordinates(rho: float, s: Floats, log_delta: Floats) -> tuple[Floats, Floats, Floats]:
    """Map the search box to (eta, q, delta) that keep the share rho."""
    eta = (1 - rho) / 2 / (1 + np.exp(-s))
    delta = np.exp(log_delta)
    return eta, (1 - rho / (1 - 2 * eta)) / (1 + delta), delta


def _round(C: Exact, Cprime: Exact, rho: float, s: float, log_delta: float) -> Parameters:
    eta = decimal((1 - rho) / 2 / (1 + math.exp(-s)))
    return solve_q(
        C=C, Cprime=Cprime, eta=eta, delta=min(Fraction(1), decimal(math.exp(log_delta)))
    )


def decimal(value: float, digits: int = 7) -> Fraction:
    """Return the decimal with ``digits`` significant digits closest to a positive float.

    Examples
    --------
    >>> decimal(0.123456789, 3)
    Fraction(123, 1000)
    """
    shift = digits - 1 - math.floor(math.log10(value))
    scale = Fraction(10) ** shift
    return Fraction(round(Fraction(value) * scale)) / scale
