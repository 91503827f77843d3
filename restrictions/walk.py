"""Walks: the cases in which one head attends to each of its attendable items.

The items are met from the best downwards; when the attended one is met, all items struck before it
are false, so the literals shared by the items that are left at their positions hold.

Cases that attend to the same values are told apart by their cubes only.  When they become too
many they are merged (the cubes joined), which keeps every later statement true, but weaker.

Main definitions: :func:`walk`, :func:`contained`, :data:`Branches`.
"""

from collections.abc import Sequence
from typing import TypeAlias

from restrictions.orders import Layer, Orders
from restrictions.rows import BlowUp, grouped, opposite

Branches: TypeAlias = list[tuple[int, tuple[int, ...]]]
"""Cases of a walk: the literals needed; the own item and the attended ones so far."""


def walk(
    branch: tuple[int, tuple[int, ...]],
    order: Sequence[int],
    below: Layer,
    grown: Branches,
    cap: int,
) -> Branches:
    """Walk attendable items downwards from one branch.

    Parameters
    ----------
    branch
        What is assumed: a cube, the own item and the items attended by earlier heads.
    order
        The attendable items, best first.
    below
        The layer of these items.
    grown
        The cases found so far; extended in place unless they had to be merged.
    cap
        Greatest number of cases.

    Returns
    -------
    Branches
        ``grown`` with the new cases.

    Raises
    ------
    BlowUp
        If more than ``cap`` cases differ in their values.
    """
    cube, attended = branch
    cubes, begins, at, n = below.cubes, below.begins, below.at, below.n
    ruled_out = opposite(cube, n)
    mine = attended[0]
    remaining: dict[int, list[int]] = {at[mine]: [mine]}
    for item in order:
        if ruled_out & cubes[item]:
            continue
        grown.append((cube | cubes[item], (*attended, item)))
        if len(grown) > cap:
            grown = contained(grown, below, cap)
        j = at[item]
        left = remaining.get(j)
        left = [
            u
            for u in (range(begins[j], begins[j + 1]) if left is None else left)
            if u != item and not ruled_out & cubes[u]
        ]
        if not left:
            break
        remaining[j] = left
        shared = cubes[left[0]]
        for u in left:
            shared &= cubes[u]
        if shared & ~cube:
            cube |= shared
            ruled_out |= opposite(shared, n)
    return grown


def best_case(
    own: int, heads: Sequence[int], orders: Orders, below: Layer
) -> tuple[int, tuple[int, ...]]:
    """Return the case in which each head attends to its best item that is still possible."""
    cube = below.cubes[own]
    attended: tuple[int, ...] = (own,)
    for head in heads:
        ruled_out = opposite(cube, below.n)
        item = next(u for u in orders[head, own] if not ruled_out & below.cubes[u])
        cube, attended = cube | below.cubes[item], (*attended, item)
    return cube, attended


def contained(cases: Branches, below: Layer, cap: int) -> Branches:
    """Merge cases of equal values; they must become far fewer than ``cap`` to be worth it.

    Raises
    ------
    BlowUp
        If more than half of ``cap`` are left.
    """
    merged = condensed(cases, below)
    if 2 * len(merged) > cap:
        raise BlowUp(f"more than {cap} activations at one position")
    return merged


def condensed(cases: Branches, below: Layer) -> Branches:
    """Merge cases of equal values (their cubes joined) if that leaves at most half of them."""
    names = below.names()
    named = [tuple(map(names.__getitem__, case[1])) for case in cases]
    if 2 * len(set(named)) > len(cases):
        return cases
    first, cubes = grouped(named, [case[0] for case in cases])
    return [(cube, cases[index][1]) for index, cube in zip(first, cubes, strict=True)]
