"""Write a scene as SVG: text stays text, and equal scenes give equal bytes.

Main definitions: :func:`svg`.
"""

from xml.sax.saxutils import escape

from rasp.draw.scene import PAPER, Box, Label, Line, Scene


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def svg(scene: Scene, *, margin: float = 10.0) -> str:
    """Return the SVG document of ``scene``.

    Parameters
    ----------
    scene
        The picture.
    margin
        White space around it, in points.

    Examples
    --------
    >>> scene = Scene()
    >>> scene.add(Label(0, 0, "a<b"))
    >>> "a&lt;b" in svg(scene)
    True
    """
    width, height = scene.width + 2 * margin, scene.height + 2 * margin
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_number(width)}pt" '
        f'height="{_number(height)}pt" viewBox="{_number(-margin)} {_number(-margin)} '
        f'{_number(width)} {_number(height)}" '
        'font-family="DejaVu Sans, Helvetica, Arial, sans-serif">',
        f'<rect x="{_number(-margin)}" y="{_number(-margin)}" width="{_number(width)}" '
        f'height="{_number(height)}" fill="{PAPER}"/>',
    ]
    for mark in scene.marks:
        match mark:
            case Box():
                lines.append(
                    f'<rect x="{_number(mark.x)}" y="{_number(mark.y)}" '
                    f'width="{_number(mark.width)}" height="{_number(mark.height)}" '
                    f'fill="{mark.fill}" stroke="{mark.stroke}" stroke-width="0.5"/>'
                )
            case Line():
                lines.append(
                    f'<line x1="{_number(mark.x1)}" y1="{_number(mark.y1)}" '
                    f'x2="{_number(mark.x2)}" y2="{_number(mark.y2)}" '
                    f'stroke="{mark.stroke}" stroke-width="{_number(mark.width)}"/>'
                )
            case Label():
                weight = ' font-weight="bold"' if mark.bold else ""
                baseline = mark.y + 0.35 * mark.size  # renderers disagree on dominant-baseline
                lines.append(
                    f'<text x="{_number(mark.x)}" y="{_number(baseline)}" '
                    f'font-size="{_number(mark.size)}" text-anchor="{mark.anchor}" '
                    f'fill="{mark.fill}"{weight} xml:space="preserve">{escape(mark.text)}</text>'
                )
    lines.append("</svg>")
    return "\n".join(lines) + "\n"
