"""Table 2 of trained models, for a slide.

References
----------
Weiss, Goldberg & Yahav (2021), Table 2 [weiss2021].
"""

from typing import TYPE_CHECKING

from figures import style
from figures.trained_runs import NAMES, Grid, draw_grid, range_text, recorded_rows
from rasp.trainer.summary import TABLE2
from rasp.trainer.tasks import TASKS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ID = "trained-table2"
TITLE = "Smaller encoders than programs need, trained"
CAPTION = (
    "Test tokens right, in percent, of encoders trained on outputs alone: at the size $(L, H)$ "
    "that the program needs, with a head fewer in every layer, a layer fewer, and a layer fewer "
    "with twice the heads. Large: mean over seeds; small: lowest and highest. In brackets, one "
    "layer fewer as the review quotes the paper (*: recalled)."
)
SIZE = (style.TEXT, 3.6)


def data(*, quick: bool = False) -> Grid:
    """Read the recorded runs; deterministic, the same if ``quick``."""
    del quick
    rows = recorded_rows()
    lines, words, seeds = [], 0, 99
    for task in TASKS:
        cells = [NAMES[task], f"{TASKS[task].predicted[0]}, {TASKS[task].predicted[1]}"]
        for variant in TABLE2:
            row = rows.get((task, variant))
            if row is None:
                cells.append("–")
                continue
            words, seeds = row.results[0].sequences, min(seeds, len(row.results))
            text = range_text(row.tokens)
            if row.published is not None and variant == "one layer fewer":
                head, _, rest = text.partition("\n")
                text = f"{head} [{row.published.text()}]\n{rest}"
            cells.append(text)
        lines.append(tuple(cells))
    header = (
        "task", "L, H", "as needed", "one head fewer", "one layer fewer",
        "one layer fewer\ntwice the heads",
    )  # fmt: skip
    return Grid(header, tuple(lines), (2.0, 0.7, 1.7, 1.7, 1.9, 1.9), seeds, words)


def note(data: Grid) -> str:
    """Return the sentence with the sizes."""
    return f"{data.seeds} seeds per cell, {data.words} independent test words each."


def draw(fig: "Figure", data: Grid) -> None:
    """Draw the table."""
    draw_grid(fig, data)
