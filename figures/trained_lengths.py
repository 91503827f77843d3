"""Trained and compiled models at longer lengths, and from where on a histogram is wrong for good.

References
----------
Weiss, Goldberg & Yahav (2021), section 5 [weiss2021].
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Any, final

from figures import style
from figures.numbers import plain
from figures.trained_runs import NAMES
from rasp.trainer.lengths import STUDIES, VARIANTS
from rasp.trainer.longer import Found, recorded_lengths
from rasp.trainer.longer_text import failing_length

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ID = "trained-lengths"
TITLE = "Longer words than those of training"
CAPTION = (
    "Words right, in percent, of encoders trained up to the first length drawn and of compiled "
    "programs: lines are means over seeds, bands reach from the lowest to the highest, crosses are "
    "the attention-supervised models with attention read as argmax. Lower middle: mean weight that "
    "other letters take from a histogram's count, in units of one occurrence; from one half on a "
    "count looks like the next. Lower right: lengths from which on, for ever, a histogram is "
    "certainly wrong on words of one family, by how often the letter occurs: range over letters "
    "and seeds, with the median; open: lengths from which on half of the random words are wrong."
)
SIZE = (style.TEXT, 3.9)
_NAMES = {"supervised": "attention supervised", "predicted": "outputs alone"}
_COUNTED = "hist-bos"

Spread = tuple[float, float, float]
"""Mean, lowest, highest over seeds."""


@final
@dataclass(frozen=True, slots=True)
class Data:
    """By task and variant, at each of its ``lengths``: percentages of words right over seeds.

    ``certain`` and ``failing`` are by variant and count: certified lengths over letters and seeds
    (least, median, greatest), and measured ones by seed, 0 for none.
    """

    lengths: dict[str, tuple[int, ...]]
    trained: dict[str, dict[str, tuple[Spread, ...]]]
    hard: dict[str, dict[str, tuple[Spread, ...]]]
    compiled: dict[str, tuple[float, ...]]
    leak: dict[str, tuple[Spread, ...]]
    certain: dict[str, dict[int, tuple[int, float, int]]]
    failing: dict[str, dict[int, tuple[int, ...]]]

    def to_json(self) -> Any:
        """Return the numbers as JSON-compatible data."""
        return plain(self)


def data(*, quick: bool = False) -> Data:
    """Read the recorded measurements; deterministic, the same if ``quick``."""
    del quick
    found = recorded_lengths()

    def of(task: str, variant: str) -> list[Found]:
        return [one for one in found if (one.task, one.variant) == (task, variant)]

    def shares(name: str) -> dict[str, dict[str, tuple[Spread, ...]]]:
        return {
            task: {
                v: tuple(
                    _spread([_share(one, n, name) for one in of(task, v)])
                    for n in STUDIES[task].lengths
                )
                for v in VARIANTS
            }
            for task in STUDIES
        }

    compiled = shares("compiled")
    counts = STUDIES[_COUNTED].cases
    return Data(
        {task: study.lengths for task, study in STUDIES.items()},
        shares("trained"),
        shares("hard"),
        {task: tuple(x[0] for x in compiled[task][VARIANTS[0]]) for task in STUDIES},
        {
            v: tuple(
                _spread([_leak(one, n) for one in of(_COUNTED, v)])
                for n in STUDIES[_COUNTED].lengths
            )
            for v in VARIANTS
        },
        {v: {count: _certain(of(_COUNTED, v), count) for count in counts} for v in VARIANTS},
        {
            v: {
                count: tuple(
                    failing_length(p for p in one.points if p.case == count) or 0
                    for one in of(_COUNTED, v)
                )
                for count in counts
            }
            for v in VARIANTS
        },
    )


def _spread(values: Sequence[float]) -> Spread:
    return round(sum(values) / len(values), 4), min(values), max(values)


def _share(one: Found, n: int, name: str) -> float:
    here = [point for point in one.points if point.length == n]
    right = sum(int(getattr(p, name)) for p in here)
    return 100 * right / sum(p.words for p in here)


def _leak(one: Found, n: int) -> float:
    here = [point.leak for point in one.points if point.length == n and point.leak is not None]
    return sum(here) / len(here)


def _certain(models: Sequence[Found], count: int) -> tuple[int, float, int]:
    wrong = [
        limit.wrong
        for one in models
        for limit in one.limits
        if limit.count == count and limit.wrong is not None
    ]
    return min(wrong), median(wrong), max(wrong)


def note(data: Data) -> str:
    """Return the sentence with the lengths that are certain."""
    low = min(x[0] for x in data.certain["supervised"].values())
    high = max(x[2] for x in data.certain["supervised"].values())
    return (
        f"With attention supervised a histogram is wrong for good from length {low} to {high} on, "
        "by letter, count and seed."
    )


def draw(fig: "Figure", data: Data) -> None:
    """Draw four tasks, the leak and the certain lengths."""
    axes = fig.subplots(2, 3)
    for ax, task in zip(axes.flat, data.trained, strict=False):
        _draw_task(ax, data, task)
    for ax in (axes[0, 0], axes[1, 0]):
        ax.set_ylabel("words right, %")
    axes[1, 0].set_xlabel("length")
    leak, certain = axes[1, 1], axes[1, 2]
    for kind, variant in enumerate(VARIANTS):
        _band(leak, data.lengths[_COUNTED], data.leak[variant], kind)
    leak.axhline(0.5, color="#999999", lw=0.6, linestyle="-")
    leak.set(yscale="log", title="leak of the histogram", xlabel="length")
    _lengths(leak)
    for kind, variant in enumerate(VARIANTS):
        for count, (low, middle, high) in data.certain[variant].items():
            y = count + 0.22 * (2 * kind - 1)
            certain.plot([low, high], [y, y], color=style.colour(kind), lw=1.2, linestyle="-")
            certain.plot([middle], [y], color=style.colour(kind), marker="|", markersize=7)
            measured = [n for n in data.failing[variant][count] if n]
            certain.plot(
                measured, [y + 0.17] * len(measured), linestyle="none", marker=style.MARKERS[kind],
                color=style.colour(kind), markerfacecolor="white", markersize=3,
            )  # fmt: skip
    certain.set(title="histogram wrong for good", xlabel="length", ylabel="count")
    certain.set_yticks([*data.certain[VARIANTS[0]]])
    _lengths(certain)
    fig.legend(loc="outside upper center", ncols=4)


def _draw_task(ax: "Axes", data: Data, task: str) -> None:
    first = task == next(iter(data.trained))
    lengths = data.lengths[task]
    ax.plot(
        lengths, data.compiled[task], color="black", lw=1, linestyle="-",
        label="compiled" if first else None,
    )  # fmt: skip
    for kind, variant in enumerate(VARIANTS):
        label = _NAMES[variant] if first else None
        _band(ax, lengths, data.trained[task][variant], kind, label)
    ax.plot(
        lengths, [x[0] for x in data.hard[task][VARIANTS[0]]], linestyle="none", marker="x",
        color="#555555", markersize=3.5, label="read as argmax" if first else None,
    )  # fmt: skip
    ax.set(title=NAMES[task], ylim=(-5, 105))
    _lengths(ax)


def _band(
    ax: "Axes",
    lengths: Sequence[int],
    values: Sequence[Spread],
    kind: int,
    label: str | None = None,
) -> None:
    colour = style.colour(kind)
    ax.fill_between(
        lengths, [x[1] for x in values], [x[2] for x in values], color=colour, alpha=0.2, lw=0
    )
    ax.plot(
        lengths, [x[0] for x in values], color=colour, marker=style.MARKERS[kind], markersize=3,
        label=label,
    )  # fmt: skip


def _lengths(ax: "Axes") -> None:
    ax.set_xscale("log")
    ax.autoscale_view()
    ticks = [n for n in (10, 20, 40, 80, 160, 320) if ax.get_xlim()[0] <= n <= ax.get_xlim()[1]]
    ax.set_xticks(ticks, [str(n) for n in ticks])
    ax.minorticks_off()
