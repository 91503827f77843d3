"""Sparse matrices of exact rationals: coordinates, integer numerators, one denominator.

Weights of compiled programs are mostly zero and never need rounding, so they are kept as the
positions of the nonzero entries (sorted by row, then column) and integers over a common positive
denominator.  The form is canonical: equal matrices have equal fields.

Main definitions: :class:`Matrix`, :func:`joined`.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np
import numpy.typing as npt

from attention.exact import Integers, compact
from rasp.errors import MalformedModelError

Floats = npt.NDArray[np.floating[Any]]
Indexes = npt.NDArray[np.int64]


@final
@dataclass(frozen=True, eq=False, repr=False)
class Matrix:
    """The rational matrix with ``numerators / denominator`` at ``(rows, columns)``, else 0.

    Attributes
    ----------
    shape
        Rows and columns, both at least 0.
    rows, columns
        int64, one per nonzero entry, sorted by row, then by column, without duplicates.
    numerators
        Nonzero integers: int64, or Python integers in an object array when one is 2^62 or more.
    denominator
        Positive; shares no factor with all numerators.

    Examples
    --------
    >>> m = Matrix.of([[0, Fraction(1, 2)], [3, 0]])
    >>> m.nonzeros, m.denominator, m.numerators.tolist()
    (2, 2, [1, 6])
    >>> m.entry(0, 1), m == Matrix.of([[0, 0.5], [3, 0]])
    (Fraction(1, 2), True)
    """

    shape: tuple[int, int]
    rows: Indexes
    columns: Indexes
    numerators: Integers
    denominator: int = 1

    def __post_init__(self) -> None:
        height, width = self.shape
        if not (len(self.rows) == len(self.columns) == len(self.numerators)):
            raise MalformedModelError(
                f"a matrix has {len(self.rows)} rows, {len(self.columns)} columns and "
                f"{len(self.numerators)} numerators: one of each per nonzero entry"
            )
        if height < 0 or width < 0 or type(self.denominator) is not int or self.denominator < 1:
            raise MalformedModelError(
                f"a matrix of shape {self.shape} over {self.denominator!r}: "
                "sizes are not negative and the denominator is a positive integer"
            )
        if not len(self.rows):
            return
        for part, size, name in ((self.rows, height, "row"), (self.columns, width, "column")):
            if part.dtype != np.int64 or part.min() < 0 or part.max() >= size:
                raise MalformedModelError(
                    f"a {name} index of a matrix of shape {self.shape} is out of range"
                )
        flat = self.rows * width + self.columns
        if (flat[1:] <= flat[:-1]).any():
            raise MalformedModelError("matrix entries must be sorted and without duplicates")
        if (self.numerators == 0).any():
            raise MalformedModelError("a matrix lists an entry that is 0: leave zeros out")
        object.__setattr__(self, "numerators", compact(self.numerators))

    @classmethod
    def build(
        cls,
        shape: tuple[int, int],
        rows: Sequence[int] | Indexes,
        columns: Sequence[int] | Indexes,
        values: Sequence[int | Fraction] | Integers,
        denominator: int = 1,
    ) -> "Matrix":
        """Return the matrix with ``values / denominator`` at the given places, in any order.

        Raises
        ------
        MalformedModelError
            If a place is out of range or given twice, or a value is not an int or a Fraction.

        Examples
        --------
        >>> Matrix.build((2, 2), [1, 0], [0, 1], [Fraction(1, 3), 2]).numerators.tolist()
        [6, 1]
        """
        raw, common = _integers(values)
        denominator = int(denominator) * common
        left = np.asarray(rows, dtype=np.int64).reshape(-1)
        top = np.asarray(columns, dtype=np.int64).reshape(-1)
        if not (len(raw) == len(left) == len(top)):
            raise MalformedModelError(
                f"{len(left)} rows, {len(top)} columns, {len(raw)} values: one of each per entry"
            )
        order = np.lexsort((top, left))
        kept = order[np.asarray(raw[order] != 0, dtype=bool)]
        numerators = raw[kept]
        shared = math.gcd(denominator, _gcd(numerators, denominator))
        if shared > 1:
            numerators = numerators // shared
        return cls(
            (int(shape[0]), int(shape[1])), left[kept], top[kept], numerators, denominator // shared
        )

    @classmethod
    def of(cls, dense: Any) -> "Matrix":
        """Return a nested list or array of ints, Fractions or finite floats as a matrix."""
        raw = np.array(dense, dtype=object)
        if raw.ndim != 2:
            raise MalformedModelError(f"a matrix needs 2 axes, not {raw.ndim}")
        rows, columns = np.nonzero(raw)
        return cls.build(raw.shape, rows, columns, [_exact(x) for x in raw[rows, columns]])

    @classmethod
    def of_floats(cls, dense: Floats) -> "Matrix":
        """Return an array of finite floats as the matrix of their exact values.

        Raises
        ------
        MalformedModelError
            If the array has not 2 axes, or contains NaN or an infinity.

        Examples
        --------
        >>> Matrix.of_floats(np.array([[0.0, 0.5]])).entry(0, 1)
        Fraction(1, 2)
        """
        if dense.ndim != 2 or dense.dtype.kind != "f" or not np.isfinite(dense).all():
            raise MalformedModelError(
                f"weights of shape {dense.shape} and type {dense.dtype}: use 2 axes, finite floats"
            )
        rows, columns = np.nonzero(dense)
        values = dense[rows, columns].astype(np.float64)
        if (np.abs(values) < 2**53).all() and (values == np.rint(values)).all():
            return cls.build(dense.shape, rows, columns, values.astype(np.int64))
        return cls.build(dense.shape, rows, columns, values)

    @classmethod
    def placed(
        cls, shape: tuple[int, int], entries: Mapping[tuple[int, int], int | Fraction]
    ) -> "Matrix":
        """Return the matrix with the entries of a mapping ``(row, column) -> value``.

        Examples
        --------
        >>> Matrix.placed((2, 2), {(1, 1): 5}).entry(1, 1)
        Fraction(5, 1)
        """
        return cls.build(
            shape, [r for r, _ in entries], [c for _, c in entries], list(entries.values())
        )

    @classmethod
    def zeros(cls, height: int, width: int) -> "Matrix":
        """Return the zero matrix."""
        return cls.build((height, width), [], [], [])

    @property
    def nonzeros(self) -> int:
        """How many entries are not 0."""
        return len(self.rows)

    @property
    def transposed(self) -> "Matrix":
        """The matrix with rows and columns exchanged."""
        return Matrix.build(
            (self.shape[1], self.shape[0]),
            self.columns,
            self.rows,
            self.numerators,
            self.denominator,
        )

    def times(self, factor: int | Fraction) -> "Matrix":
        """Return every entry times a number.

        Examples
        --------
        >>> Matrix.of([[2, 0]]).times(Fraction(1, 4)).entry(0, 0)
        Fraction(1, 2)
        """
        values = self.numerators.astype(object) * Fraction(factor).numerator
        return Matrix.build(
            self.shape,
            self.rows,
            self.columns,
            compact(values),
            self.denominator * Fraction(factor).denominator,
        )

    def entry(self, row: int, column: int) -> Fraction:
        """Return one entry."""
        place = np.searchsorted(
            self.rows * self.shape[1] + self.columns, row * self.shape[1] + column
        )
        if place < self.nonzeros and (self.rows[place], self.columns[place]) == (row, column):
            return Fraction(int(self.numerators[place]), self.denominator)
        return Fraction(0)

    def entries(self) -> Iterator[tuple[int, int, Fraction]]:
        """Yield ``(row, column, value)`` of every nonzero entry, by row, then by column."""
        for row, column, numerator in zip(
            self.rows.tolist(), self.columns.tolist(), self.numerators.tolist(), strict=True
        ):
            yield row, column, Fraction(numerator, self.denominator)

    def dense(self, dtype: Any = np.float64) -> Floats:
        """Return the matrix as floats, each entry rounded to float64 and then to ``dtype``.

        Raises
        ------
        MalformedModelError
            If an entry is beyond the range of ``dtype``.
        """
        result = np.zeros(self.shape, dtype=dtype)
        result[self.rows, self.columns] = self.floats(dtype)
        return result

    def floats(self, dtype: Any = np.float64) -> Floats:
        """Return the nonzero entries as floats, in order; see :meth:`dense`."""
        try:  # the quotient of two Python integers is rounded correctly
            exact = [n / self.denominator for n in self.numerators.tolist()]
        except OverflowError:
            raise MalformedModelError("a weight is too large for a float") from None
        with np.errstate(over="ignore"):
            values = np.array(exact, dtype=np.float64).astype(dtype)
        if not np.isfinite(values).all():
            raise MalformedModelError(f"a weight is too large for {np.dtype(dtype).name}")
        return values

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Matrix) and (
            self.shape == other.shape
            and self.denominator == other.denominator
            and np.array_equal(self.rows, other.rows)
            and np.array_equal(self.columns, other.columns)
            and np.array_equal(self.numerators, other.numerators)
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Matrix {self.shape[0]}x{self.shape[1]}, {self.nonzeros} nonzero>"


def joined(shape: tuple[int, int], parts: list[tuple[Matrix, int, int]]) -> Matrix:
    """Return a matrix with others as blocks, each at its first row and column.

    Examples
    --------
    >>> one = Matrix.of([[1]])
    >>> joined((2, 2), [(one, 0, 0), (one, 1, 1)]) == Matrix.of([[1, 0], [0, 1]])
    True
    """
    whole = all(part.denominator == 1 and part.numerators.dtype == np.int64 for part, _, _ in parts)
    values = (
        np.concatenate([part.numerators for part, _, _ in parts])
        if whole
        else [value for part, _, _ in parts for _, _, value in part.entries()]
    )
    return Matrix.build(
        shape,
        np.concatenate([part.rows + top for part, top, _ in parts]),
        np.concatenate([part.columns + left for part, _, left in parts]),
        values,
    )


def _exact(value: Any) -> int | Fraction:
    if isinstance(value, (int, Fraction)) and not isinstance(value, bool):
        return value
    if isinstance(value, np.integer):
        return int(value)
    if isinstance(value, (float, np.floating)) and math.isfinite(value):
        return Fraction(float(value))
    raise MalformedModelError(f"weight {value!r}: use ints, Fractions or finite floats")


def _integers(values: Any) -> tuple[Integers, int]:
    """Return integer numerators over one denominator."""
    if isinstance(values, np.ndarray) and values.dtype.kind in "iu":
        return values.astype(np.int64).reshape(-1), 1
    exact = [_exact(value) for value in _listed(values)]
    common = math.lcm(1, *{value.denominator for value in exact})
    raw = np.empty(len(exact), dtype=object)
    raw[:] = [value.numerator * (common // value.denominator) for value in exact]
    return compact(raw), common


def _listed(values: Iterable[Any]) -> list[Any]:
    return values.reshape(-1).tolist() if isinstance(values, np.ndarray) else list(values)


def _gcd(numerators: Integers, start: int) -> int:
    if start == 1:
        return 1
    if numerators.dtype == np.int64 and len(numerators):
        return int(np.gcd.reduce(np.abs(numerators)))
    return math.gcd(start, *(int(n) for n in numerators))
