"""Coordinates as exact functions of a few finite variables.

A coordinate of a residual row is a sum of tables, each over its own variables: the symbol, the
position, what a head delivered.  Tables hold integers over one denominator.

Main definitions: :class:`Table`, :class:`Sum`.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import final

import numpy as np

from attention.exact import LIMIT, Integers, compact, magnitude

Sizes = Mapping[int, int]
"""Variable to the number of its values."""


@final
@dataclass(frozen=True, eq=False)
class Table:
    """``values / denominator`` on the grid of ``variables`` (ascending), one axis each.

    Examples
    --------
    >>> half = Table((0,), np.array([0, 1]), 2)
    >>> both = half.plus(Table((1,), np.array([0, 1, 2]), 1))
    >>> both.variables, both.values.tolist(), both.denominator
    ((0, 1), [[0, 2, 4], [1, 3, 5]], 2)
    """

    variables: tuple[int, ...]
    values: Integers
    denominator: int

    @classmethod
    def of(cls, variables: tuple[int, ...], values: Sequence[Fraction]) -> "Table":
        """Return the table of one variable (or none) with the given values."""
        common = math.lcm(1, *{value.denominator for value in values})
        raw = np.empty(len(values), dtype=object)
        raw[:] = [value.numerator * (common // value.denominator) for value in values]
        shaped = raw if variables else raw.reshape(())
        return cls(variables, compact(np.asarray(shaped)), common)

    def plus(self, other: "Table") -> "Table":
        """Return the sum, on the grid of all variables of both."""
        variables = tuple(sorted({*self.variables, *other.variables}))
        common = math.lcm(self.denominator, other.denominator)
        left = self._over(common, variables)
        right = other._over(common, variables)
        if magnitude(left) + magnitude(right) >= LIMIT:
            left, right = left.astype(object), right.astype(object)
        return Table(variables, compact(np.asarray(left + right)), common)

    def times(self, factor: Fraction) -> "Table":
        """Return a multiple."""
        values = self.values
        if max(magnitude(values), 1) * abs(factor.numerator) >= LIMIT:
            values = values.astype(object)
        return Table(
            self.variables,
            compact(np.asarray(values * factor.numerator)),
            self.denominator * factor.denominator,
        )

    def positive(self) -> "Table":
        """Return the table with 0 in the place of negative values."""
        values = np.asarray(np.maximum(self.values, 0), dtype=self.values.dtype)
        return Table(self.variables, values, self.denominator)

    def reduced(self) -> "Table":
        """Return the same function without variables that it does not depend on."""
        table = self
        for axis in range(len(self.variables) - 1, -1, -1):
            first = table.values.take([0], axis=axis)
            if (table.values == first).all():
                left = table.variables[:axis] + table.variables[axis + 1 :]
                table = Table(left, np.asarray(first.squeeze(axis)), table.denominator)
        return table

    def on(self, variables: tuple[int, ...], sizes: Sizes) -> Integers:
        """Return the numerators on the full grid of ``variables``, flat."""
        shape = tuple(sizes[v] for v in variables)
        return np.broadcast_to(self._over(self.denominator, variables), shape).reshape(-1)

    def _over(self, common: int, variables: tuple[int, ...]) -> Integers:
        factor, values = common // self.denominator, self.values
        if max(magnitude(values), 1) * factor >= LIMIT:
            values = values.astype(object)
        axes = tuple(
            values.shape[self.variables.index(v)] if v in self.variables else 1 for v in variables
        )
        return np.asarray(values * factor, dtype=values.dtype).reshape(axes)


@final
@dataclass(frozen=True)
class Sum:
    """A sum of tables over different sets of variables; ``None`` stands for the unknown."""

    terms: tuple[Table, ...] = ()

    @property
    def variables(self) -> tuple[int, ...]:
        """All variables, ascending."""
        return tuple(sorted({v for term in self.terms for v in term.variables}))

    def plus(self, other: "Sum") -> "Sum":
        """Return the sum, with one term for each set of variables."""
        found: dict[tuple[int, ...], Table] = {}
        for term in (*self.terms, *other.terms):
            known = found.get(term.variables)
            found[term.variables] = term if known is None else known.plus(term)
        return Sum(tuple(found.values()))

    def times(self, factor: Fraction) -> "Sum":
        """Return a multiple."""
        return Sum(tuple(term.times(factor) for term in self.terms))

    def simplified(self, sizes: Sizes, cap: int) -> "Sum":
        """Return the same function with as few variables as can be found out cheaply."""
        if len(self.terms) < 2 or grid_size(self.variables, sizes) > cap:
            return Sum(tuple(term.reduced() for term in self.terms))
        return Sum((self.table().reduced(),))

    def table(self) -> Table:
        """Return one table on all variables."""
        total = Table((), np.zeros((), np.int64), 1)
        for term in self.terms:
            total = total.plus(term)
        return total


def grid_size(variables: Sequence[int], sizes: Sizes) -> int:
    """Return how many combinations of values there are."""
    return math.prod(sizes[v] for v in variables)
