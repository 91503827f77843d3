"""The best-scored key of each row, from a block of the matrix or by sorting.

Main definitions: :func:`best_block`, :func:`best_keys`.
"""

from typing import Any, Protocol

import numpy as np

from rasp.errors import EvaluationError
from rasp.evaluate.columns import Column, Ints, numbered
from rasp.evaluate.dense import Matrix
from rasp.evaluate.layout import Layout
from rasp.evaluate.structured import PairCodes, relation_holds
from rasp.evaluate.terms import EQUAL, LESS, Expansion, Pair, expand
from rasp.graph import Best, Constant, SelectorNode, SOpNode


class _Evaluation(Protocol):
    layout: Layout

    def column(self, node: SOpNode) -> Column: ...

    def pairs(self, expansion: Expansion) -> dict[Pair, PairCodes]: ...


def _scores(column: Column) -> Any:
    if column.kind == "exact" and column.den is None and column.bound < 1 << 31:
        return column.num
    return None


def best_block(
    node: Best, block: Matrix, queries: Ints, keys: Ints, evaluation: _Evaluation
) -> Matrix:
    """Return ``block`` cut down to the leftmost key of highest score in each row."""
    left, right = evaluation.column(node.keys), evaluation.column(node.queries)
    k, q = _scores(left), _scores(right)
    if k is not None and q is not None:
        ks, qs = k[keys][:, None, :], q[queries][:, :, None]
        score = ks + qs if node.op == "+" else ks - qs if node.op == "-" else ks * qs
        lowest = np.iinfo(np.int64).min
        chosen = np.where(block, score, lowest).argmax(axis=-1)
        best = np.zeros_like(block)
        np.put_along_axis(best, chosen[:, :, None], True, axis=-1)
        return best & block
    return _one_by_one(node, block, queries, keys, left, right)


def _one_by_one(
    node: Best, block: Matrix, queries: Ints, keys: Ints, left: Column, right: Column
) -> Matrix:
    from rasp.evaluate.masks import best_rows

    ks, qs = left.values(), right.values()
    best = np.zeros_like(block)
    for b in range(len(block)):
        own = [ks[key] for key in keys[b].tolist()]
        for r, query in enumerate(queries[b].tolist()):
            mask = int.from_bytes(np.packbits(block[b, r], bitorder="little").tobytes(), "little")
            try:
                (row,) = best_rows([mask], own, [qs[query]], node.op)
            except TypeError as error:
                raise EvaluationError(str(error)) from None
            if row:
                best[b, r, row.bit_length() - 1] = True
    return best


def best_keys(selector: SelectorNode, evaluation: _Evaluation) -> Ints | None:
    """Return the chosen key of each query by sorting, -1 for none; ``None`` if that cannot be.

    It can for one conjunction with at most one order, scored by a key whose order that is:
    nearest earlier position with some property, and the like.
    """
    if not isinstance(selector, Best) or not isinstance(selector.queries, Constant):
        return None
    if selector.op == "*" or type(selector.queries.value) is not int:
        return None
    expansion = expand(selector.inner, 1)
    if expansion is None or list(expansion.terms.values()) != [1]:
        return None
    score = _scores(evaluation.column(selector.keys))
    if score is None:
        return None
    pairs = evaluation.pairs(expansion)
    layout = evaluation.layout
    (term,) = expansion.terms
    of_key, of_query = np.ones(layout.size, bool), np.ones(layout.size, bool)
    group_keys = group_queries = layout.segment
    order: tuple[PairCodes, int] | None = None
    for pair, relations in sorted(term):
        codes = pairs[pair]
        if (codes.queries == codes.queries[0]).all():
            of_key &= relation_holds(codes.keys, codes.queries[:1], relations)
        elif (codes.keys == codes.keys[0]).all():
            of_query &= relation_holds(codes.keys[:1], codes.queries, relations)
        elif relations == EQUAL:
            group_keys = group_keys * codes.size + codes.keys
            group_queries = group_queries * codes.size + codes.queries
            joined = np.concatenate([group_keys, group_queries])
            numbers, _ = numbered(joined)
            group_keys, group_queries = numbers[: layout.size], numbers[layout.size :]
        elif (
            relations in (LESS, LESS | EQUAL)
            and order is None
            and (expansion.nodes[pair][0] == selector.keys)
        ):
            order = (codes, relations)
        else:
            return None
    candidates = np.flatnonzero(of_key)
    if not len(candidates):
        return np.full(layout.size, -1, np.int64)
    ranks = numbered(score)[0] if order is None else order[0].keys
    size = int(ranks.max()) + 1 if order is None else order[0].size
    # within a group by score, later positions first among equals, so that the last one wins
    by = np.lexsort((-candidates, ranks[candidates], group_keys[candidates]))
    candidates = candidates[by]
    ranked = group_keys[candidates] * size + ranks[candidates]
    if order is None:
        limit = (group_queries + 1) * size
    else:
        limit = group_queries * size + order[0].queries + (order[1] != LESS)
    place = np.searchsorted(ranked, limit, "left") - 1
    found = (place >= 0) & of_query
    place = np.maximum(place, 0)
    found &= group_keys[candidates[place]] == group_queries
    return np.where(found, candidates[place], -1)
