"""Flow of Dyck-1.

References
----------
Weiss, Goldberg & Yahav (2021), section 4 [weiss2021].
"""

from typing import TYPE_CHECKING

from figures.rasp_flow import Flow, draw_flow, flow, flow_note

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ID = "rasp-dyck1"
TITLE = "Flow of Dyck-1"
CAPTION = "Dyck-1 on every prefix in two layers of one head."
SIZE = (3.3, 6.57)


def data(*, quick: bool = False) -> Flow:
    """Compute the flow; deterministic, the same if ``quick``."""
    del quick
    return flow("dyck1_ptf", "(())(")


def note(data: Flow) -> str:
    """Return the sentence with the sizes."""
    return flow_note(data)


def draw(fig: "Figure", data: Flow) -> None:
    """Draw the layers and heads."""
    draw_flow(fig, data)
