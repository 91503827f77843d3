r"""From which length on PARITY is out of reach for L layers: certified plans of one and two steps.

After L steps an activation depends on c_L inputs while C_L n are free; once C_L n > c_L some free
input has no influence on it, so PARITY is not computed.  A plan names exact parameters for every
step; its lengths are certified, its optimality is not.

Main definitions: :func:`one_layer`, :func:`two_layers`, :func:`length`.

References
----------
Hahn (2020), Theorem 1 and Corollary 2 [hahn2020].
"""

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from bounds.reduction.estimate import Estimator, Floats, minimise
from bounds.reduction.monotone import PUBLISHED, Weights
from bounds.reduction.optimise import Step, balance, certified_step, decimal
from bounds.reduction.parameters import Parameters

_TINY = Fraction(1, 10**9)


def length(steps: Sequence[Step]) -> int:
    """Return the length from which on the steps apply and one activation misses a free input.

    Every n from here on satisfies E11 in every step and ``C_L n > c_L``.
    """
    return max(steps[-1].n0, *(s.n11 for s in steps))


def one_layer(H: int, *, weights: Weights = PUBLISHED) -> tuple[Step]:
    """Return a plan of one step from c = 1, C = 1 with a small length.

    Parameters
    ----------
    H
        Heads per layer, at least 1.
    weights
        Local-lemma weights.

    Notes
    -----
    Deterministic.

    Examples
    --------
    >>> length(one_layer(1)) <= 3197
    True
    """
    model = Estimator(1, H, 1.0, weights)

    def log_n(s: Floats, log_q: Floats, log_delta: Floats) -> Floats:
        eta, q, delta = 0.5 / (1 + np.exp(-s)), np.exp(log_q), np.exp(log_delta)
        share = (1 - 2 * eta) * (1 - (1 + delta) * q)
        target = np.log(np.where(share > 0, share, np.nan))
        return balance(model, eta, q, delta, target)[0]

    s, log_q, log_delta = minimise(log_n, [(-6, 6), (-6, 0), (-8, 0)])
    eta, q, delta = 0.5 / (1 + math.exp(-s)), math.exp(log_q), math.exp(log_delta)
    p = Parameters(decimal(eta), decimal(q), min(Fraction(1), decimal(delta)))
    x = [np.array(v) for v in (eta, q, delta)]
    y = balance(model, x[0], x[1], x[2], math.log(p.share))[1]
    step = certified_step(
        c=1,
        H=H,
        C=1,
        Cprime=p.share,
        parameters=p,
        weights=weights,
        k_at_least=max(2, int(math.exp(float(y)))),
    )
    return (step,)


def two_layers(H: int, *, weights: Weights = PUBLISHED) -> tuple[Step, Step]:
    """Return a plan of two steps from c = 1, C = 1 with a small length; see :func:`one_layer`.

    The first k decides almost everything, because c_2 is exponential in c_1 = 2 k H + 1: the
    integers k are searched, coarse to fine, each with good parameters for both steps.

    Examples
    --------
    >>> two_layers(1)[0].c_out
    135
    """
    low, high, stride = 2, 800, 64
    best = low
    while stride:
        candidates = range(max(2, low), high + 1, stride)
        best = min(candidates, key=lambda k: _second(H, k, weights)[0])
        low, high, stride = best - stride, best + stride, stride // 4
    first, second = _first(H, best, weights), _second(H, best, weights)[1]
    assert first is not None  # the best k has parameters
    one = certified_step(c=1, H=H, C=1, Cprime=first.share, parameters=first, weights=weights)
    share = one.Cprime * second.share
    two = certified_step(
        c=one.c_out, H=H, C=one.Cprime, Cprime=share, parameters=second, weights=weights
    )
    return one, two


def _first(H: int, k: int, weights: Weights) -> Parameters | None:
    """Propose parameters of a first step that allow this k and keep as much as they can."""
    model = Estimator(1, H, 1.0, weights)
    eta = 0.5 / (1 + np.exp(-np.linspace(-6, 10, 4001)))
    y, log_e = np.full_like(eta, math.log(k)), model.log_e(eta)
    with np.errstate(all="ignore"):
        q = -2 * np.expm1(-model.needed(y, log_e) / (k * eta))  # E12 with equality
        delta = np.sqrt(3 * model.loss(y, log_e) / (q * (1 - 2 * eta)))  # E11 with equality
        share = (1 - 2 * eta) * (1 - (1 + delta) * q)
    share = np.where((q < 1) & (delta < 1), share, -1.0)
    best = int(np.argmax(share))
    if share[best] <= 1e-9:
        return None
    margin = 1 + 1e-5 * (1 - q[best])
    return Parameters(
        decimal(float(eta[best])), decimal(q[best] * margin), decimal(delta[best] * (1 + 1e-5))
    )


def _second(H: int, k: int, weights: Weights) -> tuple[float, Parameters]:
    """Estimate ln n0 of a plan whose first step has this k; propose parameters of the second."""
    first = _first(H, k, weights)
    if first is None:
        return math.inf, Parameters(_TINY, _TINY, _TINY)
    model = Estimator(2 * k * H + 1, H, float(first.share), weights)

    def log_n(s: Floats, t: Floats) -> Floats:
        eta, q = 0.5 / (1 + np.exp(-s)), 1 / (1 + np.exp(-t))
        share = np.log((1 - 2 * eta) * (1 - q)) + math.log(model.C)
        return model.log_c_out(model.log_k12(eta, q)) - share

    s, t = minimise(log_n, [(-6, 10), (-10, 14)])
    cost = float(log_n(np.array(s), np.array(t)))
    eta, q = decimal(0.5 / (1 + math.exp(-s))), 1 - decimal(1 / (1 + math.exp(t)))
    return cost, Parameters(eta, q, min(_TINY, (1 - q) / 1000))
