"""How many inputs must be fixed for a certified constant output, over the length."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from attention.constructions.recognisers import tribes
from attention.families import oracle, sinusoidal
from attention.transformer import AbstractHardTransformer
from figures import style
from figures.numbers import plain
from restrictions.baselines import random_prefix
from restrictions.certify import Certified, certify
from restrictions.reduction import reduce_layers
from restrictions.rows import BlowUp

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ID = "reduction-subcubes"
TITLE = "Certified constant subcubes: inputs fixed against length"
CAPTION = (
    r"Inputs fixed so that the output of a two-layer, one-head model is certainly constant, for "
    r"one model per point: by the search, by the executed stages ($k = 4$), and by fixing random "
    r"positions to random symbols until propagation certifies a constant. Left: dot products with "
    r"sinusoidal positions. Middle: position-aware random scores. Right: AND of ORs over "
    r"$\sqrt{n}$ blocks, where $\sqrt{n}$ (dotted) is optimal."
)
SIZE = (style.TEXT, 2.3)

FAMILIES = ("dot products", "random scores", "AND of ORs")
METHODS = ("search", "stages", "random positions")


@dataclass(frozen=True, slots=True)
class Data:
    """``fixed[family, method, length]``; NaN where the stages blow up."""

    lengths: np.ndarray
    fixed: np.ndarray

    def to_json(self) -> Any:
        """Return the numbers as JSON-compatible data."""
        return plain(self)


def _model(family: str, n: int) -> AbstractHardTransformer:
    if family == "dot products":
        return sinusoidal(n, 2, 1, rng=np.random.default_rng(n))
    if family == "random scores":
        return oracle(n, 2, 1, seed=n)
    return tribes(n, round(n**0.5))


def data(*, quick: bool = False) -> Data:
    """Run all methods; deterministic (the search's budget counts propagations, not seconds)."""
    lengths = np.array([16, 36] if quick else [16, 36, 64, 100, 144])
    fixed = np.full((len(FAMILIES), len(METHODS), len(lengths)), np.nan)
    for f, family in enumerate(FAMILIES):
        for t, n in enumerate(lengths.tolist()):
            model = _model(family, n)
            goal = round(n**0.5) if family == "AND of ORs" else 6
            found = certify(
                model,
                seconds=math.inf,
                trials=150,
                rng=np.random.default_rng(0),
                enough=goal,
            )
            if isinstance(found, Certified):
                fixed[f, 0, t] = n - found.restriction.dimension
            try:
                reduced = reduce_layers(model, k=4, rng=np.random.default_rng(0))
                fixed[f, 1, t] = n - reduced.restriction.dimension
            except BlowUp:
                pass  # stays a gap in the curve
            fixed[f, 2, t] = random_prefix(model, rng=np.random.default_rng(0))
    return Data(lengths, fixed)


def note(d: Data) -> str:
    """Return the sentence with the numbers at the greatest length."""
    last = [
        f"{family}: {int(d.fixed[f, 0, -1])} by the search, {int(d.fixed[f, 2, -1])} at random"
        for f, family in enumerate(FAMILIES)
    ]
    return f"Inputs fixed at n = {d.lengths[-1]}: " + "; ".join(last) + "."


def draw(fig: "Figure", d: Data) -> None:
    """Draw one panel a family."""
    axes = fig.subplots(1, len(FAMILIES), sharey=True)
    for f, (ax, family) in enumerate(zip(axes, FAMILIES, strict=True)):
        for m, method in enumerate(METHODS):
            ax.plot(
                d.lengths,
                d.fixed[f, m],
                marker=style.MARKERS[m],
                color=style.colour(m),
                linestyle=style.LINES[m],
                label=method if f == 0 else None,
            )
        if family == "AND of ORs":
            ax.plot(d.lengths, np.sqrt(d.lengths), color=style.OKABE_ITO["black"], linestyle=":")
        ax.set(xlabel="$n$", xscale="log", yscale="log", xticks=[16, 36, 64, 144])
        ax.set_xticklabels(["16", "36", "64", "144"])
        ax.minorticks_off()
        ax.set_title(family, fontsize=7)
    axes[0].set_ylabel("inputs fixed")
    fig.legend(loc="outside upper center", ncols=3)
