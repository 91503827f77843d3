"""Functions that hidden layers compute: from which leaves, in how many steps, at what cost.

An s-op is computed by the first network after its last head if what that finds will do, else by the
second from what the first leaves, and so on.  Numbers that stand for many values are read as
numbers first, and one-hot if nothing else helps.

Main definitions: :class:`Networks`.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Protocol, final

from rasp.compiler.cells import Cells
from rasp.compiler.coarse import coarse, whole
from rasp.compiler.domains import Exact, Finite, Interval, Means, exact
from rasp.compiler.embed import POSITIONS, SYMBOLS
from rasp.compiler.feedforward import Target, cost, emit
from rasp.compiler.findings import NotHere
from rasp.compiler.functions import Leaf
from rasp.compiler.plans import Plan
from rasp.compiler.stream import ONE, UNIT, Linear, Slot, Stream, plus
from rasp.compiler.values import Values
from rasp.compiler.without_bos import NOTHING
from rasp.graph import Aggregate, Constant, Elementwise, Indices, SOpNode, Tokens, Width
from rasp.weights.readout import Mark

FEW, MANY = 32, 1100
"""Up to how many values an s-op is read one-hot: willingly, and if nothing else helps."""
CHEAP, MOST_UNITS = 2048, 60_000
"""Units that one function may cost before two steps are tried, and at all."""
DEEPEST = 6
EMBEDDED: Slot = (0, 0)


class _Encoder(Protocol):
    values: Values
    stream: Stream
    label: Callable[[SOpNode], str]
    attention: Any
    later: dict[Slot, dict[str, str]]

    def level(self, node: SOpNode) -> int: ...

    def flags(self, node: SOpNode) -> Plan: ...

    def number(self, node: SOpNode) -> Plan: ...


@final
class Networks:
    """Plans and makes hidden units for an encoder."""

    def __init__(self, encoder: _Encoder) -> None:
        self._encoder = encoder

    def plan(self, node: SOpNode, kind: str) -> Plan:
        """Plan one hidden layer, from what the earliest possible slot finds."""
        best: tuple[int, Slot, Cells, dict[int, Any]] | None = None
        reason = first = NotHere("no hidden layer computes it")
        for step in range(1, DEEPEST):
            before = best
            for limit in (FEW, MANY):
                try:
                    leaves, plans = self._leaves(node, step, limit, kind == "flags")
                    cells = self._encoder.values.cells(node, leaves, listed=kind == "flags")
                except NotHere as why:
                    reason = why
                    first = why if step == 1 and limit == FEW else first
                    continue
                found = (cost(cells), (self._encoder.level(node), step), cells, plans)
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
            self._encoder.later.setdefault(slot, {})[self._encoder.label(node)] = str(first)
        elif slot[0] == 0:
            both = "it depends on symbol and position together"
            self._encoder.later.setdefault(slot, {})[self._encoder.label(node)] = both
        if kind == "flags":
            return Plan(slot, lambda: self._emit_flags(node, slot, cells, plans))

        def into(direction: int, weight: Exact) -> Exact:
            target = Target(lambda atom: _weighted(direction, atom, weight), direction, weight)
            self.write(cells, plans, target, slot, self._encoder.label(node))
            return 0

        return Plan(slot, lambda: self._emit_number(node, slot, cells, plans), into)

    def _root(self, node: SOpNode, step: int, listed: bool) -> tuple[Leaf, Plan] | None:
        """Return the number of an s-op as a leaf for its own one-hot form."""
        if not isinstance(node, Elementwise):
            return self._leaf(node, self._encoder.level(node), step, 0)
        domain = self._encoder.values.domain(node)
        if not listed or step == 1 or not isinstance(domain, Finite) or not domain.numeric:
            return None
        found = self._ready(self._encoder.number, node, (self._encoder.level(node), step))
        return None if found is None else (_numbered(node, domain), found)

    def _leaves(
        self, node: SOpNode, step: int, limit: int, listed: bool
    ) -> tuple[dict[int, Leaf], dict[int, Plan]]:
        """Return what the ``step``-th network after the node's layer can read."""
        level = self._encoder.level(node)
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
        table = self._encoder.values.table(node) if not isinstance(node, Elementwise) or (
            self._encoder.values.tabular(node)
        ) else None  # fmt: skip
        own = self._encoder.level(node)
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
        domain = self._encoder.values.domain(node)
        if isinstance(domain, Finite) and len(domain.values) <= limit:
            found = self._ready(self._encoder.flags, node, before)
            if found is not None:
                loose = isinstance(node, Aggregate) and node.default == NOTHING
                rows = self._encoder.values.rows(node)
                return Leaf(node, values=domain.values, rows=rows, loose=loose), found
        if isinstance(node, Width):
            return self._counted(node)
        if isinstance(domain, Interval):
            return None
        if isinstance(domain, Means) or domain.numeric:
            found = self._ready(self._encoder.number, node, before)
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
        domain = self._encoder.values.finite(node)
        return Leaf(
            node, values=domain.values, rows=self._encoder.values.rows(node)
        ), self._encoder.flags(node)

    def _counted(self, node: Width) -> tuple[Leaf, Plan]:
        """Return a width as its head delivers it: one over one more."""
        counts = self._encoder.values.finite(node).values
        codes = tuple((Fraction(1, 1 + count), count) for count in sorted(counts, reverse=True))
        return Leaf(node, codes=codes), Plan(
            (self._encoder.level(node), 0), lambda: self._encoder.attention.share(node)
        )

    def _parts(self, plans: Mapping[int, Plan]) -> tuple[dict[int, Any], dict[int, Any]]:
        made = {digest: plan.get() for digest, plan in plans.items()}
        flags = {digest: form for digest, form in made.items() if isinstance(form, list)}
        return flags, {digest: form for digest, form in made.items() if digest not in flags}

    def _emit_flags(
        self, node: SOpNode, slot: Slot, cells: Cells, plans: Mapping[int, Plan]
    ) -> list[Linear]:
        domain, label = self._encoder.values.finite(node), self._encoder.label(node)
        if len(domain.values) == 1:
            return [{ONE: UNIT}]
        directions: dict[int, int] = {}
        two = len(domain.values) == 2
        for place, value in enumerate(domain.values):
            if not two or place == self._marker(domain):
                directions[place] = self._encoder.stream.direction(label, value, slot)

        def out(atom: Any) -> Linear:
            place = domain.place(atom)
            return {directions[place]: UNIT} if place in directions else {}

        self.write(cells, plans, Target(out), slot, label)
        forms: list[Linear] = [
            {directions[place]: UNIT}
            if directions.get(place) in self._encoder.stream.written
            else {}
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
        label = self._encoder.label(node)
        made = self._encoder.stream.direction(label, Mark.NUMERIC, slot)
        target = Target(lambda atom: _weighted(made, atom), line=made, view=True)
        rest = self.write(cells, plans, target, slot, label)
        return plus(({made: UNIT}, 1), (rest, 1)) if made in self._encoder.stream.written else rest

    def write(
        self, cells: Cells, plans: Mapping[int, Plan], target: Target, slot: Slot, label: str
    ) -> Linear:
        """Add the units of a function to a slot."""
        flags, numbers = self._parts(plans)
        if target.line is None or whole(cells.functions):
            numbers = coarse(cells.functions, numbers, self._encoder.stream)
        return emit(
            cells,
            flags,
            numbers,
            target,
            lambda form, out: self._encoder.stream.unit(slot, form, out, label),
        )


def _weighted(direction: int, atom: Any, weight: Exact = 1) -> Linear:
    value = exact(atom) * weight
    return {direction: value} if value else {}


def _numbered(node: SOpNode, domain: Finite) -> Leaf:
    """Return a leaf whose number is the value itself."""
    atoms = dict(reversed(list(zip(domain.exact, domain.values, strict=True))))
    return Leaf(node, codes=tuple(sorted(atoms.items())))
