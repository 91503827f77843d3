"""Every method's bound for PARITY side by side, from the published proof to the best one here.

Main definitions: `Rung`, `ladder`.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log10

from bounds.limits import closed_form, greedy, switching
from bounds.limits.certify import limit
from bounds.limits.machines_reach import reachable, tree
from bounds.limits.plan import LimitError, Question
from bounds.reduction.growth import grow
from bounds.reduction.layers import length, one_layer, two_layers
from bounds.reduction.monotone import PUBLISHED, Weights, best_weights


@dataclass(frozen=True, slots=True)
class Rung:
    """One method at one size.

    ``shown`` is readable, ``log10`` the base-10 logarithm (an upper end), ``side`` tells whether
    it is an impossible length ("n0") or a reachable one ("reachable").
    """

    method: str
    side: str
    shown: str
    log10: float


def _number(method: str, n: int, side: str = "n0") -> Rung:
    size = log10(n) if n < 10**300 else (n.bit_length() + 1) * log10(2)
    return Rung(method, side, f"{n:,}" if n < 10**15 else f"10^{size:.4f}", size)


def _reduction(layers: int, heads: int, weights: Weights) -> int | None:
    if layers == 1:
        return length(one_layer(heads, weights=weights))
    if layers == 2:
        return length(two_layers(heads, weights=weights))
    return None


def _tower(heads: int, name: str, weights: Weights) -> Rung:
    """Return the inputs per activation after three steps: more must be free than that."""
    first, second = two_layers(heads, weights=weights)
    steps = [first.parameters, second.parameters, second.parameters]
    inputs = grow(steps, H=heads, weights=weights)[-1].inputs
    return Rung(f"depth reduction, {name} (two-step parameters)", "n0", str(inputs), inf)


def ladder(layers: int, heads: int, *, padding: int = 0) -> list[Rung]:
    """Return the rungs from the weakest to the strongest, then what machines reach.

    Parameters
    ----------
    layers, heads
        At least 1.
    padding
        Idle positions; only the last methods account for them, the others need 0.

    Examples
    --------
    >>> [(r.method, r.shown) for r in ladder(1, 2)][-3:]
    [('encoding, sets', '4'), ('tree', '3'), ('machine', '3')]
    """
    rungs: list[Rung] = []
    if padding == 0:
        for name, weights in (
            ("published weights", PUBLISHED),
            ("optimal weights", best_weights()),
        ):
            n = _reduction(layers, heads, weights)
            if n is not None:
                rungs.append(_number(f"depth reduction, {name}", n))
            elif layers == 3:
                rungs.append(_tower(heads, name, weights))
        rungs.extend(_older(layers, heads))
    question = Question("parity", layers, heads, padding)
    for choice in ("tuples", "sets"):
        rungs.append(_number(f"encoding, {choice}", limit(question, choice=choice)["n0"]))
    rungs.append(_number("tree", tree(layers, heads), "reachable"))
    rungs.append(_number("machine", reachable(layers, heads), "reachable"))
    return rungs


def _older(layers: int, heads: int) -> list[Rung]:
    rungs: list[Rung] = []
    n = greedy.smallest(layers, heads)
    if n is not None:
        rungs.append(_number("greedy", n))
    else:
        try:
            size = greedy.log10_smallest(layers, heads)
            rungs.append(
                Rung("greedy", "n0", f"10^{size.str(6, radius=False)}", float(size.upper()))
            )
        except LimitError:
            rungs.append(Rung("greedy", "n0", "a tower", inf))
    if layers >= 2:
        rungs.append(_number("closed form", closed_form.smallest(layers, heads)))
    if layers <= 4:
        rungs.append(_number("switching", switching.smallest(layers, heads)))
    return rungs
