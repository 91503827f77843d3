r"""Bounds for the rounding errors of sums and products, with the cases that are exact.

Every value of the float runtime is compared with the exact one: ``|computed - exact| <= error``.
A sum of ``n`` products is off by at most ``gamma_n`` times the sum of their absolute values,
``gamma_n = n u / (1 - n u)``, in whatever order it is added up; and it is *exact* if everything is
a multiple of one power of two and stays below ``2^p`` of them.  Most sums of compiled models are
of the second kind, so the bounds keep track of it (``error == 0``).

Main definitions: :class:`Bounded`, :class:`Precision`, :class:`BoundedProduct`, :func:`add`.

References
----------
Higham (2002), Sections 3.1 and 3.3 [higham2002].
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
import numpy.typing as npt

from attention.exact import Integers, compact
from rasp.weights.matrix import Matrix
from rasp.weights.rows import Product, Rows

Array = npt.NDArray[np.float64]

SLACK = 1 + 1e-9
"""Covers the rounding of the bounds themselves, which are float64 sums of positive numbers."""


@final
@dataclass(frozen=True)
class Precision:
    """A float type: significand bits, and the exponent below which ``exp`` gives 0."""

    bits: int
    underflow: float

    @property
    def unit(self) -> float:
        """The unit roundoff ``u``."""
        return 2.0**-self.bits

    @property
    def whole(self) -> float:
        """Integers up to here are floats."""
        return 2.0**self.bits

    def gamma(self, terms: Array) -> Array:
        """Return ``gamma_n`` for a number of terms each."""
        return np.asarray(terms * self.unit / (1 - np.minimum(terms * self.unit, 0.5)) * SLACK)


PRECISIONS = {"float32": Precision(24, 104.0), "float64": Precision(53, 746.0)}


@final
@dataclass(frozen=True, eq=False)
class Bounded:
    """Exact values, rounded to float64, with bounds for the errors of the float runtime.

    All arrays have shape (rows, columns).  ``grid`` is the denominator of the exact value in
    lowest terms: a power of two where ``error`` is 0.
    """

    value: Array
    error: Array
    grid: Array

    @classmethod
    def of(cls, rows: Rows, at: npt.NDArray[np.int64], error: Array) -> "Bounded":
        """Return the rows ``at`` with their errors."""
        value, grid = quotients(rows.numerators, rows.denominators[:, None])
        return cls(value[at], error, grid[at])

    @property
    def size(self) -> Array:
        """Greatest absolute values that the float runtime can have."""
        return np.asarray((np.abs(self.value) + self.error) * SLACK)


def quotients(tops: Integers, bottoms: Integers) -> tuple[Array, Array]:
    """Return ``tops / bottoms`` as floats, and their denominators in lowest terms, at most 2^62."""
    if tops.dtype != np.int64 or bottoms.dtype != np.int64:
        tops, bottoms = tops.astype(object), bottoms.astype(object)
    value = np.asarray(tops / bottoms, dtype=np.float64)  # integers in objects divide exactly too
    lowest = bottoms // np.gcd(tops, bottoms)
    return value, np.minimum(lowest, 2**62).astype(np.float64)


def powers_of_two(array: Array) -> npt.NDArray[np.bool_]:
    """Return which positive numbers are powers of two."""
    return np.asarray(np.frexp(array)[0] == 0.5)


@final
class BoundedProduct:
    """A matrix in floats: what multiplying by it does to errors.

    Parameters
    ----------
    matrix
        The exact weights, which the float runtime rounds to its type.
    precision
        Of that type.
    """

    def __init__(self, matrix: Matrix, precision: Precision) -> None:
        self.product, self.precision, self.shape = Product(matrix), precision, matrix.shape
        self.rows, self.columns = np.unique(matrix.rows), np.unique(matrix.columns)
        place = (
            np.searchsorted(self.rows, matrix.rows),
            np.searchsorted(self.columns, matrix.columns),
        )
        bottoms = compact(np.array([matrix.denominator], dtype=object))
        values, grid = quotients(matrix.numerators, bottoms)
        self.sizes = np.zeros((len(self.rows), len(self.columns)))
        self.sizes[place] = np.abs(values)
        self.signed = np.zeros_like(self.sizes)
        self.signed[place] = values
        # a weight that the type cannot hold is rounded to float64 and then to the type
        held = powers_of_two(grid) & (np.abs(values) * grid <= precision.whole)
        unit = precision.unit * (1 + 2**-20)
        self.rounded = np.zeros_like(self.sizes)
        self.rounded[place] = np.where(held, 0.0, np.abs(values) * unit)
        self.grids = np.ones_like(self.sizes)
        self.grids[place] = grid
        self.grid = self.grids.max(axis=0, initial=1.0)
        self.simple = (powers_of_two(self.sizes) | (self.sizes == 0)).all(axis=0) & (
            self.rounded == 0
        ).all(axis=0)

    def local(self, x: Bounded) -> Array:
        """Return what the product itself adds to the error, at the columns that hold something."""
        size, error = x.size[:, self.rows], x.error[:, self.rows]
        nonzero = (self.sizes > 0).astype(np.float64)
        total = size @ self.sizes
        terms = (size > 0).astype(np.float64) @ nonzero
        grid = np.where(error == 0, x.grid[:, self.rows], 1.0).max(axis=1, initial=1.0)
        exact = (
            ((error > 0).astype(np.float64) @ nonzero == 0)
            & (self.rounded.sum(axis=0) == 0)
            & (total * grid[:, None] * self.grid <= self.precision.whole)
        )
        exact |= (terms <= 1) & self.simple
        added = self.precision.gamma(terms) * total + size @ self.rounded * SLACK
        return np.asarray(np.where(exact, 0.0, added))

    def error(self, x: Bounded) -> Array:
        """Return the errors of the product, shape (rows, columns of the matrix)."""
        result = np.zeros((len(x.value), self.shape[1]))
        moved = x.error[:, self.rows] @ self.sizes * SLACK
        result[:, self.columns] = moved + self.local(x)
        return result


def add(terms: Sequence[Bounded], precision: Precision) -> Array:
    """Return the errors of a sum of arrays, added one after the other."""
    sizes = [term.size for term in terms]
    total: Array = np.sum(sizes, axis=0) * SLACK
    errors: Array = np.sum([term.error for term in terms], axis=0) * SLACK
    count: Any = np.sum([size > 0 for size in sizes], axis=0)
    grid = np.max([np.where(term.value == 0, 1.0, term.grid) for term in terms], axis=0)
    exact = (count <= 1) | ((errors == 0) & (total * grid <= precision.whole))
    return np.asarray(errors + np.where(exact, 0.0, precision.gamma(count - 1.0) * total))
