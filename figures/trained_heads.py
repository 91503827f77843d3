"""What the drawings of trained attention share: heads of a recorded model beside the selectors.

Main definitions: :class:`Heads`, :func:`heads`, :func:`draw_heads`, :func:`draw_matrix`.

References
----------
Weiss, Goldberg & Yahav (2021), Figures 2, 4 and 5 [weiss2021].
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

from figures import style
from figures.numbers import plain
from rasp.trainer.store import recorded
from rasp.trainer.summary import percent
from rasp.trainer.tables import Row, settings

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Matrix = tuple[tuple[float, ...], ...]


@final
@dataclass(frozen=True, slots=True)
class Heads:
    """A model's attention on one word and the program's normalised selectors.

    ``panels`` holds, per placed selector: its layer and head from 1, the selector's rows, the
    attention of the model trained with attention supervision, and of the one trained without.
    Without supervision nothing says which head of a layer does what: heads are shown in the order
    in which they are nearest to the selectors.
    """

    word: tuple[str, ...]
    panels: tuple[tuple[int, int, Matrix, Matrix, Matrix], ...]
    supervised: str
    unsupervised: str
    errors: tuple[float, float]

    def to_json(self) -> Any:
        """Return the numbers as JSON-compatible data."""
        return plain(self)


def heads(task: str) -> Heads:
    """Return the heads of a task's two recorded models of seed 0; deterministic."""
    results = []
    for variant in ("supervised", "predicted"):
        (setting,) = settings(Row(task, variant), "laptop", seeds=(0,))
        results.append(recorded()[setting.digest()])
    with_it, without = results
    assert with_it.example is not None
    assert without.example is not None
    order = _matching(with_it.example.patterns, without.example.attention)
    panels = []
    for number, (layer, head, pattern) in enumerate(with_it.example.patterns):
        panels.append(
            (
                layer + 1,
                head + 1,
                pattern,
                with_it.example.attention[layer][head],
                without.example.attention[layer][order[number]],
            )
        )
    return Heads(
        with_it.example.word,
        tuple(panels),
        percent(with_it.token_accuracy),
        percent(without.token_accuracy),
        (with_it.attention_error or 0.0, without.attention_error or 0.0),
    )


def _matching(patterns: Any, attention: Any) -> list[int]:
    """Return, per selector, the head of its layer that lies nearest to it, each head once."""
    from itertools import permutations

    chosen: dict[int, int] = {}
    for layer in sorted({place[0] for place in patterns}):
        mine = [number for number, place in enumerate(patterns) if place[0] == layer]
        apart = [[_distance(patterns[n][2], head) for head in attention[layer]] for n in mine]
        best = min(
            permutations(range(len(attention[layer])), len(mine)),
            key=lambda order: sum(row[head] for row, head in zip(apart, order, strict=True)),
        )
        chosen |= dict(zip(mine, best, strict=True))
    return [chosen[number] for number in range(len(patterns))]


def _distance(pattern: Matrix, attention: Matrix) -> float:
    return sum(
        (a - b) ** 2
        for wanted, given in zip(pattern, attention, strict=True)
        if any(wanted)
        for a, b in zip(wanted, given, strict=True)
    )


def heads_note(data: Heads) -> str:
    """Return the sentence with accuracies and errors."""
    return (
        f"Test tokens right: {data.supervised} % with attention supervision, "
        f"{data.unsupervised} % without; mean squared distance of a row of attention from the "
        f"selector's {data.errors[0]:.3f} and {data.errors[1]:.3f}."
    )


def draw_heads(fig: "Figure", data: Heads) -> None:
    """Draw one row per selector: selector, attention with and without supervision."""
    axes = fig.subplots(len(data.panels), 3, squeeze=False)
    titles = ("selector", "trained with it", "outputs only")
    for place, (row, (layer, head, *matrices)) in enumerate(zip(axes, data.panels, strict=True)):
        for column, (ax, matrix) in enumerate(zip(row, matrices, strict=True)):
            draw_matrix(ax, matrix, data.word)
            if place == 0:
                ax.set_title(titles[column], pad=3)
            if column == 0:
                ax.set_ylabel(f"layer {layer}, head {head}")
    fig.supxlabel("keys", fontsize=7)


def draw_matrix(ax: "Axes", matrix: Matrix, word: tuple[str, ...]) -> None:
    """Draw weights from white, 0, to black, 1; rows without any are hatched."""
    ax.imshow(matrix, cmap="Greys", vmin=0, vmax=1, interpolation="nearest")
    for place, row in enumerate(matrix):
        if not any(row):  # selects nothing: no pattern to follow
            ax.axhspan(place - 0.5, place + 0.5, facecolor="white", edgecolor="#999999",
                       hatch="////", lw=0)  # fmt: skip
    places = range(len(word))
    ax.set_xticks(places, word)
    ax.set_yticks(places, word)
    ax.tick_params(length=0, labelsize=6, pad=1)
    for side in ax.spines.values():
        side.set(visible=True, linewidth=0.4, color=style.OKABE_ITO["black"])
