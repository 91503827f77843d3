"""Integers that compare as keys and queries compare.

Main definitions: :func:`joint_codes`.
"""

from typing import Any

import numpy as np

from rasp.evaluate.columns import Column, Ints
from rasp.evaluate.masks import compare


def joint_codes(keys: Column, queries: Column, op: str) -> tuple[Ints, Ints] | None:
    """Return codes with ``key op query`` iff it holds between the codes.

    Returns
    -------
    tuple or None
        ``None`` if no codes can do it, because some value is NaN.

    Raises
    ------
    TypeError
        If an order is asked of a string and a number.
    """
    ordered = op not in ("==", "!=")
    if keys.kind == queries.kind == "exact" and keys.den is None and queries.den is None:
        return keys.num, queries.num
    if {keys.kind, queries.kind} <= {"exact", "float"} and _doubles(keys) and _doubles(queries):
        both = np.concatenate([keys.num.astype(np.float64), queries.num.astype(np.float64)])
        if np.isnan(both).any():
            return None
        _, inverse = np.unique(both, return_inverse=True)
        return inverse[: keys.size].astype(np.int64), inverse[keys.size :].astype(np.int64)
    key_codes, key_values = keys.factor()
    query_codes, query_values = queries.factor()
    if any(value != value for value in key_values + query_values):
        return None
    if ordered:
        for key in _one_of_each_type(key_values):
            for query in _one_of_each_type(query_values):
                compare(op, query, key)  # raises what the comparison raises
    numbers: dict[Any, int] = {}
    pool = dict.fromkeys([*key_values, *query_values])
    ranked = sorted(pool) if ordered else list(pool)
    for value in ranked:
        numbers[value] = len(numbers)
    to_key = np.fromiter((numbers[value] for value in key_values), np.int64, len(key_values))
    to_query = np.fromiter((numbers[value] for value in query_values), np.int64, len(query_values))
    return to_key[key_codes], to_query[query_codes]


def _doubles(column: Column) -> bool:
    return column.kind == "float" or (column.den is None and column.bound < 1 << 53)


def _one_of_each_type(values: list[Any]) -> list[Any]:
    return list({type(value): value for value in values}.values())
