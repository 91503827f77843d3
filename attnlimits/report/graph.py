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

_WIDTH, _HEIGHT, _GAP_X, _GAP_Y, _MARGIN = 150, 36, 40, 8, 6  # CSS pixels
_SMALLEST = 0.75  # share of its size to which the drawing may shrink before it scrolls
_LETTERS = 27  # that fit in a node
_JOINT = 10  # height given to an edge that passes a layer


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
        Ids of the claims on the right-hand side.

    Returns
    -------
    str
        An ``<svg>`` element; colours come from the page's style sheet.
    """
    edges = below(decisions.known, roots)
    placement = placed(edges)
    heights = [sum(_height(n) + _GAP_Y for n in layer) for layer in placement.layers]
    tall = max(heights, default=0)
    at: dict[object, tuple[float, float]] = {}
    for index, layer in enumerate(placement.layers):
        y = _MARGIN + (tall - heights[index]) / 2
        for node in layer:
            at[node] = (_MARGIN + index * (_WIDTH + _GAP_X), y + _height(node) / 2)
            y += _height(node) + _GAP_Y
    width = 2 * _MARGIN + len(placement.layers) * (_WIDTH + _GAP_X) - _GAP_X
    lines = [
        f'<svg class="graph" viewBox="0 0 {width} {tall + 2 * _MARGIN:g}" role="img" '
        f'aria-label="Which claim rests on which" '
        f'style="min-width: {width * _SMALLEST:.0f}px; max-width: {width}px">'
    ]
    for (upper, lower), way in sorted(placement.ways.items()):
        dashed = lower not in decisions.known[upper].assumes
        lines.append(f'<path class="edge{" corrects" if dashed else ""}" d="{_path(way, at)}"/>')
    lines += [_node(decisions, node, *at[node]) for node in edges]
    return "\n".join([*lines, "</svg>"])


def _tail(claim_id: str) -> str:
    """Return as many of the id's last parts as a node has room for."""
    parts = claim_id.split(".")[1:] or [claim_id]
    while len(parts) > 1 and len(".".join(parts)) > _LETTERS:
        parts = parts[1:]
    tail = ".".join(parts)
    return tail if len(tail) <= _LETTERS else tail[: _LETTERS - 1] + "…"


def _corrected(claim: Claim) -> tuple[str, ...]:
    return () if claim.repairs is None else (claim.repairs,)


def _height(node: object) -> int:
    return _HEIGHT if isinstance(node, str) else _JOINT


def _path(way: Sequence[object], at: Mapping[object, tuple[float, float]]) -> str:
    """Return the curve through a way, from the upper node's left side to the lower's right."""
    x, y = at[way[0]]
    parts = [f"M{x:g} {y:.1f}"]
    for node in way[1:]:
        end, level = at[node][0] + _WIDTH, at[node][1]
        middle = (x + end) / 2
        parts.append(f"C{middle:g} {y:.1f} {middle:g} {level:.1f} {end:g} {level:.1f}")
        x, y = at[node]
        if not isinstance(node, str):
            parts.append(f"L{x:g} {level:.1f}")
    return "".join(parts)


def _node(decisions: Decisions, claim_id: str, x: float, y: float) -> str:
    claim = decisions.known[claim_id]
    verdict, standing = decisions.verdict(claim_id), decisions.standing(claim_id)
    label = ", ".join(claim.labels[:2]) or claim.kind.value
    tail = _tail(claim_id)
    title = f"{claim_id}: {verdict}, stands as {standing}"
    return (
        f'<a href="#{escape(claim_id)}"><g class="node {standing}"><title>{escape(title)}</title>'
        f'<rect x="{x:g}" y="{y - _HEIGHT / 2:.1f}" width="{_WIDTH}" height="{_HEIGHT}" rx="4"/>'
        f'<text class="mark" x="{x + 8:g}" y="{y - 3:.1f}">{MARKS[standing]}</text>'
        f'<text class="label" x="{x + 24:g}" y="{y - 3:.1f}">{escape(label)}</text>'
        f'<text class="tail" x="{x + 8:g}" y="{y + 12:.1f}">{escape(tail)}</text></g></a>'
    )
