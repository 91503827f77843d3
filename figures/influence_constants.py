"""The constant of the 1/n law by depth: measured, certified, a priori."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from attention.soft_random import random_transformer
from bounds.soft.apriori import apriori_constant, rescaled_logits
from figures import style
from figures.numbers import plain
from influence.measured_bound import certified_influence
from influence.types import type_changes
from influence.words import RepeatedWord, type_table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ID = "influence-constants"
TITLE = "Constants: measured, certified, a priori"
CAPTION = (
    r"$n$ times the largest influence at $n=2^{40}$ for random models without layer norm "
    r"whose logits are bounded by $A=1$ through norms: measured (types engine), certified "
    r"from measured weights in ball arithmetic, and a priori from the repaired recursion "
    r"(valid for all $n$)."
)
SIZE = (style.COLUMN, 2.4)


@dataclass(frozen=True, slots=True)
class Data:
    """Constants by number of layers, medians over models."""

    layers: np.ndarray
    measured: np.ndarray
    certified: np.ndarray
    apriori: np.ndarray

    def to_json(self) -> Any:
        """Return the numbers as JSON-compatible data."""
        return plain(self)


def data(*, quick: bool = False) -> Data:
    """Measure and bound; deterministic.  ``quick`` takes one model and three depths."""
    depths = range(1, 4 if quick else 5)
    seeds = range(1 if quick else 3)
    rows = [np.median([_constants(depth, seed) for seed in seeds], axis=0) for depth in depths]
    table = np.array(rows)
    return Data(np.array(depths), table[:, 0], table[:, 1], table[:, 2])


def _constants(depth: int, seed: int) -> tuple[float, float, float]:
    model = rescaled_logits(
        random_transformer(
            np.random.default_rng(seed), layers=depth, heads=2, width=8, logit_bound=None, period=4
        ),
        1.0,
    )
    n, readout = 2**40, np.asarray(model.output)
    table = type_table(model, RepeatedWord(tuple("0010111011000101"), n))
    found = np.abs(type_changes(model, table, 1 - table.symbols, readout).elsewhere[:, 0])
    worst = int(found.argmax())
    bound = certified_influence(
        model, table, exchanged=worst, target=1 - int(table.symbols[worst]), readout=readout
    )
    return n * float(found[worst]), n * float(bound), float(apriori_constant(model))


def note(d: Data) -> str:
    """Return how much tighter the certified bound is at three layers."""
    at = list(d.layers).index(3)
    return (
        f"At L = 3 the certified bound is {d.apriori[at] / d.certified[at]:.3g} times tighter than "
        f"the a priori bound and {d.certified[at] / d.measured[at]:.3g} times what is measured."
    )


def draw(fig: "Figure", d: Data) -> None:
    """Draw three curves."""
    ax = fig.subplots()
    rows = (("measured", d.measured), ("certified", d.certified), ("a priori", d.apriori))
    for i, (label, values) in enumerate(rows):
        ax.semilogy(d.layers, values, linestyle=style.LINES[i], marker=style.MARKERS[i], ms=3,
                    color=style.colour(i), label=label)  # fmt: skip
    ax.set_xticks(d.layers)
    ax.set_xlabel("layers $L$")
    ax.set_ylabel("$n$ × influence")
    ax.legend()
