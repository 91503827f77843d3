"""The selection of Stage 2 for c = 2, k = 2, n = 7, head at i = 5 (Figure 3 of Hahn 2020)."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from attention.function import FunctionTransformer
from figures import style
from figures.numbers import plain
from restrictions.ctransformer import CTransformer, Leaf, lift
from restrictions.probe import Fixing, positions
from restrictions.selection import greatest_scores, private, select

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ID = "reduction-selection"
TITLE = "Selecting activations with private inputs, executed"
CAPTION = (
    r"A 2-transformer on $n = 7$ inputs: each layer-0 activation (circles) depends on two inputs "
    r"(squares). (a) The head at $i = 5$ for one value $z$ of its own activation; edges as thick "
    r"as the greatest attainable score, eq. (7). (b) The selected activations for $k = 2$ and "
    r"their private inputs, in colour."
)
SIZE = (style.TEXT, 2.4)

_N, _HEAD, _K, _SEED = 7, 4, 2, 1


@dataclass(frozen=True, slots=True)
class Data:
    """Sources and greatest scores per activation; the selection with private inputs.

    ``order`` lists positions by greatest attainable score, ``selected`` the chosen ones among
    them, ``private`` their private inputs, position by position.
    """

    sources: tuple[tuple[int, ...], ...]
    scores: tuple[int, ...]
    order: tuple[int, ...]
    selected: tuple[int, ...]
    private: tuple[tuple[int, ...], ...]

    def to_json(self) -> Any:
        """Return the numbers as JSON-compatible data."""
        return plain(self)


def two_transformer(rng: np.random.Generator) -> CTransformer:
    """Return a 2-transformer with random scores whose activations read two inputs each."""
    table = rng.integers(0, 100, size=(_N, 4))

    def score(layer: int, head: int, i: int, j: int, query: Any, key: Any) -> int:
        return int(table[j, key[1]])

    model = FunctionTransformer(
        n=_N,
        layers=1,
        heads=1,
        alphabet=("0", "1"),
        embedding=lambda i, symbol: (i, int(symbol)),
        scoring=score,
        activation=lambda layer, i, own, attended: (own, *attended),
    )
    activations: list[tuple[Leaf, ...]] = []
    for j in range(_N):
        a, b = sorted(rng.choice(_N, size=2, replace=False).tolist())
        activations.append(
            tuple(
                ((j, 2 * x + y), x << a | y << b, (1 - x) << a | (1 - y) << b)
                for x in (0, 1)
                for y in (0, 1)
            )
        )
    return CTransformer(model, lift(model).ground, 0, Fixing(), tuple(activations))


def data(*, quick: bool = False) -> Data:
    """Compute eq. (7) and the selection with the least last place; deterministic."""
    transformer = two_transformer(np.random.default_rng(_SEED))
    ranked = greatest_scores(transformer, 0, _HEAD, 0)
    order = tuple(j for _, j in ranked)
    sources = [transformer.sources(j) for j in order]
    chosen = select(sources, _K)
    assert chosen is not None
    return Data(
        sources=tuple(tuple(positions(transformer.sources(j))) for j in range(_N)),
        scores=tuple(int(score) for score, _ in sorted(ranked, key=lambda pair: pair[1])),
        order=order,
        selected=tuple(order[place] for place in chosen),
        private=tuple(tuple(positions(private(sources, chosen, place))) for place in chosen),
    )


def note(d: Data) -> str:
    """Return the sentence that names the selection, positions counted from 1."""
    chosen = " and ".join(str(j + 1) for j in d.selected)
    return f"In order of eq. (7): {[j + 1 for j in d.order]}; selected: activations {chosen}."


def draw(fig: "Figure", d: Data) -> None:
    """Draw the ordered scores and the selection."""
    left, right = fig.subplots(1, 2)
    _panel(left, d, show_selection=False)
    _panel(right, d, show_selection=True)
    left.set_title("(a) greatest attainable scores", loc="left", fontsize=7)
    right.set_title(f"(b) selection for $k = {_K}$", loc="left", fontsize=7)


def _panel(ax: "Axes", d: Data, *, show_selection: bool) -> None:
    black, chosen = style.OKABE_ITO["black"], style.OKABE_ITO["vermilion"]
    low, high = min(d.scores), max(d.scores)
    held = {j for inputs in d.private for j in inputs} if show_selection else set()
    for j, inputs in enumerate(d.sources):
        picked = show_selection and j in d.selected
        colour = chosen if picked else black
        for x in inputs:
            ax.plot([x, j], [0, 1], color=colour, linestyle="-", lw=1.2 if picked else 0.5)
        width = 0.4 + 3.2 * (d.scores[j] - low) / max(1, high - low)
        ax.plot(
            [j, _HEAD],
            [1, 2],
            color=colour if picked else style.OKABE_ITO["sky"],
            linestyle="-",
            lw=width,
            zorder=1,
        )
        ax.scatter(
            [j],
            [1],
            s=44,
            marker="o",
            zorder=3,
            linewidth=0.8,
            edgecolor=black,
            facecolor=chosen if picked else "white",
        )
        ax.text(
            j + 0.16,
            0.9,
            str(d.scores[j]),
            fontsize=6,
            zorder=4,
            va="top",
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6},
        )
        ax.scatter(
            [j],
            [0],
            s=44,
            marker="s",
            zorder=3,
            linewidth=0.8,
            edgecolor=black,
            facecolor=style.OKABE_ITO["orange"] if j in held else "white",
        )
    ax.scatter([_HEAD], [2], s=60, marker="D", color=black, zorder=3)
    ax.set(
        xlim=(-0.5, _N - 0.3),
        ylim=(-0.35, 2.35),
        yticks=[0, 1, 2],
        yticklabels=["inputs", "layer 0", "head"],
        xticks=range(_N),
        xticklabels=[str(j + 1) for j in range(_N)],
    )
    ax.tick_params(length=0)
