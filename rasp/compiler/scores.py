"""A conjunction of comparisons as a sum of products of a query form and a key form.

A literal adds the same to the score of every key it holds for, and at least one less to others:
then a key is selected iff its score is the sum of what the literals add, and BOS, half a point
below, catches the rows that select nothing.

* Equality and order of listed values: one-hot classes of one side against rows of a table.
* Equality of numbers that are no one-hot: ``2 q k - k^2``, greatest at ``k = q``.
* Conditions on the key alone: a form of the key; on the query alone: in the threshold.

Main definitions: :class:`Score`, :func:`score_of`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Protocol, final

import numpy as np
import numpy.typing as npt

from rasp.compiler.domains import Finite, common_unit
from rasp.compiler.findings import NotHere
from rasp.compiler.pieces import Rank
from rasp.compiler.selections import Cube, Literal
from rasp.compiler.stream import ONE, UNIT, Linear, plus
from rasp.evaluate.terms import ALWAYS, EQUAL, GREATER, LESS, RELATIONS
from rasp.graph import (
    And,
    Constant,
    Elementwise,
    HostFunction,
    Indices,
    Not,
    Or,
    Select,
    SelectorNode,
    SOpNode,
    selector_nodes,
)

ONE_HOT = 64
"""Up to how many values two numbers are compared one-hot although they have squares."""
MOST_CLASSES = 1300
"""Most classes of values that one comparison tells apart: dimensions of a key."""
MOST_PAIRS = 4_000_000
"""Most pairs of a key and a query that are tried when a pattern is one table."""


class _Plan(Protocol):
    def get(self) -> Any: ...


class Forms(Protocol):
    """What scores need of the encoder."""

    values: Any

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


def score_of(cube: Cube, forms: Forms, *, ties: bool, filled: bool) -> Score:
    """Return a score whose hits are one point above all else.

    Parameters
    ----------
    cube
        The conjunction.
    forms
        Where forms come from.
    ties
        Whether several keys, or BOS, may have to tie exactly even in floats.
    filled
        Whether every row selects a key; then ``hit`` may be less than the score of a hit.
    """
    score = Score()
    keys: Linear = {}
    for literal in cube:
        relations = literal.relations
        if forms.values.setting.causal and _positions(literal):
            relations |= GREATER  # later keys are masked anyway
        if relations == ALWAYS:
            continue
        literal = Literal(literal.keys, literal.queries, relations)
        if isinstance(literal.queries, Constant):
            condition = Elementwise(literal.op, (literal.keys, literal.queries))
            keys = plus((keys, 1), (_true(condition, forms), 1))
            score.hit = plus((score.hit, 1), ({ONE: UNIT}, 1))
        elif isinstance(literal.keys, Constant):
            condition = Elementwise(literal.op, (literal.keys, literal.queries))
            score.hit = plus((score.hit, 1), ({ONE: UNIT}, 1), (_true(condition, forms), -1))
        else:
            _pair(literal, forms, score, ties, filled)
    if keys:
        score.pairs.append(({ONE: UNIT}, keys))
    return score


def _positions(literal: Literal) -> bool:
    return isinstance(literal.keys, Indices) and isinstance(literal.queries, Indices)


def _true(condition: SOpNode, forms: Forms) -> Linear:
    domain = forms.values.finite(condition)
    place = domain.place(True)
    if place is None:
        return {}
    if len(domain.values) == 1:
        return {ONE: UNIT}
    form: Linear = forms.flags(condition).get()[place]
    return form


def _pair(literal: Literal, forms: Forms, score: Score, ties: bool, filled: bool) -> None:
    if _by_rank(literal, forms, score):
        return
    keys, queries = (forms.values.finite(n) for n in (literal.keys, literal.queries))
    if literal.relations == EQUAL and keys.numeric and queries.numeric:
        most = max(len(keys.values), len(queries.values))
        small = most <= ONE_HOT and all(_cheap(n, forms) for n in (literal.keys, literal.queries))
        if not small and (not ties or most > 4 * ONE_HOT):
            try:
                _by_squares(literal, keys, queries, forms, score, filled)
            except NotHere:
                pass  # one-hot, if that can be
            else:
                return
    table = relation_table(queries.values, keys.values, literal.relations)
    _by_classes(table, literal.keys, literal.queries, forms, score)


def _by_rank(literal: Literal, forms: Forms, score: Score) -> bool:
    """Compare a number of too many values with one of few, by its place among these."""
    domains = [forms.values.domain(node) for node in (literal.keys, literal.queries)]
    few = [isinstance(domain, Finite) and domain.numeric for domain in domains]
    if few == [True, False] and not isinstance(domains[1], Finite):
        queries = forms.values.ranked(literal.queries, domains[0].exact)
        ranks = np.array(forms.values.finite(queries).values)[:, None]
        own = np.array([Rank(domains[0].exact)(value) for value in domains[0].exact])[None, :]
        _by_classes(_related(own, ranks, literal.relations), literal.keys, queries, forms, score)
        return True
    if few == [False, True] and not isinstance(domains[0], Finite):
        keys = forms.values.ranked(literal.keys, domains[1].exact)
        ranks = np.array(forms.values.finite(keys).values)[None, :]
        own = np.array([Rank(domains[1].exact)(value) for value in domains[1].exact])[:, None]
        _by_classes(_related(ranks, own, literal.relations), keys, literal.queries, forms, score)
        return True
    return False


def _cheap(node: SOpNode, forms: Forms) -> bool:
    table = forms.values.table(node)
    return table is not None and len(table.axes) <= 1


def _by_squares(
    literal: Literal, keys: Finite, queries: Finite, forms: Forms, score: Score, filled: bool
) -> None:
    low, high = keys.bounds
    unit = common_unit([value - low for value in (*keys.exact, *queries.exact)])
    middle = low + unit * ((high - low) / unit // 2)
    square_of_key = forms.number(Elementwise("*", (literal.keys, literal.keys)))
    square_of_query = None
    if not filled:  # else the score of a hit, a square, is at least 0, which will do
        square_of_query = forms.number(Elementwise("*", (literal.queries, literal.queries)))
    key, query = forms.number(literal.keys), forms.number(literal.queries)
    near = plus((key.get(), 1), ({ONE: UNIT}, -middle))
    wanted = plus((query.get(), 1), ({ONE: UNIT}, -middle))
    factor = 1 / unit**2
    score.pairs.append((plus((wanted, 2 * factor)), near))
    score.pairs.append(({ONE: -factor}, _square(square_of_key.get(), key.get(), middle)))
    if square_of_query is not None:
        square = _square(square_of_query.get(), query.get(), middle)
        score.hit = plus((score.hit, 1), (square, factor))


def _square(square: Linear, number: Linear, middle: Fraction) -> Linear:
    return plus((square, 1), (number, -2 * middle), ({ONE: UNIT}, middle * middle))


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
    _by_classes(known[selector.digest], _tuple(keys), _tuple(queries), forms, score)
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


def _by_classes(
    table: npt.NDArray[np.bool_], keys: SOpNode, queries: SOpNode, forms: Forms, score: Score
) -> None:
    if table.all():
        return
    of_keys = _classes(table.T)
    of_queries = _classes(table)
    if min(len(of_keys), len(of_queries)) > MOST_CLASSES:
        raise NotHere(
            f"a comparison that tells {min(len(of_keys), len(of_queries))} classes of values "
            f"apart: at most {MOST_CLASSES}"
        )
    key_flags, query_flags = forms.flags(keys).get(), forms.flags(queries).get()
    score.hit = plus((score.hit, 1), ({ONE: UNIT}, 1))
    if len(of_keys) <= len(of_queries):
        for members, row in of_keys:
            score.pairs.append((_chosen(query_flags, row), _chosen(key_flags, members)))
    else:
        for members, row in of_queries:
            score.pairs.append((_chosen(query_flags, members), _chosen(key_flags, row)))


def _chosen(flags: Sequence[Linear], places: Sequence[int]) -> Linear:
    total: Linear = {}
    for place in places:
        for direction, value in flags[place].items():
            total[direction] = total.get(direction, 0) + value
    return {direction: value for direction, value in total.items() if value}


def _classes(table: npt.NDArray[np.bool_]) -> list[tuple[list[int], list[int]]]:
    """Return groups of equal rows that are not all false, each with the columns it holds for."""
    groups: dict[bytes, tuple[list[int], list[int]]] = {}
    for place, row in enumerate(table):
        if row.any():
            key = row.tobytes()
            if key not in groups:
                groups[key] = ([], row.nonzero()[0].tolist())
            groups[key][0].append(place)
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
    return _related(k, q, relations)


def _related(
    k: npt.NDArray[np.int64], q: npt.NDArray[np.int64], relations: int
) -> npt.NDArray[np.bool_]:
    found = np.zeros((q.shape[0], k.shape[1]), np.bool_)
    for bit, holds in ((LESS, k < q), (EQUAL, k == q), (GREATER, k > q)):
        if relations & bit:
            found |= holds
    return found
