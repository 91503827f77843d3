"""A core of a one-head parity machine: bits grouped level by level, known exactly, then closed.

A core has exact sizes k_1, ..., k_{d-2} and a closing size K; it holds k_1 * ... * k_{d-2} * K
bits.  In layer l <= d-2 every position runs a literal list over the subgroups of its level-l group;
whoever hits the end of its list knows all of them (an edge cover of the k_l-cube) and thereby the
group's parity: it *fires*.  In layer d-1 the lists run over the K groups and close the K-cube.
A position that fired one level below runs the list of its own subgroup and parity; one that did not
runs a list without an owner.  Such a list is held by more positions than can fire at once.

Main definitions: `Core`, `core`, `shape`, `part_size`, `closing_level`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import prod

from attention.constructions.closing_systems import eight, nine, seven, ten
from attention.constructions.edge_covers import edge_cover
from attention.constructions.list_systems import LiteralList, close
from attention.transformer import ModelError

EXACT = (4, 5)
"""Sizes of the exact levels: 2^(k-1) edges take as many lists that the positions can hold."""

OUTSIDE = {7: 1, 8: 8, 9: 24, 10: 48}
"""Closing sizes, and how many of their stored lists have no owner."""


def shape(depth: int, heads: int) -> tuple[int, ...]:
    """Return the sizes of a core: exact levels, then the largest closing size that can be run.

    A list without an owner is run by enough positions of one subgroup of the last level, or by an
    idle position of the head's part: one that is read in layer 1, those of smaller cores, and the
    exact bits of this core and of smaller ones.

    Parameters
    ----------
    depth
        Layers that the core takes to be read: 2, 3 or 4.
    heads
        Heads of the machine; every group of the first level has ``heads - 1`` exact bits.

    Raises
    ------
    ModelError
        For other numbers.

    Examples
    --------
    >>> [shape(d, 1) for d in (2, 3, 4)], shape(2, 8)
    ([(7,), (4, 9), (4, 5, 10)], (8,))
    """
    if depth not in (2, 3, 4) or heads < 1:
        raise ModelError(f"depth = {depth}, heads = {heads}: use depth 2, 3 or 4, 1 head or more")
    exact = EXACT[: depth - 2]
    smaller = [shape(d, heads) for d in range(2, depth)]
    found: tuple[int, ...] = ()
    for k, outside in OUTSIDE.items():
        sizes = (*exact, k)
        groups = sum(prod(row[1:]) for row in (*smaller, sizes))
        idle = 1 + sum(prod(row) for row in smaller) + (heads - 1) * groups
        slots = k * (prod(exact) // len(sizes)) if exact else 0
        if outside <= slots + idle:
            found = sizes
    return found


def part_size(layers: int, heads: int) -> int:
    """Return the positions of one head: the bit read in layer 1, the cores, their exact bits.

    Examples
    --------
    >>> [part_size(layers, 1) + 1 for layers in (2, 3, 4)]
    [9, 45, 245]
    """
    shapes = [shape(depth, heads) for depth in range(2, layers + 1)]
    return 1 + sum(prod(row) + prod(row[1:]) * (heads - 1) for row in shapes)


@dataclass(frozen=True)
class Core:
    """Where a core's bits are and which list every position runs in every layer.

    Attributes
    ----------
    base
        First position.
    sizes
        Exact sizes, then the closing size.
    owned
        Per layer: (subgroup, parity) -> index of the list.
    held
        Per layer: position (relative to ``base``, or absolute for idle ones) -> index of the list.
    systems
        Per layer: the lists.
    ranks
        (list, cell) of the closing layer -> (rank, parity).
    """

    base: int
    sizes: tuple[int, ...]
    systems: tuple[tuple[LiteralList, ...], ...]
    owned: tuple[dict[tuple[int, int], int], ...]
    held: tuple[dict[int, int], ...]
    ranks: dict[tuple[int, int], tuple[int, int]]

    @property
    def size(self) -> int:
        """Number of bits."""
        return prod(self.sizes)

    def group(self, position: int, level: int) -> tuple[int, int]:
        """Return (group, index of the subgroup inside it) of a position at level 1, 2, ..."""
        below = prod(self.sizes[: level - 1])
        return divmod((position - self.base) // below, self.sizes[level - 1])

    def inside(self, position: int) -> bool:
        """Whether the position holds one of the core's bits."""
        return self.base <= position < self.base + self.size


@lru_cache(maxsize=8)
def closing_level(k: int) -> tuple[tuple[LiteralList, ...], dict[tuple[int, int], tuple[int, int]]]:
    """Return the stored system for 7 to 10 variables, and (list, cell) -> (rank, parity)."""
    system = {7: seven, 8: eight, 9: nine, 10: ten}[k]()
    order = close(k, system).order
    return system, {(row, cell): (rank, parity) for rank, (row, cell, parity) in enumerate(order)}


def core(base: int, sizes: tuple[int, ...], idle: tuple[int, ...]) -> Core:
    """Build a core; it takes one layer more than it has levels to be read.

    Parameters
    ----------
    base
        First position.
    sizes
        Exact sizes, then the closing size (see `shape`).
    idle
        Positions outside the core that may run a list of its last level.

    Raises
    ------
    ModelError
        If there are too few idle positions.
    """
    closing, ranks = closing_level(sizes[-1])
    levels = len(sizes)
    covers = [edge_cover(k, 0 if i == 0 else 6) for i, k in enumerate(sizes[:-1])]
    systems = (*covers, closing)
    owned, held = [], []
    together = 1  # how many positions of a level group can fire at once one level below
    for level in range(1, levels + 1):
        system, k = systems[level - 1], sizes[level - 1]
        owned.append({row.own: i for i, row in enumerate(system) if row.own is not None})
        free = [i for i, row in enumerate(system) if row.own is None]
        below = prod(sizes[: level - 1])
        holders: dict[int, int] = {}
        slots = [(u, s) for u in range(k) for s in range(below // (together + 1))]
        if level > 1:
            groups = prod(sizes) // (below * k)
            for index, (u, s) in zip(free, slots, strict=False):
                for g in range(groups):
                    start = base + (g * k + u) * below + s * (together + 1)
                    holders |= {start + extra: index for extra in range(together + 1)}
            placed = min(len(free), len(slots))
        else:
            placed = 0
        rest = free[placed:]
        if level == levels:
            if len(rest) > len(idle):
                raise ModelError(f"{len(rest)} lists need idle positions, {len(idle)} are there")
            holders |= dict(zip(idle, rest, strict=False))
        elif rest:
            raise ModelError(f"level {level} leaves {len(rest)} lists without a holder")
        held.append(holders)
        if level > 1:
            together += 1  # an unowned list fires at all of its holders that did not fire below
    return Core(base, sizes, tuple(systems), tuple(owned), tuple(held), ranks)
