"""P_0 of Theorem 6 by p, by parity of n, and against its limits."""

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from figures import style
from figures.numbers import plain
from languages.dyck_process import DyckProcess

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ID = "influence-p0"
TITLE = "The constant P_0 of Theorem 6"
CAPTION = (
    r"Probability that a prefix of 2DYCK is unbalanced and ends with a closing bracket. "
    r"Left: at length $n$ given survival (exact), with the limits for even and odd $n$. "
    r"Right: the limits against $p$ for both laws of prefixes; the stationary stream "
    r"exists for $p<1/2$ only."
)
SIZE = (style.TEXT, 2.4)


@dataclass(frozen=True, slots=True)
class Series:
    """P_0(n) for one p."""

    p: Fraction
    n: np.ndarray
    value: np.ndarray
    even: Fraction
    odd: Fraction


@dataclass(frozen=True, slots=True)
class Data:
    """Series over n, and limits over p (NaN where the stream has no stationary law)."""

    series: tuple[Series, ...]
    p: np.ndarray
    even: np.ndarray
    odd: np.ndarray
    stream: np.ndarray

    def to_json(self) -> Any:
        """Return the numbers as JSON-compatible data."""
        return plain(self)


def data(*, quick: bool = False) -> Data:
    """Compute exact laws; deterministic.  ``quick`` stops at n = 24."""
    longest = 24 if quick else 60
    series = []
    for p in (Fraction(1, 10), Fraction(1, 4), Fraction(2, 5)):
        process = DyckProcess(p)
        ns = np.arange(3, longest + 1)
        value = np.array([float(process.unbalanced_closing(int(n))) for n in ns])
        even, odd = (process.limit("survival", even=e) for e in (True, False))
        series.append(Series(p, ns, value, even, odd))
    grid = [Fraction(k, 100) for k in range(2, 99, 2)]
    rows = [[float(DyckProcess(p).limit("survival", even=e)) for p in grid] for e in (True, False)]
    stream = [
        float(DyckProcess(p).limit("stream", even=True)) if p < Fraction(1, 2) else np.nan
        for p in grid
    ]
    return Data(
        tuple(series), np.array([float(p) for p in grid]), np.array(rows[0]), np.array(rows[1]),
        np.array(stream),
    )  # fmt: skip


def draw(fig: "Figure", d: Data) -> None:
    """Draw both panels."""
    left, right = fig.subplots(1, 2)
    for i, s in enumerate(d.series):
        for parity, marker, limit in ((0, "o", s.even), (1, "s", s.odd)):
            keep = s.n % 2 == parity
            left.plot(s.n[keep], s.value[keep], marker, ms=2, color=style.colour(i),
                      label=f"$p={s.p}$" if parity == 0 else None)  # fmt: skip
            left.axhline(float(limit), lw=0.6, ls="--" if parity else "-", color=style.colour(i))
    left.set_xlabel("$n$ (circles even, squares odd)")
    left.set_ylabel("$P_0(n)$")
    left.set_ylim(bottom=-0.3)  # room for the legend
    left.set_yticks([0, 0.2, 0.4, 0.6])
    left.legend(loc="lower right", ncols=2)
    rows = (("survival, even $n$", d.even), ("survival, odd $n$", d.odd), ("stream", d.stream))
    for i, (label, values) in enumerate(rows):
        right.plot(d.p, values, linestyle=style.LINES[i], color=style.colour(i), label=label)
    right.set_xlabel("$p$")
    right.set_ylabel("limit of $P_0$")
    right.legend()
