"""Coordinates for directions; those that nobody reads any more are used again.

A direction lives from the first slot that writes it to the last that reads it.  The feed-forward
network of a later slot can take the old value away, with one hidden unit, and leave the coordinate
to another direction that is written from there on.  Only directions with values between 0 and 1
are taken away, so that floats lose nothing.

Main definitions: :func:`allocate`, :class:`Allocation`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import final

from rasp.compiler.stream import Slot

TRIED = 8
"""How many free coordinates are tried for a direction, longest free first."""


@final
@dataclass(frozen=True, slots=True)
class Life:
    """First and last slot that writes a direction, and the last that reads it."""

    born: Slot
    written: Slot
    read: Slot
    erasable: bool


@final
@dataclass(frozen=True)
class Allocation:
    """Coordinate of each direction, and which directions each slot takes away."""

    places: Mapping[int, int]
    erased: Mapping[Slot, tuple[int, ...]]


def allocate(
    lives: Mapping[int, Life], networks: Sequence[Slot], worth: Mapping[Slot, bool]
) -> Allocation:
    """Return coordinates for directions.

    Parameters
    ----------
    lives
        Of every direction that is read.
    networks
        The feed-forward slots, ascending.
    worth
        Slots in which a unit more costs less than a coordinate more.

    Notes
    -----
    Deterministic and greedy: directions in the order of their birth take the coordinate that was
    free first.

    Examples
    --------
    >>> one = Life((0, 0), (0, 0), (1, 0), True)
    >>> two = Life((1, 1), (1, 1), (2, 0), True)
    >>> allocate({5: one, 6: two}, [(1, 1)], {(1, 1): True})
    Allocation(places={5: 0, 6: 0}, erased={(1, 1): (5,)})
    """
    places: dict[int, int] = {}
    erased: dict[Slot, list[int]] = {}
    waiting = sorted(lives, key=lambda d: (lives[d].read, d))
    free: list[int] = []  # directions whose coordinate may be taken, in the order of their death
    at = count = 0
    any_worth = any(worth.values())
    for direction in sorted(lives, key=lambda d: (lives[d].born, d)):
        life = lives[direction]
        while at < len(waiting) and lives[waiting[at]].read <= life.born:
            old = waiting[at]
            at += 1
            if any_worth and lives[old].erasable and lives[old].written <= lives[old].read:
                free.append(old)
        taken = None
        for old in free[:TRIED]:
            slot = _eraser(lives[old].read, life.born, networks, worth)
            if slot is not None and old in places:
                taken = old
                erased.setdefault(slot, []).append(old)
                break
        if taken is None:
            places[direction] = count
            count += 1
        else:
            free.remove(taken)
            places[direction] = places[taken]
    return Allocation(places, {slot: tuple(found) for slot, found in erased.items()})


def _eraser(
    read: Slot, born: Slot, networks: Iterable[Slot], worth: Mapping[Slot, bool]
) -> Slot | None:
    """Return the first network after the last reading and not after the birth."""
    for slot in networks:
        if read <= slot <= born and worth[slot]:
            return slot
    return None
