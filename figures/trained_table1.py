"""Table 1 of trained models, for a slide.

References
----------
Weiss, Goldberg & Yahav (2021), Table 1 [weiss2021].
"""

from typing import TYPE_CHECKING

from figures import style
from figures.trained_runs import NAMES, Grid, draw_grid, range_text, recorded_rows
from rasp.trainer.tasks import TASKS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ID = "trained-table1"
TITLE = "Encoders of the size that programs need, trained"
CAPTION = (
    "Encoders with the layers and heads $(L, H)$ that the program needs, trained on outputs and "
    "attention or on outputs alone: test tokens and whole words right, in percent, and mean "
    "squared distance of a row of attention from the program's selector. Large: mean over seeds; "
    "small: lowest and highest. Last column: tokens as the review of the paper quotes them, with "
    "attention supervised above and on outputs alone below."
)
SIZE = (style.TEXT, 3.6)


def data(*, quick: bool = False) -> Grid:
    """Read the recorded runs; deterministic, the same if ``quick``."""
    del quick
    rows = recorded_rows()
    lines, words, seeds = [], 0, 99
    for task in TASKS:
        cells = [NAMES[task], f"{TASKS[task].predicted[0]}, {TASKS[task].predicted[1]}"]
        paper = []
        for variant in ("supervised", "predicted"):
            row = rows[task, variant]
            errors = row.attention
            cells += [range_text(row.tokens), range_text(row.sequences)]
            cells.append(f"{sum(errors) / len(errors):.3f}")
            words = row.results[0].sequences
            seeds = min(seeds, len(row.results))
            paper.append("–" if row.published is None else row.published.text())
        lines.append((*cells, "" if paper == ["–", "–"] else "\n".join(paper)))
    header = (
        "task", "L, H",
        "tokens\nattention supervised", "whole words\nattention supervised", "distance",
        "tokens\noutputs alone", "whole words\noutputs alone", "distance", "paper",
    )  # fmt: skip
    return Grid(header, tuple(lines), (1.9, 0.6, 1.9, 1.9, 1.0, 1.6, 1.6, 1.0, 0.8), seeds, words)


def note(data: Grid) -> str:
    """Return the sentence with the sizes."""
    return f"{data.seeds} seeds per row, {data.words} independent test words each."


def draw(fig: "Figure", data: Grid) -> None:
    """Draw the table."""
    draw_grid(fig, data)
