"""Trained attention beside the selectors of most frequent first.

References
----------
Weiss, Goldberg & Yahav (2021), section 5 [weiss2021].
"""

from typing import TYPE_CHECKING

from figures import style
from figures.trained_heads import Heads, draw_heads, heads, heads_note

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ID = "trained-most-freq"
TITLE = "Trained attention of most frequent first"
CAPTION = (
    "Attention of two trained encoders on one word (queries down, keys across; black is 1), "
    "beside the program's selector with rows normalised: trained on outputs and attention, and "
    "on outputs alone. Hatched rows of a selector select nothing. First seed."
)
SIZE = (style.COLUMN, 4.35)


def data(*, quick: bool = False) -> Heads:
    """Read the recorded runs; deterministic, the same if ``quick``."""
    del quick
    return heads("most-freq")


def note(data: Heads) -> str:
    """Return the sentence with accuracies."""
    return heads_note(data)


def draw(fig: "Figure", data: Heads) -> None:
    """Draw selectors and attention."""
    draw_heads(fig, data)
