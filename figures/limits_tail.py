"""Lemma H against simulation: the depth of a second-layer activation under random restrictions."""

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from bounds.limits.proposal_series import float_tails
from figures import style
from figures.numbers import plain

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ID = "limits-tail"
TITLE = "Lemma H against simulation"
CAPTION = (
    r"Probability that a list of terms of width $w$ queries at least $s$ stars, star probability "
    r"$p$: bound of Lemma H (lines) and share among random restrictions of long random lists "
    r"(markers, with two standard errors)."
)
SIZE = (style.COLUMN, 2.6)
_CASES = ((1, Fraction(1, 10)), (2, Fraction(1, 20)), (4, Fraction(1, 40)))
_TOP = 5


@dataclass(frozen=True, slots=True)
class Data:
    """Per case (width, p): bound and measured tail for s = 1..5."""

    widths: tuple[int, ...]
    ps: tuple[Fraction, ...]
    samples: int
    bound: tuple[tuple[float, ...], ...]
    measured: tuple[tuple[float, ...], ...]

    def to_json(self) -> Any:
        """Return the numbers as JSON-compatible data."""
        return plain(self)


def data(*, quick: bool = False) -> Data:
    """Simulate greedy answers on random lists; seeded, deterministic."""
    rng = np.random.default_rng(7)
    samples = 1500 if quick else 3000
    bound, measured = [], []
    for w, p in _CASES:
        tail = float_tails((("list", w),), float(p), _TOP)
        bound.append(tuple(float(x) for x in tail[1:]))
        counts = np.zeros(_TOP + 1)
        for _ in range(samples):
            counts[: _queries(w, float(p), rng) + 1] += 1
        measured.append(tuple(float(x) for x in counts[1:] / samples))
    widths, ps = tuple(w for w, _ in _CASES), tuple(p for _, p in _CASES)
    return Data(widths, ps, samples, tuple(bound), tuple(measured))


def _queries(w: int, p: float, rng: np.random.Generator) -> int:
    """Return the queries (at most 5) of a list of disjoint terms when answers falsify each block.

    Fresh variables for every term; a term is alive unless a fixed literal disagrees.
    """
    asked = 0
    for _ in range(400 * 2**w):
        stars = rng.random(w) < p
        if bool(np.all(stars | (rng.random(w) < 0.5))):
            if not stars.any():
                break
            asked += int(stars.sum())
            if asked >= _TOP:
                return _TOP
    return asked


def note(d: Data) -> str:
    """Return the largest ratio of measured tail to bound, with its sampling error."""
    pairs = [
        (m, b)
        for ms, bs in zip(d.measured, d.bound, strict=True)
        for m, b in zip(ms, bs, strict=True)
        if m * d.samples >= 100
    ]
    worst = max(m / b for m, b in pairs)
    return (
        f"Largest ratio of measured share to bound: {worst:.3f}, from {d.samples:,} samples; "
        "a share of 100 hits has a sampling error of about 10 %, so a ratio near 1 says that the "
        "bound is nearly tight."
    )


def draw(fig: "Figure", d: Data) -> None:
    """Draw bound and measurement for each case."""
    ax = fig.subplots()
    s = range(1, _TOP + 1)
    for k, (w, p) in enumerate(zip(d.widths, d.ps, strict=True)):
        label = f"$w={w}$, $p=1/{p.denominator}$"
        ax.plot(s, d.bound[k], color=style.colour(k), linestyle=style.LINES[k], label=label)
        shown = [(i, m) for i, m in zip(s, d.measured[k], strict=True) if m > 0]
        ax.errorbar(
            [i for i, _ in shown],
            [m for _, m in shown],
            yerr=[2 * (m * (1 - m) / d.samples) ** 0.5 for _, m in shown],
            color=style.colour(k),
            linestyle="none",
            marker=style.MARKERS[k],
            markersize=3.5,
            elinewidth=0.8,
        )
    ax.set(yscale="log", xlabel="queries $s$", ylabel="probability", xticks=list(s))
    fig.legend(loc="outside upper center", ncols=2)
