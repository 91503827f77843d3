"""Evaluate again after appending a token, computing only what changes.

Every node keeps its values or rows.  Appending adds one position; an old value is computed anew
only if something it reads has changed.  Under a causal selector nothing old changes and a token
costs O(n) per node; where old rows do select the new key, only those are computed again.

Main definitions: :class:`IncrementalEvaluation`, :func:`decode`.
"""

from collections.abc import Callable, Sequence
from typing import Any, final

from rasp.errors import EvaluationError, LimitError, RaspError
from rasp.evaluate.direct import DirectEvaluation
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
    SOpNode,
    Tokens,
    Width,
    evaluation_order,
)
from rasp.operations import operation
from rasp.sequences import sequence_kind
from rasp.sops import SOp

Positions = set[int]
_CASTS: dict[str, Callable[[Any], Any]] = {
    "str": str,
    "int": int,
    "float": float,
    "bool": bool,
    "asis": lambda token: token,
}


@final
class IncrementalEvaluation:
    """The values of one program on an input that grows.

    Parameters
    ----------
    root
        The program.
    exact
        Means as fractions or as floats.

    Attributes
    ----------
    recomputed
        How many old values and rows the last :meth:`append` computed again.

    Examples
    --------
    >>> from rasp import aggregate, indices, select
    >>> so_far = aggregate(select(indices, indices, "<="), indices)
    >>> growing = IncrementalEvaluation(so_far.node)
    >>> for token in "abc":
    ...     growing.append(token)
    >>> growing.values, growing.recomputed
    ([0, Fraction(1, 2), Fraction(1, 1)], 0)
    """

    def __init__(self, root: SOpNode, *, exact: bool = True) -> None:
        self._order = evaluation_order(root)
        self._root = root
        self._exact = exact
        self._kept: dict[int, list[Any]] = {node.digest: [] for node in self._order}
        self._averager = DirectEvaluation([0], exact=exact)
        self.n = 0
        self.recomputed = 0

    @property
    def values(self) -> list[Any]:
        """The program's values so far."""
        return list(self._kept[self._root.digest])

    def append(self, token: Any) -> None:
        """Take one more token.

        Raises
        ------
        RaspError
            If the program fails on the longer input; the evaluation is then of no more use.
        """
        self.n += 1
        self.recomputed = 0
        changed: dict[int, Positions] = {}
        for node in self._order:
            try:
                changed[node.digest] = self._extend(node, token, changed)
            except RaspError:
                raise
            except (ArithmeticError, TypeError, ValueError) as error:
                raise EvaluationError(str(error)) from None

    def _extend(self, node: Node, token: Any, changed: dict[int, Positions]) -> Positions:
        kept, new = self._kept[node.digest], self.n - 1
        match node:
            case Tokens():
                kept.append(_CASTS[node.cast](token))
                if node.cast == "asis":
                    sequence_kind(kept)
                return set()
            case Indices():
                kept.append(new)
                return set()
            case Constant():
                kept.append(node.value)
                return set()
        stale = self._stale(node, changed)
        self.recomputed += len(stale)
        compute = self._computer(node)
        altered = set()
        for position in sorted(stale):
            value = compute(position)
            if value != kept[position] or type(value) is not type(kept[position]):
                altered.add(position)
                kept[position] = value
        kept.append(compute(new))
        if isinstance(node, (Elementwise, Aggregate)):
            sequence_kind(kept)
        return altered

    def _stale(self, node: Node, changed: dict[int, Positions]) -> Positions:
        """Return the old positions whose value or row may differ now."""
        new = self.n - 1
        own: Positions = set()
        match node:
            case Elementwise() | And() | Or() | Width():
                for parent in node.parents:
                    own |= changed[parent.digest]
            case Not():
                own = set(range(new))  # every row of a complement sees the new key
            case Select():
                if changed[node.keys.digest]:
                    return set(range(new))
                own = changed[node.queries.digest] | self._selecting(node, new)
            case Aggregate():
                own = set(changed[node.selector.digest])
                moved = sum(1 << position for position in changed[node.values.digest])
                if moved:
                    rows = self._kept[node.selector.digest]
                    own |= {i for i in range(new) if rows[i] & moved}
            case Best():
                if changed[node.keys.digest] or changed[node.queries.digest]:
                    return set(range(new))
                own = changed[node.inner.digest]
        return own

    def _selecting(self, node: Select, new: int) -> Positions:
        """Return the old queries that select the new key."""
        keys, queries = self._kept[node.keys.digest], self._kept[node.queries.digest]
        if isinstance(node.keys, Indices) and isinstance(node.queries, Indices):
            if node.op in ("==", "<", "<="):
                return set()  # the new index is greater than every old one
            return set(range(new))
        if not new:
            return set()
        rows = comparison_rows(keys[new:], queries[:new], node.op)
        return {i for i in range(new) if rows[i]}

    def _computer(self, node: Node) -> Callable[[int], Any]:
        kept = self._kept
        match node:
            case Elementwise():
                function = operation(node.op, node.param, exact=self._exact)
                columns = [kept[a.digest] for a in node.args]
                return lambda i: function(*(column[i] for column in columns))
            case Select():
                keys, queries = kept[node.keys.digest], kept[node.queries.digest]
                return lambda i: comparison_rows(keys, queries[i : i + 1], node.op)[0]
            case And():
                left, right = kept[node.left.digest], kept[node.right.digest]
                return lambda i: left[i] & right[i]
            case Or():
                left, right = kept[node.left.digest], kept[node.right.digest]
                return lambda i: left[i] | right[i]
            case Not():
                inner, full = kept[node.inner.digest], (1 << self.n) - 1
                return lambda i: full ^ inner[i]
            case Width():
                rows = kept[node.selector.digest]
                return lambda i: rows[i].bit_count()
            case Aggregate():
                rows, values = kept[node.selector.digest], kept[node.values.digest]
                averager, default = self._averager, node.default
                return lambda i: averager.aggregate(rows[i : i + 1], values, default)[0]
            case Best():
                rows, keys = kept[node.inner.digest], kept[node.keys.digest]
                queries = kept[node.queries.digest]
                return lambda i: best_rows(rows[i : i + 1], keys, queries[i : i + 1], node.op)[0]
        raise AssertionError(f"unknown node {node!r}")


