"""Flow of reverse.

References
----------
Weiss, Goldberg & Yahav (2021), section 4 [weiss2021].
"""

from typing import TYPE_CHECKING

from figures.rasp_flow import Flow, draw_flow, flow, flow_note

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ID = "rasp-reverse"
TITLE = "Flow of reverse"
CAPTION = (
    "Reverse in two layers of one head: the first finds the length, the second fetches "
    "the mirrored token."
)
SIZE = (3.3, 5.45)


def data(*, quick: bool = False) -> Flow:
    """Compute the flow; deterministic, the same if ``quick``."""
    del quick
    return flow("reverse", "hello")


def note(data: Flow) -> str:
    """Return the sentence with the sizes."""
    return flow_note(data)


def draw(fig: "Figure", data: Flow) -> None:
    """Draw the layers and heads."""
    draw_flow(fig, data)
