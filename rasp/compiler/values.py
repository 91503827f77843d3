"""First pass: the values every s-op can take, as exact rationals.

S-ops of few finite s-ops are tabulated over them, so that correlations are kept: ``indices %
2 + indices`` has exactly its values.  Means get their grid; multiplied with the number of
positions they are over, they become integers again.

Main definitions: :class:`Values`.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from math import isqrt, lcm
from typing import Any, final

import numpy as np

from rasp.compiler.arithmetic import (
    exactly,
    interval_of,
    joined,
    listed,
    range_of,
    with_default,
)
from rasp.compiler.cells import Cells, cells_of
from rasp.compiler.domains import (
    Domain,
    Finite,
    Interval,
    Means,
    common_unit,
    distinct,
    is_number,
)
from rasp.compiler.facts import Facts, facts_of
from rasp.compiler.findings import NotHere
from rasp.compiler.functions import Leaf, Line
from rasp.compiler.pieces import Rank
from rasp.compiler.setting import Setting
from rasp.compiler.tables import Table, combine, constant, leaf
from rasp.compiler.without_bos import AT_FIRST_DIGESTS, NOTHING, FirstElseRest, selects_first
from rasp.graph import (
    Aggregate,
    Constant,
    Elementwise,
    HostFunction,
    Indices,
    SelectorNode,
    SOpNode,
    Tokens,
    Width,
)
from rasp.operations import operation

DIGITS = 2000
"""Most numbers that stand for values in one digit."""
LISTED = 1000
"""Most values of a mean that are listed."""
SYMBOL = Tokens("asis")
"""The leaf that stands for the input symbol; every cast of it is a function of it."""

_CASTS: dict[str, Callable[[Any], Any]] = {
    "str": str, "int": int, "float": float, "bool": bool, "asis": lambda value: value,
}  # fmt: skip


@final
class Values:
    """Domains of the s-ops of a program, computed arguments first and kept."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self._domains: dict[int, Domain | NotHere] = {}
        self._tables: dict[int, Table | None] = {}
        self._cells: dict[Any, Cells | NotHere] = {}
        self._lengths: set[int] = set()
        self._lists: dict[int, Finite | NotHere] = {}
        self._ranks: dict[Any, Any] = {}
        self._roundeds: dict[int, bool] = {}
        self._tabulars: dict[int, bool] = {}
        self._facts: dict[int, Facts] = {}
        self._applied: dict[Any, Any] = {}

    def domain(self, node: SOpNode) -> Domain:
        """Return the values of an s-op whose arguments were asked for before."""
        found = self._domains.get(node.digest)
        if found is None:
            try:
                found = self._infer(node)
            except NotHere as reason:
                found = reason
            self._domains[node.digest] = found
        if isinstance(found, NotHere):
            raise found
        return found

    def cells(self, node: SOpNode, leaves: Mapping[int, Leaf], *, listed: bool = False) -> Cells:
        """Return :func:`rasp.compiler.cells.cells_of`, kept."""
        forms = tuple(sorted((digest, leaf.codes, leaf.values is None)
                             for digest, leaf in leaves.items()))  # fmt: skip
        key = (node.digest, forms, listed)
        found = self._cells.get(key)
        if found is None:
            try:
                found = cells_of(node, leaves, listed=listed, applied=self._applied)
            except NotHere as reason:
                found = reason
            self._cells[key] = found
            lines = isinstance(found, NotHere) or any(isinstance(f, Line) for f in found.functions)
            if not lines:  # only lines need to be listed
                self._cells[key[0], key[1], True] = found
        if isinstance(found, NotHere):
            raise found
        return found

    def finite(self, node: SOpNode) -> Finite:
        """Return the values of an s-op that has a list of them."""
        found = self.domain(node)
        if isinstance(found, Finite):
            return found
        if node.digest not in self._lists:
            listed = found.listed(LISTED) if isinstance(found, Means) else None
            self._lists[node.digest] = (
                NotHere("it takes too many values to list them")
                if listed is None
                else Finite(tuple(listed))
            )
        means = self._lists[node.digest]
        if isinstance(means, NotHere):
            raise means
        return means

    def table(self, node: SOpNode) -> Table | None:
        """Return an s-op as a function of heads, symbol and position, if they are few."""
        self.domain(node)
        return self._tables.get(node.digest)

    def ranked(self, node: SOpNode, points: Sequence[Fraction]) -> SOpNode:
        """Return the s-op that says where a number stands among some points."""
        key = (node.digest, tuple(points))
        if key not in self._ranks:  # kept, because host functions are told apart by identity
            self._ranks[key] = Elementwise("map", (node,), HostFunction(Rank(points), "rank"))
        found: SOpNode = self._ranks[key]
        return found

    def numbered(self, keys: SOpNode, queries: SOpNode) -> tuple[tuple[SOpNode, SOpNode], ...]:
        """Return pairs of s-ops of integers that are equal iff two s-ops are: one or two digits.

        Digits stay below :data:`DIGITS`, so that floats hold their squares exactly.
        """
        key = ("numbered", keys.digest, queries.digest)
        if key not in self._ranks:
            numbers: dict[Any, int] = {}
            for value in (*self.finite(keys).values, *self.finite(queries).values):
                numbers.setdefault(value, len(numbers))
            base = len(numbers) if len(numbers) <= DIGITS else isqrt(len(numbers)) + 1
            digits = [{value: n % base for value, n in numbers.items()}]
            if base < len(numbers):
                digits.append({value: n // base for value, n in numbers.items()})
            self._ranks[key] = tuple(
                (Elementwise("map", (keys,), host), Elementwise("map", (queries,), host))
                for host in (HostFunction(digit.__getitem__, "number of") for digit in digits)
            )
        found: tuple[tuple[SOpNode, SOpNode], ...] = self._ranks[key]
        return found

    def facts(self, selector: SelectorNode) -> Facts:
        """Return what is certain of the rows of a selector."""
        found = self._facts.get(selector.digest)
        if found is None:
            found = facts_of(
                selector,
                causal=self.setting.causal,
                injective=self.injective,
                within=self._within,
            )
            self._facts[selector.digest] = found
        return found

    def injective(self, node: SOpNode) -> bool:
        """Return whether an s-op certainly has another value at every position."""
        table = self.table(node)
        if table is None or table.axes != (Indices().digest,):
            return False
        used = table.codes[table.codes >= 0]
        return len(set(used.tolist())) == len(used)

    def _within(self, node: SOpNode) -> bool:
        """Return whether an s-op is, in every row, a position that the row sees.

        It is computed as a function of position and length, if it is one.
        """
        table = self.table(node) if self.tabular(node) else None
        if table is None or any(type(value) is not int for value in table.values):
            return False
        axes = [axis for axis in table.axes if axis != Indices().digest]
        if len(axes) > 1 or (axes and axes[0] not in self._lengths):
            return False
        n = self.setting.length
        found = np.array([*table.values, -1])[table.codes]
        if axes:
            along = table.axes.index(axes[0])
            found = np.moveaxis(found, along, 0)  # by length, then position
            found = np.broadcast_to(found.reshape(n, -1), (n, n))
        else:
            found = np.broadcast_to(found.reshape(1, -1), (1, n))
        position = np.arange(n)
        last = position if self.setting.causal or not axes else np.arange(n)[:, None]
        inside = (found >= 0) & (found <= last)
        return bool(inside.all() if not axes else inside[position <= np.arange(n)[:, None]].all())

    def leaf(self, node: SOpNode) -> Leaf:
        """Return a head, the symbol or the position as a leaf of :func:`cells_of`."""
        found = self.domain(node)
        if isinstance(found, Finite):
            return Leaf(node, values=found.values, rows=self.rows(node))
        if isinstance(found, Means):
            return Leaf(node, means=found)
        raise NotHere("its values lie too near to one another for arithmetic")

    def rows(self, node: SOpNode) -> tuple[int | None, ...] | None:
        """Return the only position of each value of a function of the position."""
        table = self.table(node)
        if table is None or table.axes != (Indices().digest,):
            return None
        found: list[list[int]] = [[] for _ in table.values]
        for position, code in enumerate(table.codes.tolist()):
            if code >= 0:
                found[code].append(position)
        return tuple(places[0] if len(places) == 1 else None for places in found)

    def _infer(self, node: SOpNode) -> Domain:
        match node:
            case Tokens():
                return self._tokens(node)
            case Indices():
                return self._kept(node, leaf(node.digest, range(self.setting.length)))
            case Constant():
                return self._kept(node, constant(node.value))
            case Width():
                most = 1 if self.facts(node.selector).single else self.setting.length
                least = 1 if self.facts(node.selector).filled else 0
                return self._kept(node, leaf(node.digest, range(least, most + 1)))
            case Aggregate():
                found = self._aggregate(node)
                if isinstance(found, Finite):
                    self._tables[node.digest] = leaf(node.digest, found.values)
                return found
            case Elementwise():
                return self._elementwise(node)
        raise AssertionError(f"unknown s-op {node!r}")

    def _kept(self, node: SOpNode, table: Table) -> Finite:
        self._tables[node.digest] = table
        return Finite(table.values)

    def _tokens(self, node: Tokens) -> Domain:
        table = leaf(SYMBOL.digest, self.setting.symbols)
        if node.cast == "asis":
            return self._kept(node, table)
        found = combine(node.cast, _CASTS[node.cast], [table])
        if not found.values:
            raise NotHere(f"no symbol of the vocabulary can be cast to {node.cast}")
        return self._kept(node, found)

    def _aggregate(self, node: Aggregate) -> Domain:
        facts = self.facts(node.selector)
        own = self.domain(node.values)
        if node.values.digest in AT_FIRST_DIGESTS and isinstance(node.selector, FirstElseRest):
            return Finite((0, 1))
        if node.values.digest in AT_FIRST_DIGESTS and selects_first(node.selector):
            if facts.single:
                return Finite((1,))
            if facts.everything:
                self._lengths.add(node.digest)  # its values are 1, 1/2, .. in this order
            return Finite(tuple(Fraction(1, n) for n in range(1, self.setting.length + 1)))
        default = () if facts.filled or node.default == NOTHING else (node.default,)
        if isinstance(own, Finite):
            if facts.single or not own.averageable:
                return distinct((*own.values, *default))
            if len(set(own.exact)) == 1:
                return distinct((Fraction(own.values[0]), *default))
        elif facts.single:
            if not default:
                return own
            if isinstance(own, Means) and is_number(node.default):
                return with_default(own, exactly(node.default))
        if default and not is_number(node.default):
            raise NotHere(f"a mean of numbers with the default {node.default!r}, no number")
        if facts.everything or facts.prefix:
            table = self.table(node.values)
            if table is not None and table.axes in ((), (Indices().digest,)):
                return self._prefix_means(table)
        grid = self._grid(own, node.selector, facts)
        if default and isinstance(grid, Means):
            return with_default(grid, exactly(node.default))
        if default:
            low, high = grid.bounds
            value = exactly(node.default)
            return Interval(min(low, value), max(high, value), isinstance(node.default, float))
        return grid

    def _prefix_means(self, table: Table) -> Domain:
        values = [*map(Fraction, table.values), Fraction(0)]  # the last for what is undefined
        codes = np.broadcast_to(table.codes, (self.setting.length,))
        exact = [values[code] for code in codes.tolist()]
        return distinct(total / n for n, total in enumerate(accumulate(exact), 1))

    def _grid(self, own: Domain, selector: SelectorNode, facts: Facts) -> Means | Interval:
        n = self.setting.length
        if isinstance(own, Finite):
            low, high = own.bounds
            unit = common_unit([value - low for value in own.exact])
            inexact = any(isinstance(value, float) for value in own.values)
            return Means(low, high, unit, low, n, selector.digest, facts.prefix, inexact)
        if isinstance(own, Means):
            most = lcm(*range(1, own.most + 1)) * n if own.most <= 16 else 1 << 60
            if most <= 1 << 20:
                return Means(
                    own.low,
                    own.high,
                    own.unit,
                    own.offset,
                    most,
                    selector.digest,
                    False,
                    own.inexact,
                )
        return Interval(*own.bounds, own.inexact)

    def _elementwise(self, node: Elementwise) -> Domain:
        if not self.tabular(node):
            if node.op != "if" and any(self._rounded(arg) for arg in node.args):
                raise NotHere("arithmetic on means of floats, which the language rounds")
            return self._of_means(node)
        function = operation(node.op, node.param, exact=True)
        domains = [self.finite(arg) for arg in node.args]
        tables = [self._tables.get(arg.digest) for arg in node.args]
        try:
            known = [table for table in tables if table is not None]
            if len(known) < len(tables):
                raise NotHere("an argument is no table")
            return listed(self._kept(node, combine(node.op, function, known)))
        except NotHere:
            found = range_of(node.op, domains)
            if found is None:
                parts = [
                    leaf(arg.digest, d.values) for arg, d in zip(node.args, domains, strict=True)
                ]
                found = Finite(combine(node.op, function, parts).values)
            self._tables[node.digest] = None
            return listed(found)

    def _rounded(self, node: SOpNode) -> bool:
        """Return whether a mean of floats is below a node; its own domain is not asked for."""
        if isinstance(node, Elementwise):
            if node.digest not in self._roundeds:
                self._roundeds[node.digest] = any(map(self._rounded, node.args))
            return self._roundeds[node.digest]
        if not isinstance(node, Aggregate):
            return False
        found = self.domain(node)
        return not isinstance(found, Finite) and found.inexact

    def tabular(self, node: SOpNode) -> bool:
        """Return whether what the node is computed from takes few values."""
        found = self._tabulars.get(node.digest)
        if found is None:
            if isinstance(node, Elementwise):
                found = all(self.tabular(arg) for arg in node.args)
            else:
                found = isinstance(self.domain(node), Finite)
            self._tabulars[node.digest] = found
        return found

    def _of_means(self, node: Elementwise) -> Domain:
        try:
            return joined(self.cells(node, self._bases(node)))
        except NotHere:
            pass  # the arguments on their own may do
        try:
            return joined(self.cells(node, {a.digest: self.leaf(a) for a in node.args}))
        except NotHere:
            ranged = interval_of(node.op, [self.domain(arg) for arg in node.args])
            if ranged is None:
                raise
            return ranged

    def _bases(self, node: SOpNode) -> dict[int, Leaf]:
        found: dict[int, Leaf] = {}
        stack: list[SOpNode] = [node]
        seen: set[int] = set()
        while stack:
            part = stack.pop()
            if part.digest in seen:
                continue
            seen.add(part.digest)
            if isinstance(part, Elementwise):
                stack.extend(part.args)
            elif not isinstance(part, Constant):
                found[part.digest] = self.leaf(part)
        return found
