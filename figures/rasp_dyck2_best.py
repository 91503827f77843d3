"""Flow of Dyck-2 with select-best.

References
----------
Weiss, Goldberg & Yahav (2021), section 4 [weiss2021].
"""

from typing import TYPE_CHECKING

from figures.rasp_flow import Flow, draw_flow, flow, flow_note

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ID = "rasp-dyck2-best"
TITLE = "Flow of Dyck-2 with select-best"
CAPTION = "Dyck-2 on every prefix with select-best: three layers of one head."
SIZE = (3.3, 8.33)

_CODE = 'dyck2 = dyck_prefixes(["()", "{}"]);'


def data(*, quick: bool = False) -> Flow:
    """Compute the flow; deterministic, the same if ``quick``."""
    del quick
    return flow("dyck2", "({x})(", code=_CODE)


def note(data: Flow) -> str:
    """Return the sentence with the sizes."""
    return flow_note(data)


def draw(fig: "Figure", data: Flow) -> None:
    """Draw the layers and heads."""
    draw_flow(fig, data)
