"""Exact arithmetic on the rows of a grid of states, for the static argument.

Main definitions: :func:`stacked`, :func:`distinct`, :func:`pair_scores`, :func:`products`.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from attention.exact import FLOAT_LIMIT, magnitude
from rasp.certify.deliveries import Vector
from rasp.weights.matrix import Matrix
from rasp.weights.rows import grouped

SYMBOL, POSITION = 0, 1
"""The variables that every row has."""


def stacked(numerators: Sequence[Any], size: int) -> Any:
    """Return the rows of a grid, one column per form."""
    if not numerators:
        return np.zeros((size, 0), np.int64)
    kind = object if any(part.dtype == object for part in numerators) else np.int64
    return np.stack([np.asarray(part, dtype=kind) for part in numerators], axis=1)


def distinct(table: Any) -> tuple[Any, Any]:
    """Return the distinct rows, and for each row the place of its equal among them."""
    first, place = grouped(table) if table.shape[1] else (np.zeros(1, np.int64), np.zeros(
        len(table), np.int64))  # fmt: skip
    return table[first], place


def dot(a: Vector, b: Vector) -> Fraction:
    """Return the scalar product."""
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))


def times(row: Vector, matrix: Matrix) -> Vector:
    """Return the product of a row with a matrix."""
    total = [Fraction(0)] * matrix.shape[1]
    for at, column, value in matrix.entries():
        if row[at]:
            total[column] += row[at] * value
    return tuple(total)


def products(table: Any, denominators: Sequence[int], other: Vector, factor: int) -> list[Any]:
    """Return the product of every row with a vector, times a factor."""
    weights = [
        (j, weight * factor / d)
        for j, (weight, d) in enumerate(zip(other, denominators, strict=False))
        if weight
    ]
    return [sum((int(row[j]) * w for j, w in weights), Fraction(0)) for row in table]


def pair_scores(q: Any, k: Any, factors: Sequence[int]) -> Any:
    """Return the scores times the common denominator."""
    greatest = max(factors, default=1)
    if q.dtype == k.dtype == np.int64 and (
        magnitude(q) * greatest * magnitude(k) * max(1, q.shape[1]) < FLOAT_LIMIT
    ):
        scaled = q * np.array(factors, dtype=np.int64)[None, :]
        return (scaled.astype(np.float64) @ k.astype(np.float64).T).astype(np.int64)
    column: Any = np.empty(len(factors), dtype=object)
    column[:] = list(factors)
    return (q.astype(object) * column[None, :]) @ k.astype(object).T


def positions_on(variables: tuple[int, ...], sizes: Mapping[int, int]) -> Any:
    """Return the position of every state of a grid."""
    shape = tuple(sizes[v] for v in variables)
    return np.indices(shape)[variables.index(POSITION)].reshape(-1)
