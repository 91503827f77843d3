"""Attention heads: one per selector and layer, shared by all that reads the same pattern.

A head with BOS has one more key dimension, in which BOS alone has a key; the query of a row there
is the score BOS shall have: half a point below a hit where it catches empty rows, exactly a hit
where it counts.  The row of BOS looks at itself, so it is the same on every word.

Main definitions: :class:`Attention`.
"""

from fractions import Fraction
from math import ceil
from typing import Any, Protocol, final

from rasp.compiler.domains import Exact, Finite, common_unit, exact, is_number
from rasp.compiler.findings import NotHere
from rasp.compiler.patterns import Score, joint_score
from rasp.compiler.scores import score_of
from rasp.compiler.selections import FIRST, Cube, cubes
from rasp.compiler.stream import ONE, UNIT, HeadPlan, Linear, Stream, plus
from rasp.compiler.without_bos import AT_FIRST, NOTHING, FirstElseRest
from rasp.graph import Aggregate, And, Best, Indices, SelectorNode, SOpNode, Width
from rasp.weights.readout import Mark

HALF = Fraction(1, 2)


class _Encoder(Protocol):
    values: Any
    stream: Stream
    label: Any

    def marked(self, node: SOpNode) -> bool: ...

    def level(self, node: SOpNode) -> int: ...

    def flags(self, node: SOpNode) -> Any: ...

    def number(self, node: SOpNode) -> Any: ...


