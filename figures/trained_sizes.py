"""Accuracy of recorded runs against the size of the model.

References
----------
Weiss, Goldberg & Yahav (2021), Table 2 [weiss2021].
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

from figures import style
from figures.numbers import plain
from figures.trained_runs import NAMES, recorded_rows
from rasp.trainer.summary import TABLE2
from rasp.trainer.tasks import TASKS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ID = "trained-sizes"
TITLE = "Accuracy against size"
CAPTION = (
    "Test tokens that are wrong, in percent, of encoders trained on outputs alone, by layers and "
    "heads; one marker per seed. Filled: the size that the program needs. Grey line: 1 percent. "
    "None wrong is drawn at the lower edge."
)
SIZE = (style.TEXT, 3.2)
_LEAST = 0.005


@final
@dataclass(frozen=True, slots=True)
class Data:
    """By task: sizes ``(layers, heads)`` in order, percentages by seed, and the size needed."""

    sizes: dict[str, tuple[tuple[int, int], ...]]
    percent: dict[str, tuple[tuple[float, ...], ...]]
    needed: dict[str, tuple[int, int]]

    def to_json(self) -> Any:
        """Return the numbers as JSON-compatible data."""
        return plain(self)


def data(*, quick: bool = False) -> Data:
    """Read the recorded runs; deterministic, the same if ``quick``."""
    del quick
    rows = recorded_rows()
    sizes, shares = {}, {}
    for task in TASKS:
        found = [rows[task, variant] for variant in TABLE2 if (task, variant) in rows]
        found.sort(key=lambda row: row.size)
        sizes[task] = tuple(row.size for row in found)
        shares[task] = tuple(
            tuple(round(100 * float(share), 3) for share in row.tokens) for row in found
        )
    return Data(sizes, shares, {task: TASKS[task].predicted for task in TASKS})


def note(data: Data) -> str:
    """Return the sentence with the largest loss."""
    losses = {
        task: max(shares[data.sizes[task].index(data.needed[task])]) - min(map(max, shares))
        for task, shares in data.percent.items()
    }
    worst = max(losses, key=losses.__getitem__)
    return f"The largest loss, {losses[worst]:.1f} points, is that of {NAMES[worst]}."


def draw(fig: "Figure", data: Data) -> None:
    """Draw a panel per task."""
    axes = fig.subplots(2, 4, sharey=True)
    for ax, task in zip(axes.flat, data.sizes, strict=True):
        ax.axhline(1, color="#999999", lw=0.6, linestyle="-")
        for place, (size, shares) in enumerate(
            zip(data.sizes[task], data.percent[task], strict=True)
        ):
            needed = size == data.needed[task]
            for seed, share in enumerate(shares):
                ax.plot(
                    [place + 0.16 * (seed - (len(shares) - 1) / 2)], [max(100 - share, _LEAST)],
                    marker=style.MARKERS[seed], linestyle="none", color=style.colour(seed),
                    markerfacecolor=style.colour(seed) if needed else "white", clip_on=False,
                )  # fmt: skip
        labels = [f"{layers},{heads}" for layers, heads in data.sizes[task]]
        ax.set_xticks(range(len(labels)), labels)
        ax.set(xlim=(-0.6, len(labels) - 0.4), title=NAMES[task], yscale="log", ylim=(_LEAST, 100))
    for ax in axes[:, 0]:
        ax.set_ylabel("tokens wrong, %")
    for ax in axes[1]:
        ax.set_xlabel("layers, heads")
