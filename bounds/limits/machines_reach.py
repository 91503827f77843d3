"""Lengths that explicit machines reach: the lower ends of the open gaps.

Main definitions: `reachable`, `tree`.
"""

from __future__ import annotations

from attention.constructions.tower_core import part_size
from bounds.limits.plan import LimitError


def tree(layers: int, heads: int) -> int:
    """Return (H+1)^L: blocks of H+1 bits, one layer per level of the tree."""
    return int((heads + 1) ** layers)


def reachable(layers: int, heads: int) -> int:
    """Return the largest length for which a machine of this size is constructed here.

    One layer: H+1.  Two, three, four layers: the tower of exact groups, or a tree layer below a
    smaller machine; more layers: tree layers.

    Examples
    --------
    >>> [reachable(k, 1) for k in (1, 2, 3, 4)], reachable(3, 2)
    ([2, 9, 45, 245], 109)
    """
    if layers < 1 or heads < 1:
        raise LimitError(f"layers = {layers}, heads = {heads}: both must be at least 1")
    if layers == 1:
        return heads + 1
    tower = heads * part_size(layers, heads) + 1 if layers <= 4 else 0
    return max(tower, (heads + 1) * reachable(layers - 1, heads))
