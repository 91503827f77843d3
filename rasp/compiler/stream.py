"""The residual stream under construction: directions, what writes them, what reads them.

A *slot* is a moment at which something is written: ``(0, 0)`` the embedding, ``(l, 0)`` the heads
of attention layer ``l``, ``(l, s)`` the ``s``-th feed-forward network after them.  Slots are
ordered as pairs; a reader reads what was written in earlier slots.  A *linear form* maps
directions to coefficients; the direction :data:`ONE` is the constant 1.

Main definitions: :class:`Stream`, :class:`Unit`, :class:`HeadPlan`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias, final

from rasp.compiler.domains import Exact
from rasp.weights.readout import Mark

Slot: TypeAlias = tuple[int, int]
Linear: TypeAlias = dict[int, Exact]

ONE, BOS = 0, 1
UNIT: Exact = 1


def plus(*parts: tuple[Mapping[int, Exact], Exact]) -> Linear:
    """Return a sum of linear forms with factors.

    Examples
    --------
    >>> plus(({5: 1}, 2), ({5: 1, ONE: 3}, -2))
    {0: -6}
    """
    total: Linear = {}
    for form, factor in parts:
        if factor == 1 and not total:
            total = dict(form)
            continue
        for direction, value in form.items():
            total[direction] = total.get(direction, 0) + value * factor
    return {direction: value for direction, value in total.items() if value}


@final
@dataclass(frozen=True)
class Meant:
    """What a direction means and when it is written."""

    label: str
    value: Any
    born: Slot


@final
@dataclass
class HeadPlan:
    """A head: pairs of query and key forms whose products add up, and what it delivers.

    Attributes
    ----------
    scores
        Query form and key form per key dimension, for the rows of the word.
    threshold
        The score of BOS as a form of the query row; unused without BOS.
    values
        Value form, the value at BOS, and the direction it is written to.
    """

    name: str
    layer: int
    scores: list[tuple[Linear, Linear]]
    threshold: Linear
    separation: Exact
    values: list[tuple[Linear, Exact, int]] = field(default_factory=list)
    serves: dict[str, None] = field(default_factory=dict)


@final
@dataclass
class Unit:
    """A hidden unit: ``relu(form)`` times ``out``, 0 at BOS."""

    form: Linear
    out: Linear
    label: str = ""


class Stream:
    """Directions, embeddings, heads and units, as passes add them."""

    def __init__(self) -> None:
        self.meant: list[Meant] = [
            Meant("", Mark.ONE, (0, 0)),
            Meant("", Mark.BOS, (0, 0)),
        ]
        self.at_bos: dict[int, Exact] = {ONE: UNIT, BOS: UNIT}
        self.by_symbol: dict[int, dict[int, Exact]] = {}
        self.by_position: dict[int, dict[int, Exact]] = {}
        self.heads: dict[int, list[HeadPlan]] = {}
        self.written: set[int] = set()
        self.units: dict[Slot, dict[tuple[tuple[int, Exact], ...], Unit]] = {}

    def direction(self, label: str, value: Any, born: Slot) -> int:
        """Return a new direction."""
        self.meant.append(Meant(label, value, born))
        return len(self.meant) - 1

    def symbol_direction(self, label: str, value: Any, entries: Mapping[int, Exact]) -> int:
        """Return a new direction that the embedding of symbols writes."""
        made = self.direction(label, value, (0, 0))
        self.by_symbol[made] = dict(entries)
        return made

    def position_direction(self, label: str, value: Any, entries: Mapping[int, Exact]) -> int:
        """Return a new direction that the embedding of positions writes, 0 at BOS."""
        made = self.direction(label, value, (0, 0))
        self.by_position[made] = dict(entries)
        return made

    def unit(self, slot: Slot, form: Linear, out: Mapping[int, Exact], label: str) -> None:
        """Add ``relu(form)`` times ``out`` to what a feed-forward slot writes."""
        units = self.units.setdefault(slot, {})
        self.written.update(out)
        key = tuple(sorted(form.items()))
        found = units.get(key)
        if found is None:
            units[key] = Unit(form, dict(out), label)
        else:
            found.out = plus((found.out, 1), (out, 1))

    def constant_at_bos(self, form: Mapping[int, Exact]) -> Exact:
        """Return the value of a form in the row of BOS, which is the same on every word."""
        return sum(
            value * form[direction] for direction, value in self.at_bos.items() if direction in form
        )
