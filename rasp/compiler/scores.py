"""A conjunction of comparisons as a sum of products of a query form and a key form.

A literal adds the same to the score of every key it holds for, and at least one less to others:
then a key is selected iff its score is the sum of what the literals add, and BOS, half a point
below, catches the rows that select nothing.

* Equality and order of listed values: one-hot classes of one side against rows of a table.
* Equality of numbers that are no one-hot: ``2 q k - k^2``, greatest at ``k = q``.
* Conditions on the key alone: a form of the key; on the query alone: in the threshold.

Main definitions: :func:`score_of`.
"""

from fractions import Fraction
from typing import Any, Protocol

import numpy as np

from rasp.compiler.coarse import on_grid
from rasp.compiler.domains import Finite, common_unit
from rasp.compiler.embed import embedded
from rasp.compiler.findings import NotHere
from rasp.compiler.patterns import (
    MOST_CLASSES,
    Forms,
    Score,
    by_classes,
    related,
    relation_table,
)
from rasp.compiler.pieces import Rank
from rasp.compiler.selections import Cube, Literal
from rasp.compiler.stream import ONE, UNIT, Linear, plus
from rasp.evaluate.terms import ALWAYS, EQUAL, GREATER
from rasp.graph import (
    Constant,
    Elementwise,
    Indices,
    SOpNode,
)

NUMBERED = 300
"""Symbols or positions of more values than this are compared by numbers that stand for them."""
ONE_HOT = 64
"""Up to how many values two numbers are compared one-hot although they have squares."""
MOST_PAIRS = 4_000_000
"""Most pairs of a key and a query that are tried when a pattern is one table."""


class _Plan(Protocol):
    def get(self) -> Any: ...


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
    if literal.relations == EQUAL and max(len(keys.values), len(queries.values)) > NUMBERED:
        tables = [forms.values.table(node) for node in (literal.keys, literal.queries)]
        if all(map(embedded, tables)):  # numbers for symbols, exact in floats too
            for key, query in forms.values.numbered(literal.keys, literal.queries):
                own, asked = forms.values.finite(key), forms.values.finite(query)
                digit = Literal(key, query, EQUAL)
                _by_squares(digit, own, asked, forms, score, filled)
            return
    if literal.relations == EQUAL and keys.numeric and queries.numeric:
        most = max(len(keys.values), len(queries.values))
        small = most <= ONE_HOT and all(_cheap(n, forms) for n in (literal.keys, literal.queries))
        if not small and (not ties or most > MOST_CLASSES):  # squares of floats do not tie
            try:
                _by_squares(literal, keys, queries, forms, score, filled)
            except NotHere:
                pass  # one-hot, if that can be
            else:
                return
    table = relation_table(queries.values, keys.values, literal.relations)
    by_classes(table, literal.keys, literal.queries, forms, score)


def _by_rank(literal: Literal, forms: Forms, score: Score) -> bool:
    """Compare a number of too many values with one of few, by its place among these."""
    domains = [forms.values.domain(node) for node in (literal.keys, literal.queries)]
    few = [isinstance(domain, Finite) and domain.numeric for domain in domains]
    if few == [True, False] and not isinstance(domains[1], Finite):
        queries = forms.values.ranked(literal.queries, domains[0].exact)
        ranks = np.array(forms.values.finite(queries).values)[:, None]
        own = np.array([Rank(domains[0].exact)(value) for value in domains[0].exact])[None, :]
        by_classes(related(own, ranks, literal.relations), literal.keys, queries, forms, score)
        return True
    if few == [False, True] and not isinstance(domains[0], Finite):
        keys = forms.values.ranked(literal.keys, domains[1].exact)
        ranks = np.array(forms.values.finite(keys).values)[None, :]
        own = np.array([Rank(domains[1].exact)(value) for value in domains[1].exact])[:, None]
        by_classes(related(ranks, own, literal.relations), keys, literal.queries, forms, score)
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
    key, query = (
        _told_apart(node, domain, unit, forms)
        for node, domain in ((literal.keys, keys), (literal.queries, queries))
    )
    near = plus((key, 1), ({ONE: UNIT}, -middle))
    wanted = plus((query, 1), ({ONE: UNIT}, -middle))
    factor = 1 / unit**2
    score.pairs.append((plus((wanted, 2 * factor)), near))
    score.pairs.append(({ONE: -factor}, _square(square_of_key.get(), key, middle)))
    if square_of_query is not None:
        square = _square(square_of_query.get(), query, middle)
        score.hit = plus((score.hit, 1), (square, factor))


def _told_apart(node: SOpNode, domain: Finite, unit: Fraction, forms: Forms) -> Linear:
    """Return the form of a number; of an integer one that floats hold exactly."""
    form: Linear = forms.number(node).get()
    if any(value.denominator > 1 for value in domain.exact):
        return form
    return on_grid(form, unit, max(map(abs, domain.bounds)), forms.stream)


def _square(square: Linear, number: Linear, middle: Fraction) -> Linear:
    return plus((square, 1), (number, -2 * middle), ({ONE: UNIT}, middle * middle))
