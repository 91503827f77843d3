r"""Depth reduction without the event X_0: expected stars instead of a concentration bound.

**Theorem.** Let every activation depend on at most c inputs, Cn of them free.  With 0 < eta < 1/2,
0 < q < 1, f = 2^(2c) c^2 k^2 H/(eta C) and r = -ln(1 - (q/2)^c) eta C/c^2, if
r k >= ln(f + 1) + f ln(1 + 1/f), then for every n some restriction keeps at least
C (1 - 2 eta)(1 - q (1 - A)^(-g)) n inputs free, where A = 1/(f + 1) and g = 2^c k H c/(eta C), and
makes every activation of the next layer depend on at most c (2^c k H + 1) inputs.

*Proof.* The events X ("the k activations selected for a head and a value are all unsatisfied") obey
the symmetric local lemma with weight A: Pr[X] <= A (1 - A)^f, which is the condition, because
A = 1/(f + 1) maximises the right side.  Condition on no X.  The local lemma also bounds every other
event under this condition: an input is fixed with probability at most q (1 - A)^(-g), because it
feeds selections of at most g events.  So the expected number of free inputs is at least the one
stated, and some restriction attains it.  No deviation is bounded, so no length has to be large. []

One step for each of the L layers; beyond the last, PARITY fails once more inputs are free than one
activation depends on.  The condition grows with k from 2/r on, so a sufficient k is found upwards.

Main definitions: `Step`, `step`, `log10_smallest`, `smallest`.

References
----------
Hahn (2020), Section 5.1 [hahn2020]; weights and expectation are our own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from math import ceil, exp, expm1, inf, log, log1p

from flint import arb, ctx, fmpq

from bounds.limits.plan import LimitError

LARGEST_LAYERS = 3  # the fourth number is a tower that no ball holds
_BITS = 1500  # log10 of two layers has up to five thousand, of three up to 10^400 as an exponent


@dataclass(frozen=True, slots=True)
class Step:
    """Balls after one step: k, inputs per activation, share of free inputs."""

    k: arb
    inputs: arb
    free: arb


def step(c: arb, heads: int, free: arb, eta: fmpq, q: fmpq) -> Step:
    """Return one step with a k that is certified to satisfy the condition.

    Raises
    ------
    LimitError
        For eta outside (0, 1/2) or q outside (0, 1).
    """
    if not (0 < eta < fmpq(1, 2) and 0 < q < 1):
        raise LimitError(f"eta = {eta}, q = {q}: take 0 < eta < 1/2 and 0 < q < 1")
    rate = -(-((arb(q) / 2) ** c)).log1p() * arb(eta) * free / c**2
    k = (arb(2) / rate).ceil().upper()
    for _ in range(400):
        f = (arb(2) ** c * c * k) ** 2 * heads / (arb(eta) * free)
        needed = ((f + 1).log() + f * (1 / f).log1p()) / rate
        if k >= needed:
            break
        k = (needed.upper() * arb(fmpq(10**9 + 1, 10**9)) + 1).floor().upper()
    else:
        raise LimitError(f"eta = {eta}, q = {q}: no sufficient k was found")
    reach = arb(2) ** c * k * heads * c / (arb(eta) * free)
    lost = arb(q) * (-reach * (-1 / (f + 1)).log1p()).exp()
    if not lost < 1:
        raise LimitError(f"eta = {eta}, q = {q}: no input is expected to stay free")
    return Step(k, c * (arb(2) ** c * k * heads + 1), free * (1 - 2 * arb(eta)) * (1 - lost))


def _log_step(log_c: float, heads: int, log_free: float, eta: float, q: float) -> tuple[float, ...]:
    """Estimate (ln c', ln C') in floating point; c itself may overflow to infinity."""
    c = exp(min(log_c, 600.0))
    log_rate = c * log(q / 2) + log(eta) + log_free - 2 * log_c
    if c < 30:
        log_rate = log(-log1p(-((q / 2) ** c))) + log(eta) + log_free - 2 * log_c
    log_k = -log_rate
    for _ in range(8):
        log_f = 2 * c * log(2) + 2 * log_c + 2 * log_k + log(heads) - log(eta) - log_free
        log_k = log(log_f + 1) - log_rate
    if log_k < 20:  # k is an integer, and so small that its rounding shows
        log_k = log(ceil(exp(log_k)))
    # A g = 1 / (2^c c k) up to a factor 1 + 1/f
    lost = q * exp(exp(-c * log(2) - log_c - log_k))
    if lost >= 1:
        return inf, 0.0
    inputs = 2**c * exp(log_k) * heads if c < 30 and log_k < 300 else inf
    grown = log1p(inputs) if inputs < inf else c * log(2) + log_k + log(heads)
    return log_c + grown, log_free + log1p(-2 * eta) + log1p(-lost)


def _first(heads: int, k: int) -> tuple[float, float, float]:
    """Return (share, eta, q) of a first step with this k that keeps most, over a grid of eta."""
    best = (0.0, 0.25, 0.5)
    for eta in (i / 4000 for i in range(1, 2000)):
        best = max(best, _kept(heads, k, eta))
    middle = best[1]
    return max(best, *(_kept(heads, k, middle + i / 400_000) for i in range(-99, 100)))


def _kept(heads: int, k: int, eta: float) -> tuple[float, float, float]:
    """Return (share, eta, q) with the least q that this k allows."""
    f = 4 * k * k * heads / eta
    q = -2 * expm1(-(log(f + 1) + f * log1p(1 / f)) / (k * eta)) * (1 + 2e-9)
    share = (1 - 2 * eta) * (1 - q * exp(1 / (2 * k))) if 0 < q < 1 else 0.0
    return share, eta, q


def _second(heads: int, k: int) -> tuple[float, list[tuple[float, float]]]:
    """Return ln of the length after two steps whose first one has this k, and (eta, q) of both."""
    share, eta, q = _first(heads, k)
    if share <= 0:
        return inf, []
    x, size, best = [0.0, 0.0], 2.0, inf
    while size > 1e-3:
        moved = False
        for i, sign in product((0, 1), (size, -size)):
            y = [x[0] + (sign if i == 0 else 0), x[1] + (sign if i == 1 else 0)]
            tried = 0.5 / (1 + exp(-y[0])), 1 / (1 + exp(-y[1]))
            log_c, log_free = _log_step(log(2 * k * heads + 1), heads, log(share), *tried)
            if max(map(abs, y)) < 14 and log_c - log_free < best:
                x, best, moved = y, log_c - log_free, True
        size = size if moved else size / 2
    return best, [(eta, q), (0.5 / (1 + exp(-x[0])), 1 / (1 + exp(-x[1])))]


def _proposal(layers: int, heads: int) -> list[tuple[fmpq, fmpq]]:
    """Propose (eta, q) of every step: the first integer k decides almost everything."""

    def cost(k: int) -> float:
        if layers > 1:
            return _second(heads, k)[0]
        share = _first(heads, k)[0]
        return (2 * k * heads + 1) / share if share > 0 else inf

    if layers > 1:  # the first k that keeps anything is close to the best
        least = next(k for k in range(2, 2000) if _first(heads, k)[0] > 0)
        best = min(range(least, least + 6), key=cost)
    else:
        best = _coarse_to_fine(cost)
    rows = _second(heads, best)[1] if layers > 1 else [_first(heads, best)[1:]]
    rows += rows[-1:] * (layers - len(rows))
    return [(fmpq(round(e * 10**12), 10**12), fmpq(round(q * 10**12), 10**12)) for e, q in rows]


def _coarse_to_fine(cost: Callable[[int], float]) -> int:
    low, high, stride = 2, 1600, 128
    best = low
    while stride:
        best = min(range(max(2, low), high + 1, stride), key=cost)
        low, high, stride = best - stride, best + stride, stride // 4
    return best


def _last(layers: int, heads: int) -> tuple[arb, arb]:
    if layers < 1 or heads < 1 or layers > LARGEST_LAYERS:
        raise LimitError(
            f"layers = {layers}, heads = {heads}: take 1 to {LARGEST_LAYERS} layers, 1 head or more"
        )
    c, free = arb(1), arb(1)
    for eta, q in _proposal(layers, heads):
        done = step(c, heads, free, eta, q)
        c, free = done.inputs.upper(), done.free.lower()
    return c, free


def log10_smallest(layers: int, heads: int) -> arb:
    """Enclose log10 of a sufficient length, at most three layers.

    Examples
    --------
    >>> log10_smallest(2, 1) < 56
    True
    """
    before, ctx.prec = ctx.prec, _BITS
    try:
        c, free = _last(layers, heads)
        return (c / free + 1).log() / arb(10).log()
    finally:
        ctx.prec = before


def smallest(heads: int) -> int:
    """Return a sufficient length for one layer.

    Examples
    --------
    >>> smallest(1) <= 1550
    True
    """
    before, ctx.prec = ctx.prec, _BITS
    try:
        c, free = _last(1, heads)
        return int((c / free).floor().upper().ceil().unique_fmpz() or 0) + 1
    finally:
        ctx.prec = before
