"""Last pass: give directions coordinates, and write everything down as a compiled model.

A coordinate is used again once nobody reads its direction any more: the feed-forward network
that writes the new direction also takes the old value away.

Main definitions: :func:`assemble`.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import chain, compress
from math import lcm
from typing import Any, final

import numpy as np

from rasp.compiler.allocate import Life, allocate
from rasp.compiler.domains import Exact
from rasp.compiler.findings import Finding, NotCompilableError
from rasp.compiler.outputs import Output
from rasp.compiler.setting import Setting
from rasp.compiler.stream import BOS, ONE, UNIT, HeadPlan, Linear, Slot, Stream, Unit, plus
from rasp.weights.matrix import Matrix
from rasp.weights.model import CompiledModel
from rasp.weights.parts import FeedForward, Head, Layer
from rasp.weights.readout import Direction, Mark, Readout
from rasp.weights.vocabulary import Vocabulary

MOST_WEIGHTS = 500_000_000
"""Most weights of a model, zeros included."""
Entries = dict[tuple[int, int], Exact]


def assemble(
    name: str,
    stream: Stream,
    outputs: Sequence[Output],
    setting: Setting,
    *,
    predicted: tuple[int, tuple[int, ...]],
    program: str,
    notes: tuple[str, ...],
) -> CompiledModel:
    """Return the compiled model of a finished stream."""
    return _Assembly(stream, outputs, setting).model(name, predicted, program, notes)


@final
class _Assembly:
    def __init__(self, stream: Stream, outputs: Sequence[Output], setting: Setting) -> None:
        self.stream = stream
        self.outputs = outputs
        self.setting = setting
        stream.write_twins(setting.length)
        self.slots = _layers(stream)
        self.place: dict[int, int] = {}
        self.coordinates = np.zeros(0, np.int64)
        self.gone: dict[int, Slot] = {}
        self.units = {slot: self._hygienic(slot) for slot in sorted(stream.units)}
        self.written = self._written()

    def _hygienic(self, slot: Slot) -> list[Unit]:
        """Return the units of a slot, made silent in the row of BOS."""
        units = []
        for unit in self.stream.units[slot].values():
            form = unit.form
            if self.setting.bos:
                excess = self.stream.constant_at_bos(form)
                if excess > 0:
                    form = plus((form, 1), ({BOS: UNIT}, -excess - 1))
            units.append(Unit(form, unit.out, unit.label))
        return units

    def model(
        self,
        name: str,
        predicted: tuple[int, tuple[int, ...]],
        program: str,
        notes: tuple[str, ...],
    ) -> CompiledModel:
        heads = {
            layer: [self._forms(head) for head in plans]
            for layer, plans in self.stream.heads.items()
        }
        self._allocate(heads)
        width = 1 + max(self.place.values(), default=-1)
        self._refuse_absurd(name, heads, width)
        layers = tuple(
            Layer(
                tuple(
                    self._head(plan, forms, width)
                    for plan, forms in zip(
                        self.stream.heads.get(attention, ()),
                        heads.get(attention, ()),
                        strict=True,
                    )
                )
                if attention is not None
                else (),
                self._network(network, width),
            )
            for attention, network in self.slots
        )
        vocabulary = Vocabulary(self.setting.symbols, bos=self.setting.bos)
        tokens, positions = self._embeddings(vocabulary, width)
        return CompiledModel(
            name=name,
            vocabulary=vocabulary,
            length=self.setting.length,
            causal=self.setting.causal,
            width=width,
            token_embedding=tokens,
            position_embedding=positions,
            layers=layers,
            readouts=tuple(map(self._readout, self.outputs)),
            basis=self._basis(),
            places=self._places(),
            predicted=predicted,
            program=program,
            notes=notes,
        )

    def _refuse_absurd(self, name: str, heads: Mapping[int, Any], width: int) -> None:
        """Refuse models that no runtime could hold, before any matrix is made."""
        columns = 2 * sum(len(units) for units in self.units.values())
        for forms in heads.values():
            columns += 2 * sum(len(queries) + len(values) for queries, _, values, _ in forms)
        weights = width * (columns + len(self.setting.symbols) + self.setting.length)
        if weights > MOST_WEIGHTS:
            reason = f"the model would have {weights} weights: at most {MOST_WEIGHTS}"
            raise NotCompilableError(name, (Finding(name, reason),))

    def _allocate(self, heads: Mapping[int, Any]) -> None:
        """Give coordinates to the directions that are read, and units to those taken away."""
        end = (max((slot for slot, _ in self.slots if slot), default=0) + len(self.slots) + 1, 0)
        read: dict[int, Slot] = {}
        for slot in sorted({*((layer, 0) for layer in heads), *self.units}):
            if slot[1]:
                read_here = [unit.form for unit in self.units[slot]]
            else:
                read_here = [form for head in heads[slot[0]] for part in head[:3] for form in part]
            one = read.get(ONE)
            for form in read_here:
                read.update(dict.fromkeys(form, slot))
            if slot[1]:  # networks have biases
                read.pop(ONE, None)
                if one is not None:
                    read[ONE] = one
        read.update({d: end for output in self.outputs for d in output.directions})
        read.update({d: end for d in (ONE, BOS) if d in read})
        if not self.setting.bos:
            read.pop(BOS, None)
        lives = {}
        for direction, last in read.items():
            slots = self.written.get(direction, [(0, 0)])
            kept = (Mark.NUMERIC, Mark.ONE, Mark.BOS, Mark.SHIFTED)
            erasable = self.stream.meant[direction].value not in kept
            lives[direction] = Life(min(slots), max(slots), last, erasable)
        networks = sorted(self.units)
        columns = 2 * sum(len(units) for units in self.units.values())
        columns += 2 * sum(
            len(queries) + len(values)
            for forms in heads.values()
            for queries, _, values, _ in forms
        )
        worth = columns > 2 * len(lives)
        found = allocate(lives, networks, dict.fromkeys(networks, worth))
        self.place = dict(found.places)
        self.coordinates = np.full(len(self.stream.meant), -1, np.int64)
        self.coordinates[list(found.places)] = list(found.places.values())
        for slot, directions in found.erased.items():
            for direction in directions:
                self.gone[direction] = slot
                self.units[slot].append(Unit({direction: UNIT}, {direction: -1}, ""))

    def _written(self) -> dict[int, list[Slot]]:
        """Return the slots that write each direction."""
        found: dict[int, list[Slot]] = {}
        for direction in (*self.stream.by_symbol, *self.stream.by_position):
            found[direction] = [(0, 0)]
        for slot, units in self.units.items():
            for unit in units:
                for direction in unit.out:
                    found.setdefault(direction, []).append(slot)
        for layer, heads in self.stream.heads.items():
            for head in heads:
                for _, _, direction in head.values:
                    found.setdefault(direction, []).append((layer, 0))
        return found

    def _forms(
        self, head: HeadPlan
    ) -> tuple[list[Linear], list[Linear], list[Linear], list[Linear]]:
        """Return query, key, value and output forms of a head, right in the row of BOS too."""
        queries = [query for query, _ in head.scores]
        keys = [key for _, key in head.scores]
        values = [form for form, _, _ in head.values]
        if self.setting.bos:
            queries = [self._at_bos(form, 0) for form in queries]
            keys = [self._at_bos(form, 0) for form in keys]
            values = [self._at_bos(form, wanted) for form, wanted, _ in head.values]
            queries.append(self._at_bos(head.threshold, 1))
            keys.append({BOS: UNIT})
        if not queries:
            queries, keys = [{}], [{}]
        outputs = [{direction: UNIT} for _, _, direction in head.values]
        return queries, keys, values, outputs

    def _at_bos(self, form: Linear, wanted: Exact) -> Linear:
        missing = wanted - self.stream.constant_at_bos(form)
        return plus((form, 1), ({BOS: UNIT}, missing)) if missing else form

    def _head(self, plan: HeadPlan, forms: Any, width: int) -> Head:
        queries, keys, values, outputs = forms
        return Head(
            name=plan.name,
            query=self._columns(queries, width),
            key=self._columns(keys, width),
            value=self._columns(values, width),
            output=self._columns(outputs, width).transposed,
            separation=Fraction(plan.separation),
            serves=tuple(plan.serves),
        )

    def _columns(self, forms: Sequence[Mapping[int, Exact]], width: int) -> Matrix:
        rows = self.coordinates[np.array([*chain.from_iterable(forms)], np.int64)]
        columns = np.repeat(np.arange(len(forms)), [len(form) for form in forms])
        values: list[Exact] = [*chain.from_iterable(form.values() for form in forms)]
        kept = rows >= 0
        if not kept.all():
            rows, columns = rows[kept], columns[kept]
            values = list(compress(values, kept.tolist()))
        numerators: Any = np.array(values) if values else np.zeros(0, np.int64)
        common = 1
        if numerators.dtype != np.int64:  # fractions, or integers of any size
            common = lcm(*{value.denominator for value in values})
            whole = [value.numerator * (common // value.denominator) for value in values]
            large = max(map(abs, whole)) >= 1 << 60
            numerators = np.array(whole, object if large else np.int64)
        return Matrix.build((width, len(forms)), rows, columns, numerators, common)

    def _network(self, slot: Slot | None, width: int) -> FeedForward | None:
        units = self.units.get(slot, []) if slot is not None else []
        if not units:
            return None
        inner = [{d: v for d, v in unit.form.items() if d != ONE} for unit in units]
        biases = {
            (0, number): unit.form[ONE] for number, unit in enumerate(units) if ONE in unit.form
        }
        return FeedForward(
            w1=self._columns(inner, width),
            b1=Matrix.placed((1, len(units)), biases),
            w2=self._columns([unit.out for unit in units], width).transposed,
            units=tuple(unit.label for unit in units),
        )

    def _embeddings(self, vocabulary: Vocabulary, width: int) -> tuple[Matrix, Matrix]:
        tokens: Entries = {}
        for direction, entries in self.stream.by_symbol.items():
            place = self.place.get(direction)
            if place is not None:
                tokens.update({(i, place): x for i, x in entries.items()})
        if ONE in self.place:
            tokens.update({(i, self.place[ONE]): UNIT for i in range(len(self.setting.symbols))})
            if self.setting.bos:
                tokens[vocabulary.begin, self.place[ONE]] = UNIT
        if BOS in self.place:
            tokens[vocabulary.begin, self.place[BOS]] = UNIT
        bos = int(self.setting.bos)
        positions: Entries = {}
        for direction, entries in self.stream.by_position.items():
            place = self.place.get(direction)
            if place is not None:
                positions.update({(i + bos, place): x for i, x in entries.items()})
        return (
            Matrix.placed((vocabulary.size, width), tokens),
            Matrix.placed((self.setting.length + bos, width), positions),
        )

    def _readout(self, output: Output) -> Readout:
        return Readout(
            name=output.name,
            kind="categorical" if output.values else "numeric",
            directions=tuple(self.place[d] for d in output.directions),
            values=output.values,
            scale=output.scale,
            offset=output.offset,
            cast=output.cast if output.cast in ("int", "float", "bool") else "Fraction",
            label=output.label,
        )

    def _stage(self, slot: Slot) -> int:
        if slot == (0, 0):
            return 0
        for number, (attention, network) in enumerate(self.slots, 1):
            if slot[1] == 0 and attention == slot[0]:
                return 2 * number - 1
            if network == slot:
                return 2 * number
        raise AssertionError(f"nothing is written in {slot}")

    def _basis(self) -> tuple[Direction, ...]:
        end = 2 * len(self.slots)
        found = []
        for direction, place in self.place.items():
            meant = self.stream.meant[direction]
            first = self._stage(min(self.written.get(direction, [(0, 0)])))
            last = self._stage(self.gone[direction]) - 1 if direction in self.gone else end
            found.append(Direction(place, meant.label, meant.value, first, last))
        return tuple(sorted(found, key=lambda d: (d.index, d.born)))

    def _places(self) -> dict[str, tuple[int, str]]:
        found: dict[str, tuple[int, str]] = {}
        for number, (attention, network) in enumerate(self.slots, 1):
            if attention is not None:
                for head in self.stream.heads.get(attention, ()):
                    for label in head.serves:
                        found.setdefault(label, (number, head.name))
            if network is not None:
                for unit in self.units.get(network, ()):
                    if unit.label:
                        found.setdefault(unit.label, (number, "feed_forward"))
        for direction in self.place:
            meant = self.stream.meant[direction]
            if meant.label and meant.born == (0, 0):
                found.setdefault(meant.label, (0, "embedding"))
        return found


def _layers(stream: Stream) -> list[tuple[int | None, Slot | None]]:
    """Return, per layer of the model, its attention layer and its feed-forward slot, if any."""
    found: list[tuple[int | None, Slot | None]] = []
    attention = set(stream.heads)
    for layer in sorted({*attention, *(slot[0] for slot in stream.units)}):
        networks = sorted(slot for slot in stream.units if slot[0] == layer)
        if layer in attention:
            first = networks.pop(0) if networks else None
            found.append((layer, first))
        found.extend((None, slot) for slot in networks)
    return found
