"""One head of the exact runtime: which rows it selects, and the means of their values.

Main definitions: :func:`attend`, :class:`Pattern`.

References
----------
Merrill, Sabharwal and Smith (2022), Definition 4 (saturated attention) [merrill2022].
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np
import numpy.typing as npt

from attention.exact import Integers, compact, product
from rasp.weights.matrix import Indexes
from rasp.weights.rows import Product, Rows, grouped, times_rows

HIDDEN = -(2**63)
"""A score below all others; scores are below 2^62 in absolute value."""

CELLS = 2**20
"""Scores of all distinct queries and keys are tabulated up to this many."""

Flags = npt.NDArray[np.bool_]


@final
@dataclass(frozen=True, eq=False)
class Pattern:
    """The selected rows ``hits`` (words, rows, rows), and the least gap to the next score."""

    hits: Flags
    gap: Fraction | None


def attend(
    weights: Mapping[str, Product], distinct: Rows, at: Indexes, *, causal: bool, gap: bool
) -> tuple[Rows, Indexes, Pattern]:
    """Return what a head adds to the rows of a batch.

    Parameters
    ----------
    weights
        ``query``, ``key``, ``value``, ``output``.
    distinct, at
        The batch: distinct rows, and which of them is where, shape (words, rows).
    causal
        Whether row ``i`` sees rows ``j <= i`` only.
    gap
        Whether to find the least difference between a row's greatest score and the next.

    Returns
    -------
    tuple
        Distinct rows to add, which of them is added where, and the pattern.
    """
    scores = compared_scores(weights, distinct, at, causal=causal)
    best = scores.seen.max(axis=2, keepdims=True)
    hits = scores.seen == best
    least = scores.least_gap(best[:, :, 0], hits) if gap else None
    found, where = _means(weights["value"], distinct, at, hits)
    return weights["output"].of(found), where, Pattern(hits, least)


@final
@dataclass(frozen=True, eq=False)
class Scores:
    """Scores that can be compared within a row: integers, or ranks of very large integers."""

    seen: Integers  # (words, rows, rows)
    levels: npt.NDArray[Any] | None  # the integer that a rank stands for, if seen holds ranks
    bottoms: Integers  # (words, rows): what a row's integers have to be divided by

    def behind(self, best: Integers) -> npt.NDArray[np.float64]:
        """Return by how much every visible score is less than the greatest, as a float."""
        seen = np.where(self.seen == HIDDEN, best, self.seen)
        if self.levels is None:
            between: Any = best - seen
        else:
            between = self.levels[np.broadcast_to(best, seen.shape)] - self.levels[seen]
        return np.asarray(between / self.bottoms[:, :, None], dtype=np.float64)

    def least_gap(self, best: Integers, hits: Flags) -> Fraction | None:
        """Return the least difference between greatest and next score in one row."""
        others = self.seen.copy()
        others[hits] = HIDDEN
        second = others.max(axis=2)
        two = second != HIDDEN
        if not two.any():
            return None
        if self.levels is None:
            between = best[two] - second[two]
        else:
            between = self.levels[best[two]] - self.levels[second[two]]
        least: dict[int, int] = {}
        for bottom, difference in zip(self.bottoms[two].tolist(), between.tolist(), strict=True):
            if difference < least.get(bottom, difference + 1):
                least[bottom] = difference
        return min(Fraction(difference, bottom) for bottom, difference in least.items())


def compared_scores(
    weights: Mapping[str, Product], distinct: Rows, at: Indexes, *, causal: bool
) -> Scores:
    """Return the scores of all pairs of rows of one word, those not visible as ``HIDDEN``."""
    queries, query_at = weights["query"].of(distinct).distinct()
    keys, key_at = weights["key"].of(distinct).distinct()
    tops, common = keys.over_one()
    left, right = query_at[at], key_at[at]
    bottoms = times_rows(queries.denominators[:, None], [common] * queries.count)[:, 0][left]
    if queries.count * keys.count <= max(CELLS, at.size * at.shape[1]):
        table = product(queries.numerators, np.ascontiguousarray(tops.T))
        small, levels = _ranked(table)
        seen = small[left[:, :, None], right[:, None, :]]
    else:  # many distinct rows, few of them in one word: only pairs of one word are multiplied
        pairs = product(queries.numerators[left], np.swapaxes(tops[right], 1, 2))
        seen, levels = _ranked(pairs)
    if causal:
        seen[:, ~np.tri(at.shape[1], dtype=bool)] = HIDDEN
    return Scores(seen, levels, bottoms)


def _ranked(scores: Integers) -> tuple[Integers, npt.NDArray[Any] | None]:
    """Return scores as 64-bit integers: themselves, or their ranks with the list of levels."""
    small = compact(scores)
    if small.dtype == np.int64:
        return small, None
    ordered = sorted(set(small.reshape(-1).tolist()))
    rank = {score: place for place, score in enumerate(ordered)}
    ranks = np.array([rank[s] for s in small.reshape(-1).tolist()], dtype=np.int64)
    levels = np.empty(len(ordered), dtype=object)
    levels[:] = ordered
    return ranks.reshape(small.shape), levels


def _means(value: Product, distinct: Rows, at: Indexes, hits: Flags) -> tuple[Rows, Indexes]:
    """Return the distinct mean values, and which of them every row gets."""
    values, value_at = value.of(distinct).distinct()
    own = value_at[at]
    counts = hits.sum(axis=2)
    if (counts == 1).all():
        return values, np.take_along_axis(own, hits.argmax(axis=2), axis=1)
    tops, common = values.over_one()
    if values.count <= at.shape[1]:  # count how often each value is selected
        kinds = (own[:, :, None] == np.arange(values.count)).astype(np.float32)
        often = (hits.astype(np.float32) @ kinds).astype(np.int64)
        first, where = grouped(often.reshape(-1, values.count))
        sums = product(often.reshape(-1, values.count)[first], tops)
        counts = counts.reshape(-1)[first]
    else:
        sums = product(hits.astype(np.int64), tops[own]).reshape(-1, tops.shape[1])
        where, counts = np.arange(at.size), counts.reshape(-1)
    bottoms = times_rows(counts[:, None], [common] * len(counts))[:, 0]
    means, merged = Rows(sums, bottoms).reduced().distinct()
    return means, merged[where].reshape(at.shape)
