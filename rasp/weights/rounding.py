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

    All arrays have shape (rows, columns).  What the float runtime holds is a multiple of
    ``1 / grid``, a power of two: any float of a known size is such a multiple, and where ``error``
    is 0, ``grid`` is the denominator of the exact value.
    """

    value: Array
    error: Array
    grid: Array

    @classmethod
    def of(
        cls,
        rows: Rows,
        at: npt.NDArray[np.int64],
        error: Array,
        precision: Precision,
        known: Array | None = None,
    ) -> "Bounded":
        """Return the rows ``at`` with their errors.

        Where the exact value is a multiple of the same power of two as the computed one (``known``,
        or by its size), and nearer to it than two such numbers can be, they are the same.
        """
        value, lowest = quotients(rows.numerators, rows.denominators[:, None])
        value, lowest = value[at], lowest[at]
        grid = float_grid(np.abs(value) * (1 - 1e-9) - error, precision)
        grid = grid if known is None else np.minimum(grid, known)
        both = np.maximum(grid, np.where(powers_of_two(lowest), lowest, FINEST))
        error = np.where(error * both < 0.99, 0.0, error)
        return cls(value, error, np.where(error == 0, lowest, grid))

    @property
    def size(self) -> Array:
        """Greatest absolute values that the float runtime can have."""
        return np.asarray((np.abs(self.value) + self.error) * SLACK)


FINEST = 2.0**200
"""Denominator that stands for one that is not known."""


def float_grid(least: Array, precision: Precision) -> Array:
    """Return of what power of two all floats of at least some size are multiples: its inverse.

    Examples
    --------
    >>> float_grid(np.array([1.0, 700.0, 0.0]), PRECISIONS["float32"])[:2].tolist()
    [8388608.0, 16384.0]
    """
    exponent = np.frexp(np.maximum(least, 2.0**-120))[1]
    return np.where(least > 0, np.ldexp(1.0, precision.bits - exponent), FINEST)


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
        held = powers_of_two(grid) & (np.abs(values) * grid <= 2.0**53)
        held &= np.abs(values) * _dyadic(values) <= precision.whole
        unit = precision.unit * (1 + 2**-20)
        self.rounded = np.zeros_like(self.sizes)
        self.rounded[place] = np.where(held, 0.0, np.abs(values) * unit)
        self.grids = np.ones_like(self.sizes)
        self.grids[place] = grid
        self.whole = self.rounded.sum(axis=0) == 0
        self.finer = np.zeros_like(self.sizes)  # raised to a power, so that the finest outweighs
        self.finer[place] = np.where(held, steep(_dyadic(values)), 0.0)
        simple = powers_of_two(self.sizes) | (self.sizes == 0)
        self.simple = simple.all(axis=0) & self.whole

    def local(self, x: Bounded) -> tuple[Array, Array]:
        """Return what the product itself adds to the error, and the grid it is on.

        At the columns that hold something.  A sum is exact, in whatever order it is made, if
        everything is a multiple of one power of two and neither the positive nor the negative
        terms add up to more of them than a float can count.
        """
        size = x.size[:, self.rows]
        nonzero = (self.sizes > 0).astype(np.float64)
        total = size @ self.sizes
        terms = (size > 0).astype(np.float64) @ nonzero
        grid = finest(steep(np.where(size > 0, x.grid[:, self.rows], 0.0)), self.finer)
        net = np.abs(x.value[:, self.rows] @ self.signed)
        moved = x.error[:, self.rows] @ self.sizes
        one_sided = (total + net) / 2 * (1 + 1e-9) + moved
        exact = self.whole & (one_sided * grid <= self.precision.whole)
        exact |= (terms <= 1) & self.simple
        added = self.precision.gamma(terms) * total + size @ self.rounded * SLACK
        return np.asarray(np.where(exact, 0.0, added)), np.where(exact, grid, FINEST)

    def error(self, x: Bounded) -> tuple[Array, Array]:
        """Return the errors of the product and its grid, shape (rows, columns of the matrix)."""
        result = np.zeros((len(x.value), self.shape[1]))
        grid = np.ones_like(result)
        moved = x.error[:, self.rows] @ self.sizes * SLACK
        local, grid[:, self.columns] = self.local(x)
        result[:, self.columns] = moved + local
        return result, grid


STEEP = 8
"""Power to which grids are raised, so that the sum of up to 256 tells the finest."""


def steep(grid: Array) -> Array:
    """Return a grid to a power; 0, for numbers that are 0, stays 0, an unknown grid outweighs."""
    held = np.where(grid > 0, np.clip(grid, 2.0**-60, 2.0**60), 1.0)
    power = np.where(grid >= 2.0**60, 2.0**900, held**STEEP)
    return np.asarray(np.where(grid > 0, power, 0.0))


def finest(a: Array, b: Array) -> Array:
    """Return, per row and column of a product, the finest grid of its terms, or a finer one.

    Examples
    --------
    >>> one, other = np.array([[4.0, 8.0]]), np.array([[1.0], [2.0]])
    >>> finest(steep(one), steep(other)).tolist()
    [[16.0]]
    """
    with np.errstate(over="ignore"):  # what is unknown is as good as infinite
        total = a @ b
    some = np.where(total > 0, total, 1.0)
    power = np.floor(np.log2(some) / STEEP + 1e-9)
    grid = np.where(power >= 60, FINEST, np.exp2(np.minimum(power, 60)))
    return np.where(total > 0, grid, 2.0**-60)


def _dyadic(values: Array) -> Array:
    """Return the inverses of the greatest powers of two of which floats are multiples."""
    fraction, exponent = np.frexp(values)
    whole = np.abs(fraction * 2.0**53).astype(np.int64)
    lowest = (whole & -whole).astype(np.float64)
    return np.asarray(np.ldexp(1.0, 53 - exponent) / np.where(lowest > 0, lowest, 1.0))


def rounding(terms: Sequence[Bounded], precision: Precision) -> Array:
    """Return what adding up arrays one after the other adds to their errors."""
    sizes = [term.size for term in terms]
    total: Array = np.sum(sizes, axis=0) * SLACK
    net: Array = np.abs(np.sum([term.value for term in terms], axis=0))
    errors: Array = np.sum([term.error for term in terms], axis=0)
    count: Any = np.sum([size > 0 for size in sizes], axis=0)
    grid = np.max([np.where(s > 0, t.grid, 0.0) for s, t in zip(sizes, terms, strict=True)], axis=0)
    one_sided = (total + net) / 2 * (1 + 1e-9) + errors
    exact = (count <= 1) | (one_sided * grid <= precision.whole)
    return np.where(exact, 0.0, precision.gamma(count - 1.0) * total)


def add(terms: Sequence[Bounded], precision: Precision) -> Array:
    """Return the errors of a sum of arrays, added one after the other."""
    errors: Array = np.sum([term.error for term in terms], axis=0) * SLACK
    return errors + rounding(terms, precision)
