"""Covers of a cube by disjoint edges, one edge per literal list: exact knowledge of every point.

The last two cells of a list that mentions every variable (its owned one apart) are single points,
neighbours in the direction of the last literal.  If such edges cover the cube without overlap,
every point is known completely to the runner of exactly one list.

Main definitions: `edge_list`, `edge_cover`.
"""

from __future__ import annotations

from attention.constructions.list_systems import Literal, LiteralList
from attention.transformer import ModelError


def edge_list(k: int, point: int, direction: int, own: Literal | None) -> LiteralList:
    """Return the list whose last two cells are ``point`` and its neighbour in ``direction``."""
    first = [
        (v, 1 - (point >> v & 1))
        for v in range(k)
        if v != direction and (own is None or v != own[0])
    ]
    return LiteralList((*first, (direction, 1)), own)


def edge_cover(k: int, outside: int) -> tuple[LiteralList, ...]:
    """Return lists whose final edges partition the k-cube: at most one per owned literal.

    Parameters
    ----------
    k
        Number of variables, 2..6.
    outside
        Number of further lists that own no literal.

    Raises
    ------
    ModelError
        If there is no such cover.

    Notes
    -----
    Deterministic backtracking: the first uncovered point is matched in every possible way.

    Examples
    --------
    >>> len(edge_cover(4, 0))
    8
    """
    if not 2 <= k <= 6:
        raise ModelError(f"edge covers are searched for 2..6 variables, not {k}")
    if 1 << (k - 1) > 2 * k + outside:
        raise ModelError(f"{1 << (k - 1)} edges need as many lists: k = {k}, outside = {outside}")
    chosen: list[LiteralList] = []
    used: set[Literal] = set()

    def extend(left: int, spare: int) -> bool:
        if not left:
            return True
        x = (left & -left).bit_length() - 1
        for d in range(k):
            y = x ^ (1 << d)
            if not left >> y & 1:
                continue
            rest = left & ~(1 << x) & ~(1 << y)
            for v in range(k):
                own = (v, x >> v & 1)
                if v != d and own not in used:
                    used.add(own)
                    chosen.append(edge_list(k, x, d, own))
                    if extend(rest, spare):
                        return True
                    chosen.pop()
                    used.discard(own)
            if spare:
                chosen.append(edge_list(k, x, d, None))
                if extend(rest, spare - 1):
                    return True
                chosen.pop()
        return False

    if not extend((1 << (1 << k)) - 1, outside):
        raise ModelError(f"no cover of the {k}-cube with {outside} lists without an owned literal")
    return tuple(chosen)


def known_point(k: int, row: LiteralList, cell: int, own_bit: int | None) -> int | None:
    """Return the single point of a list's last two cells, or None for earlier cells."""
    last = len(row.literals) - 1
    if cell < last:
        return None
    point = 0
    for index, (variable, bit) in enumerate(row.literals):
        truth = bit if index == cell else 1 - bit
        point |= truth << variable
    if row.own is not None and own_bit is not None:
        point |= own_bit << row.own[0]
    return point
