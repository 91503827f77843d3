"""Literal lists on a cube, and orders of their cells that give away the parity of every point.

A *list* is a sequence of literals (variable, wanted bit); a point lies in the list's cell k if
literal k is its first true literal, and in the last cell if none is true.  A list may own a literal
(position and own bit of whoever runs it): its cells then contain only points with that literal.
A system of lists *closes* the cube if its cells can be ordered so that each one, restricted to the
points that earlier cells left over, has constant parity.  Attention picks the first cell.

Main definitions: `LiteralList`, `cells`, `close`, `Closure`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

Literal = tuple[int, int]  # (variable, wanted bit)


@dataclass(frozen=True, slots=True)
class LiteralList:
    """Literals in order, and the literal that its runner owns (or None)."""

    literals: tuple[Literal, ...]
    own: Literal | None = None

    def cell(self, point: Sequence[int]) -> int:
        """Return the index of the first true literal, or the number of literals."""
        for k, (variable, bit) in enumerate(self.literals):
            if point[variable] == bit:
                return k
        return len(self.literals)


@lru_cache(maxsize=64)
def _truth(k: int) -> tuple[tuple[int, int], ...]:
    """For every variable the bit sets (over 2^k points) where it is 0 and where it is 1."""
    rows = []
    for v in range(k):
        one = sum(1 << x for x in range(1 << k) if x >> v & 1)
        rows.append((((1 << (1 << k)) - 1) ^ one, one))
    return tuple(rows)


@lru_cache(maxsize=64)
def odd_points(k: int) -> int:
    """Return the bit set of the points with an odd number of ones."""
    return sum(1 << x for x in range(1 << k) if x.bit_count() & 1)


def cells(k: int, row: LiteralList) -> list[int]:
    """Return the bit set of points of every cell, the last one for "no literal is true".

    Examples
    --------
    >>> [bin(c) for c in cells(1, LiteralList(((0, 1),)))]
    ['0b10', '0b1']
    """
    truth = _truth(k)
    rest = truth[row.own[0]][row.own[1]] if row.own else (1 << (1 << k)) - 1
    found = []
    for variable, bit in row.literals:
        found.append(rest & truth[variable][bit])
        rest &= truth[variable][1 - bit]
    return [*found, rest]


@dataclass(frozen=True, slots=True)
class Closure:
    """Result of peeling: cells in order as (list, cell, parity), and the points left over."""

    order: tuple[tuple[int, int, int], ...]
    left: int

    @property
    def closed(self) -> bool:
        """Whether no point is left over."""
        return self.left == 0


def close(k: int, system: Sequence[LiteralList]) -> Closure:
    """Peel greedily: which cell comes first never matters for the set of points left over.

    Examples
    --------
    Two bits, each position reads the other one:

    >>> rows = [LiteralList(((1 - v, 1),), (v, b)) for v in (0, 1) for b in (0, 1)]
    >>> close(2, rows).closed
    True
    """
    odd, left = odd_points(k), (1 << (1 << k)) - 1
    todo = [(i, c, cell) for i, row in enumerate(system) for c, cell in enumerate(cells(k, row))]
    order: list[tuple[int, int, int]] = []
    moved = True
    while moved and left:
        moved, rest = False, []
        for i, c, cell in todo:
            here = cell & left
            if not here & odd or not here & ~odd:
                if here:
                    order.append((i, c, 1 if here & odd else 0))
                    left &= ~here
                    moved = True
            else:
                rest.append((i, c, cell))
        todo = rest
    return Closure(tuple(order), left)