@final
class Attention:
    """Makes heads on demand and lets them deliver more."""

    def __init__(self, encoder: _Encoder) -> None:
        self._encoder = encoder
        self._heads: dict[Any, HeadPlan] = {}
        self._found: dict[tuple[str, int], Any] = {}

    def flags(self, node: Aggregate) -> list[Linear]:
        """Return one form per value of an aggregate that never mixes values.

        With several cubes, each has a head; at most one of them finds a key.
        """
        encoder = self._encoder
        domain: Finite = encoder.values.finite(node)
        own: Finite = encoder.values.finite(node.values)
        forms = encoder.flags(node.values).get()
        heads = self._of(node)
        label, slot = encoder.label(node), (encoder.level(node), 0)
        filled = encoder.values.facts(node.selector).filled or node.default == NOTHING
        default = None if filled else domain.place(node.default)
        out: list[Linear] = []
        for place, value in enumerate(domain.values):
            direction = encoder.stream.direction(label, value, slot)
            source = own.places.get((type(value), value))  # 1 as a default is not True
            form = forms[source] if source is not None else {}
            at_bos = UNIT if place == default and len(heads) == 1 else 0
            for head in heads:
                _deliver(head, form, at_bos, direction, label, encoder.stream)
            out.append({direction: UNIT})
        if default is not None and len(heads) > 1:
            missed: Linear = {ONE: 1 - len(heads)}
            for head in heads:
                direction = encoder.stream.direction(label, Mark.NONE, slot)
                _deliver(head, {}, UNIT, direction, label, encoder.stream)
                missed[direction] = UNIT
            out[default] = plus((out[default], 1), (missed, 1))
        return out

    def number(self, node: Aggregate) -> Linear:
        """Return the form of an aggregate of numbers: the mean, or the default."""
        encoder = self._encoder
        heads = self._of(node)
        if not is_number(node.default) and node.default != NOTHING:
            raise NotHere(f"numbers with the default {node.default!r}")
        form = encoder.number(node.values).get()
        label = encoder.label(node)
        made = encoder.stream.direction(label, Mark.NUMERIC, (encoder.level(node), 0))
        default: Any = 0 if node.default == NOTHING else node.default
        _deliver(heads[0], form, exact(default), made, label, encoder.stream)
        return {made: UNIT}

    def share(self, node: Width) -> Linear:
        """Return the form of one over one more than a width."""
        key = ("share", node.digest)
        if key not in self._found:
            encoder = self._encoder
            if not encoder.values.setting.bos:
                raise NotHere("counting without BOS")
            (cube,) = cubes(node.selector)
            layer, label = encoder.level(node), encoder.label(node)
            head = self._head(layer, node.selector, cube, counts=True)
            made = encoder.stream.direction(label, Mark.SCRATCH, (layer, 0))
            _deliver(head, {}, UNIT, made, label, encoder.stream)
            self._found[key] = {made: UNIT}
        found: Linear = self._found[key]
        return found

    def _of(self, node: Aggregate) -> list[HeadPlan]:
        layer = self._encoder.level(node)
        bos = self._encoder.values.setting.bos
        facts = self._encoder.values.facts(node.selector)
        if not bos and not facts.filled and node.default != NOTHING:
            raise NotHere("a row may select nothing, and without BOS nothing can tell")
        if isinstance(node.selector, FirstElseRest):
            return [self._first(layer, node.selector)]
        if isinstance(node.selector, Best):
            return [self._best(layer, node.selector)]
        parts = cubes(node.selector)
        if len(parts) > 1 and not (bos and self._encoder.marked(node)):
            return [self._joint(layer, node.selector)]
        return [self._head(layer, node.selector, cube, counts=False) for cube in parts]

    def _joint(self, layer: int, selector: SelectorNode) -> HeadPlan:
        """Make one pattern of several cubes, because their means cannot be put together."""
        key = (layer, selector.digest)
        if key not in self._heads:
            score = joint_score(selector, self._encoder)
            threshold = plus((score.hit, 1), ({ONE: UNIT}, -HALF))
            self._heads[key] = self._made(layer, score, threshold, HALF)
        return self._heads[key]

    def _head(self, layer: int, selector: SelectorNode, cube: Cube, *, counts: bool) -> HeadPlan:
        names = tuple((x.keys.digest, x.queries.digest, x.relations) for x in cube)
        key = (layer, names, counts)
        if key not in self._heads:
            facts = self._encoder.values.facts(selector)
            filled = facts.filled and not counts and len(cubes(selector)) == 1
            score = score_of(cube, self._encoder, ties=counts or not facts.single, filled=filled)
            threshold = plus((score.hit, 1), ({ONE: UNIT}, 0 if counts else -HALF))
            self._heads[key] = self._made(layer, score, threshold, UNIT if counts else HALF)
        return self._heads[key]

    def _first(self, layer: int, selector: FirstElseRest) -> HeadPlan:
        """Score position 0 with 1 or 0 and all others between."""
        key = (layer, selector.digest)
        if key not in self._heads:
            score = joint_score(And(selector.inner, FIRST), self._encoder)
            rest: Finite = self._encoder.values.finite(AT_FIRST)
            place = rest.place(0)
            if place is not None:  # there are positions that are not the first
                others = self._encoder.flags(AT_FIRST).get()[place]
                score.pairs.append(({ONE: HALF}, others))
            self._heads[key] = self._made(layer, score, {ONE: UNIT}, HALF)
        return self._heads[key]

    def _made(self, layer: int, score: Score, threshold: Linear, separation: Exact) -> HeadPlan:
        heads = self._encoder.stream.heads.setdefault(layer, [])
        head = HeadPlan(
            f"layer{layer}.head{len(heads) + 1}", layer, score.pairs, threshold, separation
        )
        heads.append(head)
        return head

    def _best(self, layer: int, selector: Best) -> HeadPlan:
        """Score hits far above all else, among them by the key's number, then by position."""
        key = (layer, selector.digest)
        if key in self._heads:
            return self._heads[key]
        encoder = self._encoder
        parts = cubes(selector.inner)
        score = (
            score_of(parts[0], encoder, ties=False, filled=False)
            if len(parts) == 1
            else joint_score(selector.inner, encoder)
        )
        keys: Finite = encoder.values.finite(selector.keys)
        unit = common_unit([*keys.exact]) if keys.numeric else None
        if unit is None:
            raise NotHere("best by strings")
        ends, query = list(keys.bounds), {ONE: UNIT}
        if selector.op == "*":
            queries: Finite = encoder.values.finite(selector.queries)
            if not queries.numeric:
                raise NotHere("best by strings")
            unit *= common_unit([*queries.exact])
            ends = [a * b for a in keys.bounds for b in queries.bounds]
            query = encoder.number(selector.queries).get()
        ties = selector.op == "*" or not encoder.values.injective(selector.keys)
        n = encoder.values.setting.length if ties else 1
        span = (max(ends) - min(ends)) / unit * n + n
        rank = plus((query, n / unit))
        weight = 1 << (ceil(span) + 1).bit_length()  # more than span + 1; exact in floats
        pairs = [(plus((form, weight)), other) for form, other in score.pairs]
        pairs.append((rank, encoder.number(selector.keys).get()))
        if ties:  # the first of them
            pairs.append(({ONE: -UNIT}, encoder.number(Indices()).get()))
        least = min(ends) / unit * n - n + 1
        threshold = plus((score.hit, weight), ({ONE: UNIT}, least - 1))
        made = Score(pairs, score.hit)
        self._heads[key] = self._made(layer, made, threshold, UNIT)
        return self._heads[key]


def _deliver(
    head: HeadPlan, form: Linear, at_bos: Exact, direction: int, label: str, stream: Stream
) -> None:
    head.values.append((form, at_bos, direction))
    head.serves[label] = None
    stream.delivered.add(direction)
    if at_bos:
        stream.at_bos[direction] = stream.at_bos.get(direction, 0) + at_bos
