"""The columnar engine: a batch of inputs of any lengths, or one long input.

Selectors are never built where their structure answers (:mod:`rasp.evaluate.structured`); short
inputs are cheaper as matrices (:mod:`rasp.evaluate.dense`).  What a row selects is summed up by
its count, the sum of the selected positions (which is *the* position when the count is one), and
the sum of their values.

Main definitions: :class:`ColumnarEvaluation`.
"""

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import pairwise
from math import lcm
from operator import attrgetter
from typing import Any, final

import numpy as np

from rasp.errors import EvaluationError, RaspError
from rasp.evaluate.bestkey import best_block, best_keys
from rasp.evaluate.codes import joint_codes
from rasp.evaluate.columns import (
    BOOL,
    DOUBLE,
    FLOAT,
    FRACTION,
    SAFE,
    Column,
    Ints,
    column_of,
    integers,
)
from rasp.evaluate.dense import Matrix, dense_rows
from rasp.evaluate.direct import DirectEvaluation
from rasp.evaluate.layout import Layout
from rasp.evaluate.structured import PairCodes, Weights, conjunction_sums, few_buckets
from rasp.evaluate.terms import Expansion, Pair, expand
from rasp.evaluate.vector import apply, choose
from rasp.graph import (
    Aggregate,
    Best,
    Constant,
    Elementwise,
    Indices,
    Node,
    Select,
    SelectorNode,
    SOpNode,
    Tokens,
    Width,
    ancestors,
    selector_nodes,
)
from rasp.sequences import sequence_kind, show_python

MOST_TERMS = 48
"""Expansions with more terms are evaluated as matrices."""

BUCKETS_SAVE = 5
"""How much cheaper a conjunction is if it needs no sorting."""

_CASTS: dict[str, Any] = {"str": str, "int": int, "float": float, "bool": bool}


class UnorderedError(EvaluationError):
    """NaN was compared: only the direct engine, pair by pair, says what comes of it."""


