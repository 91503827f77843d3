"""Shuffle-Dyck-2: program and flow.

References
----------
Weiss, Goldberg & Yahav (2021), Figure 3 [weiss2021].
"""

from typing import TYPE_CHECKING

from figures.rasp_flow import Flow, draw_flow, flow, flow_note

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ID = "rasp-shuffle-dyck"
TITLE = "Shuffle-Dyck-2: program and flow"
CAPTION = (
    "Shuffle-Dyck-2 on every prefix of a word: each kind of bracket must balance on its "
    "own. Two layers of one head."
)
SIZE = (3.3, 9.60)

_CODE = 'shuffle = shuffle_dyck_prefixes(["()", "{}"]);'


def data(*, quick: bool = False) -> Flow:
    """Compute the flow; deterministic, the same if ``quick``."""
    del quick
    return flow("shuffle", "({)}", code=_CODE, text=True)


def note(data: Flow) -> str:
    """Return the sentence with the sizes."""
    return flow_note(data)


def draw(fig: "Figure", data: Flow) -> None:
    """Draw the layers and heads."""
    draw_flow(fig, data)
