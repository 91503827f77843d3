"""How figures look: rcParams as plain dicts, a colour-blind safe palette, column widths.

Each function returns a dict; combine them with ``|``.  Colour never carries meaning alone: the
cycle pairs every colour with its own line style, and :data:`MARKERS` does the same for points.

Main definitions: :func:`base`, :func:`deterministic`, :data:`OKABE_ITO`, :data:`COLUMN`,
:data:`TEXT`.

References
----------
Okabe and Ito (2008), Color universal design [okabe2008].
"""

from typing import Any

COLUMN = 3.03
"""Width of one column of a TACL or ACL page, in inches."""

TEXT = 6.30
"""Width of the text of a TACL or ACL page, in inches."""

OKABE_ITO = {
    "black": "#000000",
    "blue": "#0072B2",
    "vermilion": "#D55E00",
    "green": "#009E73",
    "purple": "#CC79A7",
    "orange": "#E69F00",
    "sky": "#56B4E9",
    "yellow": "#F0E442",
}
"""Eight colours that stay apart under the common colour vision deficiencies; the last is too
light for lines on white and is meant for areas."""

LINES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 1)))
"""Line styles, in the order of the colours from blue on."""

MARKERS = ("o", "s", "^", "D", "v", "P")
"""Markers, in the same order."""

CYCLE = ("blue", "vermilion", "green", "purple", "orange", "sky")
"""Names of the colours that lines use, in order."""


def colour(index: int) -> str:
    """Return the colour of the ``index``-th series, counted from 0 and repeating after six.

    Examples
    --------
    >>> colour(0)
    '#0072B2'
    """
    return OKABE_ITO[CYCLE[index % len(CYCLE)]]


def base(size: float = 8.0) -> dict[str, Any]:
    """Return fonts, lines, ticks and the cycle for text of ``size`` points.

    Raises
    ------
    ValueError
        If ``size`` is below 6 points, which does not stay legible in print.

    Examples
    --------
    >>> base()["font.size"]
    8.0
    """
    if size < 6:
        raise ValueError(f"size = {size} points is too small to read: use at least 6")
    import cycler

    colours = cycler.cycler(color=[OKABE_ITO[name] for name in CYCLE])
    return {
        "font.family": "DejaVu Sans",
        "mathtext.fontset": "dejavusans",
        "font.size": size,
        "axes.titlesize": size,
        "axes.labelsize": size,
        "xtick.labelsize": size - 1,
        "ytick.labelsize": size - 1,
        "legend.fontsize": size - 1,
        "legend.frameon": False,
        "legend.handlelength": 2.4,
        "axes.linewidth": 0.6,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.prop_cycle": colours + cycler.cycler(linestyle=LINES),
        "lines.linewidth": 1.3,
        "lines.markersize": 3.5,
        "xtick.major.width": 0.6,
        "ytick.major.width": 0.6,
        "xtick.minor.width": 0.4,
        "ytick.minor.width": 0.4,
        "hatch.linewidth": 0.5,
        "figure.dpi": 100,
        "figure.constrained_layout.use": True,
        "savefig.dpi": 300,
        "savefig.facecolor": "white",
    }


def deterministic(salt: str) -> dict[str, Any]:
    """Return the settings that make two renders equal byte by byte.

    Parameters
    ----------
    salt
        Makes the identifiers inside an SVG file; use the figure's ID.
    """
    return {
        "svg.hashsalt": salt,
        "svg.fonttype": "path",
        "pdf.fonttype": 42,
        "pdf.compression": 6,
        "path.simplify": True,
        "text.usetex": False,
        "timezone": "UTC",
    }
