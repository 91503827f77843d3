"""What the figures of recorded training runs share: rows of the tables, and a drawn table.

Main definitions: :func:`recorded_rows`, :class:`Grid`, :func:`draw_grid`, :data:`NAMES`.

References
----------
Weiss, Goldberg & Yahav (2021), section 5, Tables 1 and 2 [weiss2021].
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, final

from figures.numbers import plain
from rasp.trainer.store import recorded
from rasp.trainer.summary import Summary, percent, summaries
from rasp.trainer.tables import SEEDS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NAMES: Mapping[str, str] = {
    "reverse": "reverse",
    "hist-bos": "histogram, BOS",
    "hist-nobos": "histogram",
    "double-hist": "double histogram",
    "sort": "sort",
    "most-freq": "most frequent",
    "dyck1": "Dyck-1",
    "dyck2": "Dyck-2",
}
"""Names of tasks in figures."""


def recorded_rows() -> dict[tuple[str, str], Summary]:
    """Return the recorded rows by task and variant."""
    found = summaries(recorded(), "laptop", seeds=SEEDS)
    return {(summary.row.task, summary.row.variant): summary for summary in found}


def range_text(shares: Sequence[Fraction]) -> str:
    r"""Return the mean in percent and under it the lowest and highest of several.

    Examples
    --------
    >>> range_text([Fraction(1), Fraction(98, 100)])
    '99.00\n98.00–100'
    """
    mean = percent(sum(shares, Fraction(0)) / len(shares))
    if len(shares) == 1:
        return mean
    return f"{mean}\n{percent(min(shares))}–{percent(max(shares))}"


@final
@dataclass(frozen=True, slots=True)
class Grid:
    """A table of text; ``widths`` are relative, the first line of a cell is printed larger."""

    header: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    widths: tuple[float, ...]
    seeds: int
    words: int

    def to_json(self) -> Any:
        """Return the text as JSON-compatible data."""
        return plain(self)


def draw_grid(fig: "Figure", grid: Grid) -> None:
    """Draw a table with rules above, below and under the header."""
    ax = fig.subplots()
    ax.set_axis_off()
    height = len(grid.lines) + 1.2
    ax.set(xlim=(0, sum(grid.widths)), ylim=(height, 0))
    starts = [sum(grid.widths[:i]) for i in range(len(grid.widths))]
    for y, lw in ((0.05, 0.8), (1.15, 0.5), (height - 0.02, 0.8)):
        ax.plot([0, sum(grid.widths)], [y, y], color="black", lw=lw, linestyle="-")
    for start, width, text in zip(starts, grid.widths, grid.header, strict=True):
        _cell(ax, start, width, 0.6, text, first=start == 0)
    for number, line in enumerate(grid.lines):
        for start, width, text in zip(starts, grid.widths, line, strict=True):
            _cell(ax, start, width, number + 1.68, text, first=start == 0)


def _cell(ax: Any, start: float, width: float, y: float, text: str, *, first: bool) -> None:
    x, align = (start, "left") if first else (start + width / 2, "center")
    head, _, rest = text.partition("\n")
    if not rest:
        ax.text(x, y, head, ha=align, va="center", fontsize=7.5)
        return
    ax.text(x, y - 0.19, head, ha=align, va="center", fontsize=7.5)
    ax.text(x, y + 0.25, rest, ha=align, va="center", fontsize=6, color="#444444")
