"""Draw a program on an example: what every layer and head attends to and computes.

From top to bottom: the input and what is computed from it alone, then one band per layer.  A band
holds its heads side by side, each with its attention pattern (keys above, queries at the left) and
the sequences it delivers, then the elementwise results of the layer.

Main definitions: :func:`flow_scene`, :func:`flow_svg`.

References
----------
Weiss, Goldberg & Yahav (2021), Figures 1 and 3 [weiss2021].
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

from rasp.analysis.heads import Problem, problem_of
from rasp.analysis.optimal import narrowest
from rasp.draw.matrix import grid
from rasp.draw.scene import BLUE, FAINT, GREY, SKY, Box, Label, Line, Scene, visible
from rasp.draw.svg import svg
from rasp.evaluate.engine import Evaluation, evaluation
from rasp.graph import Aggregate, Constant, Elementwise, Node, Select, SOpNode, Width, ancestors
from rasp.sequences import show_atom
from rasp.sops import SOp
from rasp.syntax.render import describe_node


@final
@dataclass(frozen=True, slots=True)
class Arrangement:
    """Where things go, in points.

    ``per_row`` is the width beyond which heads wrap into a new row, ``names`` the room at the
    left for what rows are called, ``letters`` how long a name may be, ``indent`` the room for
    the titles of bands (0: above them); ``beside`` puts what a head delivers beside its pattern.
    """

    per_row: float
    names: float
    letters: int
    indent: float
    beside: bool


PAGE = Arrangement(900.0, 150.0, 34, 52.0, beside=False)
"""Heads side by side: for screens and pages."""

COLUMN = Arrangement(0.0, 90.0, 22, 0.0, beside=True)
"""Heads below one another: legible in a column of 3.3 inches for up to 6 tokens."""


def flow_scene(
    sop: SOp,
    values: Sequence[Any],
    *,
    names: Mapping[int, str] | None = None,
    exact: bool = True,
    arrangement: Arrangement = PAGE,
) -> Scene:
    """Return the drawing of ``sop`` on ``values``.

    Parameters
    ----------
    sop
        The program.
    values
        The example, non-empty.
    names
        Digest to name, for the labels.
    exact
        How to evaluate.
    arrangement
        :data:`PAGE` or :data:`COLUMN`.

    Notes
    -----
    Deterministic.  Layers and heads are those of the narrowest schedule of least depth.
    """
    problem = problem_of(sop.node, "shared")
    layers = narrowest(problem).layers
    known = dict(names or {})
    known.setdefault(sop.node.digest, sop.name)
    found = evaluation(values, exact=exact)
    at_layer = _layer_of_nodes(sop.node, problem, layers)
    scene = Scene()
    scene.add(Label(0, 6, f"{visible(sop.name, 40)}", 11, bold=True))
    y = 18.0
    depth = max(layers, default=0)
    above = 0 if arrangement.indent else 14
    for layer in range(depth + 1):
        band = _band(
            layer, sop.node, problem, layers, at_layer, found, list(values), known, arrangement
        )
        height = band.height + 14 + above
        scene.add(Box(0, y, band.width + arrangement.indent + 10, height, fill=GREY))
        title = "input" if layer == 0 else f"layer {layer}"
        scene.add(Label(6, y + 10, title, 8, bold=True, fill=BLUE))
        scene.place(band, max(arrangement.indent, 4.0), y + 7 + above)
        y += height + 6
    wide = scene.width
    for index, mark in enumerate(scene.marks):
        if isinstance(mark, Box) and mark.fill == GREY:
            scene.marks[index] = Box(mark.x, mark.y, wide, mark.height, mark.fill)
    return scene


def flow_svg(sop: SOp, values: Sequence[Any], *, names: Mapping[int, str] | None = None) -> str:
    """Return :func:`flow_scene` as an SVG document."""
    return svg(flow_scene(sop, values, names=names))


def _layer_of_nodes(root: Node, problem: Problem, layers: tuple[int, ...]) -> dict[int, int]:
    own: dict[int, int] = {}
    for operation, layer in zip(problem.operations, layers, strict=True):
        digest = operation.node.digest
        own[digest] = max(own.get(digest, 0), layer)
    found: dict[int, int] = {}
    for node in ancestors((root,)):
        below = max((found[parent.digest] for parent in node.parents), default=0)
        found[node.digest] = own.get(node.digest, below)
    return found


def _shown(root: SOpNode, names: Mapping[int, str]) -> set[int]:
    """Return the elementwise nodes worth a row: named, compared, averaged, or the result."""
    shown = {root.digest}
    for node in ancestors((root,)):
        if isinstance(node, Select):
            shown.update((node.keys.digest, node.queries.digest))
        elif isinstance(node, Aggregate):
            shown.add(node.values.digest)
        if node.digest in names:
            shown.add(node.digest)
    return shown


def _band(
    layer: int,
    root: SOpNode,
    problem: Problem,
    layers: tuple[int, ...],
    at_layer: dict[int, int],
    found: Evaluation,
    values: list[Any],
    names: Mapping[int, str],
    arrangement: Arrangement,
) -> Scene:
    band = Scene()
    heads: dict[Hashable, list[int]] = {}
    for index, operation in enumerate(problem.operations):
        if layers[index] == layer:
            heads.setdefault(operation.head, []).append(index)
    x = y = row_height = 0.0
    for number, (_, members) in enumerate(heads.items(), 1):
        operations = [problem.operations[i] for i in members]
        head = _head(number, operations, found, values, names, arrangement)
        if x and x + head.width > arrangement.per_row:
            x, y, row_height = 0.0, y + row_height + 10, 0.0
        band.place(head, x, y)
        x += head.width + 18
        row_height = max(row_height, head.height)
    y += row_height + (6 if heads else 0)
    shown = _shown(root, names)
    rows = [
        node
        for node in ancestors((root,))
        if isinstance(node, SOpNode)
        and at_layer[node.digest] == layer
        and (node.digest in shown or layer == 0)
        and not isinstance(node, (Constant, Aggregate, Width))
        and (isinstance(node, Elementwise) or layer == 0)
        and (node.digest in shown or not isinstance(node, Elementwise))
    ]
    for node in rows:
        name = describe_node(node, names, longest=arrangement.letters)
        strip = sequence_strip(
            name, found.sequence(node), result=node == root, at=arrangement.names
        )
        band.place(strip, 0, y)
        y += strip.height + 2
    return band


def _head(
    number: int,
    operations: Sequence[Any],
    found: Evaluation,
    values: list[Any],
    names: Mapping[int, str],
    arrangement: Arrangement,
) -> Scene:
    scene = Scene()
    selector = operations[0].selector
    scene.add(Label(0, 4, f"head {number}", 7.5, fill=BLUE, bold=True))
    text = describe_node(selector, names, longest=46 if arrangement.beside else 64)
    scene.add(Label(36, 4, text, 6.5, fill=FAINT))
    pattern = grid(found.rows(selector), values, values)
    scene.place(pattern, 0, 12)
    beside = arrangement.beside and pattern.width <= arrangement.names
    y = 14.0 if beside else scene.height + 3
    done = set()
    for operation in operations:
        node = operation.node
        if node.digest in done:
            continue
        done.add(node.digest)
        label = describe_node(node, names, longest=arrangement.letters + (10 if beside else 0))
        if beside:
            scene.add(Label(arrangement.names, y + 5, label, 6.5))
            label, y = "", y + 11
        strip = sequence_strip(label, found.sequence(node), at=arrangement.names)
        scene.place(strip, 0, y)
        y += strip.height + 2
    return scene


def sequence_strip(
    name: str, values: Sequence[Any], *, result: bool = False, at: float = PAGE.names
) -> Scene:
    """Return a row: the name, then, from ``at`` points on, one cell per value."""
    scene = Scene()
    n = len(values)
    size = 7.0 if n <= 30 else 6.0
    texts = [visible(show_atom(value), 5) for value in values]
    width = 24.0 if n <= 30 else 19.0  # the same everywhere, so that positions line up
    if name:
        scene.add(Label(at - 4, 6, visible(name, 34), 7, "end", bold=result))
    for j, text in enumerate(texts):
        fill = SKY if values[j] is True else "#ffffff"
        scene.add(Box(at + j * width, 0, width, 12, fill=fill))
        scene.add(Label(at + (j + 0.5) * width, 6, text, size, "middle"))
    for j in range(n + 1):
        scene.add(Line(at + j * width, 0, at + j * width, 12, FAINT, 0.3))
    for edge in (0, 12):
        scene.add(Line(at, edge, at + n * width, edge, FAINT, 0.3))
    return scene
