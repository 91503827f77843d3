"""The direct engine: one short input, Python atoms, selectors as one bit mask per row.

It is the definition of what a program means; the columnar engine is tested against it.  A row of
a selector is an integer whose bit ``j`` says whether key ``j`` is selected, so Boolean
combinations are single operations and a comparison costs one table look-up per query.

Main definitions: :class:`DirectEvaluation`.

References
----------
Weiss, Goldberg & Yahav (2021), section 3 [weiss2021].
"""

import operator
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import compress
from operator import attrgetter
from typing import Any, final

from rasp.errors import EvaluationError, LimitError, RaspError, SequenceTypeError
from rasp.evaluate.masks import best_rows, comparison_rows
from rasp.evaluate.sums import Known, Later, Means, comparison_sums, single_comparison
from rasp.graph import (
    Aggregate,
    And,
    Best,
    Constant,
    Elementwise,
    Indices,
    Node,
    Not,
    Or,
    Select,
    SelectorNode,
    SOpNode,
    Tokens,
    Width,
    ancestors,
    evaluation_order,
)
from rasp.operations import operation
from rasp.sequences import averageable, sequence_kind, show_python

_CASTS: dict[str, Callable[[Any], Any]] = {"str": str, "int": int, "float": float, "bool": bool}
_PLAIN = (frozenset({int}), frozenset({bool}), frozenset({str}), frozenset({float}))


