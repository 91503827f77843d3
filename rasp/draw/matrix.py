"""Draw a selector on an example: rows are queries, columns keys, selected cells filled.

Main definitions: :func:`matrix_scene`, :func:`grid`.
"""

from collections.abc import Sequence
from typing import Any

from rasp.draw.scene import BLUE, FAINT, INK, Box, Label, Line, Scene, text_width, visible
from rasp.evaluate.engine import evaluation
from rasp.sops import Selector


def cell_size(n: int) -> float:
    """Return the side of a cell in points: large for few tokens, readable up to fifty."""
    return max(5.0, min(13.0, 300.0 / n))


def grid(rows: Sequence[int], keys: Sequence[Any], queries: Sequence[Any]) -> Scene:
    """Return the drawing of a matrix given as bit masks, with labels on top and at the left.

    Parameters
    ----------
    rows
        One mask per query, bit ``j`` for key ``j``.
    keys, queries
        What stands above the columns and before the rows.
    """
    scene = Scene()
    n = len(keys)
    cell = cell_size(n)
    size = min(8.0, cell * 0.85)
    above = [visible(key, 6) for key in keys]
    before = [visible(query, 8) for query in queries]
    left = max(text_width(text, size) for text in before) + 4
    tallest = max(map(len, above))
    top = size * 1.15 * tallest + 3
    for j, text in enumerate(above):
        for line, letter in enumerate(text.rjust(tallest)):  # stacked: columns are narrow
            if letter != " ":
                y = size * 1.15 * (line + 0.5)
                scene.add(Label(left + (j + 0.5) * cell, y, letter, size, "middle"))
    for i, text in enumerate(before):
        scene.add(Label(left - 3, top + (i + 0.5) * cell, text, size, "end"))
        for start, stop in runs(rows[i], n):
            scene.add(
                Box(left + start * cell, top + i * cell, (stop - start) * cell, cell, fill=BLUE)
            )
    for line in range(n + 1):
        heavy = 0.6 if line in (0, n) else 0.25
        at = line * cell
        stroke = INK if line in (0, n) else FAINT
        scene.add(Line(left, top + at, left + n * cell, top + at, stroke, heavy))
        scene.add(Line(left + at, top, left + at, top + n * cell, stroke, heavy))
    return scene


def runs(mask: int, n: int) -> list[tuple[int, int]]:
    """Return the stretches of set bits as (first, after the last).

    Examples
    --------
    >>> runs(0b10110, 5)
    [(1, 3), (4, 5)]
    """
    found = []
    start = None
    for position in range(n + 1):
        if position < n and mask >> position & 1:
            start = position if start is None else start
        elif start is not None:
            found.append((start, position))
            start = None
    return found


def matrix_scene(selector: Selector, values: Sequence[Any], *, exact: bool = True) -> Scene:
    """Return the drawing of ``selector`` on ``values``, titled with its name."""
    found = evaluation(values, exact=exact)
    scene = Scene()
    scene.add(Label(0, 5, visible(selector.name, 40), 9, bold=True))
    scene.place(grid(found.rows(selector.node), list(values), list(values)), 0, 16)
    return scene
