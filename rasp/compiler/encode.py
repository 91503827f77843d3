"""How every s-op stands in the residual row: one-hot, as a number, or as what a head delivers.

Forms are planned on demand from the outputs down: a plan knows the slot after which it is ready;
units and heads are made when somebody reads it.  A function of one categorical s-op, and a sum of
numbers, is a *view*: linear in what is there, it costs nothing.  Everything else is computed by
one hidden layer from what earlier slots left, if that is possible, else in two steps and so on.

Main definitions: :class:`Encoder`, :class:`Plan`.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, final

from rasp.compiler.attend import Attention
from rasp.compiler.domains import Exact, Finite, exact, is_number
from rasp.compiler.embed import POSITIONS, SYMBOLS, embed_flags, embed_number
from rasp.compiler.findings import NotHere
from rasp.compiler.functions import Fixed, Leaf
from rasp.compiler.networks import EMBEDDED, Networks
from rasp.compiler.plans import Plan
from rasp.compiler.stream import ONE, UNIT, Linear, Slot, Stream, plus
from rasp.compiler.values import SYMBOL, Values
from rasp.graph import Aggregate, Constant, Elementwise, SOpNode, Width


@final
class Encoder:
    """Forms of s-ops in a stream.

    Parameters
    ----------
    values
        The first pass.
    layers
        Attention layer of every aggregate and width, from 1.
    stream
        What is built.
    label
        Name of an s-op.
    """

    def __init__(
        self,
        values: Values,
        layers: Mapping[int, int],
        stream: Stream,
        label: Callable[[SOpNode], str],
    ) -> None:
        self.values = values
        self.layers = layers
        self.depth = max(layers.values(), default=0)
        self.stream = stream
        self.label = label
        self.setting = values.setting
        self.attention = Attention(self)
        self.networks = Networks(self)
        self.later: dict[Slot, dict[str, str]] = {}
        self._plans: dict[tuple[str, int], Plan | NotHere] = {}
        self._levels: dict[int, int] = {}

    def level(self, node: SOpNode) -> int:
        """Return the last attention layer that an s-op needs."""
        found = self._levels.get(node.digest)
        if found is None:
            if isinstance(node, (Aggregate, Width)):
                found = self.layers[node.digest]
            else:
                found = max(
                    (self.level(p) for p in node.parents if isinstance(p, SOpNode)), default=0
                )
            self._levels[node.digest] = found
        return found

    def flags(self, node: SOpNode) -> Plan:
        """Return one linear form per value, 1 where the s-op has it and 0 elsewhere."""
        return self._planned("flags", node, self._flags)

    def number(self, node: SOpNode) -> Plan:
        """Return the linear form that is the s-op's value."""
        return self._planned("number", node, self._number)

    def _planned(self, kind: str, node: SOpNode, make: Callable[[SOpNode], Plan]) -> Plan:
        key = (kind, node.digest)
        found = self._plans.get(key)
        if found is None:
            try:
                found = make(node)
            except NotHere as reason:
                found = reason
            self._plans[key] = found
        if isinstance(found, NotHere):
            raise found
        return found

    def _flags(self, node: SOpNode) -> Plan:
        domain = self.values.finite(node)
        table = self.values.table(node)
        if table is not None and table.axes == ():
            return Plan(EMBEDDED, lambda: [{ONE: UNIT}])
        if table is not None and table.axes == SYMBOLS:
            return Plan(EMBEDDED, lambda: self._symbol_flags(node))
        if table is not None and table.axes == POSITIONS:
            return Plan(EMBEDDED, lambda: self._embedded_flags(node))
        if isinstance(node, Aggregate):
            if self.marked(node):
                return Plan((self.level(node), 0), lambda: self.attention.flags(node))
            return self.networks.plan(node, "flags")
        if table is not None and len(table.axes) == 1 and isinstance(node, Elementwise):
            base = self._head(node)
            if base is not None and base.digest == table.axes[0] and self.marked(base):
                plan, codes = self.flags(base), table.codes
                return Plan(
                    plan.ready,
                    lambda: [
                        plus(*((plan.get()[i], 1) for i in (codes == place).nonzero()[0].tolist()))
                        for place in range(len(domain.values))
                    ],
                )
        return self.networks.plan(node, "flags")

    def marked(self, node: SOpNode) -> bool:
        """Return whether a head delivers an s-op one-hot."""
        if not isinstance(node, Aggregate) or not isinstance(self.values.domain(node), Finite):
            return False
        own = self.values.domain(node.values)
        single = self.values.facts(node.selector).single
        return isinstance(own, Finite) and (single or not own.averageable)

    def _head(self, node: SOpNode) -> SOpNode | None:
        """Return the only head below an elementwise node, if there is one."""
        found: dict[int, SOpNode] = {}
        stack = [node]
        while stack:
            part = stack.pop()
            if isinstance(part, Elementwise):
                stack.extend(part.args)
            elif isinstance(part, (Aggregate, Width)):
                found[part.digest] = part
        return next(iter(found.values())) if len(found) == 1 else None

    def _symbol_flags(self, node: SOpNode) -> list[Linear]:
        table = self.values.table(node)
        assert table is not None
        if node.digest == SYMBOL.digest:
            return self._embedded_flags(node)
        symbols = self.flags(SYMBOL).get()
        return [
            plus(*((symbols[i], 1) for i in (table.codes == place).nonzero()[0].tolist()))
            for place in range(len(table.values))
        ]

    def _embedded_flags(self, node: SOpNode) -> list[Linear]:
        table = self.values.table(node)
        assert table is not None
        made = embed_flags(table, self.label(node), self.stream, self.setting.length)
        return [{direction: UNIT} for direction in made]

    def _number(self, node: SOpNode) -> Plan:
        domain = self.values.domain(node)
        if isinstance(domain, Finite) and not domain.numeric:
            raise NotHere("it is not a number")
        table = self.values.table(node)
        if table is not None and table.axes == ():
            value = exact(table.values[0])
            return Plan(EMBEDDED, lambda: {ONE: value} if value else {})
        if table is not None and table.axes in (SYMBOLS, POSITIONS):
            return Plan(EMBEDDED, lambda: self._embedded_number(node))
        if isinstance(node, Aggregate):
            return Plan((self.level(node), 0), lambda: self.attention.number(node))
        if isinstance(node, Width):
            return self.networks.plan(node, "number")
        assert isinstance(node, Elementwise)
        return self._computed_number(node)

    def _embedded_number(self, node: SOpNode) -> Linear:
        table = self.values.table(node)
        assert table is not None
        return {embed_number(table, self.label(node), self.stream): UNIT}

    def _computed_number(self, node: Elementwise) -> Plan:
        tries: list[Callable[[], Plan]] = [lambda: self._line_of_one(node)]
        split = (lambda: self._sum(node), lambda: self.networks.plan(node, "number"))
        tries.extend(split if self.values.tabular(node) else reversed(split))
        reasons = []
        for attempt in tries:
            try:
                return attempt()
            except NotHere as reason:
                reasons.append(reason)
        raise reasons[-1 if self.values.tabular(node) else 1]  # what no network could do

    def _line_of_one(self, node: Elementwise) -> Plan:
        """Plan an affine function of one number: rounding integers, ``1 / (1 / x)``."""
        base: SOpNode = node
        while isinstance(base, Elementwise):
            open_ones = {arg.digest: arg for arg in base.args if not isinstance(arg, Constant)}
            if len(open_ones) != 1:
                break
            base = next(iter(open_ones.values()))
        if base.digest == node.digest:
            raise NotHere("it has several operands")
        two = self.values.domain(node)
        if isinstance(two, Finite) and len(two.values) <= 2 and not self.values.tabular(base):
            raise NotHere("it tells where a number lies")
        own = self.values.finite(base)
        if not own.numeric:
            raise NotHere("its operand is not a number")
        cells = self.values.cells(node, {base.digest: Leaf(base, values=own.values)})
        pairs = [
            (x, Fraction(cells.functions[code].atom))
            for x, code in zip(own.exact, cells.codes.tolist(), strict=True)
            if code >= 0 and isinstance(cells.functions[code], Fixed)
        ]
        (x0, y0), (x1, y1) = pairs[0], pairs[-1]
        slope = (y1 - y0) / (x1 - x0) if x1 != x0 else Fraction(0)
        if any(y0 + slope * (x - x0) != y for x, y in pairs):
            raise NotHere("it is not an affine function")
        plan, shift = self.number(base), y0 - slope * x0

        def into(direction: int, weight: Exact) -> Exact:
            return self.write_number(base, direction, weight * slope) + weight * shift

        return Plan(plan.ready, lambda: plus((plan.get(), slope), ({ONE: UNIT}, shift)), into)

    def _sum(self, node: Elementwise) -> Plan:
        """Plan sums and multiples of numbers as views."""
        factors: list[Exact]
        match node.op, [self._atom(arg) for arg in node.args]:
            case (("neg" | "pos"), _):
                factors = [-1 if node.op == "neg" else 1]
                parts = [self.number(node.args[0])]
            case (("+" | "-"), _):
                factors = [1, 1 if node.op == "+" else -1]
                parts = [self.number(arg) for arg in node.args]
            case "*", [None, factor] if factor is not None:
                factors, parts = [factor], [self.number(node.args[0])]
            case "*", [factor, None] if factor is not None:
                factors, parts = [factor], [self.number(node.args[1])]
            case "/", [None, factor] if factor:
                factors, parts = [1 / factor], [self.number(node.args[0])]
            case _:
                raise NotHere("it is not linear")
        ready = max(part.ready for part in parts)
        terms = [arg for arg in node.args if len(parts) == 2 or self._atom(arg) is None]

        def make() -> Linear:
            return plus(*((p.get(), f) for p, f in zip(parts, factors, strict=True)))

        def into(direction: int, weight: Exact) -> Exact:
            pairs = zip(terms, factors, strict=True)
            return sum(self.write_number(term, direction, weight * f) for term, f in pairs)

        return Plan(ready, make, into)

    def write_number(self, node: SOpNode, direction: int, weight: Exact) -> Exact:
        """Write a multiple of a number to a direction; return what its readers have to add."""
        plan = self.number(node)
        if plan.into is not None:
            return plan.into(direction, weight)
        form: Linear = plan.get()
        if not set(form) - {ONE}:
            return weight * form.get(ONE, 0)
        low = exact(self.values.domain(node).bounds[0])
        slot = max((self.depth, 1), (plan.ready[0], plan.ready[1] + 1))
        shifted = plus((form, 1), ({ONE: UNIT}, -low))
        self.stream.unit(slot, shifted, {direction: weight}, self.label(node))
        return weight * low

    def _atom(self, node: SOpNode) -> Fraction | None:
        if isinstance(node, Constant) and is_number(node.value):
            value: Any = node.value
            return Fraction(value)
        return None
