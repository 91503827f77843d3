"""Influence of one symbol against n for the aligned head, by the logit bound A."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from attention.soft_random import aligned_transformer
from figures import style
from figures.numbers import plain
from influence.measured_bound import certified_influence
from influence.types import type_changes
from influence.words import RepeatedWord, type_table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ID = "influence-knee"
TITLE = "The 1/n law sets in beyond exp(2A)"
CAPTION = (
    r"Influence of one exchanged symbol of $0^n$ on a head that gives it logit $A$ and all "
    r"others $-A$, measured with the types engine to $n=2^{40}$. Dots: the knee "
    r"$n=e^{2A}$. Dashed: the bound $(1+2A)e^{2A}D/n$ of the repaired recursion; dotted: "
    r"the bound from measured weights, certified in ball arithmetic."
)
SIZE = (style.COLUMN, 2.6)


@dataclass(frozen=True, slots=True)
class Series:
    """One logit bound: lengths, influence, certified and recursion bounds, the knee."""

    logit_bound: float
    n: np.ndarray
    influence: np.ndarray
    certified: np.ndarray
    recursion: np.ndarray
    knee: float


@dataclass(frozen=True, slots=True)
class Data:
    """One series per logit bound."""

    series: tuple[Series, ...]

    def to_json(self) -> Any:
        """Return the numbers as JSON-compatible data."""
        return plain(self)


def data(*, quick: bool = False) -> Data:
    """Measure; deterministic.  ``quick`` takes every fourth length."""
    powers = range(2, 41, 4 if quick else 1)
    return Data(tuple(_series(a, [2**p for p in powers]) for a in (1.0, 2.0, 4.0, 8.0)))


def _series(bound: float, ns: list[int]) -> Series:
    model = aligned_transformer(bound)
    readout = np.array([[0.0], [1.0]])
    measured, certified = [], []
    for n in ns:
        table = type_table(model, RepeatedWord(("0",), n))
        measured.append(abs(float(type_changes(model, table, 1, readout).elsewhere[0, 0])))
        certified.append(
            float(certified_influence(model, table, exchanged=0, target=1, readout=readout))
        )
    lengths = np.array(ns, dtype=float)
    return Series(
        logit_bound=bound,
        n=lengths,
        influence=np.array(measured),
        certified=np.array(certified),
        recursion=(1 + 2 * bound) * np.exp(2 * bound) * 2 / lengths,
        knee=float(np.exp(2 * bound)),
    )


def note(d: Data) -> str:
    """Return the slopes between the last two lengths."""
    slopes = []
    for s in d.series:
        rise = np.diff(np.log(s.influence[-2:])) / np.diff(np.log(s.n[-2:]))
        slopes.append(f"{float(rise[0]):+.4f} at A = {s.logit_bound:g}")
    return "Slopes at the largest lengths: " + ", ".join(slopes) + "."


def draw(fig: "Figure", d: Data) -> None:
    """Draw log-log curves."""
    ax = fig.subplots()
    for i, s in enumerate(d.series):
        colour = style.colour(i)
        ax.loglog(s.n, s.influence, style.LINES[0], color=colour, label=f"$A={s.logit_bound:g}$")
        ax.loglog(s.n, s.recursion, "--", color=colour, lw=0.7)
        ax.loglog(s.n, s.certified, ":", color=colour, lw=0.9)
        ax.plot([s.knee], [np.interp(np.log(s.knee), np.log(s.n), s.influence)], "o",
                color=colour, ms=3)  # fmt: skip
    ax.set_ylim(1e-12, 10)
    ax.set_xlabel("$n$")
    ax.set_ylabel("influence")
    ax.legend()
