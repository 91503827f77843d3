"""Stage T1 against simulation: stars that are left when layer 1 has been made shallow."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from bounds.limits.proposal_load import stage_cost
from figures import style
from figures.numbers import plain

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ID = "limits-stars"
TITLE = "Stars kept by the first stage"
CAPTION = (
    r"Stars per variable that are left when every activation of layer 1 (one head) has been made a "
    r"decision tree of depth $w$, by the star probability $p$ of the random restriction: bound of "
    r"stage T1 (lines), and the least mean of three families of lists (random, cyclic, all equal), "
    r"executed on restrictions with $pn$ stars (markers; 40 of them where all lists are equal, "
    r"else 2; sampling error about 0.003)."
)
SIZE = (style.COLUMN, 2.6)
_WIDTHS = (1, 2, 3)
_FAMILIES = {"random": 2, "cyclic": 2, "equal": 40}  # restrictions drawn; equal lists vary most
_SEEN = 48  # literals of a list that are ever looked at; a list goes on with chance below 0.7^48
Lists = npt.NDArray[np.int64]  # shape (n, 2, literals): 2 * variable + wanted bit


@dataclass(frozen=True, slots=True)
class Data:
    """By width (outer): bound on a fine grid of p, measured shares on a coarse one."""

    n: int
    widths: tuple[int, ...]
    ps: tuple[float, ...]
    bound: tuple[tuple[float, ...], ...]
    executed_ps: tuple[float, ...]
    executed: tuple[tuple[tuple[float, ...], ...], ...]  # width, family, p

    def to_json(self) -> Any:
        """Return the numbers as JSON-compatible data."""
        return plain(self)


def lists_of(family: str, n: int, rng: np.random.Generator) -> Lists:
    """Return the literals that each position reads for each own bit, in order."""
    if family == "random":
        variables = rng.integers(n, size=(n, 2, _SEEN))
    elif family == "cyclic":
        shift = np.arange(1, _SEEN + 1)
        variables = np.broadcast_to((np.arange(n)[:, None, None] + shift) % n, (n, 2, _SEEN))
    else:
        variables = np.broadcast_to(rng.permutation(n)[:_SEEN], (n, 2, _SEEN))
    signs = rng.integers(2, size=(2, _SEEN) if family != "random" else (n, 2, _SEEN))
    return np.asarray(2 * variables + signs)


def kept(lists: Lists, p: float, w: int, rng: np.random.Generator) -> int:
    """Draw a restriction with pn stars, repair positions as stage T1 does, return the stars left.

    The number of stars is fixed because its own deviation would hide what repairs cost.
    """
    n = len(lists)
    drawn = rng.integers(2, size=n)
    drawn[rng.choice(n, size=round(p * n), replace=False)] = 2  # a star
    x: list[int] = drawn.tolist()
    rows = lists.tolist()

    def stars(i: int, bit: int) -> list[int]:
        """Literals of stars before the first true literal, each variable once."""
        found: dict[int, int] = {}
        for literal in rows[i][bit]:
            v, want = divmod(literal, 2)
            if v == i:
                if want == bit:
                    break
            elif x[v] == 2:
                if found.setdefault(v, want) != want:
                    break  # both literals of a variable: one of them is true
            elif x[v] == want:
                break
        return [2 * v + want for v, want in found.items()]

    for i in range(n):
        if x[i] == 2:
            deep = [bit for bit in (0, 1) if len(stars(i, bit)) >= w]
            if deep:
                x[i] = 1 - deep[0] if len(deep) == 1 else 0
        if x[i] != 2:
            left = stars(i, x[i])
            if len(left) > w:
                v, want = divmod(left[0], 2)
                x[v] = want
    return x.count(2)


def data(*, quick: bool = False) -> Data:
    """Evaluate the bound and execute the stage; seeded, deterministic."""
    rng = np.random.default_rng(11)
    n = 200 if quick else 600
    ps = tuple(k / 100 for k in range(2, 61, 2))
    executed_ps = (0.1, 0.2, 0.3, 0.45) if quick else (0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5)
    bound, executed = [], []
    for w in _WIDTHS:
        bound.append(tuple(p - stage_cost("first-layer", 1, 1, p, 0, w) for p in ps))
        executed.append(
            tuple(
                tuple(
                    sum(kept(lists_of(family, n, rng), p, w, rng) for _ in range(draws)) / n / draws
                    for p in executed_ps
                )
                for family, draws in _FAMILIES.items()
            )
        )
    return Data(n, _WIDTHS, ps, tuple(bound), executed_ps, tuple(executed))


def note(d: Data) -> str:
    """Return the best bound and the least mean share at the nearest p, by width."""
    parts = []
    for k, w in enumerate(d.widths):
        best = max(range(len(d.ps)), key=lambda i: d.bound[k][i])
        near = min(range(len(d.executed_ps)), key=lambda i: abs(d.executed_ps[i] - d.ps[best]))
        least = min(row[near] for row in d.executed[k])
        parts.append(
            f"w={w}: {d.bound[k][best]:.3f} (p={d.ps[best]}) against {least:.3f}"
            f" (p={d.executed_ps[near]})"
        )
    return "Best bound against least executed mean: " + "; ".join(parts) + "."


def draw(fig: "Figure", d: Data) -> None:
    """Draw one bound and one row of markers for each width."""
    ax = fig.subplots()
    for k, w in enumerate(d.widths):
        shown = [(p, b) for p, b in zip(d.ps, d.bound[k], strict=True) if b > 0]
        ax.plot(
            [p for p, _ in shown],
            [b for _, b in shown],
            color=style.colour(k),
            linestyle=style.LINES[k],
            label=f"$w={w}$",
        )
        ax.plot(
            d.executed_ps,
            [min(row[i] for row in d.executed[k]) for i in range(len(d.executed_ps))],
            color=style.colour(k),
            linestyle="none",
            marker=style.MARKERS[k],
            markersize=3.5,
        )
    ax.set(xlabel="star probability $p$", ylabel="stars kept per variable", ylim=(0, None))
    fig.legend(loc="outside upper center", ncols=3)
