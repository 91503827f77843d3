"""Patterns as tables: classes of keys against classes of queries, one key dimension each.

Main definitions: :class:`Score`, :func:`by_classes`, :func:`joint_score`, :func:`relation_table`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, final

import numpy as np
import numpy.typing as npt

from rasp.compiler.domains import Finite
from rasp.compiler.findings import NotHere
from rasp.compiler.stream import ONE, UNIT, Linear, Stream, plus
from rasp.evaluate.terms import EQUAL, GREATER, LESS, RELATIONS
from rasp.graph import (
    And,
    Constant,
    Elementwise,
    HostFunction,
    Not,
    Or,
    Select,
    SelectorNode,
    SOpNode,
    selector_nodes,
)

MOST_CLASSES = 5000
"""Most classes of values that one comparison tells apart: dimensions of a key."""
MOST_ENTRIES = 2_000_000
"""Most pairs of a key and a query of different classes that a pattern selects."""
MOST_PAIRS = 4_000_000
"""Most pairs of a key and a query that are tried when a pattern is one table."""


class Forms(Protocol):
    """What scores need of the encoder."""

    values: Any
    stream: Stream

    def flags(self, node: SOpNode) -> Any:
        """Return the plan of the one-hot forms of an s-op."""

    def number(self, node: SOpNode) -> Any:
        """Return the plan of the form that is its value."""


@final
@dataclass
class Score:
    """Pairs of query and key forms; ``hit``: the score of a selected key, a form of the query."""

    pairs: list[tuple[Linear, Linear]] = field(default_factory=list)
    hit: Linear = field(default_factory=dict)


def joint_score(selector: SelectorNode, forms: Forms) -> Score:
    """Return the score of any selector, by one table over all keys and all queries it compares.

    Costs products of numbers of values; one pattern for what is no conjunction.
    """
    parts = selector_nodes(selector)
    sides = {node.digest: _sides(node) for node in parts if isinstance(node, Select)}
    keys = _joined([key for key, _ in sides.values()])
    queries = _joined([query for _, query in sides.values()])
    own: Finite = forms.values.finite(_tuple(keys))
    asked: Finite = forms.values.finite(_tuple(queries))
    if len(own.values) * len(asked.values) > MOST_PAIRS:
        raise NotHere(
            f"one pattern over {len(own.values)} kinds of keys and {len(asked.values)} of queries"
        )
    known: dict[int, npt.NDArray[np.bool_]] = {}
    for node in parts:
        match node:
            case Select():
                key, query = sides[node.digest]
                k, q = keys.index(key), queries.index(query)
                known[node.digest] = relation_table(
                    [atoms[q] for atoms in asked.values],
                    [atoms[k] for atoms in own.values],
                    RELATIONS[node.op] if key == node.keys and query == node.queries else EQUAL,
                )
            case And():
                known[node.digest] = known[node.left.digest] & known[node.right.digest]
            case Or():
                known[node.digest] = known[node.left.digest] | known[node.right.digest]
            case Not():
                known[node.digest] = ~known[node.inner.digest]
    score = Score()
    by_classes(known[selector.digest], _tuple(keys), _tuple(queries), forms, score)
    return score


def _sides(node: Select) -> tuple[SOpNode, SOpNode]:
    """Return what is compared; with a constant it is a condition that holds or not."""
    if isinstance(node.queries, Constant):
        return Elementwise(node.op, (node.keys, node.queries)), Constant(True)
    if isinstance(node.keys, Constant):
        return Constant(True), Elementwise(node.op, (node.keys, node.queries))
    return node.keys, node.queries


def _joined(nodes: Sequence[SOpNode]) -> list[SOpNode]:
    return list(dict.fromkeys(nodes))


_TUPLE = HostFunction(lambda *atoms: atoms, "values")  # type: ignore[arg-type]


def _tuple(nodes: Sequence[SOpNode]) -> SOpNode:
    return Elementwise("map", tuple(nodes), _TUPLE)


def by_classes(
    table: npt.NDArray[np.bool_], keys: SOpNode, queries: SOpNode, forms: Forms, score: Score
) -> None:
    """Add the table ``[query, key]`` of a pattern to a score, by classes of the fewer side."""
    if table.all():
        return
    of_keys, of_queries = _classes(table.T), _classes(table)
    if min(len(of_keys), len(of_queries)) > MOST_CLASSES:
        raise NotHere(
            f"a comparison that tells {min(len(of_keys), len(of_queries))} classes of values "
            f"apart: at most {MOST_CLASSES}"
        )
    if table.sum() > MOST_ENTRIES:
        raise NotHere(
            f"a comparison that holds for {table.sum()} pairs of values: at most {MOST_ENTRIES}"
        )
    key_flags, query_flags = forms.flags(keys).get(), forms.flags(queries).get()
    score.hit = plus((score.hit, 1), ({ONE: UNIT}, 1))
    chosen_queries, chosen_keys = _chosen(query_flags), _chosen(key_flags)
    if len(of_keys) <= len(of_queries):
        for members in of_keys:
            row = table[:, members[0]].nonzero()[0].tolist()
            score.pairs.append((chosen_queries(row), chosen_keys(members)))
    else:
        for members in of_queries:
            row = table[members[0]].nonzero()[0].tolist()
            score.pairs.append((chosen_queries(members), chosen_keys(row)))


def _chosen(flags: Sequence[Linear]) -> Callable[[Sequence[int]], Linear]:
    """Return what sums some of the forms; fast if each is a direction of its own."""
    own = [next(iter(form)) for form in flags if len(form) == 1 and UNIT in form.values()]
    if len(set(own)) == len(flags):
        return lambda places: dict.fromkeys([own[place] for place in places], UNIT)
    return lambda places: plus(*((flags[place], 1) for place in places))


def _classes(table: npt.NDArray[np.bool_]) -> list[list[int]]:
    """Return groups of equal rows that are not all false."""
    groups: dict[bytes, list[int]] = {}
    packed = np.packbits(table, axis=1)
    for place in np.flatnonzero(table.any(axis=1)).tolist():
        groups.setdefault(packed[place].tobytes(), []).append(place)
    return list(groups.values())


def relation_table(
    queries: Sequence[Any], keys: Sequence[Any], relations: int
) -> npt.NDArray[np.bool_]:
    """Return for each query and key whether the key stands to the query in one of relations.

    Raises
    ------
    NotHere
        If the order of strings and numbers is asked for.

    Examples
    --------
    >>> relation_table((0, 1), (0, 1, 2), LESS | EQUAL).astype(int).tolist()
    [[1, 0, 0], [1, 1, 0]]
    """
    unlike = relations in (EQUAL, LESS | GREATER)
    try:
        ranks = {value: rank for rank, value in enumerate(sorted({*queries, *keys}))}
    except TypeError:
        if not unlike:
            raise NotHere("an order of strings and numbers") from None
        ranks = {}
        for value in (*queries, *keys):
            ranks.setdefault(value, len(ranks))
    q = np.array([ranks[value] for value in queries])[:, None]
    k = np.array([ranks[value] for value in keys])[None, :]
    return related(k, q, relations)


def related(
    k: npt.NDArray[np.int64], q: npt.NDArray[np.int64], relations: int
) -> npt.NDArray[np.bool_]:
    """Return which ranks of keys (a row) stand to which of queries (a column) in relations."""
    found = np.zeros((q.shape[0], k.shape[1]), np.bool_)
    for bit, holds in ((LESS, k < q), (EQUAL, k == q), (GREATER, k > q)):
        if relations & bit:
            found |= holds
    return found
