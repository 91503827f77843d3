"""The attention of the one head that sorts in one layer.

References
----------
Weiss, Goldberg & Yahav (2021), section 5, on sorting with uniform attention [weiss2021].
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

from figures import style
from figures.numbers import plain
from figures.trained_heads import Matrix, draw_matrix
from rasp.trainer.store import recorded
from rasp.trainer.summary import percent
from rasp.trainer.tables import Row, settings

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ID = "trained-sort-one-layer"
TITLE = "Sorting in one layer with one head"
CAPTION = (
    "An encoder of one layer with one head, one layer fewer than the program needs, trained to "
    "sort. (a) Its attention on one word. (b) Every row's weights (grey) against the uniform row "
    "(dashed): nearly all attention counts letters, and the feed-forward part sorts. First seed."
)
SIZE = (style.COLUMN, 1.6)


@final
@dataclass(frozen=True, slots=True)
class Data:
    """A word, the rows of attention on it, test tokens right, and the distance from uniform."""

    word: tuple[str, ...]
    attention: Matrix
    tokens: str
    unevenness: float

    def to_json(self) -> Any:
        """Return the numbers as JSON-compatible data."""
        return plain(self)


def data(*, quick: bool = False) -> Data:
    """Read the recorded run; deterministic, the same if ``quick``."""
    del quick
    (setting,) = settings(Row("sort", "one layer fewer"), "laptop", seeds=(0,))
    result = recorded()[setting.digest()]
    assert result.example is not None
    return Data(
        result.example.word,
        result.example.attention[0][0],
        percent(result.token_accuracy),
        result.unevenness[0][0],
    )


def note(data: Data) -> str:
    """Return the sentence with accuracy and distance."""
    return (
        f"Test tokens right: {data.tokens} %; mean squared distance of a row from the uniform row "
        f"{data.unevenness:.4f}."
    )


def draw(fig: "Figure", data: Data) -> None:
    """Draw the matrix, and all rows as lines."""
    left, right = fig.subplots(1, 2)
    draw_matrix(left, data.attention, data.word)
    left.set_title("(a)", loc="left", pad=3)
    places = range(len(data.word))
    for row in data.attention:
        right.plot(places, row, color="#999999", lw=0.6, linestyle="-")
    right.axhline(1 / len(data.word), color=style.OKABE_ITO["vermilion"], lw=1.2, linestyle="--")
    right.set_xticks(places, data.word)
    right.tick_params(axis="x", length=0, labelsize=6, pad=1)
    right.set(ylim=(0, 1), ylabel="weight")
    right.set_title("(b)", loc="left", pad=3)
