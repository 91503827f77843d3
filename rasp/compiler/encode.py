"""How every s-op stands in the residual row: one-hot, as a number, or as what a head delivers.

Forms are planned on demand from the outputs down: a plan knows the slot after which it is ready;
units and heads are made when somebody reads it.  A function of one categorical s-op, and a sum of
numbers, is a *view*: linear in what is there, it costs nothing.  Everything else is computed by
one hidden layer from what earlier slots left, if that is possible, else in two steps and so on.

Main definitions: :class:`Encoder`, :class:`Plan`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, final

from rasp.compiler.attend import Attention
from rasp.compiler.cells import Cells, Fixed, Leaf
from rasp.compiler.domains import Exact, Finite, Interval, Means, exact, is_number
from rasp.compiler.embed import POSITIONS, SYMBOLS, embed_flags, embed_number
from rasp.compiler.feedforward import Target, cost, emit
from rasp.compiler.findings import NotHere
from rasp.compiler.stream import ONE, UNIT, Linear, Slot, Stream, plus
from rasp.compiler.values import SYMBOL, Values
from rasp.compiler.without_bos import NOTHING
from rasp.graph import Aggregate, Constant, Elementwise, Indices, SOpNode, Tokens, Width
from rasp.weights.readout import Mark

FEW, MANY = 32, 1100
"""Up to how many values an s-op is read one-hot: willingly, and if nothing else helps."""
CHEAP, MOST_UNITS = 2048, 60_000
"""Units that one function may cost before two steps are tried, and at all."""
DEEPEST = 6
EMBEDDED: Slot = (0, 0)


@final
@dataclass
class Plan:
    """A form that is ready after a slot, and made when it is first read.

    Attributes
    ----------
    ready
        The slot.
    make
        Makes the form.
    into
        For numbers that hidden units write: writes a multiple of the number to a direction and
        returns what the reader has to add.
    """

    ready: Slot
    make: Callable[[], Any]
    into: Callable[[int, Exact], Exact] | None = None
    _made: list[Any] = field(default_factory=list)

    def get(self) -> Any:
        """Return the form: a linear form, or a list of them, one per value."""
        if not self._made:
            self._made.append(self.make())
        return self._made[0]


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
            return self._computed(node, "flags")
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
        return self._computed(node, "flags")

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
            return self._computed(node, "number")
        assert isinstance(node, Elementwise)
        return self._computed_number(node)

    def _embedded_number(self, node: SOpNode) -> Linear:
        table = self.values.table(node)
        assert table is not None
        return {embed_number(table, self.label(node), self.stream): UNIT}

    def _computed_number(self, node: Elementwise) -> Plan:
        tries: list[Callable[[], Plan]] = [lambda: self._line_of_one(node)]
        split = (lambda: self._sum(node), lambda: self._computed(node, "number"))
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

    def _computed(self, node: SOpNode, kind: str) -> Plan:
        """Plan one hidden layer, from what the earliest possible slot finds."""
        best: tuple[int, Slot, Cells, dict[int, Any]] | None = None
        reason = first = NotHere("no hidden layer computes it")
        for step in range(1, DEEPEST):
            before = best
            for limit in (FEW, MANY):
                try:
                    leaves, plans = self._leaves(node, step, limit, kind == "flags")
                    cells = self.values.cells(node, leaves, listed=kind == "flags")
                except NotHere as why:
                    reason = why
                    first = why if step == 1 and limit == FEW else first
                    continue
                found = (cost(cells), (self.level(node), step), cells, plans)
                if best is None or found[0] * 4 < best[0]:
                    best = found
                if best[0] <= CHEAP:
                    break
            if best is not None and (best is before or best[0] <= CHEAP):
                break
        if best is None:
            raise reason
        units, slot, cells, plans = best
        if units > MOST_UNITS:
            raise NotHere(f"it would take {units} hidden units: at most {MOST_UNITS}")
        ready = max((plan.ready for plan in plans.values()), default=EMBEDDED)
        slot = max(slot, (ready[0], ready[1] + 1))
        if slot[1] > 1:
            self.later.setdefault(slot, {})[self.label(node)] = str(first)
        elif slot[0] == 0:
            both = "it depends on symbol and position together"
            self.later.setdefault(slot, {})[self.label(node)] = both
        if kind == "flags":
            return Plan(slot, lambda: self._emit_flags(node, slot, cells, plans))

        def into(direction: int, weight: Exact) -> Exact:
            target = Target(lambda atom: _weighted(direction, atom, weight), direction, weight)
            self.write(cells, plans, target, slot, self.label(node))
            return 0

        return Plan(slot, lambda: self._emit_number(node, slot, cells, plans), into)

    def _root(self, node: SOpNode, step: int, listed: bool) -> tuple[Leaf, Plan] | None:
        """Return the number of an s-op as a leaf for its own one-hot form."""
        if not isinstance(node, Elementwise):
            return self._leaf(node, self.level(node), step, 0)
        domain = self.values.domain(node)
        if not listed or step == 1 or not isinstance(domain, Finite) or not domain.numeric:
            return None
        found = self._ready(self.number, node, (self.level(node), step))
        return None if found is None else (_numbered(node, domain), found)

    def _leaves(
        self, node: SOpNode, step: int, limit: int, listed: bool
    ) -> tuple[dict[int, Leaf], dict[int, Plan]]:
        """Return what the ``step``-th network after the node's layer can read."""
        level = self.level(node)
        leaves: dict[int, Leaf] = {}
        plans: dict[int, Plan] = {}
        seen: set[int] = set()
        stack = [node]
        while stack:
            part = stack.pop()
            if part.digest in seen or isinstance(part, Constant):
                continue
            seen.add(part.digest)
            found = self._leaf(part, level, step, limit) if part is not node else self._root(
                node, step, listed)  # fmt: skip
            if found is not None:
                leaves[part.digest], plans[part.digest] = found
            else:
                if not isinstance(part, Elementwise):
                    raise NotHere("a head delivers more values than can be told apart")
                stack.extend(part.args)
        return leaves, plans

    def _leaf(self, node: SOpNode, level: int, step: int, limit: int) -> tuple[Leaf, Plan] | None:
        table = self.values.table(node) if not isinstance(node, Elementwise) or (
            self.values.tabular(node)
        ) else None  # fmt: skip
        own = self.level(node)
        if isinstance(node, Elementwise):
            if table is not None and table.axes == SYMBOLS:
                return None
            if table is not None and table.axes == POSITIONS:
                if len(table.values) > FEW:
                    return None
            elif own == level and step == 1:
                return None
        if isinstance(node, (Tokens, Indices)):
            return self._marked_leaf(node)
        if isinstance(node, Width) and ((own == level and step == 1) or limit == FEW):
            return self._counted(node)
        before = (level, step)
        domain = self.values.domain(node)
        if isinstance(domain, Finite) and len(domain.values) <= limit:
            found = self._ready(self.flags, node, before)
            if found is not None:
                loose = isinstance(node, Aggregate) and node.default == NOTHING
                rows = self.values.rows(node)
                return Leaf(node, values=domain.values, rows=rows, loose=loose), found
        if isinstance(node, Width):
            return self._counted(node)
        if isinstance(domain, Interval):
            return None
        if isinstance(domain, Means) or domain.numeric:
            found = self._ready(self.number, node, before)
            if found is not None:
                if isinstance(domain, Means):
                    return Leaf(node, means=domain), found
                return _numbered(node, domain), found
        return None

    def _ready(self, form: Callable[[SOpNode], Plan], node: SOpNode, before: Slot) -> Plan | None:
        try:
            plan = form(node)
        except NotHere:
            return None
        return plan if plan.ready < before else None

    def _marked_leaf(self, node: SOpNode) -> tuple[Leaf, Plan]:
        domain = self.values.finite(node)
        return Leaf(node, values=domain.values, rows=self.values.rows(node)), self.flags(node)

    def _counted(self, node: Width) -> tuple[Leaf, Plan]:
        """Return a width as its head delivers it: one over one more."""
        counts = self.values.finite(node).values
        codes = tuple((Fraction(1, 1 + count), count) for count in sorted(counts, reverse=True))
        return Leaf(node, codes=codes), Plan(
            (self.level(node), 0), lambda: self.attention.share(node)
        )

    def _parts(self, plans: Mapping[int, Plan]) -> tuple[dict[int, Any], dict[int, Any]]:
        made = {digest: plan.get() for digest, plan in plans.items()}
        flags = {digest: form for digest, form in made.items() if isinstance(form, list)}
        return flags, {digest: form for digest, form in made.items() if digest not in flags}

    def _emit_flags(
        self, node: SOpNode, slot: Slot, cells: Cells, plans: Mapping[int, Plan]
    ) -> list[Linear]:
        domain, label = self.values.finite(node), self.label(node)
        if len(domain.values) == 1:
            return [{ONE: UNIT}]
        directions: dict[int, int] = {}
        two = len(domain.values) == 2
        for place, value in enumerate(domain.values):
            if not two or place == self._marker(domain):
                directions[place] = self.stream.direction(label, value, slot)

        def out(atom: Any) -> Linear:
            place = domain.place(atom)
            return {directions[place]: UNIT} if place in directions else {}

        self.write(cells, plans, Target(out), slot, label)
        forms: list[Linear] = [
            {directions[place]: UNIT} if directions.get(place) in self.stream.written else {}
            for place in range(len(domain.values))
        ]
        if two:
            other = 1 - self._marker(domain)
            forms[other] = plus(({ONE: UNIT}, 1), (forms[1 - other], -1))
        return forms

    def _marker(self, domain: Finite) -> int:
        found = domain.place(True)
        return 1 if found is None else found

    def _emit_number(
        self, node: SOpNode, slot: Slot, cells: Cells, plans: Mapping[int, Plan]
    ) -> Linear:
        label = self.label(node)
        made = self.stream.direction(label, Mark.NUMERIC, slot)
        target = Target(lambda atom: _weighted(made, atom), line=made, view=True)
        rest = self.write(cells, plans, target, slot, label)
        return plus(({made: UNIT}, 1), (rest, 1)) if made in self.stream.written else rest

    def write(
        self, cells: Cells, plans: Mapping[int, Plan], target: Target, slot: Slot, label: str
    ) -> Linear:
        """Add the units of a function to a slot."""
        flags, numbers = self._parts(plans)
        return emit(
            cells,
            flags,
            numbers,
            target,
            lambda form, out: self.stream.unit(slot, form, out, label),
        )


def _weighted(direction: int, atom: Any, weight: Exact = 1) -> Linear:
    value = exact(atom) * weight
    return {direction: value} if value else {}


def _numbered(node: SOpNode, domain: Finite) -> Leaf:
    """Return a leaf whose number is the value itself."""
    atoms = dict(reversed(list(zip(domain.exact, domain.values, strict=True))))
    return Leaf(node, codes=tuple(sorted(atoms.items())))
