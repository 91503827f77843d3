"""Draw a scene with matplotlib, for PDF and PNG and for figures.

Main definitions: :func:`paint`, :func:`page`.
"""

import io
import warnings
from typing import TYPE_CHECKING, Any, Literal

from rasp.draw.scene import Box, Label, Line, Scene

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_ANCHOR = {"start": "left", "middle": "center", "end": "right"}


def paint(fig: "Figure", scene: Scene) -> None:
    """Draw ``scene`` over the whole of ``fig``, scaled to fit, text with it.

    Notes
    -----
    Nothing is computed but the scale; the axes are in points of the scene.
    """
    from matplotlib.collections import LineCollection
    from matplotlib.patches import Rectangle

    fig.set_layout_engine("none")  # the scene has its own layout
    ax = fig.add_axes((0.0, 0.0, 1.0, 1.0))
    ax.set_axis_off()
    width, height = fig.get_size_inches() * 72
    margin = 6.0
    scale = min(width / (scene.width + 2 * margin), height / (scene.height + 2 * margin))
    ax.set_xlim(-margin, width / scale - margin)
    ax.set_ylim(height / scale - margin, -margin)
    lines: list[Any] = []
    strokes: list[str] = []
    widths: list[float] = []
    for mark in scene.marks:
        match mark:
            case Box():
                ax.add_patch(
                    Rectangle(
                        (mark.x, mark.y),
                        mark.width,
                        mark.height,
                        facecolor=mark.fill,
                        edgecolor=mark.stroke,
                        linewidth=0.5 * scale,
                        zorder=1,
                    )
                )
            case Line():
                lines.append([(mark.x1, mark.y1), (mark.x2, mark.y2)])
                strokes.append(mark.stroke)
                widths.append(mark.width * scale)
            case Label():
                ax.text(
                    mark.x,
                    mark.y,
                    mark.text,
                    fontsize=mark.size * scale,
                    ha=_ANCHOR[mark.anchor],
                    va="center_baseline",
                    color=mark.fill,
                    fontweight="bold" if mark.bold else "normal",
                    parse_math=False,
                    zorder=3,
                )
    ax.add_collection(LineCollection(lines, colors=strokes, linewidths=widths, zorder=2))


def page(scene: Scene, format: Literal["pdf", "png"]) -> bytes:  # noqa: A002
    """Return the scene as a PDF or PNG file, the same bytes every time.

    Examples
    --------
    >>> scene = Scene()
    >>> scene.add(Label(0, 0, "a"))
    >>> page(scene, "pdf")[:5]
    b'%PDF-'
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.backends.backend_pdf import FigureCanvasPdf
    from matplotlib.figure import Figure

    fig = Figure(figsize=((scene.width + 12) / 72, (scene.height + 12) / 72))
    buffer = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # glyphs that no installed font has are drawn as boxes
        if format == "pdf":
            FigureCanvasPdf(fig)
            paint(fig, scene)
            fig.savefig(buffer, format="pdf", metadata={"CreationDate": None, "Producer": None})
        else:
            FigureCanvasAgg(fig)
            paint(fig, scene)
            fig.savefig(buffer, format="png", dpi=150, metadata={"Software": None})
    return buffer.getvalue()
