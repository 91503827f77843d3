"""Flow of the histogram with a mark.

References
----------
Weiss, Goldberg & Yahav (2021), Figure 2 [weiss2021].
"""

from typing import TYPE_CHECKING

from figures.rasp_flow import Flow, draw_flow, flow, flow_note

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ID = "rasp-histogram-bos"
TITLE = "Flow of the histogram with a mark"
CAPTION = "Histogram with a beginning-of-sequence mark: one head suffices."
SIZE = (3.3, 3.32)


def data(*, quick: bool = False) -> Flow:
    """Compute the flow; deterministic, the same if ``quick``."""
    del quick
    return flow("hist_bos", "§hello")


def note(data: Flow) -> str:
    """Return the sentence with the sizes."""
    return flow_note(data)


def draw(fig: "Figure", data: Flow) -> None:
    """Draw the layers and heads."""
    draw_flow(fig, data)
