"""Counts and sums of integers under one comparison, without rows.

A head whose selector is a single comparison of integers needs no pattern: what a row selects
depends on its query value alone, so the values are added up by key value, once.  Rows and exact
means are made only when something else asks for them.

Main definitions: :func:`comparison_sums`, :class:`Later`, :class:`Known`.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Any, final

from rasp.graph import Select

Totals = dict[int, tuple[int, int]]
"""Query value to the sum of the selected values and their number."""


def comparison_sums(
    keys: Sequence[int], queries: Sequence[int], op: str, values: Sequence[int]
) -> Totals:
    """Return the sum and the number of the values at the keys with ``key op query``.

    Notes
    -----
    O(n) and a sort of the distinct keys.

    Examples
    --------
    >>> comparison_sums([0, 1, 1], [0, 1, 2], "<=", [5, 6, 7])
    {0: (5, 1), 1: (18, 3), 2: (18, 3)}
    """
    totals: dict[int, int] = {}
    counts: dict[int, int] = {}
    for key, value in zip(keys, values, strict=True):
        if key in totals:
            totals[key] += value
            counts[key] += 1
        else:
            totals[key], counts[key] = value, 1
    if op == "==":
        return {query: (totals.get(query, 0), counts.get(query, 0)) for query in set(queries)}
    total, count = sum(values), len(values)
    if op == "!=":
        return {
            query: (total - totals.get(query, 0), count - counts.get(query, 0))
            for query in set(queries)
        }
    ranked = sorted(totals)
    sums = [0, *accumulate(map(totals.__getitem__, ranked))]
    sizes = [0, *accumulate(map(counts.__getitem__, ranked))]
    find = bisect_left if op in ("<", ">=") else bisect_right
    places = {query: find(ranked, query) for query in set(queries)}
    if op in ("<", "<="):
        return {query: (sums[at], sizes[at]) for query, at in places.items()}
    return {query: (total - sums[at], count - sizes[at]) for query, at in places.items()}


@final
@dataclass(frozen=True, slots=True)
class Later:
    """Values that nobody may need, and how to make them."""

    make: Callable[[], list[Any]]


@final
class Known(dict[int, list[Any]]):
    """Digest to values; what was put off is made when it is looked up."""

    def __init__(self) -> None:
        super().__init__()
        self.later: dict[int, Later] = {}

    def __missing__(self, digest: int) -> list[Any]:
        values = self.later.pop(digest).make()
        self[digest] = values
        return values


@final
@dataclass(frozen=True, slots=True)
class Means:
    """The result of an aggregate of integers under one comparison, not yet divided out.

    ``exact`` says whether means are fractions or floats.
    """

    queries: list[int]
    totals: Totals
    default: Any
    exact: bool

    def values(self) -> list[Any]:
        """Return defaults, single values and means."""
        return self._by_query(self._mean, lambda: self.default)

    def rounded(self) -> list[int]:
        """Return what rounding the values gives, half to even, without making fractions."""
        divide = self._rounded if self.exact else lambda total, count: round(total * 1.0 / count)
        return self._by_query(divide, lambda: round(self.default))

    def _by_query(self, divide: Callable[[int, int], Any], absent: Callable[[], Any]) -> list[Any]:
        table = {
            query: divide(total, count) if count > 1 else total if count else absent()
            for query, (total, count) in self.totals.items()
        }
        return list(map(table.__getitem__, self.queries))

    def _mean(self, total: int, count: int) -> Any:
        return Fraction(total, count) if self.exact else total * 1.0 / count

    def _rounded(self, total: int, count: int) -> int:
        whole, rest = divmod(total, count)
        twice = 2 * rest - count
        return whole + (twice > 0 or (twice == 0 and whole % 2 == 1))


def single_comparison(selector: object, later: dict[int, Later], whole: set[int]) -> Select | None:
    """Return ``selector`` if it compares integers and its rows are still put off."""
    if (
        type(selector) is Select
        and selector.digest in later
        and selector.keys.digest in whole
        and selector.queries.digest in whole
    ):
        return selector
    return None
