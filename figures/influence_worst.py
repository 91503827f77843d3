"""Worst and mean influence over all strings of small length."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from attention.soft_random import random_transformer
from figures import style
from figures.numbers import plain
from influence.all_strings import all_strings

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ID = "influence-worst"
TITLE = "Worst case and average over all strings"
CAPTION = (
    r"Largest and mean influence over all $2^n$ strings and all positions but the reading "
    r"one, median of five random two-layer models. Every exchange is the difference of two "
    r"entries of one table of $2^n$ outputs."
)
SIZE = (style.COLUMN, 2.7)


@dataclass(frozen=True, slots=True)
class Series:
    """One logit bound: worst and mean influence at each length (medians over models)."""

    logit_bound: float
    n: np.ndarray
    worst: np.ndarray
    mean: np.ndarray


@dataclass(frozen=True, slots=True)
class Data:
    """One series per logit bound."""

    series: tuple[Series, ...]

    def to_json(self) -> Any:
        """Return the numbers as JSON-compatible data."""
        return plain(self)


def data(*, quick: bool = False) -> Data:
    """Tabulate outputs of all strings; deterministic.  ``quick`` stops at shorter lengths."""
    ns = range(3, 8 if quick else 11)
    return Data(tuple(_series(bound, list(ns)) for bound in (1.0, 4.0)))


def _series(bound: float, ns: list[int]) -> Series:
    worst, mean = np.empty((5, len(ns))), np.empty((5, len(ns)))
    for seed in range(5):
        model = random_transformer(
            np.random.default_rng(seed), layers=2, heads=2, width=8, logit_bound=bound
        )
        for column, n in enumerate(ns):
            found = all_strings(model, n)
            worst[seed, column], mean[seed, column] = found.worst, found.mean
    return Series(bound, np.array(ns), np.median(worst, axis=0), np.median(mean, axis=0))


def note(d: Data) -> str:
    """Return the ratio of worst to mean at the largest length."""
    parts = [f"{s.worst[-1] / s.mean[-1]:.1f} at A = {s.logit_bound:g}" for s in d.series]
    return f"Worst over mean at n = {d.series[0].n[-1]}: " + ", ".join(parts) + "."


def draw(fig: "Figure", d: Data) -> None:
    """Draw worst (solid) and mean (dashed)."""
    ax = fig.subplots()
    for i, s in enumerate(d.series):
        ax.semilogy(s.n, s.worst, "-o", ms=2.5, color=style.colour(i),
                  label=f"worst, $A={s.logit_bound:g}$")  # fmt: skip
        ax.semilogy(s.n, s.mean, "--s", ms=2.5, color=style.colour(i),
                  label=f"mean, $A={s.logit_bound:g}$")  # fmt: skip
    ax.set_xlabel("$n$")
    ax.set_ylabel("influence")
    fig.legend(loc="outside upper center", ncols=2)
