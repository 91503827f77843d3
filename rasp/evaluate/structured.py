"""Sums over selected positions without the matrix.

A conjunction of comparisons is split into a mask of keys, a mask of queries, equalities (keys and
queries are grouped) and orders.  With no order a group's sum answers; with one, prefix sums over
the sorted keys; with two, a wavelet matrix.

Main definitions: :func:`conjunction_sums`, :class:`PairCodes`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

import numpy as np
import numpy.typing as npt

from rasp.evaluate.columns import Ints, numbered
from rasp.evaluate.layout import Layout
from rasp.evaluate.terms import ALWAYS, EQUAL, GREATER, LESS, Conjunction, Pair
from rasp.evaluate.wavelet import range_sums

Weights = npt.NDArray[np.int64]


@final
@dataclass(frozen=True, slots=True)
class PairCodes:
    """Codes of a pair's keys and queries, from 0; see :func:`rasp.evaluate.codes.joint_codes`."""

    keys: Ints
    queries: Ints
    size: int
    """Codes are below this."""

    @classmethod
    def of(cls, keys: Ints, queries: Ints) -> "PairCodes":
        """Return codes shifted, or renumbered, to be small."""
        least = int(min(keys.min(), queries.min()))
        size = int(max(keys.max(), queries.max())) - least + 1
        if size > 4 * len(keys) + 64:
            numbers, count = numbered(np.concatenate([keys, queries]))
            return cls(numbers[: len(keys)], numbers[len(keys) :], count)
        return cls(keys - least, queries - least, size)


_HOLDS = {
    LESS: np.less,
    EQUAL: np.equal,
    GREATER: np.greater,
    LESS | EQUAL: np.less_equal,
    GREATER | EQUAL: np.greater_equal,
    LESS | GREATER: np.not_equal,
}


def relation_holds(keys: Ints, queries: Ints, relations: int) -> npt.NDArray[np.bool_]:
    """Return where the relation of key to query is one of ``relations`` (arrays broadcast)."""
    comparison = _HOLDS.get(relations)
    if comparison is None:
        raise ValueError(f"no comparison has the relations {relations}")
    holds: npt.NDArray[np.bool_] = comparison(keys, queries)
    return holds


def conjunction_sums(
    term: Conjunction, pairs: Mapping[Pair, PairCodes], weights: Weights, layout: Layout
) -> Weights | None:
    """Return, per query, the sums of key weights over the keys that a conjunction selects.

    Parameters
    ----------
    term
        The conjunction.
    pairs
        Codes of its pairs.
    weights
        Shape (n, m) for ``n`` positions in all.
    layout
        Which positions belong together.

    Returns
    -------
    ndarray or None
        Shape (n, m); ``None`` if more than two orders are left, which only the matrix answers.

    Notes
    -----
    O(n log n) for up to one order, O(n log² n) for two.
    """
    of_key = np.ones(layout.size, bool)
    of_query = np.ones(layout.size, bool)
    equal: list[PairCodes] = []
    orders: list[tuple[PairCodes, int]] = []
    for pair, relations in sorted(term):
        codes = pairs[pair]
        if _constant(codes.queries):
            of_key &= relation_holds(codes.keys, codes.queries[:1], relations)
        elif _constant(codes.keys):
            of_query &= relation_holds(codes.keys[:1], codes.queries, relations)
        elif relations == EQUAL:
            equal.append(codes)
        elif relations == LESS | GREATER:
            rest = frozenset(item for item in term if item[0] != pair)
            every = conjunction_sums(rest, pairs, weights, layout)
            same = conjunction_sums(rest | {(pair, EQUAL)}, pairs, weights, layout)
            return None if every is None or same is None else every - same
        elif relations != ALWAYS:
            orders.append((codes, relations))
    if len(orders) > 2:
        return None
    if not of_key.all():
        weights = np.where(of_key[:, None], weights, 0)
    group_keys, group_queries, groups = _grouped(equal, layout)
    if not orders:
        sums = _group_sums(group_keys, group_queries, groups, weights)
    elif len(orders) == 1 and groups * orders[0][0].size <= _room(layout):
        sums = _bucket_sums(group_keys, group_queries, groups, *orders[0], weights)
    else:
        sums = _ordered_sums(group_keys, group_queries, orders, weights)
    return sums if of_query.all() else np.where(of_query[:, None], sums, 0)


