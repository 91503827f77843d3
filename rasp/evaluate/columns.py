"""Columns: the values of an s-op for many positions at once, as NumPy arrays.

An *exact* column holds numerators, denominators and a tag that tells Booleans, integers and
fractions apart, since ``True``, ``1`` and ``1.0`` are shown differently; a *float* column holds
IEEE doubles beside Booleans and integers small enough to be doubles; a *text* column holds codes
into a table.  Whatever fits none of these (huge integers, mixtures) is an *object* column, slow
and right.

Main definitions: :class:`Column`, :func:`column_of`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, TypeAlias, final

import numpy as np
import numpy.typing as npt

Ints: TypeAlias = npt.NDArray[np.int64]
Kind: TypeAlias = Literal["exact", "float", "text", "object"]
BOOL, INT, FRACTION, FLOAT = 0, 1, 2, 3
SAFE = 1 << 62
"""Magnitudes below this can be added once without overflow."""
DOUBLE = 1 << 53
"""Integers below this are doubles."""


@final
@dataclass(frozen=True, slots=True)
class Column:
    """Values of ``size`` positions.

    Attributes
    ----------
    kind
        Which of the fields below count.
    num
        exact: numerators; text: codes; float: the doubles (dtype float64); object: the values.
    den
        exact: denominators, positive and in lowest terms; ``None`` if all are 1.
    tag
        exact and float: the type of each value, one number if all are the same.
    table
        text: the strings.
    bound
        exact: no numerator or denominator is larger in magnitude; float: no integer is.
    """

    kind: Kind
    num: npt.NDArray[Any]
    den: Ints | None = None
    tag: Any = INT
    table: tuple[str, ...] = ()
    bound: int = field(default=0, compare=False)

    @property
    def size(self) -> int:
        """Number of positions."""
        return len(self.num)

    def tags(self) -> npt.NDArray[np.uint8]:
        """Return the tag of every position."""
        if isinstance(self.tag, int):
            return np.full(self.size, self.tag, np.uint8)
        tags: npt.NDArray[np.uint8] = self.tag
        return tags

    def take(self, where: Ints) -> "Column":
        """Return the values at positions ``where``."""
        den = None if self.den is None else self.den[where]
        tag = self.tag if isinstance(self.tag, int) else self.tag[where]
        return Column(self.kind, self.num[where], den, tag, self.table, self.bound)

    def values(self) -> list[Any]:
        """Return Python atoms."""
        if self.kind == "object":
            return list(self.num)
        if self.kind == "text":
            table = self.table
            return [table[code] for code in self.num.tolist()]
        numbers = self.num.tolist()
        if isinstance(self.tag, int):
            if self.tag == BOOL:
                return [value != 0 for value in numbers]
            if self.tag in (INT, FLOAT):
                return list(map(int, numbers)) if self.tag == INT else numbers
        if self.kind == "float":
            make: tuple[Any, ...] = (bool, int, Fraction, float)
            return [make[tag](value) for tag, value in zip(self.tags(), numbers, strict=True)]
        dens = self.den.tolist() if self.den is not None else [1] * self.size
        out: list[Any] = []
        for tag, value, den in zip(self.tags().tolist(), numbers, dens, strict=True):
            if tag == FRACTION:
                out.append(Fraction(value, den))
            else:
                out.append(value != 0 if tag == BOOL else value)
        return out

    def truth(self) -> npt.NDArray[np.bool_]:
        """Return which values count as true."""
        if self.kind == "object":
            return np.fromiter(map(bool, self.num), np.bool_, self.size)
        if self.kind == "text":
            filled = np.fromiter(map(bool, self.table), np.bool_, len(self.table))
            found: npt.NDArray[np.bool_] = filled[self.num]
            return found
        truth: npt.NDArray[np.bool_] = self.num != 0
        return truth

    def factor(self) -> tuple[Ints, list[Any]]:
        """Return codes and the distinct values they stand for, told apart by type too."""
        if self.kind == "object":
            seen: dict[tuple[type, Any], int] = {}
            codes = np.fromiter(
                (seen.setdefault((type(v), v), len(seen)) for v in self.num), np.int64, self.size
            )
            return codes, [value for _, value in seen]
        parts = [self.num]
        if self.kind != "text" and not isinstance(self.tag, int):
            parts.append(self.tag)
        if self.den is not None:
            parts.append(self.den)
        codes, first = distinct(parts)
        return codes, self.take(first).values()


def distinct(parts: Sequence[npt.NDArray[Any]]) -> tuple[Ints, Ints]:
    """Return numbers for the distinct rows of parallel arrays.

    Returns
    -------
    tuple
        The number of each row, and one row that has each number.
    """
    codes: Ints = np.zeros(len(parts[0]), np.int64)
    first: Ints = np.zeros(1, np.int64)
    size = 1
    for part in parts:
        numbers, count = numbered(part)
        codes, size = numbered(codes * count + numbers)
    first = np.empty(size, np.int64)
    first[codes[::-1]] = np.arange(len(codes), dtype=np.int64)[::-1]  # the last write is kept
    return codes, first


def numbered(values: npt.NDArray[Any]) -> tuple[Ints, int]:
    """Return the rank of each value among the distinct values, and how many there are.

    Notes
    -----
    O(n) for integers of a range not much larger than n, by a table; otherwise by sorting.

    Examples
    --------
    >>> numbered(np.array([7, 5, 7]))
    (array([1, 0, 1]), 2)
    """
    if values.dtype.kind in "iub":
        least = int(values.min())
        span = int(values.max()) - least + 1
        if span <= 4 * len(values) + 64:
            shifted = values.astype(np.int64) - least
            present = np.zeros(span, bool)
            present[shifted] = True
            rank: Ints = np.cumsum(present, dtype=np.int64) - 1
            return rank[shifted], int(rank[-1]) + 1
    found, inverse = np.unique(values, return_inverse=True)
    return inverse.astype(np.int64), len(found)


def booleans(values: npt.NDArray[np.bool_]) -> Column:
    """Return a column of Booleans."""
    return Column("exact", values.astype(np.int64), None, BOOL, (), 1)


def integers(values: Ints, bound: int | None = None) -> Column:
    """Return a column of integers."""
    if bound is None:
        bound = int(np.abs(values).max()) if len(values) else 0
    return Column("exact", values, None, INT, (), bound)


def objects(values: Sequence[Any]) -> Column:
    """Return an object column."""
    array = np.empty(len(values), object)
    array[:] = list(values)
    return Column("object", array)


def column_of(values: Sequence[Any]) -> Column:
    """Return the column of Python atoms, in the fastest kind that can hold them.

    Examples
    --------
    >>> column_of([True, 2]).kind, column_of(["a"]).kind, column_of([2**80]).kind
    ('exact', 'text', 'object')
    """
    types = set(map(type, values))
    if types == {str}:
        seen = {value: code for code, value in enumerate(dict.fromkeys(values))}
        codes = np.fromiter(map(seen.__getitem__, values), np.int64, len(values))
        return Column("text", codes, table=tuple(seen))
    if types <= {bool, int}:
        if all(-SAFE < value < SAFE for value in values):
            numbers = np.fromiter(map(int, values), np.int64, len(values))
            tag: Any = BOOL if types == {bool} else INT
            if len(types) == 2:
                tag = np.fromiter((type(v) is int for v in values), np.uint8, len(values))
            bound = int(np.abs(numbers).max()) if len(values) else 0
            return Column("exact", numbers, None, tag, (), bound)
    elif types <= {bool, int, Fraction}:
        parts = [Fraction(value) for value in values]
        bound = max(max(abs(part.numerator), part.denominator) for part in parts)
        if bound < SAFE:
            size = len(values)
            nums = np.fromiter((part.numerator for part in parts), np.int64, size)
            dens = np.fromiter((part.denominator for part in parts), np.int64, size)
            of_type = {bool: BOOL, int: INT, Fraction: FRACTION}
            tags = np.fromiter((of_type[type(v)] for v in values), np.uint8, size)
            return Column("exact", nums, dens, tags, (), bound)
    elif types <= {bool, int, float} and all(
        type(value) is float or -DOUBLE < value < DOUBLE for value in values
    ):
        doubles = np.fromiter(map(float, values), np.float64, len(values))
        if types == {float}:
            return Column("float", doubles, None, FLOAT)
        marks = {bool: BOOL, int: INT, float: FLOAT}
        tags = np.fromiter((marks[type(v)] for v in values), np.uint8, len(values))
        return Column("float", doubles, None, tags)
    return objects(values)
