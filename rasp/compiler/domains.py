"""Which values an s-op can take: a list, the means of values on a grid, or an interval.

Every domain is a superset of the values that occur on words of the vocabulary up to the compiled
length.  Thresholds need to know how near two values can be; :meth:`Means.margin` says so without
listing the values, of which there are about ``0.3 N^2`` for means over up to ``N`` positions.

Main definitions: :class:`Finite`, :class:`Means`, :class:`Interval`.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias, final

Exact: TypeAlias = int | Fraction
"""A number without rounding; integers stay integers, which are faster."""

NUMBERS = (bool, int, float, Fraction)


def is_number(value: object) -> bool:
    """Return whether an atom is a number that has an exact value."""
    return isinstance(value, NUMBERS) and not (
        isinstance(value, float) and not math.isfinite(value)
    )


@final
@dataclass(frozen=True)
class Finite:
    """The listed atoms, told apart by type too."""

    values: tuple[Any, ...]

    @cached_property
    def places(self) -> dict[tuple[type, Any], int]:
        """Number of each value."""
        return {(type(value), value): place for place, value in enumerate(self.values)}

    @cached_property
    def _equal(self) -> dict[Any, int]:
        return {value: place for place, value in reversed(list(enumerate(self.values)))}

    def place(self, value: Any) -> int | None:
        """Return the number of a value, or of one that is equal, if there is one."""
        found = self.places.get((type(value), value))
        return self._equal.get(value) if found is None else found

    @cached_property
    def numeric(self) -> bool:
        """Whether all values are numbers."""
        return all(map(is_number, self.values))

    @cached_property
    def averageable(self) -> bool:
        """Whether several of them may be averaged: numbers, and not Booleans only."""
        return self.numeric and any(not isinstance(value, bool) for value in self.values)

    @cached_property
    def exact(self) -> tuple[Fraction, ...]:
        """The values as fractions."""
        return tuple(Fraction(value) for value in self.values)

    @property
    def bounds(self) -> tuple[Fraction, Fraction]:
        """Least and greatest value."""
        return min(self.exact), max(self.exact)


@final
@dataclass(frozen=True)
class Means:
    """The numbers ``offset + unit * k / c`` within bounds, ``k`` an integer, ``1 <= c <= most``.

    Attributes
    ----------
    counts
        Means with the same ``counts`` have the same ``c`` in a row.
    prefix
        Whether ``c`` is the number of positions up to the row.
    inexact
        Whether the program computes them in floats.
    """

    low: Fraction
    high: Fraction
    unit: Fraction
    offset: Fraction
    most: int
    counts: int = 0
    prefix: bool = False
    inexact: bool = False

    @property
    def bounds(self) -> tuple[Fraction, Fraction]:
        """Least and greatest value."""
        return self.low, self.high

    def margin(self, cut: Fraction) -> Fraction:
        """Return how near to ``cut`` a value other than ``cut`` can be, at least."""
        return self.unit / (self.most * ((cut - self.offset) / self.unit).denominator)

    def listed(self, most: int) -> list[Fraction] | None:
        """Return all values, or ``None`` if there may be more than ``most``."""
        span = (self.high - self.low) / self.unit
        if span * self.most * self.most > 6 * most:
            return None
        found: set[Fraction] = set()
        for c in range(1, self.most + 1):
            found.update(self.over(c))
        return sorted(found)

    def over(self, count: int) -> Sequence[Fraction]:
        """Return the values with denominator ``count``, ascending."""
        step = self.unit / count
        first = math.ceil((self.low - self.offset) / step)
        last = math.floor((self.high - self.offset) / step)
        return [self.offset + step * k for k in range(first, last + 1)]


@final
@dataclass(frozen=True)
class Interval:
    """Too many values to list, or too near to one another to tell apart; bounds of them."""

    low: Fraction
    high: Fraction
    inexact: bool = False

    @property
    def bounds(self) -> tuple[Fraction, Fraction]:
        """Least and greatest value."""
        return self.low, self.high


def exact(atom: Any) -> Exact:
    """Return a number as an integer if it is one, else as a fraction.

    Examples
    --------
    >>> exact(Fraction(4, 2)), exact(True), exact(0.5)
    (2, 1, Fraction(1, 2))
    """
    if type(atom) is int:
        return atom
    value = Fraction(atom)
    return value.numerator if value.denominator == 1 else value


Domain: TypeAlias = Finite | Means | Interval


def distinct(values: Iterable[Any]) -> Finite:
    """Return the domain of some atoms, in order, repetitions left out."""
    seen = {(type(value), value): value for value in values}
    return Finite(tuple(seen.values()))


def common_unit(values: Sequence[Fraction]) -> Fraction:
    """Return the largest number of which all values are multiples; 1 if all are 0.

    Examples
    --------
    >>> common_unit([Fraction(1, 2), Fraction(3)])
    Fraction(1, 2)
    """
    bottom = math.lcm(1, *(value.denominator for value in values))
    top = math.gcd(*(int(value * bottom) for value in values))
    return Fraction(top, bottom) if top else Fraction(1)