_TRUTH: dict[str, Callable[..., Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_WHOLE: dict[str, Callable[..., Any]] = {
    **_TRUTH,
    "+": operator.add,
    "-": operator.sub,
    "%": operator.mod,
    "neg": operator.neg,
}
"""Operations that give integers or Booleans on integers, with no type to check and no guard."""

MOST_BITS = 200_000
"""Most bits that the denominators under one mean may have together."""

_INTEGERS = frozenset({int})
_NUMBERS = (int, bool, float, Fraction)


@final
class DirectEvaluation:
    """All values of one input, computed on demand and kept.

    Parameters
    ----------
    values
        The input, a non-empty sequence of atoms (a string is a sequence of characters).
    exact
        Means and quotients as fractions; otherwise floats, summed from left to right.

    Notes
    -----
    Deterministic.  A node costs O(n) Python steps, an aggregate O(n) per distinct row.

    Examples
    --------
    >>> from rasp.graph import Indices, Select, Aggregate, Constant, Tokens
    >>> last = Select(Indices(), Constant(4), "==")
    >>> DirectEvaluation("hello").sequence(Aggregate(last, Tokens()))
    ['o', 'o', 'o', 'o', 'o']
    """

    def __init__(self, values: Sequence[Any], *, exact: bool = True) -> None:
        self.input = list(values)
        if not self.input:
            raise SequenceTypeError(
                f"RASP sequences/selectors expect non-empty iterables, got: {values}"
            )
        self.n = len(self.input)
        self.exact = exact
        self._known = Known()
        self._means: dict[int, Means] = {}
        self._whole: set[int] = set()  # digests of what has integers only

    def sequence(self, node: SOpNode) -> list[Any]:
        """Return the ``n`` values of an s-op; the list is shared, do not change it.

        Raises
        ------
        EvaluationError
            If arithmetic fails; :class:`~rasp.errors.RejectedError` if types do.
        """
        return self._value(node)

    def rows(self, node: SelectorNode) -> list[int]:
        """Return one bit mask per query; bit ``j`` is key ``j``."""
        return self._value(node)

    def _value(self, root: Node) -> list[Any]:
        known = self._known
        found = known.get(root.digest)
        if found is not None:
            return found
        order = (
            ancestors((root,), key=attrgetter("digest"), skip=known)
            if known
            else evaluation_order(root)
        )
        for node in order:
            try:
                values = _HANDLERS[type(node)](self, node)
                if type(values) is Later:
                    known.later[node.digest] = values
                else:
                    known[node.digest] = values
            except (ArithmeticError, TypeError) as error:
                raise EvaluationError(str(error)) from None
            except ValueError as error:
                if isinstance(error, RaspError):
                    raise
                raise EvaluationError(str(error)) from None
        return known[root.digest]

    def _elementwise(self, node: Elementwise) -> list[Any]:
        known, whole = self._known, self._whole
        if node.op == "round" and node.args[0].digest in self._means:
            whole.add(node.digest)
            return self._means[node.args[0].digest].rounded()
        columns = [known[a.digest] for a in node.args]
        function = _WHOLE.get(node.op)
        if function is not None:
            for argument in node.args:
                if argument.digest not in whole:
                    break
            else:
                if node.op not in _TRUTH:
                    whole.add(node.digest)
                return list(map(function, *columns))
        if node.op == "if" and node.args[1].digest in whole and node.args[2].digest in whole:
            whole.add(node.digest)
            return [a if condition else b for condition, a, b in zip(*columns, strict=True)]
        function = operation(node.op, node.param, exact=self.exact)
        if not columns:
            return self._checked([function() for _ in range(self.n)])
        if len(columns) == 1 and node.op != "map":
            # rows that select the same positions share one mean: no need to do it again
            shared = {id(value): value for value in columns[0]}
            results = {key: function(value) for key, value in shared.items()}
            values = [results[id(value)] for value in columns[0]]
        else:
            values = list(map(function, *columns))
        types = frozenset(map(type, values))
        if types == _INTEGERS:
            whole.add(node.digest)
        elif types not in _PLAIN:
            sequence_kind(values)
        return values

    def _aggregate(self, node: Aggregate) -> list[Any] | Later:
        known = self._known
        whole = node.values.digest in self._whole
        if whole and type(node.default) in _NUMBERS:
            select = single_comparison(node.selector, known.later, self._whole)
            if select is not None:
                queries, values = known[select.queries.digest], known[node.values.digest]
                sums = comparison_sums(known[select.keys.digest], queries, select.op, values)
                self._means[node.digest] = Means(queries, sums, node.default, self.exact)
                return Later(self._means[node.digest].values)
        rows, values = known[node.selector.digest], known[node.values.digest]
        return self._checked(self.aggregate(rows, values, node.default, whole=whole))

    def _select(self, node: Select) -> list[int] | Later:
        keys, queries = self._known[node.keys.digest], self._known[node.queries.digest]
        if node.keys.digest in self._whole and node.queries.digest in self._whole:
            return Later(lambda: comparison_rows(keys, queries, node.op, total=True))
        return comparison_rows(keys, queries, node.op)

    def _and(self, node: And) -> list[int]:
        known = self._known
        return list(map(operator.and_, known[node.left.digest], known[node.right.digest]))

    def _or(self, node: Or) -> list[int]:
        known = self._known
        return list(map(operator.or_, known[node.left.digest], known[node.right.digest]))

    def _not(self, node: Not) -> list[int]:
        full = (1 << self.n) - 1
        return [full ^ mask for mask in self._known[node.inner.digest]]

    def _width(self, node: Width) -> list[int]:
        known = self._known
        self._whole.add(node.digest)
        select = single_comparison(node.selector, known.later, self._whole)
        if select is not None:
            keys, queries = known[select.keys.digest], known[select.queries.digest]
            sums = comparison_sums(keys, queries, select.op, keys)
            return [sums[query][1] for query in queries]
        return [mask.bit_count() for mask in known[node.selector.digest]]

    def _constant(self, node: Constant) -> list[Any]:
        if type(node.value) is int:
            self._whole.add(node.digest)
        return [node.value] * self.n  # an operand; what comes of it is checked

    def _indices(self, node: Indices) -> list[int]:
        self._whole.add(node.digest)
        return list(range(self.n))

    def _tokens(self, node: Tokens) -> list[Any]:
        if node.cast == "asis":
            return self._checked(list(self.input))
        return list(map(_CASTS[node.cast], self.input))

    def _best(self, node: Best) -> list[int]:
        known = self._known
        keys, queries = known[node.keys.digest], known[node.queries.digest]
        return best_rows(known[node.inner.digest], keys, queries, node.op)

    @staticmethod
    def _checked(values: list[Any]) -> list[Any]:
        if frozenset(map(type, values)) not in _PLAIN:
            sequence_kind(values)
        return values

    def aggregate(
        self, rows: list[int], values: list[Any], default: object, *, whole: bool = False
    ) -> list[Any]:
        """Return what the rows of a selector make of values: defaults, values, means.

        ``whole`` says that all values are integers, which else has to be looked for.
        """
        means: dict[int, Any] = {}
        several: list[int] = []
        for mask in set(rows):
            if mask & (mask - 1):
                several.append(mask)
            else:
                means[mask] = values[mask.bit_length() - 1] if mask else default
        if several:
            if not (whole or averageable(values)):
                raise EvaluationError(
                    "asked to average multiple values, but they are non-numbers: "
                    + show_python(values)
                )
            if whole:
                self._whole_means(several, values, means)
            else:
                whole = float not in set(map(type, values))
                for mask in several:
                    chosen = list(compress(values, map(int, reversed(f"{mask:b}"))))
                    means[mask] = self._mean(chosen, whole)
        return [means[mask] for mask in rows]

    def _whole_means(self, masks: list[int], values: list[Any], means: dict[int, Any]) -> None:
        """Enter the mean of the integers under each mask; orders select ever more positions."""
        masks.sort(key=int.bit_count)
        before = total = 0
        for mask in masks:
            fresh = mask & ~before
            if before & ~mask:  # not a growing chain: start again
                total, fresh = 0, mask
            while fresh:
                bit = fresh & -fresh
                total += values[bit.bit_length() - 1]
                fresh ^= bit
            before = mask
            means[mask] = self._quotient(total, mask.bit_count())

    def _quotient(self, total: Any, count: int) -> Any:
        return Fraction(total, count) if self.exact else total * 1.0 / count

    def _mean(self, chosen: list[Any], whole: bool) -> Any:
        if whole:
            bits = sum(value.denominator.bit_length() for value in chosen)
            if bits > MOST_BITS:
                raise LimitError(
                    f"a mean of fractions of {bits} bits: floats would do (--compat floats)"
                )
            return self._quotient(sum(chosen), len(chosen))
        if self.exact:
            return exact_mean(chosen)
        total = 0
        for value in chosen:  # left to right: newer built-in sums compensate, the model does not
            total = total + value
        return total * 1.0 / len(chosen)


def exact_mean(chosen: Sequence[Any]) -> float:
    """Return the mean of numbers of which some are floats, rounded once.

    Examples
    --------
    >>> exact_mean([0.1] * 10)
    0.1
    """
    try:
        return float(sum(map(Fraction, chosen)) / len(chosen))
    except (ValueError, OverflowError):  # infinities and NaN have no exact value
        return sum(map(float, chosen)) / len(chosen)


_HANDLERS: dict[type, Callable[[DirectEvaluation, Any], list[Any] | Later]] = {
    Elementwise: DirectEvaluation._elementwise,
    Aggregate: DirectEvaluation._aggregate,
    Select: DirectEvaluation._select,
    And: DirectEvaluation._and,
    Or: DirectEvaluation._or,
    Not: DirectEvaluation._not,
    Width: DirectEvaluation._width,
    Constant: DirectEvaluation._constant,
    Indices: DirectEvaluation._indices,
    Tokens: DirectEvaluation._tokens,
    Best: DirectEvaluation._best,
}
