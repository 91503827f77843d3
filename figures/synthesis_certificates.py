"""Certificates of impossibility: clauses, lemmas and the checker's work."""

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from figures import style
from figures.numbers import plain
from synthesis.stored import folder

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ID = "synthesis-certificates"
TITLE = "What it takes to check that a machine does not exist"
CAPTION = (
    r"Stored refutations: clauses of the cell against hints that the checker follows (its running "
    r"time is proportional to them, roughly a million a second in Python). Each point is "
    r"one cell; circles have one layer, squares two or more."
)
SIZE = (style.COLUMN, 2.4)


@dataclass(frozen=True, slots=True)
class Data:
    """One entry a stored refutation: its cell, layers, clauses, lemmas, hints and packed bytes."""

    cell: tuple[str, ...]
    layers: tuple[int, ...]
    clauses: tuple[int, ...]
    lemmas: tuple[int, ...]
    hints: tuple[int, ...]
    packed: tuple[int, ...]

    def to_json(self) -> Any:
        """Return the numbers as JSON-compatible data."""
        return plain(self)


def data(*, quick: bool = False) -> Data:
    """Read the sizes that the stored certificates state; empty where none are stored."""
    rows = []
    for path in sorted(folder().glob("*-impossible.json")):
        stored = json.loads(path.read_text())
        size, proof = stored["formula"], folder() / stored["proof"]["file"]
        cell = path.stem.removesuffix("-impossible")
        numbers = (size["clauses"], size["lemmas"], size["hints"], proof.stat().st_size)
        rows.append((cell, stored["spec"]["layers"], *numbers))
    columns: list[tuple[Any, ...]] = list(zip(*rows, strict=True)) if rows else [()] * 6
    return Data(*columns)


def note(d: Data) -> str:
    """Return the sentence about the largest certificate."""
    if not d.cell:
        return "No certificate is stored here."
    k = max(range(len(d.cell)), key=lambda i: d.hints[i])
    return (
        f"{len(d.cell)} refutations, {sum(d.packed) / 2**20:.1f} MB in all; the largest, "
        f"{d.cell[k]}, has {d.lemmas[k]:,} lemmas and {d.hints[k]:,} hints."
    )


def draw(fig: "Figure", d: Data) -> None:
    """Draw hints over clauses."""
    ax = fig.subplots()
    if not d.cell:
        ax.set_axis_off()
        return
    for k, (name, deep) in enumerate((("one layer", False), ("two or more", True))):
        chosen = [i for i, layers in enumerate(d.layers) if (layers > 1) == deep]
        ax.plot(
            [d.clauses[i] for i in chosen], [d.hints[i] for i in chosen], linestyle="",
            marker=style.MARKERS[k], color=style.colour(k), label=name,
        )  # fmt: skip
    ax.set(xlabel="clauses", ylabel="hints", xscale="log", yscale="log")
    ax.legend(loc="upper left")
