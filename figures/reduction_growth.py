"""How the inputs per activation grow layer by layer, on a scale of powers of ten."""

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from bounds.reduction.growth import grow
from bounds.reduction.layers import two_layers
from bounds.reduction.monotone import PUBLISHED, Weights, best_weights
from bounds.reduction.parameters import Parameters, explicit
from figures import style
from figures.numbers import plain

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ID = "reduction-growth"
TITLE = "Growth of c layer by layer"
CAPTION = (
    r"Inputs $c$ that one activation may depend on after each removed layer, enclosed rigorously. "
    r"Equal steps of the vertical axis are powers: $10$, $10^{10}$, $10^{10^{10}}$. Filled: each "
    r"step keeps half of the free inputs with the explicit parameters. Open: parameters that a "
    r"search proposed for a short length at two layers. Each layer adds one level to the tower."
)
SIZE = (style.COLUMN, 3.0)

_LAYERS = 4


@dataclass(frozen=True, slots=True)
class Series:
    """One curve: ``height`` is the number of tens, ``text`` the value as written."""

    label: str
    heads: int
    searched: bool
    height: np.ndarray
    text: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Data:
    """Series over the number of removed layers, from 0."""

    series: tuple[Series, ...]

    def to_json(self) -> Any:
        """Return the numbers as JSON-compatible data."""
        return plain(self)


def data(*, quick: bool = False) -> Data:
    """Enclose the growth for both weights; deterministic.  ``quick`` leaves the searches out."""
    half = [explicit(C=1, Cprime=Fraction(1, 2))] * _LAYERS
    found = [
        _series(f"{w.name}, $H={h}$", h, half, w, searched=False)
        for w in (PUBLISHED, best_weights())
        for h in (1, 8)
    ]
    if not quick:
        for w in (PUBLISHED, best_weights()):
            first, second = (step.parameters for step in two_layers(1, weights=w))
            plan = [first] + [second] * (_LAYERS - 1)
            found.append(_series(f"{w.name}, $H=1$, searched", 1, plan, w, searched=True))
    return Data(tuple(found))


def note(d: Data) -> str:
    """Return the sentence with the values of the first series."""
    first = d.series[0]
    return f"c after each layer ({first.label.replace('$', '')}): {', '.join(first.text)}."


def draw(fig: "Figure", d: Data) -> None:
    """Draw the series over the number of removed layers."""
    ax = fig.subplots()
    for i, s in enumerate(d.series):
        layers = np.arange(len(s.height))
        ax.plot(
            layers,
            s.height,
            color=style.colour(i),
            marker=style.MARKERS[i],
            markerfacecolor="white" if s.searched else style.colour(i),
            linestyle=style.LINES[i],
            label=s.label,
        )
    top = int(max(s.height[-1] for s in d.series)) + 1
    ticks = np.arange(0, top + 1)
    labels = ["1", "10"]
    for _ in ticks[2:]:
        labels.append(f"10^{{{labels[-1]}}}")
    ax.set_yticks(ticks, [f"${text}$" for text in labels])
    ax.set(
        xlabel="layers removed",
        ylabel=r"inputs per activation, $c$",
        xticks=np.arange(_LAYERS + 1),
        ylim=(0, top),
    )
    ax.tick_params(axis="y", labelsize=8)
    ax.grid(visible=True, axis="y", linewidth=0.3, color="0.8")
    fig.legend(loc="outside upper center", ncols=2, columnspacing=1.0, fontsize=6.5)


def _series(
    label: str, heads: int, steps: list[Parameters], weights: Weights, *, searched: bool
) -> Series:
    inputs = [layer.inputs for layer in grow(steps, H=heads, weights=weights)]
    return Series(
        label,
        heads,
        searched,
        np.array([tower.super_log() for tower in inputs]),
        tuple(str(tower) for tower in inputs),
    )
