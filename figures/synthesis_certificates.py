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
    r"Stored refutations: packed size against the time that the checker takes in plain "
    r"Python, which writes the clauses of the cell again and follows the proof. Each point is one "
    r"cell; circles have one layer, squares two or more; filled ones are position-aware, open ones "
    r"uniform, where the clauses outweigh the proof. Seconds were measured on one machine "
    r"by benchmarks/synthesis_checking.py; it also records the ratio of each to one "
    r"small certificate of the same run."
)
SIZE = (style.COLUMN, 2.7)


@dataclass(frozen=True, slots=True)
class Data:
    """One entry a stored refutation.

    Parameters
    ----------
    cell, layers, uniform
        Which question it answers.
    clauses, lemmas, hints, packed
        Its sizes; ``packed`` in bytes.
    seconds, ratio
        Measured CPU seconds of checking it, and the same as a multiple of the reference's.
    """

    cell: tuple[str, ...]
    layers: tuple[int, ...]
    uniform: tuple[bool, ...]
    clauses: tuple[int, ...]
    lemmas: tuple[int, ...]
    hints: tuple[int, ...]
    packed: tuple[int, ...]
    seconds: tuple[float, ...]
    ratio: tuple[float, ...]

    def to_json(self) -> Any:
        """Return the numbers as JSON-compatible data."""
        return plain(self)


def measured() -> dict[str, dict[str, float]]:
    """Return what the benchmark of a clone recorded for each cell; empty where there is none."""
    place = folder().parents[1] / "benchmarks" / "synthesis_checking.json"
    return dict(json.loads(place.read_text())["cells"]) if place.exists() else {}


def data(*, quick: bool = False) -> Data:
    """Read the sizes that the certificates state and the times that were recorded for them."""
    times, rows = measured(), []
    for path in sorted(folder().glob("*-impossible.json")):
        stored = json.loads(path.read_text())
        spec, size = stored["spec"], stored["formula"]
        proof = folder() / stored["proof"]["file"]
        cell = path.stem.removesuffix("-impossible")
        if cell in times:
            sizes = (size["clauses"], size["lemmas"], size["hints"], proof.stat().st_size)
            used = (times[cell]["seconds"], times[cell]["ratio"])
            rows.append((cell, spec["layers"], spec["variant"] == "uniform", *sizes, *used))
    columns: list[tuple[Any, ...]] = list(zip(*rows, strict=True)) if rows else [()] * 9
    return Data(*columns)


def note(d: Data) -> str:
    """Return the sentence about the sum and the largest certificate."""
    if not d.cell:
        return "No certificate is stored here."
    k = max(range(len(d.cell)), key=lambda i: d.packed[i])
    return (
        f"{len(d.cell)} refutations, {sum(d.packed) / 2**20:.1f} MB and {sum(d.seconds):.0f} CPU "
        f"seconds in all; the largest, {d.cell[k]}, has {d.lemmas[k]:,} lemmas and "
        f"{d.hints[k]:,} hints and takes {d.seconds[k]:.1f} seconds."
    )


def draw(fig: "Figure", d: Data) -> None:
    """Draw checking time over packed size."""
    ax = fig.subplots()
    if not d.cell:
        ax.set_axis_off()
        return
    for k, (name, deep) in enumerate((("one layer", False), ("two or more", True))):
        for uniform in (False, True):
            chosen = [
                i
                for i, layers in enumerate(d.layers)
                if (layers > 1) == deep and d.uniform[i] == uniform
            ]
            ax.plot(
                [d.packed[i] / 1000 for i in chosen], [d.seconds[i] for i in chosen],
                linestyle="", marker=style.MARKERS[k], color=style.colour(k), markersize=4,
                markerfacecolor="white" if uniform else style.colour(k),
                label=name + (", uniform" if uniform else ""),
            )  # fmt: skip
    ax.set(xlabel="packed proof (kB)", ylabel="CPU seconds to check", xscale="log", yscale="log")
    fig.legend(loc="outside upper center", ncols=2)
