"""E9 and f as functions of k: the review's formula, the paper's, and the repaired one."""

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from flint import arb, ctx

from bounds.bound import Bound
from bounds.reduction.least import least_k
from bounds.reduction.local_lemma import E10_RHS
from bounds.reduction.neighbours import EVENTS_NEARBY, NEIGHBOURS
from bounds.reduction.seed import B10_NEIGHBOURS, B12_EVENT
from bounds.reduction.stage3 import E9, E9_EXACT
from figures import style
from figures.numbers import plain

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ID = "reduction-formulas"
TITLE = "E9 and f: review, paper, repaired"
CAPTION = (
    r"Left: how small the bounds make the probability that none of the $k$ selected activations "
    r"attains its best value, as $-\log_{10}$; grey: what the local lemma asks for with the "
    r"published weights. The review's exponent is upside down, so its curve falls and never gets "
    r"there. Right: the review's and the paper's number $f$ of neighbours, and the number of all "
    r"events of those heads and of the head itself: the paper's wording counts the latter, the "
    r"local lemma needs only the events that one event depends on, and these are at most $f$."
)
SIZE = (style.TEXT, 2.7)

_POINT: dict[str, int | Fraction] = {
    "c": 2,
    "H": 1,
    "C": Fraction(1),
    "eta": Fraction(1, 4),
    "q": Fraction(1, 2),
}


@dataclass(frozen=True, slots=True)
class Data:
    """Base-10 logarithms over k, all of one shape; dimensionless."""

    point: dict[str, int | Fraction]
    k: np.ndarray
    least: int
    e9_review: np.ndarray
    e9_paper: np.ndarray
    e9_repaired: np.ndarray
    allowed: np.ndarray
    f_review: np.ndarray
    f_paper: np.ndarray
    events: np.ndarray

    def to_json(self) -> Any:
        """Return the numbers as JSON-compatible data."""
        return plain(self)


def data(*, quick: bool = False) -> Data:
    """Evaluate the bounds as balls on a logarithmic grid of k; deterministic."""
    p = _POINT
    least = least_k(c=2, H=1, C=1, eta=Fraction(1, 4), q=Fraction(1, 2)).value
    top = len(str(least)) + 0.5
    ks = sorted({round(x) for x in np.logspace(np.log10(2), top, 30 if quick else 120).tolist()})
    event = {name: p[name] for name in ("c", "C", "eta", "q")}
    count = {name: p[name] for name in ("c", "H", "C", "eta")}
    allowed = [
        _log10(E10_RHS, A=Fraction(1, k * k), B=Fraction(1, 2), f=NEIGHBOURS.exact(k=k, **count))
        for k in ks
    ]
    return Data(
        point=dict(p),
        k=np.array(ks),
        least=least,
        e9_review=np.array([_log10(B12_EVENT, k=k, **event) for k in ks]),
        e9_paper=np.array([_log10(E9, k=k, **event) for k in ks]),
        e9_repaired=np.array([_log10(E9_EXACT, k=k, **event) for k in ks]),
        allowed=np.array(allowed),
        f_review=np.array([_log10(B10_NEIGHBOURS, k=k, **count) for k in ks]),
        f_paper=np.array([_log10(NEIGHBOURS, k=k, **count) for k in ks]),
        events=np.array([_log10(EVENTS_NEARBY, k=k, **count) for k in ks]),
    )


def note(d: Data) -> str:
    """Return the sentence with the crossing of E9 and what is allowed."""
    return f"The paper's E9 meets what the local lemma allows at k = {d.least}."


def draw(fig: "Figure", d: Data) -> None:
    """Draw probabilities on the left and counts on the right."""
    left, right = fig.subplots(1, 2)
    black, grey = style.OKABE_ITO["black"], "0.45"
    for values, colour, line, label in (
        (d.e9_paper, style.colour(0), "-", "paper (E9)"),
        (d.e9_repaired, style.colour(2), "-.", "integer exponent"),
        (d.e9_review, style.colour(1), "--", "review (B12)"),
        (d.allowed, grey, ":", "asked for by E10"),
    ):
        left.plot(d.k, -values, color=colour, linestyle=line, label=label)
    left.axvline(d.least, color=black, lw=0.6, linestyle=(0, (1, 2)))
    number = f"{d.least:,}".replace(",", r"{,}")
    left.annotate(
        f"$k={number}$",
        (d.least, -float(d.e9_paper[0])),
        xytext=(-4, 0),
        textcoords="offset points",
        ha="right",
        fontsize=7,
    )
    right.plot(d.k, d.f_review, color=style.colour(1), linestyle="--", label="review (B10)")
    right.plot(d.k, d.f_paper, color=style.colour(0), linestyle="-", label="paper ($f$)")
    right.plot(d.k, d.events, color=style.colour(2), linestyle="-.", label="$2^c(f+1)$ events")
    left.set(xscale="log", yscale="log", xlabel="$k$", ylabel=r"$-\log_{10}$ probability")
    right.set(xscale="log", xlabel="$k$", ylabel=r"$\log_{10}$ number of events")
    left.set_ylim(bottom=10.0 ** np.floor(np.log10(-d.e9_review[-1]) - 2.5))
    left.legend(loc="lower left")
    right.legend(loc="upper left")
    p = d.point
    fig.suptitle(
        f"$c={p['c']}$, $H={p['H']}$, $C={p['C']}$, $\\eta={p['eta']}$, $q={p['q']}$", fontsize=8
    )


def _log10(bound: Bound, **values: Any) -> float:
    ball = bound.ball(bits=128, **values)
    with ctx.workprec(128):
        return float((ball.log() / arb(10).log()).mid())
