"""Double histogram: program, patterns and flow.

References
----------
Weiss, Goldberg & Yahav (2021), Figure 1 [weiss2021].
"""

from typing import TYPE_CHECKING

from figures.rasp_flow import Flow, draw_flow, flow, flow_note

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ID = "rasp-double-histogram"
TITLE = "Double histogram: program, patterns and flow"
CAPTION = (
    "Double histogram (how many tokens occur as often as this one) on 'hello' after a "
    "beginning-of-sequence mark: the program, the selection pattern of every head, and "
    "the flow through two layers."
)
SIZE = (3.3, 8.68)


def data(*, quick: bool = False) -> Flow:
    """Compute the flow; deterministic, the same if ``quick``."""
    del quick
    return flow("hist2_bos", "§hello", text=True)


def note(data: Flow) -> str:
    """Return the sentence with the sizes."""
    return flow_note(data)


def draw(fig: "Figure", data: Flow) -> None:
    """Draw the layers and heads."""
    draw_flow(fig, data)
