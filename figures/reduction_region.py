"""Where the local-lemma conditions E10 and E11 hold, in the planes (k, q) and (k, eta)."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from bounds.reduction.least import UnreachableError, least_k, least_k_for_e11
from bounds.reduction.parameters import Parameters, solve_q
from figures import style
from figures.numbers import plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ID = "reduction-region"
TITLE = "Where E10 and E11 hold"
CAPTION = (
    r"Both local-lemma conditions hold with the published weights where shaded, for large $n$, and "
    r"where hatched already at the smaller $n$; $c=1$, $H=8$, $C=1$, $C'=1/2$, $\delta=1/40$. The "
    r"lines are certified least $k$: for E10 at every length, for E11 at two lengths and in the "
    r"limit. Left: over $q$, with $\eta$ from $(1-2\eta)(1-(1+\delta)q) = C'/C$. Right: the same "
    r"parameters over $\eta$."
)
SIZE = (style.TEXT, 2.7)

_HEADS = 8
_TARGET = Fraction(1, 2)
_DELTA = Fraction(1, 40)
_LENGTHS = (50_000, 200_000)


@dataclass(frozen=True, slots=True)
class Boundary:
    """Least k over one parameter; NaN where no k satisfies the condition."""

    x: np.ndarray
    e10: np.ndarray
    e11_limit: np.ndarray
    e11: dict[int, np.ndarray]


@dataclass(frozen=True, slots=True)
class Data:
    """The boundaries over q and over eta, with the fixed parameters; dimensionless."""

    heads: int
    target: Fraction
    delta: Fraction
    over_q: Boundary
    over_eta: Boundary

    def to_json(self) -> Any:
        """Return the numbers as JSON-compatible data."""
        return plain(self)


def data(*, quick: bool = False) -> Data:
    """Compute certified least k on a grid of q and on a grid of eta; deterministic."""
    points = 24 if quick else 96
    most_q = (1 - _TARGET) / (1 + _DELTA)
    most_eta = (1 - _TARGET) / 2
    grid = [Fraction(i, points + 1) for i in range(1, points + 1)]
    return Data(
        _HEADS,
        _TARGET,
        _DELTA,
        _boundary([most_q * g for g in grid], _from_q),
        _boundary([most_eta * g for g in grid], _from_eta),
    )


def note(d: Data) -> str:
    """Return the sentence with the smallest k of the grid."""
    best = int(np.nanargmin(d.over_q.e10))
    return f"On the grid E10 needs k >= {d.over_q.e10[best]:.0f}, at q = {d.over_q.x[best]:.3f}."


def draw(fig: "Figure", d: Data) -> None:
    """Draw both planes with a common k axis."""
    left, right = fig.subplots(1, 2, sharey=True)
    _plane(left, d.over_q, r"$q$ ($\eta$ follows)")
    _plane(right, d.over_eta, r"$\eta$ ($q$ follows)")
    left.set_ylabel(r"$k$")
    handles, labels = left.get_legend_handles_labels()
    fig.legend(
        handles,
        labels,
        loc="outside upper center",
        ncols=3,
        columnspacing=1.2,
        title=f"$c=1$, $H={d.heads}$, $C=1$, $C'={d.target}$, $\\delta={d.delta}$",
    )


def _plane(ax: "Axes", b: Boundary, label: str) -> None:
    top = 3e5
    names = {f"E11, $n={_spaced(n)}$": k for n, k in b.e11.items()}
    lines = {"E10": b.e10, **names, r"E11, $n\to\infty$": b.e11_limit}
    lowest = np.fmax(b.e10, b.e11_limit)
    ax.fill_between(
        b.x, lowest, top, color=style.OKABE_ITO["sky"], alpha=0.3, lw=0, label=r"both, $n\to\infty$"
    )
    short, at = min(b.e11.items())
    ax.fill_between(
        b.x,
        np.fmax(b.e10, at),
        top,
        where=np.isfinite(at),
        facecolor="none",
        edgecolor=style.OKABE_ITO["blue"],
        hatch="////",
        alpha=0.35,
        lw=0,
        label=f"both, $n={_spaced(short)}$",
    )
    for i, (name, values) in enumerate(lines.items()):
        ax.plot(b.x, values, color=style.colour(i), linestyle=style.LINES[i], label=name)
    ax.set(yscale="log", ylim=(100, top), xlim=(0, float(b.x[-1] + b.x[0])), xlabel=label)


def _spaced(n: int) -> str:
    return f"{n:,}".replace(",", r"\,")


def _from_q(q: Fraction) -> Parameters:
    return Parameters((1 - _TARGET / (1 - (1 + _DELTA) * q)) / 2, q, _DELTA)


def _from_eta(eta: Fraction) -> Parameters:
    return solve_q(C=1, Cprime=_TARGET, eta=eta, delta=_DELTA)


def _boundary(grid: list[Fraction], choose: Callable[[Fraction], Parameters]) -> Boundary:
    points = [choose(x) for x in grid]
    e10 = [least_k(c=1, H=_HEADS, C=1, eta=p.eta, q=p.q).value for p in points]
    return Boundary(
        x=np.array([float(x) for x in grid]),
        e10=np.array(e10, dtype=float),
        e11_limit=np.array([_e11(p, None) for p in points]),
        e11={n: np.array([_e11(p, n) for p in points]) for n in _LENGTHS},
    )


def _e11(p: Parameters, n: int | None) -> float:
    try:
        return float(
            least_k_for_e11(c=1, H=_HEADS, C=1, eta=p.eta, q=p.q, delta=p.delta, n=n).value
        )
    except UnreachableError:
        return float("nan")
