r"""How the number of inputs per activation grows layer by layer, enclosed rigorously.

One step turns c into c (2^c k H + 1) with k at least about 16^c or 4^c, so L steps yield a tower
of height L - 1.  While c is small, k is the certified least integer; later ln k is enclosed by
two values of k between which the slack of E12 changes sign; when c itself exceeds every ball,
only log log c_out = log c + log(kappa) with a constant kappa is left, again with its remainder.

Main definitions: :func:`grow`, :func:`next_inputs`, :class:`Layer`.

References
----------
Hahn (2020), Lemma 4 and Theorem 1 [hahn2020]; the enclosures are our own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from flint import arb, ctx, fmpq

from bounds.reduction.final import C_OUT
from bounds.reduction.least import least_k
from bounds.reduction.monotone import PUBLISHED, Weights
from bounds.reduction.parameters import Parameters
from bounds.reduction.tower import BITS, Tower, TowerError
from bounds.values import BoundError, shown

_EXACT_BITS = 100_000


@final
@dataclass(frozen=True, slots=True)
class Layer:
    """Inputs per activation after a step; ``exact`` is the integer where k was certified."""

    inputs: Tower
    exact: int | None
    share: Fraction


def grow(
    parameters: Sequence[Parameters],
    *,
    H: int,
    C: Fraction = Fraction(1),
    weights: Weights = PUBLISHED,
) -> list[Layer]:
    """Return the inputs per activation before the first and after each step, from c = 1.

    Parameters
    ----------
    parameters
        eta, q, delta of each step; delta plays no part here.
    H
        Heads per layer, at least 1.
    C
        Share of free inputs at the start; each step multiplies it by its own share.
    weights
        Local-lemma weights.

    Returns
    -------
    list of Layer
        One more than there are steps.

    Raises
    ------
    BoundError
        If a value is outside its domain.

    Notes
    -----
    Deterministic.  k is the least one for E12, which decides for all but tiny c.

    Examples
    --------
    >>> half = Parameters(Fraction(1, 8), Fraction(1, 6), Fraction(1))
    >>> [str(layer.inputs) for layer in grow([half] * 2, H=1)]
    ['1.00000', '9111.00', '10^18082.7']
    """
    layers = [Layer(Tower.of(1), 1, C)]
    for p in parameters:
        last = layers[-1]
        share = last.share * p.share
        bits = 0 if last.exact is None else last.exact * (2 + (2 / p.q).__ceil__().bit_length())
        if last.exact is not None and bits < _EXACT_BITS:
            k = least_k(c=last.exact, H=H, C=last.share, eta=p.eta, q=p.q, weights=weights).value
            exact = int(C_OUT.exact(c=last.exact, k=k, H=H))
            layers.append(Layer(Tower.of(exact), exact, share))
        else:
            inputs = next_inputs(last.inputs, H=H, C=last.share, p=p, weights=weights)
            layers.append(Layer(inputs, None, share))
    return layers


def next_inputs(
    c: Tower, *, H: int, C: Fraction, p: Parameters, weights: Weights = PUBLISHED
) -> Tower:
    """Enclose c (2^c k H + 1), with k the least one for E12, for a c that is only enclosed.

    Raises
    ------
    TowerError
        If c is too small for the enclosure of ln k to be valid; use the exact step there.
    BoundError
        If H is below 1 or C outside (0, 1].
    """
    if H < 1 or not 0 < C <= 1:
        raise BoundError(f"H = {H}, C = {shown(C)}: use H >= 1 and 0 < C <= 1")
    with ctx.workprec(BITS):
        if not c.fits():
            return _beyond(c, H, C, p, weights)
        # E grows and r falls with c, so the least k grows: the two ends of the ball suffice
        ends = (Tower(c.height, end).value() for end in (c.ball.lower(), c.ball.upper()))
        low, high = (_log_inputs(x, H, C, p, weights) / arb(10).log() for x in ends)
        if c.height == 0:
            return Tower(1, low.union(high))
        return Tower(2, Tower(0, low).log10().ball.union(Tower(0, high).log10().ball))


def _log_inputs(c: arb, H: int, C: Fraction, p: Parameters, weights: Weights) -> arb:
    """Enclose ln(c (2^c k H + 1)) for one real c, given as a narrow ball."""
    heads, room, two = arb(H).log(), _ball(p.eta * C).log(), arb(2).log()
    log_e = 2 * c * two + 2 * c.log() + heads - room
    x = _between(0, (c * _ball(p.q / 2).log()).exp())  # (q/2)^c, loosely from below
    log_inverse_rate = 2 * c.log() - room - c * _ball(p.q / 2).log() - _between(0, -(-x).log1p())
    log_k = _log_k(log_e, log_inverse_rate, weights)
    through = c * two + log_k + heads  # ln(2^c k H); the own inputs add less than 1/(2^c k H)
    return c.log() + through + _between(0, (-through).exp())


def _log_k(log_e: arb, log_inverse_rate: arb, weights: Weights) -> arb:
    """Enclose ln k for the least k: the slack is negative at the low end, positive at the high.

    Published weights: low E/r, high 2 E/r.  There r k = 2 E exceeds E/(1 - 1/k^2) + 2 ln k + ln 2
    once 2 E/3 >= 2 ln(2 E/r) + ln 2.  Best weights: low S/r, high 2 S/r, where
    S = ln E + 2 ln(ln E/r).  As ln(f+1) + f ln(1 + 1/f) lies between ln f and ln f + 9/8, S/r is
    too small because k >= ln(E)/r, and 2 S/r is enough once 2 S >= ln f + 9/8 + ln 1/(1-B) there.
    Rounding up to an integer moves ln k by less than ln 2 / 100.
    """
    two = arb(2).log()
    if weights.name == "best":
        low = log_e + 2 * (log_e.log() + log_inverse_rate)
        log_f = log_e + 2 * (two + low.log() + log_inverse_rate)
        enough = 2 * low >= log_f + arb(9) / 8 - _ball(1 - weights.other).log()
        low = low.log()
    else:
        low = log_e
        enough = low + (arb(2) / 3).log() >= (2 * (low + log_inverse_rate + two) + two).log()
    if not enough or not low + log_inverse_rate > 5:
        raise TowerError("c is too small for this enclosure: take the exact least k instead")
    return low + log_inverse_rate + _between(0, two * arb(101) / 100)


def _beyond(c: Tower, H: int, C: Fraction, p: Parameters, weights: Weights) -> Tower:
    """Enclose the step for a c that fits no ball, through log log c_out = log c + log kappa.

    ln c_out = c ln(16/q) + rest (published) or c ln(4/q) + rest (best weights) with
    0 <= rest <= 5 ln c + 2 ln H + 2 ln 1/(eta C) + ln(21 + 2 ln(2/q)) + ln 1/(1-B) + 3, and rest/c
    is below 10^-1000 for every c that reaches this point.
    """
    base = 4 if weights.name == "best" else 16
    constant = arb(H).log() - _ball(p.eta * C).log() + (21 + 2 * _ball(2 / p.q).log()).log()
    if not 2 * constant - _ball(1 - weights.other).log() + 3 < 10**6:
        raise TowerError("the constants are too large beside this c")
    kappa = (_ball(base / p.q).log() + _between(0, arb(10) ** -1000)) / arb(10).log()
    shift, log_c = kappa.log() / arb(10).log(), c.log10()
    if log_c.height == 0:
        return Tower(2, log_c.ball + shift)
    # 10^t + shift = 10^(t + log10(1 + shift 10^-t)), and the change only shrinks further inside
    slip = 2 * abs(shift) * (-log_c.ball * arb(10).log()).exp()
    return Tower(log_c.height + 2, log_c.ball + _between(-slip, slip))


def _ball(value: Fraction) -> arb:
    return arb(fmpq(value.numerator, value.denominator))


def _between(low: arb | int, high: arb) -> arb:
    return arb(low).union(high)
