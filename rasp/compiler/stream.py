"""The residual stream under construction: directions, what writes them, what reads them.

A *slot* is a moment at which something is written: ``(0, 0)`` the embedding, ``(l, 0)`` the heads
of attention layer ``l``, ``(l, s)`` the ``s``-th feed-forward network after them.  Slots are
ordered as pairs; a reader reads what was written in earlier slots.  A *linear form* maps
directions to coefficients; the direction :data:`ONE` is the constant 1.

Main definitions: :class:`Stream`, :class:`Unit`, :class:`HeadPlan`.
"""

from collections.abc import Mapping, Sequence
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
        self.delivered: set[int] = set()
        self.twins: dict[tuple[tuple[tuple[int, Exact], ...], Exact], int] = {}
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

    def twin(self, form: Linear, constant: Exact) -> int:
        """Return the direction that holds what a form does, plus a constant (not at BOS)."""
        key = (tuple(sorted(form.items())), constant)
        if key not in self.twins:
            label = self.meant[max(form)].label
            born = max(self.meant[direction].born for direction in form)
            self.twins[key] = self.direction(label, Mark.SHIFTED, born)
        return self.twins[key]

    def write_twins(self, length: int) -> None:
        """Let all that writes a direction write its twins too, once everything is written."""
        copies: dict[int, list[tuple[int, Exact]]] = {}
        for (form, constant), made in self.twins.items():
            everywhere = dict.fromkeys(range(length), constant)
            self.by_position[made] = everywhere
            for direction, factor in form:
                copies.setdefault(direction, []).append((made, factor))
                tables = [(self.by_position.get(direction), everywhere)]
                if direction in self.by_symbol:
                    tables.append((self.by_symbol[direction], self.by_symbol.setdefault(made, {})))
                if direction in self.at_bos:
                    tables.append(({made: self.at_bos[direction]}, self.at_bos))
                for source, table in tables:
                    for place, value in (source or {}).items():
                        table[place] = table.get(place, 0) + factor * value
        for units in self.units.values():
            for unit in units.values():
                _copy(unit.out, copies)
        for heads in self.heads.values():
            for head in heads:
                for wanted, at_bos, direction in tuple(head.values):
                    for made, factor in copies.get(direction, ()):
                        scaled = plus(({}, 1), (wanted, factor))
                        head.values.append((scaled, at_bos * factor, made))

    def constant_at_bos(self, form: Mapping[int, Exact]) -> Exact:
        """Return the value of a form in the row of BOS, which is the same on every word."""
        return sum(
            value * form[direction] for direction, value in self.at_bos.items() if direction in form
        )


def _copy(out: Linear, copies: Mapping[int, Sequence[tuple[int, Exact]]]) -> None:
    """Add to what a unit writes what it writes to twins."""
    added: Linear = {}
    for direction in copies.keys() & out.keys():
        for made, factor in copies[direction]:
            added[made] = added.get(made, 0) + factor * out[direction]
    out.update({made: value for made, value in added.items() if value})