@final
class ColumnarEvaluation:
    """All values of a batch of inputs, computed on demand and kept.

    Parameters
    ----------
    inputs
        Non-empty inputs.
    exact
        Means and quotients as fractions; otherwise floats.
    step_cost
        Cost of using structure, per position and term, in cells of a matrix; 0 to use it always.

    Notes
    -----
    Deterministic.  With ``n`` positions in all: elementwise O(n), structured selectors
    O(n log n) or O(n log² n), others O(sum of squared lengths) time in constant memory.

    Examples
    --------
    >>> from rasp import select, selector_width, tokens
    >>> hist = selector_width(select(tokens, tokens, "==")).node
    >>> ColumnarEvaluation(["aab", "b"]).batch(hist)
    [[2, 2, 1], [1]]
    """

    def __init__(
        self, inputs: Sequence[Sequence[Any]], *, exact: bool = True, step_cost: int = 150
    ) -> None:
        self.layout = Layout.of(inputs)
        self.exact = exact
        self._step_cost = step_cost
        self._tokens = [token for values in inputs for token in values]
        self._known: dict[int, Column] = {}
        self._codes: dict[tuple[Pair, bool], PairCodes | None] = {}

    @property
    def n(self) -> int:
        """Number of positions in all."""
        return self.layout.size

    def column(self, node: SOpNode) -> Column:
        """Return the values of an s-op at all positions.

        Raises
        ------
        RaspError
            If some input fails; which one, the caller finds out by asking one at a time.
        """
        found = self._known.get(node.digest)
        if found is not None:
            return found
        for below in ancestors((node,), key=attrgetter("digest"), skip=self._known):
            if isinstance(below, SOpNode):
                try:
                    self._known[below.digest] = self._compute(below)
                except RaspError:
                    raise
                except (ArithmeticError, TypeError, ValueError) as error:
                    raise EvaluationError(str(error)) from None
        return self._known[node.digest]

    def batch(self, node: SOpNode) -> list[list[Any]]:
        """Return the values of an s-op, one list per input."""
        values = self.sequence(node)
        starts = self.layout.starts.tolist()
        return [values[a:b] for a, b in pairwise(starts)]

    def sequence(self, node: SOpNode) -> list[Any]:
        """Return the values of an s-op at all positions."""
        try:
            return self.column(node).values()
        except UnorderedError:
            return [value for one in self._direct() for value in one.sequence(node)]

    def rows(self, node: SelectorNode) -> list[int]:
        """Return one bit mask of keys per query, bit 0 the first key of its input."""
        try:
            return self._rows(node)
        except UnorderedError:
            return [row for one in self._direct() for row in one.rows(node)]

    def blocks(self, node: SelectorNode) -> Iterator[tuple[Ints, Ints, Matrix]]:
        """Yield the matrix of a selector, inputs of equal length together.

        Yields
        ------
        tuple
            As :func:`rasp.evaluate.dense.dense_rows`: queries, keys and matrix.

        Raises
        ------
        RaspError
            If some input fails, or compares NaN.
        """
        yield from self._blocks(node)

    def _direct(self) -> Iterator[DirectEvaluation]:
        for a, b in pairwise(self.layout.starts.tolist()):
            yield DirectEvaluation(self._tokens[a:b], exact=self.exact)

    def _rows(self, node: SelectorNode) -> list[int]:
        rows = [0] * self.n
        for queries, _, block in self._blocks(node):
            packed = np.packbits(block, axis=-1, bitorder="little")
            for where, bits in zip(
                queries.ravel().tolist(), packed.reshape(-1, packed.shape[-1]), strict=True
            ):
                rows[where] = int.from_bytes(bits.tobytes(), "little")
        return rows

    def _compute(self, node: Node) -> Column:
        known = self._known
        match node:
            case Elementwise():
                args = [known[a.digest] for a in node.args] or [integers(self.layout.position)]
                column = apply(node.op, node.param, args, exact=self.exact)
                return self._checked(column)
            case Constant():
                return column_of([node.value]).take(np.zeros(self.n, np.int64))
            case Indices():
                return integers(self.layout.position)
            case Tokens():
                cast = _CASTS.get(node.cast)
                return self._checked(
                    column_of(list(map(cast, self._tokens)) if cast else self._tokens)
                )
            case Width():
                count = self._sums(node.selector, np.ones((self.n, 1), np.int64))
                return integers(count[:, 0])
            case Aggregate():
                return self._checked(self._aggregate(node))
        raise AssertionError(f"unknown node {node!r}")

    def _checked(self, column: Column) -> Column:
        if column.kind == "object":
            starts = self.layout.starts
            for a, b in pairwise(starts):
                sequence_kind(list(column.num[a:b]))
        return column

    def _pair(self, pair: Pair, nodes: tuple[SOpNode, SOpNode], ordered: bool) -> PairCodes | None:
        if (pair, ordered) not in self._codes:
            keys, queries = self.column(nodes[0]), self.column(nodes[1])
            codes = joint_codes(keys, queries, "<" if ordered else "==")
            self._codes[pair, ordered] = None if codes is None else PairCodes.of(*codes)
        return self._codes[pair, ordered]

    def pairs(self, expansion: Expansion) -> dict[Pair, PairCodes]:
        """Return the codes of every pair that an expansion compares."""
        found: dict[Pair, PairCodes] = {}
        for pair, nodes in expansion.nodes.items():
            codes = self._pair(pair, nodes, pair in expansion.ordered)
            if codes is None:
                raise UnorderedError("NaN has no place in an order")
            found[pair] = codes
        return found

    def _sums(self, selector: SelectorNode, weights: Weights) -> Weights:
        """Return, per query, the sums of key weights over what ``selector`` selects."""
        expansion = expand(selector, MOST_TERMS)
        if expansion is not None:
            pairs = self.pairs(expansion)
            steps = self._steps(expansion, pairs)
            if self.layout.cells * (2 + len(pairs)) > steps:
                total = np.zeros((self.n, weights.shape[1]), np.int64)
                for term, coefficient in expansion.terms.items():
                    part = conjunction_sums(term, pairs, weights, self.layout)
                    if part is None:
                        break
                    total += coefficient * part
                else:
                    return total
        chosen = best_keys(selector, self)
        if chosen is not None:
            return np.where((chosen >= 0)[:, None], weights[chosen], 0)
        total = np.zeros((self.n, weights.shape[1]), np.int64)
        small = int(np.abs(weights).max(initial=0)) * max(self.layout.lengths) < 1 << 24
        real = np.float32 if small else np.float64
        reals = weights.astype(real)
        for queries, keys, block in self._blocks(selector):
            sums = block.astype(real) @ reals[keys]
            total[queries] = np.rint(sums).astype(np.int64)
        return total

    def _steps(self, expansion: Expansion, pairs: dict[Pair, PairCodes]) -> int:
        """Return what using structure costs, in cells of a matrix."""
        each = 0
        for term in expansion.terms:
            cheap = few_buckets(term, pairs, self.layout)
            each += self._step_cost // BUCKETS_SAVE if cheap else self._step_cost
        return self.n * max(each, min(self._step_cost, 1))

    def _blocks(self, selector: SelectorNode) -> Any:
        pairs: dict[Pair, PairCodes] = {}
        for node in selector_nodes(selector):
            if isinstance(node, Select):
                pair = (node.keys.digest, node.queries.digest)
                ordered = node.op not in ("==", "!=")
                codes = self._pair(pair, (node.keys, node.queries), ordered)
                if codes is None:
                    raise UnorderedError("NaN has no place in an order")
                if pair not in pairs or ordered:
                    pairs[pair] = codes

        def best(node: Best, block: Matrix, queries: Ints, keys: Ints) -> Matrix:
            return best_block(node, block, queries, keys, self)

        return dense_rows(selector, self.layout, pairs, best)

    def _aggregate(self, node: Aggregate) -> Column:
        values = self.column(node.values)
        scaled, scale = _scaled(values, max(self.layout.lengths))
        weights = np.ones((self.n, 3 if scaled is not None else 2), np.int64)
        weights[:, 1] = self.layout.position
        if scaled is not None:
            weights[:, 2] = scaled
        sums = self._sums(node.selector, weights)
        count = sums[:, 0]
        one, many = count == 1, count > 1
        where = np.where(one, sums[:, 1] + self.layout.starts[self.layout.segment], 0)
        if many.any():
            self._refuse(values, many)
        kept = values.take(where)
        if not many.any():
            return self._with_default(kept, one, node.default)
        if scaled is None or (values.den is not None and not self.exact):
            return self._slow(node, values)
        total, size = sums[:, 2], np.where(many, count, 1)
        if self.exact:
            divisor = np.gcd(total, size * scale)
            num = np.where(one, kept.num, np.where(many, total // divisor, 0))
            den = np.where(many, (size * scale) // divisor, 1)
            if kept.den is not None:
                den = np.where(one, kept.den, den)
            tags = np.where(many, FRACTION, kept.tags())
            bound = int(max(np.abs(num).max(), den.max()))
            means = Column("exact", num, den, tags, (), bound)
        else:
            doubles = np.where(one, kept.num.astype(np.float64), total * 1.0 / size)
            tags = np.where(many, FLOAT, kept.tags())
            means = Column("float", doubles, None, tags)
        return self._with_default(means, count > 0, node.default)

    def _with_default(self, column: Column, found: Matrix, default: object) -> Column:
        if found.all():
            return column
        other = column_of([default]).take(np.zeros(self.n, np.int64))
        return choose(found, column, other)

    def _refuse(self, values: Column, many: Matrix) -> None:
        """Raise unless every input that averages holds numbers, and not only Booleans."""
        numeric = values.kind in ("exact", "float")
        if numeric and isinstance(values.tag, int) and values.tag != BOOL:
            return
        segments = np.unique(self.layout.segment[many])
        if numeric:
            plain = values.tags() == BOOL
            all_plain = np.bitwise_and.reduceat(plain, self.layout.starts[:-1])
            bad = segments[all_plain[segments]]
        elif values.kind == "text":
            bad = segments
        else:
            return  # object columns are averaged one by one, with the check
        if len(bad):
            start, stop = self.layout.starts[bad[0]], self.layout.starts[bad[0] + 1]
            shown = show_python(values.take(np.arange(start, stop)).values())
            raise EvaluationError(
                f"asked to average multiple values, but they are non-numbers: {shown}"
            )

    def _slow(self, node: Aggregate, values: Column) -> Column:
        """Average what has no exact machine integers: doubles, huge integers, mixtures."""
        atoms = np.empty(self.n, object)
        atoms[:] = values.values()
        out: list[Any] = [node.default] * self.n
        averager = DirectEvaluation([0], exact=self.exact)
        for queries, keys, block in self._blocks(node.selector):
            for b in range(len(queries)):
                mine = list(atoms[keys[b]])
                masks = [
                    int.from_bytes(np.packbits(row, bitorder="little").tobytes(), "little")
                    for row in block[b]
                ]
                for where, value in zip(
                    queries[b].tolist(), averager.aggregate(masks, mine, node.default), strict=True
                ):
                    out[where] = value
        return column_of(out)


def _scaled(values: Column, longest: int) -> tuple[Ints | None, int]:
    """Return integers and what they were multiplied by, or ``None`` if sums might overflow."""
    if values.kind != "exact":
        return None, 1
    if values.den is None:
        return (values.num, 1) if values.bound * longest < DOUBLE else (None, 1)
    scale = reduce(lcm, np.unique(values.den).tolist(), 1)
    if scale * max(values.bound, 1) * longest >= DOUBLE or scale * longest >= SAFE:
        return None, 1
    return values.num * (scale // values.den), scale
