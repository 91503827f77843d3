"""The least k and the least length found for a target share C', for several numbers of heads."""

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from bounds.reduction.monotone import PUBLISHED, Weights, best_weights
from bounds.reduction.optimise import smallest_k, smallest_n
from figures import style
from figures.numbers import plain

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ID = "reduction-least"
TITLE = "Least k and n against the target share"
CAPTION = (
    r"One application of the depth reduction at $c=1$, $C=1$, as a function of the share $C'$ that "
    r"is to stay free, for $H$ heads. Left: least $k$ for which E12 holds, and E11 for large $n$. "
    r"Right: least length $n$ from which on E12 and E11 hold and $C'n$ exceeds the inputs that one "
    r"activation depends on. Every point is certified at exact parameters that a search proposed."
)
SIZE = (style.TEXT, 2.7)

_HEADS = (1, 4, 16)


@dataclass(frozen=True, slots=True)
class Curve:
    """Certified k and n over ``target`` of one shape, for one number of heads."""

    heads: int
    weights: str
    k: np.ndarray
    n: np.ndarray


@dataclass(frozen=True, slots=True)
class Data:
    """Curves over the target share C', dimensionless."""

    target: np.ndarray
    curves: tuple[Curve, ...]

    def to_json(self) -> Any:
        """Return the numbers as JSON-compatible data."""
        return plain(self)


def data(*, quick: bool = False) -> Data:
    """Search and certify each point; deterministic."""
    tenths = (1, 5, 9) if quick else (1, 2, 3, 4, 5, 6, 7, 8, 9)
    targets = [Fraction(t, 10) for t in tenths] + [Fraction(19, 20)]
    curves = [_curve(h, w, targets) for w in (PUBLISHED, best_weights()) for h in _HEADS]
    return Data(np.array([float(t) for t in targets]), tuple(curves))


def note(d: Data) -> str:
    """Return the sentence with the values at C' = 1/2 and one head."""
    at = int(np.argmin(abs(d.target - 0.5)))
    one = d.curves[0]
    return f"At C' = 1/2 and one head: k = {one.k[at]}, n = {one.n[at]} with the published weights."


def draw(fig: "Figure", d: Data) -> None:
    """Draw k on the left and n on the right, both logarithmic."""
    left, right = fig.subplots(1, 2)
    for curve in d.curves:
        i = _HEADS.index(curve.heads)
        published = curve.weights == "published"
        look = {
            "color": style.colour(i),
            "marker": style.MARKERS[i],
            "linestyle": "-" if published else "--",
            "markerfacecolor": style.colour(i) if published else "white",
            "label": f"$H={curve.heads}$, {curve.weights} weights",
        }
        left.plot(d.target, curve.k.astype(float), **look)
        right.plot(d.target, curve.n.astype(float), **look)
    left.set(yscale="log", xlabel=r"target share $C'$", ylabel=r"least $k$ found")
    right.set(yscale="log", xlabel=r"target share $C'$", ylabel=r"least $n$ found")
    for ax in (left, right):
        ax.set_xlim(0, 1)
        ax.grid(visible=True, which="major", axis="y", linewidth=0.3, color="0.8")
    handles, labels = left.get_legend_handles_labels()
    order = [0, 3, 1, 4, 2, 5]  # the two weights of one H above each other
    fig.legend(
        [handles[i] for i in order],
        [labels[i] for i in order],
        loc="outside upper center",
        ncols=3,
        columnspacing=1.2,
    )


def _curve(heads: int, weights: Weights, targets: list[Fraction]) -> Curve:
    k = [smallest_k(c=1, H=heads, C=1, Cprime=t, weights=weights).k for t in targets]
    n = [smallest_n(c=1, H=heads, C=1, Cprime=t, weights=weights).n0 for t in targets]
    return Curve(heads, weights.name, np.array(k), np.array(n))
