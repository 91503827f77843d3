"""Draw which claim rests on which, as an inline SVG that needs no script.

Nodes carry a mark and a colour for their standing, so that neither colour vision nor a printer
matters; a node links to its claim.  Full lines: rests on.  Dashed lines: corrects.

Main definitions: :func:`graph_svg`, :func:`below`, :data:`MARKS`.
"""

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from attnlimits.decisions import Decisions
from attnlimits.report.layers import placed
from claims import Claim, Verdict, ancestors

MARKS = {
    Verdict.PROVED: "✓",
    Verdict.EXHAUSTED: "▤",
    Verdict.SAMPLED: "≈",
    Verdict.UNDECIDED: "?",
    Verdict.REFUTED: "✗",
}
"""One sign per verdict, beside its colour and its name."""

_WIDTH, _HEIGHT, _GAP_X, _GAP_Y, _MARGIN = 112, 48, 8, 38, 6  # CSS pixels
_JOINT = 4  # width given to an edge that passes a layer
_SMALLEST = 0.8  # share of its size to which the drawing may shrink before it scrolls
_LETTERS = 20  # that fit in a line of a node


def below(known: Mapping[str, Claim], roots: Iterable[str]) -> dict[str, list[str]]:
    """Return, for every claim under ``roots``, the claims that it rests on or corrects."""
    names: set[str] = set()
    for root in roots:
        names.update(ancestors(known, root))
    corrected = {r for i in names if (r := known[i].repairs) is not None}
    for stated in sorted(corrected - names):
        names.add(stated)
    return {
        i: [a for a in (*known[i].assumes, *_corrected(known[i])) if a in names]
        if i not in corrected
        else [a for a in known[i].assumes if a in names]
        for i in sorted(names)
    }


def graph_svg(decisions: Decisions, roots: Sequence[str]) -> str:
    """Return the graph of everything that ``roots`` rest on, as an SVG element.

    Parameters
    ----------
    decisions
        Claims with their results.
    roots
        Ids of the claims at the top.

    Returns
    -------
    str
        An ``<svg>`` element; colours come from the page's style sheet.
    """
    edges = below(decisions.known, roots)
    placement = placed(edges)
    widths = [sum(_width(n) + _GAP_X for n in layer) - _GAP_X for layer in placement.layers]
    wide = max(widths, default=0)
    at: dict[object, tuple[float, float]] = {}
    for index, layer in enumerate(reversed(placement.layers)):
        x = _MARGIN + (wide - widths[len(widths) - 1 - index]) / 2
        for node in layer:
            at[node] = (x + _width(node) / 2, _MARGIN + index * (_HEIGHT + _GAP_Y))
            x += _width(node) + _GAP_X
    width = wide + 2 * _MARGIN
    height = 2 * _MARGIN + len(placement.layers) * (_HEIGHT + _GAP_Y) - _GAP_Y
    lines = [
        f'<svg class="graph" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="Which claim rests on which" '
        f'style="min-width: {width * _SMALLEST:.0f}px; max-width: {width}px">'
    ]
    for (upper, lower), way in sorted(placement.ways.items()):
        dashed = lower not in decisions.known[upper].assumes
        lines.append(f'<path class="edge{" corrects" if dashed else ""}" d="{_path(way, at)}"/>')
    lines += [_node(decisions, node, *at[node]) for node in edges]
    return "\n".join([*lines, "</svg>"])


def _corrected(claim: Claim) -> tuple[str, ...]:
    return () if claim.repairs is None else (claim.repairs,)


def _width(node: object) -> int:
    return _WIDTH if isinstance(node, str) else _JOINT


def _path(way: Sequence[object], at: Mapping[object, tuple[float, float]]) -> str:
    """Return the curve through a way, from the upper node's foot to the lower node's top."""
    x, y = at[way[0]][0], at[way[0]][1] + _HEIGHT
    parts = [f"M{x:.1f} {y:g}"]
    for node in way[1:]:
        side, end = at[node]
        middle = (y + end) / 2
        parts.append(f"C{x:.1f} {middle:g} {side:.1f} {middle:g} {side:.1f} {end:g}")
        x, y = side, end + _HEIGHT
        if not isinstance(node, str):
            parts.append(f"L{x:.1f} {y:g}")
    return "".join(parts)


def _node(decisions: Decisions, claim_id: str, x: float, y: float) -> str:
    claim = decisions.known[claim_id]
    verdict, standing = decisions.verdict(claim_id), decisions.standing(claim_id)
    label = ", ".join(claim.labels[:2]) or claim.kind.value
    title = f"{claim_id}: {verdict}, stands as {standing}"
    left = x - _WIDTH / 2
    tail = "".join(
        f'<text class="tail" x="{left + 6:.1f}" y="{y + 28 + 12 * i:g}">{escape(line)}</text>'
        for i, line in enumerate(_tail(claim_id))
    )
    return (
        f'<a href="#{escape(claim_id)}"><g class="node {standing}"><title>{escape(title)}</title>'
        f'<rect x="{left:.1f}" y="{y:g}" width="{_WIDTH}" height="{_HEIGHT}" rx="4"/>'
        f'<text class="mark" x="{left + 6:.1f}" y="{y + 15:g}">{MARKS[standing]}</text>'
        f'<text class="label" x="{left + 22:.1f}" y="{y + 15:g}">{escape(label)}</text>'
        f"{tail}</g></a>"
    )


def _tail(claim_id: str) -> list[str]:
    """Return the id without its paper in two lines, as many of its last parts as fit."""
    parts = claim_id.split(".")[1:] or [claim_id]
    lines = [""]
    for part in reversed(parts):
        joined = f"{part}.{lines[0]}" if lines[0] else part
        if len(joined) <= _LETTERS:
            lines[0] = joined
        elif len(lines) == 1 and lines[0]:
            lines.insert(0, part)
        elif not lines[0]:
            lines[0] = part
        else:
            break
    return [line if len(line) <= _LETTERS else line[: _LETTERS - 1] + "…" for line in lines]
