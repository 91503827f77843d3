"""Rows of selectors as bit masks: comparisons by table and by sorting, the best-scored key.

Main definitions: :func:`comparison_rows`, :func:`best_rows`.

References
----------
Weiss, Goldberg & Yahav (2021), section 3 [weiss2021].
"""

import operator
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate
from operator import ne
from typing import Any

_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    # queries come first, as in the model: it decides which operand an error message names first
    "==": lambda query, key: query == key,
    "!=": lambda query, key: query != key,
    "<": lambda query, key: query > key,
    "<=": lambda query, key: query >= key,
    ">": lambda query, key: query < key,
    ">=": lambda query, key: query <= key,
}
_SCORE: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
}


def compare(op: str, query: Any, key: Any) -> bool:
    """Return whether ``key op query``, raising what Python raises on the pair."""
    return bool(_COMPARE[op](query, key))


def comparison_rows(
    keys: Sequence[Any], queries: Sequence[Any], op: str, *, total: bool = False
) -> list[int]:
    """Return, per query, the mask of the keys with ``key op query``.

    ``total`` says that no value is NaN, which else has to be looked for.

    Raises
    ------
    TypeError
        If an order is asked of a string and a number.

    Examples
    --------
    >>> [f"{mask:03b}" for mask in comparison_rows([0, 1, 2], [0, 1, 2], "<=")]
    ['001', '011', '111']
    """
    if not total and (any(map(ne, keys, keys)) or any(map(ne, queries, queries))):
        return _pairwise(keys, queries, op)  # NaN has no place in a table or an order
    full = (1 << len(keys)) - 1
    by_value: dict[Any, int] = {}
    if op not in ("==", "!="):
        _COMPARE[op](queries[0], keys[0])  # sequences have one type: if any pair fails, this does
    for position, key in enumerate(keys):
        by_value[key] = by_value.get(key, 0) | (1 << position)
    if op == "==":
        return [by_value.get(query, 0) for query in queries]
    if op == "!=":
        return [full ^ by_value.get(query, 0) for query in queries]
    ranked = sorted(by_value)
    below = [0, *accumulate(map(by_value.__getitem__, ranked), operator.or_)]
    find = bisect_left if op in ("<", ">=") else bisect_right
    flip = full if op in (">", ">=") else 0
    rows = {query: flip ^ below[find(ranked, query)] for query in set(queries)}
    return [rows[query] for query in queries]


def _pairwise(keys: Sequence[Any], queries: Sequence[Any], op: str) -> list[int]:
    compare = _COMPARE[op]
    return [
        sum(1 << position for position, key in enumerate(keys) if compare(query, key))
        for query in queries
    ]


def best_rows(
    rows: Sequence[int], keys: Sequence[Any], queries: Sequence[Any], op: str
) -> list[int]:
    """Return, per row, the one selected key with the highest ``key op query``, leftmost on ties.

    Raises
    ------
    TypeError
        If scores cannot be computed or ordered.

    Examples
    --------
    >>> best_rows([0b111, 0b011, 0], [5, 7, 7], [0, 0, 0], "+")
    [2, 2, 0]
    """
    score = _SCORE[op]
    out = []
    for mask, query in zip(rows, queries, strict=True):
        best, chosen = None, 0
        while mask:
            bit = mask & -mask
            mask ^= bit
            value = score(keys[bit.bit_length() - 1], query)
            if best is None or value > best:
                best, chosen = value, bit
        out.append(chosen)
    return out
