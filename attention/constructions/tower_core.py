"""A core of a one-head parity machine: bits grouped level by level, known exactly, then closed.

A core has exact sizes k_1, ..., k_{d-2} and a closing size K; it holds k_1 * ... * k_{d-2} * K
bits.  In layer l <= d-2 every position runs a literal list over the subgroups of its level-l group;
whoever hits the end of its list knows all of them (an edge cover of the k_l-cube) and thereby the
group's parity: it *fires*.  In layer d-1 the lists run over the K groups and close the K-cube.
A position that fired one level below runs the list of its own subgroup and parity; one that did not
runs a list without an owner.  Such a list is held by more positions than can fire at once.

Main definitions: `Core`, `core`, `closing_level`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import prod

from attention.constructions.closing_systems import nine, seven, ten
from attention.constructions.edge_covers import edge_cover
from attention.constructions.list_systems import LiteralList, close
from attention.transformer import ModelError

SIZES: dict[int, tuple[int, ...]] = {2: (7,), 3: (4, 9), 4: (4, 5, 10)}
"""Exact sizes and closing size by depth.

An exact level of size k takes 2^(k-1) edges and as many lists that its positions can hold.
"""


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
    """Return the stored system for 7, 9 or 10 variables, and (list, cell) -> (rank, parity)."""
    system = {7: seven, 9: nine, 10: ten}[k]()
    order = close(k, system).order
    return system, {(row, cell): (rank, parity) for rank, (row, cell, parity) in enumerate(order)}


def core(base: int, depth: int, idle: tuple[int, ...]) -> Core:
    """Build a core that takes ``depth`` layers (2, 3 or 4) to be read.

    Parameters
    ----------
    base
        First position.
    depth
        Layers, the reading one included.
    idle
        Positions outside the core that may run a list in layer ``depth - 1``.

    Raises
    ------
    ModelError
        For other depths, or too few idle positions.
    """
    if depth not in SIZES:
        raise ModelError(f"depth {depth}: cores take 2, 3 or 4 layers")
    sizes = SIZES[depth]
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
