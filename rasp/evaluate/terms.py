r"""Selectors as integer combinations of conjunctions of comparisons.

Sums over selected positions are linear in the selector's 0/1 matrix, and Boolean operations are
polynomial in it: ``a and b`` is ``ab``, ``a or b`` is ``a + b - ab``, ``not a`` is ``1 - a``.
Expanding gives conjunctions only, and comparisons of the same keys with the same queries merge:
each is a set of the relations *less*, *equal*, *greater*, and conjunction intersects the sets.

Main definitions: :class:`Literal`, :func:`expand`.
"""

from dataclasses import dataclass
from typing import TypeAlias, final

from rasp.graph import And, Node, Not, Or, Select, SelectorNode, SOpNode, selector_nodes

LESS, EQUAL, GREATER, ALWAYS = 1, 2, 4, 7
RELATIONS = {
    "<": LESS,
    "==": EQUAL,
    ">": GREATER,
    "<=": LESS | EQUAL,
    ">=": GREATER | EQUAL,
    "!=": LESS | GREATER,
}

Pair: TypeAlias = tuple[int, int]
"""Digests of keys and queries."""

Conjunction: TypeAlias = frozenset[tuple[Pair, int]]
"""Pairs with the relations of key to query that are allowed."""

Polynomial: TypeAlias = dict[Conjunction, int]


@final
@dataclass(frozen=True, slots=True)
class Expansion:
    """A selector as a combination of conjunctions.

    Attributes
    ----------
    terms
        Conjunction to its coefficient, none of them 0.
    nodes
        Keys and queries of each pair that occurs.
    ordered
        Pairs that some comparison asks the order of, so that their values must have one.
    """

    terms: Polynomial
    nodes: dict[Pair, tuple[SOpNode, SOpNode]]
    ordered: frozenset[Pair]


def expand(selector: SelectorNode, most: int) -> Expansion | None:
    """Return the expansion of ``selector``, or ``None`` beyond ``most`` terms or with ``Best``.

    Examples
    --------
    >>> from rasp import indices, select
    >>> before = select(indices, indices, "<")
    >>> len(expand((before | select(indices, indices, "==")).node, 9).terms)
    2
    """
    nodes: dict[Pair, tuple[SOpNode, SOpNode]] = {}
    ordered: set[Pair] = set()
    known: dict[int, Polynomial] = {}
    for node in selector_nodes(selector):
        result = _expand_one(node, known, nodes, ordered)
        if result is None or len(result) > most:
            return None
        known[node.digest] = result
    return Expansion(known[selector.digest], nodes, frozenset(ordered))


def _expand_one(
    node: Node,
    known: dict[int, Polynomial],
    nodes: dict[Pair, tuple[SOpNode, SOpNode]],
    ordered: set[Pair],
) -> Polynomial | None:
    match node:
        case Select():
            pair = (node.keys.digest, node.queries.digest)
            nodes[pair] = (node.keys, node.queries)
            if node.op == "!=":
                return {frozenset(): 1, frozenset({(pair, EQUAL)}): -1}
            if node.op != "==":
                ordered.add(pair)
            return {frozenset({(pair, RELATIONS[node.op])}): 1}
        case And():
            return _product(known[node.left.digest], known[node.right.digest])
        case Or():
            left, right = known[node.left.digest], known[node.right.digest]
            return _sum(_sum(left, right), _product(left, right), -1)
        case Not():
            return _sum({frozenset(): 1}, known[node.inner.digest], -1)
    return None


def _sum(left: Polynomial, right: Polynomial, times: int = 1) -> Polynomial:
    total = dict(left)
    for term, coefficient in right.items():
        total[term] = total.get(term, 0) + times * coefficient
    return {term: coefficient for term, coefficient in total.items() if coefficient}


def _product(left: Polynomial, right: Polynomial) -> Polynomial:
    total: Polynomial = {}
    for one, a in left.items():
        for other, b in right.items():
            term = _meet(one, other)
            if term is not None:
                total[term] = total.get(term, 0) + a * b
    return {term: coefficient for term, coefficient in total.items() if coefficient}


def _meet(one: Conjunction, other: Conjunction) -> Conjunction | None:
    allowed = dict(one)
    for pair, relations in other:
        allowed[pair] = allowed.get(pair, ALWAYS) & relations
        if not allowed[pair]:
            return None
    return frozenset((pair, relations) for pair, relations in allowed.items())
