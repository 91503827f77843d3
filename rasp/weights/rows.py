"""Rows of rationals: integer numerators, and one denominator per row.

Averages give the rows of one word different denominators (the third row of a prefix mean is over
3), so a common one for all rows would be astronomically large; one per row stays small.  Integers
are 64 bits wide as long as a bound shows that nothing can overflow, else Python's.

Main definitions: :class:`Rows`, :class:`Product`, :func:`grouped`.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, final

import numpy as np
import numpy.typing as npt

from attention.exact import FLOAT_LIMIT, LIMIT, Integers, compact, magnitude
from rasp.weights.matrix import Indexes, Matrix

CELLS = 2**22
"""Products by coordinates are made in pieces of about this many cells."""


@final
@dataclass(frozen=True, eq=False)
class Rows:
    """The rationals ``numerators / denominators[:, None]``, in lowest terms row by row.

    Examples
    --------
    >>> Rows.of([[Fraction(1, 2), 1], [0, 4]]).fractions()
    [[Fraction(1, 2), Fraction(1, 1)], [Fraction(0, 1), Fraction(4, 1)]]
    """

    numerators: Integers
    denominators: Integers

    @classmethod
    def of(cls, values: Sequence[Sequence[int | Fraction]]) -> "Rows":
        """Return nested lists of numbers as rows."""
        bottom = [math.lcm(1, *(Fraction(x).denominator for x in row)) for row in values]
        top = [[int(x * b) for x in row] for row, b in zip(values, bottom, strict=True)]
        return cls(compact(np.array(top, dtype=object)), compact(np.array(bottom, dtype=object)))

    @property
    def count(self) -> int:
        """How many rows there are."""
        return len(self.numerators)

    def take(self, places: Indexes) -> "Rows":
        """Return the rows at ``places``."""
        return Rows(self.numerators[places], self.denominators[places])

    def fractions(self) -> list[list[Fraction]]:
        """Return the numbers, row by row."""
        known: dict[int, dict[int, Fraction]] = {}  # few different numbers occur
        result = []
        for row, bottom in zip(self.numerators.tolist(), self.denominators.tolist(), strict=True):
            over = known.setdefault(bottom, {})
            for x in row:
                if x not in over:
                    over[x] = Fraction(x, bottom)
            result.append([over[x] for x in row])
        return result

    def reduced(self) -> "Rows":
        """Return the same numbers with every row in lowest terms."""
        if (self.denominators == 1).all():
            return Rows(compact(self.numerators), compact(self.denominators))
        shared = np.gcd(np.gcd.reduce(self.numerators, axis=1), self.denominators)
        if (shared == 1).all():
            return Rows(compact(self.numerators), compact(self.denominators))
        return Rows(
            compact(self.numerators // shared[:, None]), compact(self.denominators // shared)
        )

    def distinct(self) -> tuple["Rows", Indexes]:
        """Return the distinct rows, and for each row the place of its equal among them."""
        first, place = grouped(np.concatenate([self.numerators, self.denominators[:, None]], 1))
        return self.take(first), place

    def over_one(self) -> tuple[Integers, int]:
        """Return the numerators over the least common denominator of all rows, and that one."""
        common = math.lcm(1, *set(self.denominators.tolist()))
        factors = [common // bottom for bottom in self.denominators.tolist()]
        if all(factor == 1 for factor in factors):
            return self.numerators, common
        return times_rows(self.numerators, factors), common

    def plus(self, other: "Rows") -> "Rows":
        """Return the sum, row by row."""
        if np.array_equal(self.denominators, other.denominators):
            return Rows(_sum(self.numerators, other.numerators), self.denominators).reduced()
        mine, theirs = self.denominators.tolist(), other.denominators.tolist()
        both = [math.lcm(a, b) for a, b in zip(mine, theirs, strict=True)]
        left = times_rows(self.numerators, [c // a for a, c in zip(mine, both, strict=True)])
        right = times_rows(other.numerators, [c // b for b, c in zip(theirs, both, strict=True)])
        return Rows(_sum(left, right), compact(np.array(both, dtype=object))).reduced()

    def with_one(self) -> "Rows":
        """Return the rows with a last coordinate 1."""
        return Rows(np.hstack([self.numerators, self.denominators[:, None]]), self.denominators)

    def positive(self) -> "Rows":
        """Return the rows with 0 in the place of negative numbers."""
        return Rows(np.maximum(self.numerators, 0), self.denominators)


@final
class Product:
    """A matrix prepared for multiplying many rows.

    Only the rows and columns that hold something are touched: as a small dense block when they
    are few, else entry by entry, added up per column.

    Examples
    --------
    >>> Product(Matrix.of([[0, Fraction(1, 2)], [0, 3]])).of(Rows.of([[1, 1]])).fractions()
    [[Fraction(0, 1), Fraction(7, 2)]]
    """

    def __init__(self, matrix: Matrix) -> None:
        self.shape, self.denominator = matrix.shape, matrix.denominator
        order = np.lexsort((matrix.rows, matrix.columns))
        self._rows, columns = matrix.rows[order], matrix.columns[order]
        self._values = matrix.numerators[order]
        self._columns, self._starts = np.unique(columns, return_index=True)
        heights = np.diff(np.append(self._starts, len(columns)))
        self._factor = magnitude(self._values) * (int(heights.max()) if len(heights) else 0)
        self._used = np.unique(self._rows)
        self._block_pays = len(self._used) * len(self._columns) <= 16 * len(order)
        self._matrix = matrix

    @cached_property
    def _block(self) -> Integers:
        block = np.zeros((len(self._used), len(self._columns)), dtype=np.int64)
        matrix = self._matrix
        top = np.searchsorted(self._used, matrix.rows)
        block[top, np.searchsorted(self._columns, matrix.columns)] = matrix.numerators
        return block

    def of(self, rows: Rows) -> Rows:
        """Return the product of rows with the matrix, in lowest terms."""
        return self.unreduced(rows).reduced()

    def unreduced(self, rows: Rows) -> Rows:
        """Return the product of rows with the matrix, over the denominators that arise."""
        top = self.integers(rows.numerators)
        if self.denominator == 1:
            return Rows(top, rows.denominators)
        bottoms = times_rows(rows.denominators[:, None], [self.denominator] * rows.count)
        return Rows(top, bottoms[:, 0])

    def integers(self, x: Integers) -> Integers:
        """Return the product of integer rows with the numerators of the matrix."""
        if not len(self._rows):
            return np.zeros((len(x), self.shape[1]), dtype=np.int64)
        read = x[:, self._used]
        bound = magnitude(read) * self._factor
        wide = bound >= LIMIT or x.dtype != np.int64 or self._values.dtype != np.int64
        result = np.zeros((len(x), self.shape[1]), dtype=object if wide else np.int64)
        if not wide and self._block_pays:
            if bound < FLOAT_LIMIT:  # sums of products are exact in float64, whatever their order
                found = read.astype(np.float64) @ self._block.astype(np.float64)
                result[:, self._columns] = found.astype(np.int64)
            else:
                result[:, self._columns] = read @ self._block
            return result
        kind = object if wide else np.int64
        values, step = self._values.astype(kind), max(1, CELLS // len(self._rows))
        for start in range(0, len(x), step):
            piece = x[start : start + step].astype(kind)[:, self._rows] * values
            result[start : start + step, self._columns] = np.add.reduceat(
                piece, self._starts, axis=1
            )
        return compact(result) if wide else result


def grouped(table: Integers) -> tuple[Indexes, Indexes]:
    """Return the places of the distinct rows of a table, and each row's place among those.

    Notes
    -----
    Rows are compared by a hash of 64 bits first; the answer is then checked exactly, and found
    by sorting if two different rows had one hash.

    Examples
    --------
    >>> first, place = grouped(np.array([[1, 2], [3, 4], [1, 2]]))
    >>> table = [[1, 2], [3, 4]]
    >>> [first[p].item() for p in place]
    [0, 1, 0]
    """
    if table.dtype == object:
        known: dict[tuple[int, ...], int] = {}
        at = [known.setdefault(tuple(row), len(known)) for row in table.tolist()]
        place = np.array(at, dtype=np.int64)
        return np.unique(place, return_index=True)[1], place
    if table.shape[1] == 1:
        _, first, place = np.unique(table[:, 0], return_index=True, return_inverse=True)
        return first, place
    hashes = table.astype(np.uint64) @ hash_weights(table.shape[1])
    _, first, place = np.unique(hashes, return_index=True, return_inverse=True)
    if (table[first][place] != table).any():
        _, first, place = np.unique(table, axis=0, return_index=True, return_inverse=True)
    return first, place.reshape(-1)


def hash_weights(width: int) -> npt.NDArray[np.uint64]:
    """Return the odd numbers by which columns are multiplied, modulo 2^64, to hash a row."""
    weights = np.arange(1, width + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    weights ^= weights >> np.uint64(29)
    return weights * np.uint64(0xBF58476D1CE4E5B9) | np.uint64(1)


def times_rows(array: Integers, factors: Sequence[int]) -> Integers:
    """Return the array with row ``r`` multiplied by ``factors[r]``, exactly."""
    greatest = max(map(abs, factors), default=1)
    if array.dtype == np.int64 and max(magnitude(array), 1) * greatest < LIMIT:
        return np.asarray(array * np.array(factors, dtype=np.int64)[:, None])
    column: Any = np.empty((len(factors), 1), dtype=object)
    column[:, 0] = factors
    return compact(np.asarray(array.astype(object) * column))


def _sum(a: Integers, b: Integers) -> Integers:
    if a.dtype == b.dtype == np.int64 and magnitude(a) + magnitude(b) < LIMIT:
        return np.asarray(a + b)
    return compact(np.asarray(a.astype(object) + b.astype(object)))
