"""Lengths that explicit machines reach: the lower ends of the open gaps.

Main definitions: `reachable`, `tree`.
"""

from __future__ import annotations

from bounds.limits.plan import LimitError

SPECIAL = {(2, 1): 9, (3, 1): 41, (4, 1): 201}
"""Lengths of the one-head machines in ``attention.constructions`` (layers, heads)."""


def tree(layers: int, heads: int) -> int:
    """Return (H+1)^L: blocks of H+1 bits, one layer per level of the tree."""
    return int((heads + 1) ** layers)


def reachable(layers: int, heads: int) -> int:
    """Return the largest length for which a machine of this size is constructed here.

    One layer: H+1.  Two layers: H^2 + 7H + 1.  More layers: tree layers below the two-layer
    machine, or the special machines with one head.

    Examples
    --------
    >>> [reachable(k, 1) for k in (1, 2, 3, 4)], reachable(3, 2)
    ([2, 9, 41, 201], 57)
    """
    if layers < 1 or heads < 1:
        raise LimitError(f"layers = {layers}, heads = {heads}: both must be at least 1")
    if layers == 1:
        return heads + 1
    stacked = (heads + 1) ** (layers - 2) * (heads * heads + 7 * heads + 1)
    special = max(
        (
            (heads + 1) ** (layers - k) * n
            for (k, h), n in SPECIAL.items()
            if h == heads and k <= layers
        ),
        default=0,
    )
    return int(max(stacked, special))
