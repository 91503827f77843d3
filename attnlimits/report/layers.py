"""Place the nodes of an acyclic graph in layers, so that edges point one way and cross little.

A node lies right below the lowest node that points to it; long edges are cut by invisible nodes;
layers are ordered by repeatedly moving every node to the mean place of its neighbours.
Deterministic.

Main definitions: :func:`placed`, :class:`Placement`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

_SWEEPS = 12


@dataclass(frozen=True, slots=True)
class Placement:
    """Places of nodes and the ways of edges.

    Attributes
    ----------
    layers
        Nodes of each layer in order, lowest layer first; invisible nodes are pairs
        ``(edge, layer)``.
    ways
        For every edge ``(upper, lower)`` the nodes that it passes, both ends included.
    """

    layers: tuple[tuple[object, ...], ...]
    ways: Mapping[tuple[str, str], tuple[object, ...]]


def placed(below: Mapping[str, Sequence[str]]) -> Placement:
    """Place the nodes of a graph.

    Parameters
    ----------
    below
        For every node the nodes that it points to; no cycles.

    Examples
    --------
    >>> placed({"a": ["b"], "b": []}).layers
    (('b',), ('a',))
    """
    depth: dict[str, int] = {}
    for node in sorted(below):
        _measure(node, below, depth)
    _lift(below, depth)
    layers: list[list[object]] = [[] for _ in range(max(depth.values(), default=-1) + 1)]
    for node in sorted(below):
        layers[depth[node]].append(node)
    ways: dict[tuple[str, str], tuple[object, ...]] = {}
    for upper in sorted(below):
        for lower in sorted(set(below[upper])):
            edge = (upper, lower)
            between = [(edge, i) for i in range(depth[upper] - 1, depth[lower], -1)]
            for joint in between:
                layers[joint[1]].append(joint)
            ways[edge] = (upper, *between, lower)
    _order(layers, ways)
    return Placement(tuple(tuple(layer) for layer in layers), ways)


def _measure(node: str, below: Mapping[str, Sequence[str]], depth: dict[str, int]) -> int:
    if node not in depth:
        depth[node] = max((_measure(b, below, depth) + 1 for b in below[node]), default=0)
    return depth[node]


def _lift(below: Mapping[str, Sequence[str]], depth: dict[str, int]) -> None:
    """Move every node as high as the nodes that point to it allow."""
    above: dict[str, list[str]] = {node: [] for node in below}
    for upper in below:
        for lower in below[upper]:
            above[lower].append(upper)
    top = max(depth.values(), default=0)
    # a node's users are deeper by longest path, so they have moved before it
    for node in sorted(below, key=lambda n: -depth[n]):
        depth[node] = min((depth[u] - 1 for u in above[node]), default=top)


def _order(layers: list[list[object]], ways: Mapping[tuple[str, str], Sequence[object]]) -> None:
    up: dict[object, list[object]] = {}
    down: dict[object, list[object]] = {}
    for way in ways.values():
        for upper, lower in pairwise(way):
            down.setdefault(upper, []).append(lower)
            up.setdefault(lower, []).append(upper)
    for sweep in range(_SWEEPS):
        neighbours = down if sweep % 2 == 0 else up
        steps = range(1, len(layers)) if sweep % 2 == 0 else range(len(layers) - 2, -1, -1)
        for index in steps:
            beside = layers[index - 1] if sweep % 2 == 0 else layers[index + 1]
            own, place = _relative(layers[index]), _relative(beside)
            mean = {n: _mean(n, neighbours, place, own) for n in layers[index]}
            layers[index].sort(key=mean.__getitem__)


def _relative(layer: Sequence[object]) -> dict[object, float]:
    """Return places in (0, 1), because layers differ in length."""
    return {node: (i + 0.5) / len(layer) for i, node in enumerate(layer)}


def _mean(
    node: object,
    neighbours: Mapping[object, Sequence[object]],
    place: Mapping[object, float],
    own: Mapping[object, float],
) -> float:
    known = [place[n] for n in neighbours.get(node, ()) if n in place]
    return sum(known) / len(known) if known else own[node]
