"""Numerical rank of the exp-kernel of attention against n."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from attention.soft_encodings import FractionEncoding
from attention.soft_random import random_transformer
from figures import style
from figures.numbers import plain
from influence.lowrank import LowRankBackend
from influence.rows import Rows, changed_step, local_step

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ID = "influence-rank"
TITLE = "Rank of the attention kernel"
CAPTION = (
    r"Rank of the skeleton of $\exp(QK^\top)$ in a random model with positions encoded by "
    r"$i/n$ and the parity of $i$, at relative tolerances $10^{-4}$, $10^{-8}$ and "
    r"$10^{-12}$ (layer 1 solid, layer 2 dashed, $A=4$, largest head). The low-rank "
    r"engine's cost is proportional to it."
)
SIZE = (style.COLUMN, 2.4)


TOLERANCES = (1e-4, 1e-8, 1e-12)


@dataclass(frozen=True, slots=True)
class Data:
    """Ranks of shape (tolerances, 2 layers, lengths), and residuals of the same shape."""

    n: np.ndarray
    tolerance: np.ndarray
    rank: np.ndarray
    residual: np.ndarray

    def to_json(self) -> Any:
        """Return the numbers as JSON-compatible data."""
        return plain(self)


def data(*, quick: bool = False) -> Data:
    """Build skeletons; deterministic.  ``quick`` takes two lengths."""
    ns = [96, 192] if quick else [256, 512, 1024, 2048, 4096]
    rank = np.zeros((len(TOLERANCES), 2, len(ns)), dtype=int)
    residual = np.zeros(rank.shape)
    for column, n in enumerate(ns):
        rng = np.random.default_rng(3)
        line = FractionEncoding(rng.standard_normal(16), 0.5 * rng.standard_normal(16))
        model = random_transformer(
            rng, layers=2, heads=1, width=16, norms="post", encoding=line, logit_bound=4.0
        )
        word = np.random.default_rng(4).integers(0, 2, n)
        places = line.rows(np.arange(n), n, 16)
        first = Rows(
            model, model.layers[0], model.embedding[word] + places,
            model.embedding[1 - word] + places,
        )  # fmt: skip
        kernel = LowRankBackend(tolerance=1e-10, sample=256, largest=512).kernel(first)
        second = Rows(
            model, model.layers[1], local_step(first, kernel.base()[0]),
            changed_step(first, *kernel.changed()),
        )  # fmt: skip
        for row, tolerance in enumerate(TOLERANCES):
            for at, rows in enumerate((first, second)):
                found = LowRankBackend(tolerance=tolerance, sample=256, largest=512).kernel(rows)
                rank[row, at, column] = max(found.ranks)
                residual[row, at, column] = found.residual
    return Data(np.array(ns), np.array(TOLERANCES), rank, residual)


def note(d: Data) -> str:
    """Return the ranks at the largest length."""
    first, second = d.rank[:, 0, -1], d.rank[:, 1, -1]
    return (
        f"At n = {d.n[-1]} the ranks are {', '.join(map(str, first))} in layer 1 and "
        f"{', '.join(map(str, second))} in layer 2."
    )


def draw(fig: "Figure", d: Data) -> None:
    """Draw ranks against n."""
    ax = fig.subplots()
    for i, tolerance in enumerate(d.tolerance):
        for at, line in enumerate(("-", "--")):
            ax.plot(d.n, d.rank[i, at], line, marker=style.MARKERS[i], ms=3,
                        color=style.colour(i),
                        label=f"tolerance {tolerance:.0e}" if at == 0 else None)  # fmt: skip
    ax.set_xscale("log", base=2)
    ax.set_ylim(bottom=0)
    ax.set_xlabel("$n$")
    ax.set_ylabel("rank")
    ax.legend()