def _constant(codes: Ints) -> bool:
    return bool((codes == codes[0]).all())


def _grouped(equal: list[PairCodes], layout: Layout) -> tuple[Ints, Ints, int]:
    keys = queries = layout.segment
    size = len(layout.lengths)
    for codes in equal:
        keys = keys * codes.size + codes.keys
        queries = queries * codes.size + codes.queries
        size *= codes.size
        if size > 4 * layout.size + 64:
            numbers, size = numbered(np.concatenate([keys, queries]))
            keys, queries = numbers[: layout.size], numbers[layout.size :]
    return keys, queries, size


def _group_sums(keys: Ints, queries: Ints, groups: int, weights: Weights) -> Weights:
    return _totals(keys, groups, weights)[queries]


def _totals(groups_of: Ints, groups: int, weights: Weights) -> Weights:
    """Return the sums of weights in each group; all are below 2^53, so doubles are exact."""
    columns = [
        np.bincount(groups_of, weights[:, column], groups) for column in range(weights.shape[1])
    ]
    return np.stack(columns, axis=1).astype(np.int64)


def _room(layout: Layout) -> int:
    """Return how many buckets are no more work than the positions themselves."""
    return 8 * layout.size + 64


def _bucket_sums(
    group_keys: Ints,
    group_queries: Ints,
    groups: int,
    codes: PairCodes,
    relations: int,
    weights: Weights,
) -> Weights:
    """Sum up each group's values of a code, then over the codes below or above."""
    totals = _totals(group_keys * codes.size + codes.keys, groups * codes.size, weights)
    upto = np.cumsum(totals.reshape(groups, codes.size, -1), axis=1)
    sums: Weights = upto[group_queries, codes.queries]
    if relations in (LESS, GREATER | EQUAL):
        sums = sums - totals[group_queries * codes.size + codes.queries]
    if relations in (GREATER, GREATER | EQUAL):
        sums = upto[group_queries, -1] - sums
    return sums


def few_buckets(term: Conjunction, pairs: Mapping[Pair, PairCodes], layout: Layout) -> bool:
    """Return whether a conjunction's sums need no sorting."""
    buckets, orders = len(layout.lengths), 0
    for pair, relations in term:
        buckets *= pairs[pair].size
        orders += relations not in (EQUAL, ALWAYS)
    return orders <= 1 and buckets <= _room(layout)


def _ordered_sums(
    group_keys: Ints,
    group_queries: Ints,
    orders: list[tuple[PairCodes, int]],
    weights: Weights,
) -> Weights:
    codes, relations = orders[0]
    at_key = group_keys * codes.size + codes.keys
    order = np.argsort(at_key, kind="stable")
    ranked = at_key[order]
    at_query = group_queries * codes.size + codes.queries
    if relations in (LESS, LESS | EQUAL):
        low = np.searchsorted(ranked, group_queries * codes.size, "left")
        side = "left" if relations == LESS else "right"
        high = np.searchsorted(ranked, at_query, side)  # type: ignore[call-overload]
    else:
        side = "right" if relations == GREATER else "left"
        low = np.searchsorted(ranked, at_query, side)  # type: ignore[call-overload]
        high = np.searchsorted(ranked, (group_queries + 1) * codes.size, "left")
    weights = weights[order]
    if len(orders) == 1:
        prefix = np.zeros((len(weights) + 1, weights.shape[1]), np.int64)
        np.cumsum(weights, axis=0, out=prefix[1:])
        sums: Weights = prefix[high] - prefix[low]
        return sums
    other, other_relations = orders[1]
    values, limits = other.keys[order], other.queries
    if other_relations in (LESS, LESS | EQUAL):
        return range_sums(values, weights, low, high, limits + (other_relations != LESS))
    everything = np.full(len(limits), other.size, np.int64)
    every = range_sums(values, weights, low, high, everything)
    rest = range_sums(values, weights, low, high, limits + (other_relations == GREATER))
    return every - rest
