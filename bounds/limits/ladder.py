"""Every method's bound for PARITY side by side, from the published proof to the best one here.

Main definitions: `Rung`, `ladder`, `METHODS`, `statement_of`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from math import inf, log10
from types import ModuleType

from flint import arb

from bounds.limits import alteration, closed_form, greedy, no_x0, switching, textbook
from bounds.limits.certify import limit
from bounds.limits.machines_reach import reachable, tree
from bounds.limits.plan import LimitError, Question
from bounds.reduction.growth import grow
from bounds.reduction.layers import length, one_layer, two_layers
from bounds.reduction.monotone import PUBLISHED, Weights, best_weights
from bounds.reduction.optimise import Step


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


METHODS = (
    "depth reduction, published weights",
    "depth reduction, optimal weights",
    "depth reduction, no X0",
    "greedy",
    "textbook switching",
    "random and alteration",
    "closed form",
    "switching and repair",
    "encoding, tuples",
    "encoding, sets",
    "tree",
    "machine",
)
"""The names of all rungs, from the weakest bound to the strongest, then what machines reach."""


_PROOFS: dict[str, ModuleType] = {
    "depth reduction, no X0": no_x0,
    "greedy": greedy,
    "textbook switching": textbook,
    "random and alteration": alteration,
    "closed form": closed_form,
    "switching and repair": switching,
}


def statement_of(method: str) -> str:
    """Return a method's statement with its proof, as its module tells it; empty for the others.

    Examples
    --------
    >>> "*Proof.*" in statement_of("greedy"), statement_of("tree")
    (True, '')
    """
    module = _PROOFS.get(method)
    return "" if module is None else (module.__doc__ or "").split("Main definitions")[0].strip()


def _number(method: str, n: int, side: str = "n0") -> Rung:
    size = log10(n) if n < 10**300 else (n.bit_length() + 1) * log10(2)
    return Rung(method, side, f"{n:,}" if n < 10**15 else f"10^{size:.4f}", size)


def _reduction(layers: int, heads: int, weights: Weights) -> int | None:
    if layers == 1:
        return length(one_layer(heads, weights=weights))
    if layers == 2:
        return length(_two_steps(heads, weights))
    return None


@lru_cache(maxsize=32)  # the third layer starts from them again
def _two_steps(heads: int, weights: Weights) -> tuple[Step, Step]:
    return two_layers(heads, weights=weights)


def _tower(heads: int, name: str, weights: Weights) -> Rung:
    """Return the inputs per activation after three steps: more must be free than that.

    The third step has the parameters of the second.
    """
    first, second = _two_steps(heads, weights)
    steps = [first.parameters, second.parameters, second.parameters]
    inputs = grow(steps, H=heads, weights=weights)[-1].inputs
    return Rung(name, "n0", str(inputs), inf)


def ladder(
    layers: int, heads: int, *, padding: int = 0, only: tuple[str, ...] = METHODS
) -> list[Rung]:
    """Return the rungs from the weakest to the strongest, then what machines reach.

    Parameters
    ----------
    layers, heads
        At least 1.
    padding
        Idle positions; only the encoding lemma accounts for them, other bounds need 0.
    only
        Names out of METHODS; other rungs are not computed.

    Raises
    ------
    LimitError
        For sizes out of range.

    Examples
    --------
    >>> [(r.method, r.shown) for r in ladder(1, 2)][-3:]
    [('encoding, sets', '4'), ('tree', '3'), ('machine', '3')]
    """
    question = Question("parity", layers, heads, padding)
    older = _older(layers, heads) if padding == 0 else {}
    rungs = [r for name in METHODS if name in only and name in older for r in older[name]()]
    for choice in ("tuples", "sets"):
        if f"encoding, {choice}" in only:
            rungs.append(_number(f"encoding, {choice}", limit(question, choice=choice)["n0"]))
    for name, reached in (("tree", tree), ("machine", reachable)):
        if name in only:
            rungs.append(_number(name, reached(layers, heads), "reachable"))
    return rungs


def _older(layers: int, heads: int) -> dict[str, Callable[[], list[Rung]]]:
    """Return, by name, the methods that exist at this size; each is evaluated when called."""
    plain: dict[str, tuple[int, int, Callable[[int, int], int]]] = {  # layers from, layers to
        "textbook switching": (1, 4, textbook.smallest),
        "random and alteration": (1, 2, alteration.smallest),
        "closed form": (2, 99, closed_form.smallest),
        "switching and repair": (1, 4, switching.smallest),
    }
    found: dict[str, Callable[[], list[Rung]]] = {
        name: partial(lambda name, f: [_number(name, f(layers, heads))], name, f)
        for name, (low, high, f) in plain.items()
        if low <= layers <= high
    }
    for name, weights in (("published", PUBLISHED), ("optimal", best_weights())):
        full = f"depth reduction, {name} weights"
        found[full] = partial(_depth_reduction, layers, heads, full, weights)
    found["depth reduction, no X0"] = partial(_without_x0, layers, heads)
    found["greedy"] = partial(_greedy, layers, heads)
    return found


def _depth_reduction(layers: int, heads: int, name: str, weights: Weights) -> list[Rung]:
    n = _reduction(layers, heads, weights)
    if n is not None:
        return [_number(name, n)]
    return [_tower(heads, name, weights)] if layers == 3 else []


def _greedy(layers: int, heads: int) -> list[Rung]:
    n = greedy.smallest(layers, heads)
    if n is not None:
        return [_number("greedy", n)]
    try:
        size = greedy.log10_smallest(layers, heads)
    except LimitError:
        return [Rung("greedy", "n0", "a tower", inf)]
    return [Rung("greedy", "n0", f"10^{size.str(6, radius=False)}", float(size.upper()))]


def _without_x0(layers: int, heads: int) -> list[Rung]:
    name = "depth reduction, no X0"
    if layers == 1:
        return [_number(name, no_x0.smallest(heads))]
    if layers > no_x0.LARGEST_LAYERS:
        return []
    size = no_x0.log10_smallest(layers, heads)
    if size < 10**6:
        return [Rung(name, "n0", f"10^{size.str(6, radius=False)}", float(size.upper()))]
    tower = (size.log() / arb(10).log()).str(6, radius=False)
    return [Rung(name, "n0", f"10^10^{tower}", inf)]
