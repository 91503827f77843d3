"""Trained encoders under restricted attention, beside what their programs foretell.

References
----------
Weiss, Goldberg & Yahav (2021), section 6 [weiss2021].
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

from figures import style
from figures.numbers import plain
from rasp.trainer.restricted import MASKS, PROGRAMS, SEEDS, ceiling, foretold, settings
from rasp.trainer.store import recorded

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ID = "trained-restricted"
TITLE = "Training under restricted attention"
CAPTION = (
    "Test tokens that are right, in percent, of encoders trained on reverse and on repeating the "
    "left neighbour, words of 1 to 12 letters; one marker per seed. Filled: the program survives "
    "the restriction. Bars: what information that travels two windows allows at most."
)
SIZE = (style.TEXT, 2.6)


@final
@dataclass(frozen=True, slots=True)
class Data:
    """By program and mask: percentages by seed, whether the program survives, and the ceiling."""

    percent: dict[str, dict[str, tuple[float, ...]]]
    survives: dict[str, dict[str, bool]]
    ceiling: dict[str, float]

    def to_json(self) -> Any:
        """Return the numbers as JSON-compatible data."""
        return plain(self)


def data(*, quick: bool = False) -> Data:
    """Read the recorded runs; deterministic, the same if ``quick``."""
    del quick
    results = recorded("restricted")
    percent: dict[str, dict[str, tuple[float, ...]]] = {}
    for program in PROGRAMS:
        percent[program] = {}
        for mask in MASKS:
            runs = [results[s.digest()] for s in settings(program, mask, seeds=SEEDS)]
            percent[program][mask] = tuple(
                round(100 * float(run.token_accuracy), 3) for run in runs
            )
    return Data(
        percent,
        {program: {mask: foretold(program, mask) for mask in MASKS} for program in PROGRAMS},
        {mask: 100 * float(ceiling(next(settings("reverse", mask)))) for mask in MASKS},
    )


def note(data: Data) -> str:
    """Return the sentence with the largest failure."""
    worst = min(data.percent["reverse"], key=lambda mask: max(data.percent["reverse"][mask]))
    best = max(data.percent["reverse"][worst])
    return f"Under {worst} no run of reverse gets more than {best:.1f} % of the tokens right."


def draw(fig: "Figure", data: Data) -> None:
    """Draw a panel per program."""
    names = {"full": "none", "lowrank:2": "rank 2", "lowrank:4": "rank 4"}
    titles = {"reverse": "reverse (2,1)", "previous": "left neighbour (1,1)"}
    axes = fig.subplots(1, 2, sharey=True)
    for ax, (program, shares) in zip(axes, data.percent.items(), strict=True):
        for place, (mask, values) in enumerate(shares.items()):
            if program == "reverse" and data.ceiling[mask] < 100:
                ax.bar([place], [data.ceiling[mask]], width=0.8, color="#dddddd")
            for seed, share in enumerate(values):
                colour = style.colour(seed)
                ax.plot(
                    [place + 0.18 * (seed - 1)], [share], marker=style.MARKERS[seed],
                    linestyle="none", color=colour,
                    markerfacecolor=colour if data.survives[program][mask] else "white",
                )  # fmt: skip
        labels = [names.get(mask, mask.replace(":", " ")) for mask in shares]
        ax.set_xticks(range(len(labels)), labels, rotation=30, ha="right")
        ax.set(title=titles[program], ylim=(0, 104), xlim=(-0.6, len(labels) - 0.4))
    axes[0].set_ylabel("tokens right, %")
