"""Exact binomial tail against the Chernoff form E8, over delta."""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from bounds.reduction import symbols
from bounds.reduction.binomial import e8_exponent, first_failure, tails
from bounds.reduction.stage3 import E8
from figures import style
from figures.numbers import plain

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ID = "reduction-chernoff"
TITLE = "Exact binomial tail against E8"
CAPTION = (
    r"Probability that more than $(1+\delta)q$ of $m$ free inputs are fixed: exact, the form E8 "
    r"$e^{-\delta^2 q m/3}$, and the Chernoff bound "
    r"$\left(e^{\delta}/(1+\delta)^{1+\delta}\right)^{qm}$ from which E8 follows for "
    r"$\delta \le 1$. Beyond the dotted line E8 falls below the exact probability, so it is no "
    r"bound there."
)
SIZE = (style.COLUMN, 2.7)

_M = 400
_Q = Fraction(1, 20)


@dataclass(frozen=True, slots=True)
class Data:
    """Curves over delta; probabilities as base-10 logarithms, dimensionless.

    ``step_delta`` and ``step_log10`` are the corners of the exact tail, a step function;
    ``delta``, ``e8_log10`` and ``chernoff_log10`` have one common shape.  ``valid_to`` ends the
    range of delta for which E8 follows from the Chernoff bound.
    """

    m: int
    q: Fraction
    step_delta: np.ndarray
    step_log10: np.ndarray
    delta: np.ndarray
    e8_log10: np.ndarray
    chernoff_log10: np.ndarray
    valid_to: float
    fails_from: float

    def to_json(self) -> Any:
        """Return the numbers as JSON-compatible data."""
        return plain(self)


def data(*, quick: bool = False) -> Data:
    """Compute the exact tail and both bounds; deterministic."""
    last = 4
    mean = _M * _Q
    exact = tails(_M, _Q)
    first, end = int(mean) + 1, int(mean * (1 + last))
    corners, heights = [], []
    for j in range(first, end + 1):
        corners += [float((j - 1) / mean - 1), float(j / mean - 1)]
        heights += [_log10(exact[j])] * 2
    delta = np.linspace(0, last, 41 if quick else 201)
    unit = float(e8_exponent(_M, _Q, Fraction(1)))
    failure = first_failure(_M, _Q)
    valid_to = E8.symbols[symbols.delta].hi
    assert valid_to is not None
    return Data(
        m=_M,
        q=_Q,
        step_delta=np.array(corners),
        step_log10=np.array(heights),
        delta=delta,
        e8_log10=-unit * delta**2 / np.log(10),
        chernoff_log10=-float(mean) * ((1 + delta) * np.log1p(delta) - delta) / np.log(10),
        valid_to=float(valid_to),
        fails_from=float("nan") if failure is None else float(failure),
    )


def note(d: Data) -> str:
    """Return the sentence with the point of failure."""
    return f"At m = {d.m}, q = {d.q} E8 is below the exact tail from delta = {d.fails_from:.3f} on."


def draw(fig: "Figure", d: Data) -> None:
    """Draw the three curves, the valid range and the point of failure."""
    ax = fig.subplots()
    low = float(min(d.e8_log10.min(), d.step_log10.min()))
    ax.axvspan(0, d.valid_to, color=style.OKABE_ITO["sky"], alpha=0.25, linewidth=0)
    ax.text(d.valid_to / 2, low * 0.97, "E8 valid", ha="center", va="bottom", fontsize=7)
    ax.plot(d.step_delta, d.step_log10, color=style.OKABE_ITO["black"], linestyle="-", lw=1.1)
    ax.plot(d.delta, d.e8_log10, color=style.colour(1), linestyle="--")
    ax.plot(d.delta, d.chernoff_log10, color=style.colour(0), linestyle="-.")
    ax.axvline(d.fails_from, color=style.OKABE_ITO["black"], linestyle=":", lw=0.9)
    ax.text(
        d.fails_from - 0.08,
        low * 0.97,
        f"E8 fails from\n$\\delta = {d.fails_from:.2f}$",
        ha="right",
        va="bottom",
        fontsize=7,
    )
    handles = [
        (style.OKABE_ITO["black"], "-", "exact tail"),
        (style.colour(1), "--", r"E8: $e^{-\delta^2 qm/3}$"),
        (style.colour(0), "-.", r"$(e^\delta/(1+\delta)^{1+\delta})^{qm}$"),
    ]
    for colour, line, label in handles:
        ax.plot([], [], color=colour, linestyle=line, label=label)
    fig.legend(
        loc="outside upper center",
        ncols=2,
        title=f"$m={d.m}$, $q={d.q.numerator}/{d.q.denominator}$",
    )
    ax.set(
        xlabel=r"relative excess $\delta$",
        ylabel=r"$\log_{10}$ probability",
        xlim=(0, float(d.delta[-1])),
        ylim=(low, 0),
    )


def _log10(value: Fraction) -> float:
    return math.log10(value.numerator) - math.log10(value.denominator)
