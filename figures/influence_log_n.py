"""Logits multiplied by ln n: the exponent of the influence by their scale."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from attention.soft_random import aligned_transformer
from figures import style
from figures.numbers import plain
from influence.types import type_changes
from influence.words import RepeatedWord, type_table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ID = "influence-log-n"
TITLE = "Scaling logits by ln n: the threshold at one half"
CAPTION = (
    r"Exponent of $n$ in the influence of the aligned head with logits $\pm A\ln n$, "
    r"measured between $2^{30}$ and $2^{50}$, against $-(1-2A)$ (line). From $A=1/2$ on "
    r"the influence does not decay: the remedy, and its threshold."
)
SIZE = (style.COLUMN, 2.3)


@dataclass(frozen=True, slots=True)
class Data:
    """Scales A and measured exponents."""

    scale: np.ndarray
    exponent: np.ndarray

    def to_json(self) -> Any:
        """Return the numbers as JSON-compatible data."""
        return plain(self)


def data(*, quick: bool = False) -> Data:
    """Measure exponents; deterministic.  ``quick`` takes fewer scales."""
    scales = np.linspace(0, 1, 6 if quick else 21)
    return Data(scales, np.array([_exponent(float(a)) for a in scales]))


def _exponent(scale: float) -> float:
    model = aligned_transformer(scale, log_n=True)
    readout = np.array([[0.0], [1.0]])
    values = []
    for power in (30, 50):
        table = type_table(model, RepeatedWord(("0",), 2**power))
        values.append(float(type_changes(model, table, 1, readout).elsewhere[0, 0]))
    return float(np.log2(values[1] / values[0]) / 20)


def draw(fig: "Figure", d: Data) -> None:
    """Draw measured exponents over the law."""
    ax = fig.subplots()
    ax.plot(d.scale, np.minimum(2 * d.scale - 1, 0), color=style.colour(0),
            label=r"$-(1-2A)$, then $0$")  # fmt: skip
    ax.plot(d.scale, d.exponent, "o", ms=3, color=style.colour(1), label="measured")
    ax.axvline(0.5, lw=0.6, ls=":", color="black")
    ax.set_xlabel("$A$ in logits $\\pm A\\ln n$")
    ax.set_ylabel("exponent of $n$")
    ax.legend()
