"""Iterative removal of layers, drawn from an executed reduction (Figure 1 of Hahn 2020)."""

from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from attention.families import sinusoidal
from attention.function import FunctionTransformer
from attention.hard import trace
from attention.transformer import AbstractHardTransformer
from figures import style
from figures.numbers import plain
from figures.reduction_drawing import Panel, draw_panel
from restrictions.probe import Fixing, positions
from restrictions.reduction import reduce_layers
from restrictions.restriction import Restriction

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ID = "reduction-layers"
TITLE = "Iterative removal of layers, executed"
CAPTION = (
    r"A two-layer dot-product model with random weights and hard attention on $n = 8$ inputs. "
    r"Solid: every attention edge that some input attains; dashed: skip edges; filled squares: "
    r"fixed inputs (an edge to one is drawn in the second colour). (a) No restriction. (b) Inputs "
    r"fixed so that each layer-1 head attends to few inputs. (c) More inputs fixed for the last "
    r"position's layer-2 head. (d) Layer 1 removed: its activations are functions of the inputs "
    r"below them."
)
SIZE = (style.TEXT, 3.6)

_N, _SEED, _K = 8, 9, 2


@dataclass(frozen=True, slots=True)
class Data:
    """Four panels; ``free`` counts the free inputs of each, ``c`` the inputs per activation."""

    panels: tuple[Panel, ...]
    free: tuple[int, ...]
    c: int
    output: bool

    def to_json(self) -> Any:
        """Return the numbers as JSON-compatible data."""
        return plain(self)


def attained_edges(
    model: AbstractHardTransformer, rho: Restriction
) -> tuple[tuple[int, int, int], ...]:
    """Return (layer, position, attended position) over all words of the subcube, by running it."""
    found = set()
    remembered = FunctionTransformer(
        n=model.n,
        layers=model.layers,
        heads=model.heads,
        alphabet=model.alphabet,
        embedding=cache(model.embed),
        scoring=cache(model.score),
        activation=cache(model.act),
        output=cache(model.readout),
        ties=model.ties,
        mask=model.mask,
    )
    for word in islice(rho.completions(), 2**16):
        for layer, heads in enumerate(trace(remembered, word).attended, 1):
            for row in heads:
                found |= {(layer, i, j) for i, j in enumerate(row)}
    return tuple(sorted(found))


def data(*, quick: bool = False) -> Data:
    """Run the reduction and enumerate every attained edge; deterministic."""
    model = sinusoidal(_N, 2, 1, rng=np.random.default_rng(_SEED), width=8)
    reduced = reduce_layers(model, k=_K, rng=np.random.default_rng(0))
    step = reduced.steps[0]
    ground = Restriction.free(model.alphabet, model.n)
    middle = ground.fix(_values(ground, step.transformer.fixing))
    rows = ("inputs", "layer 1", "layer 2")
    skips = tuple((row, i) for row in (1, 2) for i in range(_N))
    shown = [
        (r"(a) no restriction", ground),
        (r"(b) restricted for layer 1", middle),
        (r"(c) restricted for the output", reduced.restriction),
    ]
    panels = []
    for title, rho in shown:
        edges = attained_edges(model, rho)
        if title.startswith("(c)"):  # only the last position matters in the last layer
            edges = tuple(e for e in edges if e[0] == 1 or e[1] == _N - 1)
        panels.append(Panel(title, rows, str(rho), edges, skips))
    removed = step.transformer
    feeding = tuple((1, i, j) for i in range(_N) for j in positions(removed.sources(i)) if j != i)
    own = tuple((1, i) for i in range(_N) if removed.sources(i) >> i & 1)
    top = tuple(e for e in attained_edges(model, middle) if e[0] == 2)
    panels.append(
        Panel(
            "(d) layer 1 removed",
            ("inputs", r"new layer 0", "layer 2"),
            str(middle),
            feeding + top,
            own + tuple((2, i) for i in range(_N)),
        )
    )
    assert isinstance(reduced.output, bool)
    return Data(
        panels=tuple(panels),
        free=tuple(panel.fixed.count("*") for panel in panels),
        c=removed.c,
        output=reduced.output,
    )


def _values(ground: Restriction, fixing: Fixing) -> dict[int, Any]:
    return {
        j: ground.choices[j][fixing.true >> j & 1] for j in positions(fixing.true | fixing.false)
    }


def note(d: Data) -> str:
    """Return the sentence with the counts of free inputs."""
    return (
        f"Free inputs: {d.free[0]}, {d.free[1]} after layer 1 (each activation then depends on at "
        f"most {d.c}), {d.free[2]} when the output is constant ({d.output})."
    )


def draw(fig: "Figure", d: Data) -> None:
    """Draw the four panels."""
    for ax, panel in zip(fig.subplots(2, 2).flat, d.panels, strict=True):
        draw_panel(ax, panel)