def decode(
    program: SOp,
    prompt: Sequence[Any],
    *,
    stop: Any = None,
    limit: int = 1000,
    exact: bool = True,
) -> list[Any]:
    """Append the program's last value to the input until it says to stop.

    Parameters
    ----------
    program
        An s-op whose value at the last position is the next token.
    prompt
        Tokens to begin with, at least one.
    stop
        Token that ends decoding and is not returned, or a function of the tokens so far
        (prompt included) that says whether to end.
    limit
        Most tokens to produce.
    exact
        How to evaluate.

    Returns
    -------
    list
        The tokens after the prompt.

    Raises
    ------
    LimitError
        If ``limit`` tokens did not end it.
    RaspError
        If the program fails.

    Notes
    -----
    Deterministic.  A token costs O(n) per node under causal selectors.

    Examples
    --------
    >>> from rasp import length, where
    >>> decode(where(length < 5, "a", "."), "xy", stop=".")
    ['a', 'a', 'a']
    """
    if not len(prompt):
        raise EvaluationError("decoding needs a prompt of at least one token")
    growing = IncrementalEvaluation(program.node, exact=exact)
    tokens = []
    for token in prompt:
        growing.append(token)
        tokens.append(token)
    for _ in range(limit):
        following = growing.values[-1]
        if callable(stop):
            tokens.append(following)
            if stop(tokens):
                return tokens[len(prompt) :]
        elif stop is not None and following == stop:
            return tokens[len(prompt) :]
        else:
            tokens.append(following)
        growing.append(following)
    raise LimitError(f"decoding did not stop within {limit} tokens")
