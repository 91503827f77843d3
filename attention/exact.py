"""Exact matrices of rationals, and exact products of integer arrays.

A matrix is an integer array over one common positive denominator.  Products run in 64-bit
integers when a bound on the result shows that nothing can overflow, and in Python integers
otherwise, so no entry is ever rounded.

Main definitions: :class:`ExactMatrix`, :func:`exact`, :func:`product`.
"""

import math
import numbers
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias, final

import numpy as np
import numpy.typing as npt

from attention.transformer import ModelError

Integers: TypeAlias = npt.NDArray[Any]
"""An array of exact integers: dtype int64 or object (Python integers)."""

LIMIT = 2**62
FLOAT_LIMIT = 2**53


@final
@dataclass(frozen=True, eq=False)
class ExactMatrix:
    """The rational matrix ``numerators / denominator``.

    Examples
    --------
    >>> m = exact([[0.5, Fraction(1, 3)]], "weights")
    >>> m.numerators.tolist(), m.denominator
    ([[3, 2]], 6)
    """

    numerators: Integers
    denominator: int

    def over(self, denominator: int) -> Integers:
        """Return the numerators over ``denominator``, a multiple of the own one."""
        factor, rest = divmod(denominator, self.denominator)
        if rest:
            raise ValueError(f"{denominator} is not a multiple of {self.denominator}")
        return compact(np.asarray(self.numerators.astype(object) * factor, dtype=object))


def exact(data: Any, where: str, *, ndim: int = 2) -> ExactMatrix:
    """Return ints, Fractions or finite floats as an exact matrix (floats keep their value).

    Raises
    ------
    ModelError
        If ``data`` is ragged, contains NaN, an infinity or something that is not a real number.
    """
    if isinstance(data, ExactMatrix):
        return data
    try:
        raw = np.array(data, dtype=object)
    except ValueError:
        raise ModelError(f"{where} is ragged: every row must have the same length") from None
    if raw.ndim != ndim or any(isinstance(x, (list, tuple, np.ndarray)) for x in raw.flat):
        raise ModelError(f"{where} is ragged or has {raw.ndim} axes: use {ndim} axes")
    fractions = [_fraction(x, where) for x in raw.flat]
    denominator = math.lcm(1, *{f.denominator for f in fractions})
    numerators = np.empty(raw.size, dtype=object)
    numerators[:] = [f.numerator * (denominator // f.denominator) for f in fractions]
    return ExactMatrix(compact(numerators.reshape(raw.shape)), denominator)


def _fraction(value: Any, where: str) -> Fraction:
    if isinstance(value, numbers.Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    if isinstance(value, (float, np.floating)):
        if not math.isfinite(value):
            raise ModelError(f"{where} contains {value}: weights must be finite numbers")
        return Fraction(float(value))
    if isinstance(value, str):
        try:
            return Fraction(value)
        except (ValueError, ZeroDivisionError):
            pass
    raise ModelError(f"{where} contains {value!r}: use ints, Fractions or finite floats")


def magnitude(array: Integers) -> int:
    """Return the greatest absolute value of an entry (0 for an empty array)."""
    if array.size == 0:
        return 0
    return max(abs(int(array.max())), abs(int(array.min())))


def compact(array: Integers) -> Integers:
    """Return the same integers as int64 if every entry is below 2^62, else as objects."""
    if array.dtype == np.int64:
        return array
    return array.astype(np.int64) if magnitude(array) < LIMIT else array.astype(object)


def product(a: Integers, b: Integers) -> Integers:
    """Return the exact matrix product of integer arrays (..., k) and (k, m).

    Notes
    -----
    With ``|a| |b| k < 2^53`` float64 sums of products are exact integers whatever the order of
    summation, so the fast floating-point product is used; below 2^62 the int64 product; else
    Python integers.

    Examples
    --------
    >>> product(np.array([[2**40, 1]]), np.array([[2**40], [3]])).tolist()
    [[1208925819614629174706179]]
    """
    bound = magnitude(a) * magnitude(b) * max(1, a.shape[-1])
    if bound < FLOAT_LIMIT and a.dtype == b.dtype == np.int64:
        return np.asarray((a.astype(np.float64) @ b.astype(np.float64)).astype(np.int64))
    if bound < LIMIT and a.dtype == b.dtype == np.int64:
        return np.asarray(a @ b)
    return np.asarray(a.astype(object) @ b.astype(object))


def scaled(array: Integers, factor: int) -> Integers:
    """Return ``factor * array`` exactly, in int64 when the result is certainly below 2^62."""
    small = abs(factor) < LIMIT and magnitude(array) * abs(factor) < LIMIT
    if array.dtype == np.int64 and small:
        return np.asarray(array * np.int64(factor))
    return np.asarray(array.astype(object) * factor, dtype=object)


def total(*arrays: Integers) -> Integers:
    """Return the exact sum of integer arrays (broadcast), in int64 when nothing can overflow."""
    if all(array.dtype == np.int64 for array in arrays) and sum(map(magnitude, arrays)) < LIMIT:
        result: Integers = sum(arrays[1:], start=arrays[0])
        return result
    return np.asarray(sum((a.astype(object) for a in arrays[1:]), start=arrays[0].astype(object)))


def as_rows(values: Sequence[Sequence[int]]) -> Integers:
    """Return rows of integers as an exact array of shape (m, d)."""
    try:
        return np.array(values, dtype=np.int64)
    except OverflowError:
        rows = np.empty((len(values), len(values[0])), dtype=object)
        rows[:] = values
        return compact(rows)
