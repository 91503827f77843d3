"""Grow a fixing until the output is constant.

Propagation yields the outputs that are still attainable, each with the cube of literals it needs.
To force one output, falsify every item of the others: a greedy hitting set of their literals names
what to fix.  Fix half of it, propagate, repeat.  When propagation blows up, or an item needs no
literal, fix the next hubs instead.

Main definitions: :func:`grow`, :class:`Grown`.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import final

from restrictions.probe import Clock, Fixing, Probe, positions
from restrictions.propagate import Caps, Final


@final
@dataclass(frozen=True)
class Grown:
    """A fixing on which the output is certainly ``output``."""

    fixing: Fixing
    output: Hashable


def grow(
    probe: Probe,
    start: Fixing,
    hubs: Sequence[int],
    caps: Caps,
    clock: Clock,
    *,
    inside: Fixing | None = None,
    limit: int | None = None,
) -> Grown | None:
    """Fix more and more positions until the output is constant.

    Parameters
    ----------
    probe
        The propagation to ask.
    start
        What is fixed to begin with.
    hubs
        Literals to fall back on, in this order.
    caps, clock
        Limits of each propagation and of the whole run.
    inside
        A full assignment; with it, only its own literals are ever fixed.
    limit
        Give up beyond this many fixed positions.

    Returns
    -------
    Grown or None
        ``None``: no constant subcube found within the limits.
    """
    fixing = start
    n = probe.propagator.model.n
    step = max(1, n // 40)
    ordered = [_of(inside, lit) for lit in hubs]
    target: Hashable | None = None
    while not clock.over() and (limit is None or len(fixing) <= limit):
        found = probe.final(fixing, caps, adopt=True)
        if found is not None and len(found.outputs) == 1:
            return Grown(fixing, next(iter(found.outputs)))
        literals = None
        if found is not None:
            literals, target = _best_cover(found, inside, target)
        if not literals:
            taken = fixing.true | fixing.false
            literals = [lit for lit in ordered if not taken >> (lit >> 1) & 1][:step]
            if not literals:
                return None
        fixing = fixing.with_literals(literals)
    return None


def _of(inside: Fixing | None, literal: int) -> int:
    """Return the literal of the assignment at the same position."""
    if inside is None:
        return literal
    return literal & ~1 | (inside.true >> (literal >> 1) & 1)


def _best_cover(
    found: Final, inside: Fixing | None, target: Hashable | None
) -> tuple[list[int] | None, Hashable | None]:
    """Return the literals that best falsify all outputs but one, and that output."""
    outputs = sorted(found.outputs, key=repr)
    if target in outputs:
        outputs = [target]
    best: list[int] | None = None
    choice = None
    for output in outputs:
        others = [item for item in found.items if item[0] != output]
        same = [item for item in found.items if item[0] == output]
        cover = hitting_set(others, same, inside)
        if cover is not None and (best is None or len(cover) < len(best)):
            best, choice = cover, output
    if best is None:
        return None, None
    return best[: (len(best) + 1) // 2], choice


def hitting_set(
    others: Sequence[tuple[Hashable, int, int]],
    same: Sequence[tuple[Hashable, int, int]],
    inside: Fixing | None,
) -> list[int] | None:
    """Return literals that falsify every cube of ``others``, greedily few; ``None`` if impossible.

    Literals that would falsify many cubes of ``same`` are avoided, so that the wanted output
    stays attainable.

    Examples
    --------
    >>> hitting_set([("a", 0b011, 0), ("a", 0b110, 0)], [], None)
    [2]
    """
    needs: list[list[int]] = []
    for _, pos, neg in others:
        if inside is not None:
            pos, neg = pos & ~inside.true, neg & ~inside.false
        # falsify x_j = 1 by fixing x_j = 0 (literal 2 j) and conversely
        literals = [2 * j for j in positions(pos)] + [2 * j + 1 for j in positions(neg)]
        if not literals:
            return None
        needs.append(literals)
    users: dict[int, list[int]] = {}
    for index, literals in enumerate(needs):
        for lit in literals:
            users.setdefault(lit, []).append(index)
    harm: Counter[int] = Counter()
    for _, pos, neg in same[:2000]:
        harm.update(2 * j for j in positions(pos))
        harm.update(2 * j + 1 for j in positions(neg))
    weight = 2 * max(1, len(others)) / max(1, len(same))
    count = Counter({lit: len(indices) for lit, indices in users.items()})
    open_items = set(range(len(needs)))
    chosen: list[int] = []
    banned: set[int] = set()
    while open_items:
        usable = [lit for lit in count if count[lit] > 0 and lit not in banned]
        if not usable:
            return None
        lit = max(usable, key=lambda lit: (count[lit] - weight * harm[lit], -lit))
        chosen.append(lit)
        banned.add(lit ^ 1)
        for index in users[lit]:
            if index in open_items:
                open_items.remove(index)
                for used in needs[index]:
                    count[used] -= 1
    return chosen
