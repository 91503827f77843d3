"""A trained histogram and a compiled one at longer lengths, and what the trained one leaks.

References
----------
Weiss, Goldberg & Yahav (2021), section 5 [weiss2021].
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

from figures import style
from figures.numbers import plain
from rasp.trainer.lengths import COUNTS, LENGTHS, VARIANTS, recorded_points

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ID = "trained-lengths"
TITLE = "Length generalisation of a histogram"
CAPTION = (
    "Random words whose scored letter, occurring 1 to 4 times, is counted right, in percent: the "
    "compiled program, and one-layer encoders trained up to length 20 (vertical line), with their "
    "attention as trained and read as argmax. Right: mean weight that other letters take, in "
    "units of one occurrence; from one half on (horizontal line) a count looks like the next."
)
SIZE = (style.TEXT, 2.6)
_NAMES = {"supervised": "attention supervised", "predicted": "outputs alone"}


@final
@dataclass(frozen=True, slots=True)
class Data:
    """Lengths; by variant the percentages, mean over counts, and leaks."""

    lengths: tuple[int, ...]
    trained: dict[str, tuple[float, ...]]
    hard: dict[str, tuple[float, ...]]
    compiled: tuple[float, ...]
    leak: dict[str, tuple[float, ...]]

    def to_json(self) -> Any:
        """Return the numbers as JSON-compatible data."""
        return plain(self)


def data(*, quick: bool = False) -> Data:
    """Read the recorded measurements; deterministic, the same if ``quick``."""
    del quick
    points = recorded_points()

    def mean(variant: str, n: int, name: str) -> float:
        found = [p for p in points[variant] if p.length == n]
        assert len(found) == len(COUNTS)
        scale = 1 if name == "leak" else 100 / found[0].words
        return round(scale * float(sum(getattr(p, name) for p in found)) / len(found), 4)

    def series(name: str) -> dict[str, tuple[float, ...]]:
        return {v: tuple(mean(v, n, name) for n in LENGTHS) for v in VARIANTS}

    return Data(
        LENGTHS, series("trained"), series("hard"), series("compiled")[VARIANTS[0]], series("leak")
    )


def note(data: Data) -> str:
    """Return the sentence with the first length at which the supervised model fails."""
    shares = data.trained["supervised"]
    failing = [n for n, share in zip(data.lengths, shares, strict=True) if share < 50]
    leaking = [
        n for n, leak in zip(data.lengths, data.leak["supervised"], strict=True) if leak > 0.5
    ]
    if not failing or not leaking:
        return f"At length {data.lengths[-1]} the supervised model is right on {shares[-1]:.0f} %."
    return (
        f"With attention supervised the mean leak exceeds one half from length {leaking[0]}, and "
        f"fewer than half of the words are right from length {failing[0]}."
    )


def draw(fig: "Figure", data: Data) -> None:
    """Draw accuracy and leak against length."""
    left, right = fig.subplots(1, 2)
    left.plot(data.lengths, data.compiled, color="black", lw=1, linestyle="-", label="compiled")
    for i, variant in enumerate(VARIANTS):
        colour, marker = style.colour(i), style.MARKERS[i]
        left.plot(
            data.lengths, data.trained[variant], color=colour, marker=marker, label=_NAMES[variant]
        )
        left.plot(
            data.lengths, data.hard[variant], color=colour, marker=marker, linestyle=":",
            markerfacecolor="white", label="the same, argmax",
        )  # fmt: skip
        right.plot(data.lengths, data.leak[variant], color=colour, marker=marker)
    right.axhline(0.5, color="#999999", lw=0.6, linestyle="-")
    right.set(xscale="log", yscale="log", xlabel="length", ylabel="leak")
    left.set(xscale="log", xlabel="length", ylabel="words right, %", ylim=(-4, 104))
    for ax in (left, right):
        ax.axvline(data.lengths[0], color="#999999", lw=0.6, linestyle="-")
        ax.set_xticks([20, 40, 80, 160, 320, 640], ["20", "40", "80", "160", "320", "640"])
        ax.minorticks_off()
    left.legend(loc="center right", fontsize=6)
