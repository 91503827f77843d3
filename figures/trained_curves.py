"""Learning curves of recorded runs, with their spread over seeds.

References
----------
Weiss, Goldberg & Yahav (2021), section 5 [weiss2021].
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

from figures import style
from figures.numbers import plain
from figures.trained_runs import NAMES, recorded_rows
from rasp.trainer.result import Result
from rasp.trainer.tasks import TASKS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ID = "trained-curves"
TITLE = "Learning curves"
CAPTION = (
    "Held-out tokens that are wrong, in percent, over optimiser steps: at the size that the "
    "program needs, with and without attention supervision, and with one layer fewer. Lines are "
    "means over seeds, bands reach from the lowest to the highest. A run that stopped early, with "
    r"at most $0.05\,\%$ wrong, keeps its last value; less than $0.01\,\%$ is drawn at the edge."
)
SIZE = (style.TEXT, 3.3)
_SHOWN = ("supervised", "predicted", "one layer fewer")
_LABELS = ("with attention supervision", "outputs alone", "outputs alone, one layer fewer")
_LEAST = 0.01


@final
@dataclass(frozen=True, slots=True)
class Data:
    """By task and variant: steps, and per seed the percentage of held-out tokens wrong."""

    curves: dict[str, dict[str, tuple[tuple[int, ...], tuple[tuple[float, ...], ...]]]]

    def to_json(self) -> Any:
        """Return the numbers as JSON-compatible data."""
        return plain(self)


def data(*, quick: bool = False) -> Data:
    """Read the recorded runs; deterministic, the same if ``quick``."""
    del quick
    rows = recorded_rows()
    curves: dict[str, Any] = {}
    for task in TASKS:
        curves[task] = {}
        for variant in _SHOWN:
            if (task, variant) in rows:
                results = rows[task, variant].results
                steps = max(([c.step for c in r.curve] for r in results), key=len)
                curves[task][variant] = (tuple(steps), tuple(_wrong(r, steps) for r in results))
    return Data(curves)


def _wrong(result: Result, steps: list[int]) -> tuple[float, ...]:
    found = {check.step: 100 * (1 - check.right / check.tokens) for check in result.curve}
    values, last = [], 100.0
    for step in steps:
        last = found.get(step, last)
        values.append(last)
    return tuple(values)


def draw(fig: "Figure", data: Data) -> None:
    """Draw a panel per task."""
    axes = fig.subplots(2, 4, sharey=True)
    for number, (ax, (task, variants)) in enumerate(
        zip(axes.flat, data.curves.items(), strict=True)
    ):
        for kind, (variant, label) in enumerate(zip(_SHOWN, _LABELS, strict=True)):
            if variant not in variants:
                continue
            steps, seeds = variants[variant]
            shown = [[max(value, _LEAST) for value in seed] for seed in seeds]
            columns = list(zip(*shown, strict=True))
            mean = [sum(column) / len(column) for column in columns]
            low, high = map(min, columns), map(max, columns)
            ax.fill_between(steps, list(low), list(high), color=style.colour(kind), alpha=0.2, lw=0)
            ax.plot(
                steps, mean, color=style.colour(kind), linestyle=style.LINES[kind], lw=1.1,
                label=label if task == "reverse" else None,
            )  # fmt: skip
        ax.set(yscale="log", ylim=(_LEAST, 100), title=NAMES[task], xlim=(0, None))
        if number >= 4:
            ax.set_xlabel("steps")
    for ax in axes[:, 0]:
        ax.set_ylabel("tokens wrong, %")
    fig.legend(loc="outside upper center", ncols=3)
