"""Cross-entropy of the PARITY and FIRST constructions against n, by layer-norm eps."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from attention.constructions.chiang2022_first import first_cross_entropy
from attention.constructions.chiang2022_parity import parity_cross_entropy
from figures import style
from figures.numbers import plain

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ID = "influence-constructions"
TITLE = "What overcomes the limit: layer norm"
CAPTION = (
    r"Cross-entropy in bits per string of the exact constructions of Chiang and Cholak "
    r"(2022) for PARITY (left) and FIRST (right), from closed forms. Without layer norm "
    r"the output is of order $1/n^2$ and $1/n$; with $\epsilon=0$ it does not depend on "
    r"$n$; between, $\epsilon$ decides where chance level returns."
)
SIZE = (style.TEXT, 2.4)


EPS = (None, 1e-3, 1e-5, 1e-10, 0.0)


@dataclass(frozen=True, slots=True)
class Data:
    """Lengths, and bits by eps (first row: no layer norm) for both languages."""

    n: np.ndarray
    parity: np.ndarray
    first: np.ndarray

    def to_json(self) -> Any:
        """Return the numbers as JSON-compatible data."""
        return plain(self)


def data(*, quick: bool = False) -> Data:
    """Evaluate the closed forms; deterministic.  ``quick`` takes fewer lengths."""
    exponents = np.arange(1, 5.01, 1 if quick else 0.25)
    ns = [round(10**x) for x in exponents]
    parity = [[parity_cross_entropy(n, eps=eps) for n in ns] for eps in EPS]
    first = [[first_cross_entropy(n, eps=eps) for n in ns] for eps in EPS]
    return Data(np.array(ns), np.array(parity), np.array(first))


def note(d: Data) -> str:
    """Return the value that eps = 0 keeps."""
    return (
        f"With eps = 0: {d.parity[-1, -1]:.6f} bits (PARITY), {d.first[-1, -1]:.6f} bits (FIRST) "
        f"at every n."
    )


def draw(fig: "Figure", d: Data) -> None:
    """Draw one panel per language."""
    axes = fig.subplots(1, 2, sharey=True)
    for ax, values, name in zip(axes, (d.parity, d.first), ("PARITY", "FIRST"), strict=True):
        for i, (eps, row) in enumerate(zip(EPS, values, strict=True)):
            label = "no norm" if eps is None else rf"$\epsilon={eps:g}$"
            ax.semilogx(d.n, row, linestyle=style.LINES[i], color=style.colour(i), label=label)
        ax.set_title(name)
        ax.set_xlabel("$n$")
    axes[0].set_ylabel("bits per string")
    axes[1].legend()
