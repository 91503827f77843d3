"""Influence of every position of one long word, exact head by head."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from attention.soft_encodings import FractionEncoding
from attention.soft_random import random_transformer
from figures import style
from figures.numbers import plain
from influence.allflips import all_changes
from influence.lowrank import LowRankBackend

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ID = "influence-profile"
TITLE = "Influence of all positions of one word"
CAPTION = (
    r"$n$ times the influence of each position of one random word (two layers, two heads, "
    r"layer norm, positions encoded by $i/n$ and the parity of $i$), all positions from "
    r"one low-rank run. The reading position is left out; line: running mean."
)
SIZE = (style.COLUMN, 2.4)


@dataclass(frozen=True, slots=True)
class Data:
    """Sampled positions with n times their influence, a running mean, and the residual."""

    n: int
    position: np.ndarray
    scaled: np.ndarray
    centre: np.ndarray
    mean: np.ndarray
    residual: float

    def to_json(self) -> Any:
        """Return the numbers as JSON-compatible data."""
        return plain(self)


def data(*, quick: bool = False) -> Data:
    """Run the low-rank engine once; deterministic.  ``quick`` takes a shorter word."""
    n = 1024 if quick else 8192
    rng = np.random.default_rng(3)
    line = FractionEncoding(rng.standard_normal(16), 0.5 * rng.standard_normal(16))
    model = random_transformer(rng, layers=2, heads=2, width=16, norms="post", encoding=line)
    word = rng.integers(0, 2, n)
    readout = np.asarray(model.output)
    sweep = all_changes(model, word, 1 - word, readout, LowRankBackend())
    scaled = n * np.abs(sweep.changes[:-1, 0])
    window = max(8, n // 64)
    mean = np.convolve(scaled, np.ones(window) / window, mode="valid")
    shown = np.arange(0, n - 1, max(1, n // 1024) | 1)  # odd steps visit both parities
    centre = np.arange(len(mean)) + (window - 1) / 2
    thin = slice(None, None, max(1, n // 512))
    return Data(n, shown, scaled[shown], centre[thin], mean[thin], sweep.residual)


def note(d: Data) -> str:
    """Return the spread of the profile."""
    return (
        f"n = {d.n}: n times influence lies between {d.scaled.min():.3g} and "
        f"{d.scaled.max():.3g}; low-rank residual {d.residual:.1e}."
    )


def draw(fig: "Figure", d: Data) -> None:
    """Draw points and the running mean."""
    ax = fig.subplots()
    ax.plot(d.position, d.scaled, ".", ms=1.5, color=style.colour(5), label="positions")
    ax.plot(d.centre, d.mean, color=style.colour(0), label="running mean")
    ax.set_xlabel("position")
    ax.set_ylabel("$n$ × influence")
    ax.set_ylim(bottom=0)
    ax.legend()
