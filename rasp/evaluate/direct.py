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
from itertools import accumulate, compress
from operator import attrgetter
from typing import Any, final

from rasp.errors import EvaluationError, SequenceTypeError
from rasp.evaluate.masks import best_rows, comparison_rows
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
)
from rasp.operations import operation
from rasp.sequences import averageable, sequence_kind, show_python

_CASTS: dict[str, Callable[[Any], Any]] = {"str": str, "int": int, "float": float, "bool": bool}
_PLAIN = (frozenset({int}), frozenset({bool}), frozenset({str}), frozenset({float}))


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
        self._full = (1 << self.n) - 1
        self._known: dict[int, list[Any]] = {}

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
        for node in ancestors((root,), key=attrgetter("digest"), skip=known):
            try:
                known[node.digest] = self._compute(node)
            except (ArithmeticError, TypeError) as error:
                raise EvaluationError(str(error)) from None
            except ValueError as error:
                if isinstance(error, (EvaluationError, SequenceTypeError)):
                    raise
                raise _as_rasp_error(error) from None
        return known[root.digest]

    def _compute(self, node: Node) -> list[Any]:
        known = self._known
        match node:
            case Elementwise():
                function = operation(node.op, node.param, exact=self.exact)
                columns = [known[a.digest] for a in node.args]
                if not columns:
                    return self._checked([function() for _ in range(self.n)])
                return self._checked(list(map(function, *columns)))
            case Aggregate():
                return self._checked(
                    self.aggregate(
                        known[node.selector.digest], known[node.values.digest], node.default
                    )
                )
            case Select():
                keys, queries = known[node.keys.digest], known[node.queries.digest]
                return comparison_rows(keys, queries, node.op)
            case And():
                return list(map(operator.and_, known[node.left.digest], known[node.right.digest]))
            case Or():
                return list(map(operator.or_, known[node.left.digest], known[node.right.digest]))
            case Not():
                full = self._full
                return [full ^ mask for mask in known[node.inner.digest]]
            case Width():
                return [mask.bit_count() for mask in known[node.selector.digest]]
            case Constant():
                return [node.value] * self.n  # an operand; what comes of it is checked
            case Indices():
                return list(range(self.n))
            case Tokens():
                if node.cast == "asis":
                    return self._checked(list(self.input))
                return list(map(_CASTS[node.cast], self.input))
            case Best():
                keys, queries = known[node.keys.digest], known[node.queries.digest]
                return best_rows(known[node.inner.digest], keys, queries, node.op)
        raise AssertionError(f"unknown node {node!r}")

    @staticmethod
    def _checked(values: list[Any]) -> list[Any]:
        if frozenset(map(type, values)) not in _PLAIN:
            sequence_kind(values)
        return values

    def aggregate(self, rows: list[int], values: list[Any], default: object) -> list[Any]:
        """Return what the rows of a selector make of values: defaults, values, means."""
        means: dict[int, Any] = {0: default}
        prefix: list[Any] = []
        numeric = averageable(values)
        whole = numeric and not any(type(value) is float for value in values)
        out = []
        for mask in rows:
            if mask not in means:
                if not mask & (mask - 1):
                    means[mask] = values[mask.bit_length() - 1]
                elif not numeric:
                    raise EvaluationError(
                        "asked to average multiple values, but they are non-numbers: "
                        + show_python(values)
                    )
                elif whole and not mask & (mask + 1):  # a prefix, as causal masks are
                    prefix = prefix or list(accumulate(values))
                    means[mask] = self._quotient(prefix[mask.bit_length() - 1], mask.bit_count())
                else:
                    chosen = list(compress(values, map(int, reversed(f"{mask:b}"))))
                    means[mask] = self._mean(chosen, whole)
            out.append(means[mask])
        return out

    def _quotient(self, total: Any, count: int) -> Any:
        return Fraction(total, count) if self.exact else total * 1.0 / count

    def _mean(self, chosen: list[Any], whole: bool) -> Any:
        if whole:
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


def _as_rasp_error(error: ValueError) -> ValueError:
    from rasp.errors import RaspError

    return error if isinstance(error, RaspError) else EvaluationError(str(error))
