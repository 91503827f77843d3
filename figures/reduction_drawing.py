"""Rows of nodes and edges between them, for the figures of executed reductions.

Main definitions: :class:`Panel`, :func:`draw_panel`.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from figures import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True)
class Panel:
    """One state of a reduction.

    Attributes
    ----------
    title
        What the panel shows.
    rows
        Names of the rows, the inputs first.
    fixed
        Per input: the symbol that it is fixed to, or ``"*"``.
    edges
        Attention: (row of the head, position, attended position); the attended node is one row
        below.
    skips
        Skip edges (row, position), from the row below.
    """

    title: str
    rows: tuple[str, ...]
    fixed: str
    edges: tuple[tuple[int, int, int], ...]
    skips: tuple[tuple[int, int], ...]


def draw_panel(ax: "Axes", panel: Panel) -> None:
    """Draw inputs below, layers above; solid edges attention, dashed edges skips."""
    n = len(panel.fixed)
    for row, i, j in panel.edges:
        fixed = row == 1 and panel.fixed[j] != "*"
        ax.plot(
            [j, i],
            [row - 1, row],
            color=style.OKABE_ITO["vermilion" if fixed else "blue"],
            linestyle="-",
            lw=0.7,
            zorder=1,
        )
    for row, i in panel.skips:
        ax.plot(
            [i, i], [row - 1, row], color=style.OKABE_ITO["black"], linestyle="--", lw=0.5, zorder=1
        )
    for row in range(1, len(panel.rows)):
        ax.scatter(
            range(n),
            [row] * n,
            s=34,
            marker="o",
            facecolor="white",
            zorder=2,
            edgecolor=style.OKABE_ITO["black"],
            linewidth=0.7,
        )
    for j, symbol in enumerate(panel.fixed):
        held = symbol != "*"
        ax.scatter(
            [j],
            [0],
            s=52,
            marker="s",
            zorder=2,
            linewidth=0.7,
            facecolor=style.OKABE_ITO["orange"] if held else "white",
            edgecolor=style.OKABE_ITO["black"],
        )
        if held:
            ax.text(j, 0, symbol, ha="center", va="center", fontsize=6, zorder=3)
    ax.set(
        xlim=(-0.6, n - 0.4),
        ylim=(-0.35, len(panel.rows) - 0.75),
        yticks=range(len(panel.rows)),
        yticklabels=panel.rows,
        xticks=[],
    )
    ax.set_title(panel.title, loc="left", fontsize=7)
    ax.tick_params(length=0)
    for side in ("left", "bottom"):
        ax.spines[side].set_visible(False)
