"""Selectors as disjoint conjunctions of comparisons, and what can be said of their rows.

A selector is a Boolean function of comparisons.  Comparisons of the same keys with the same
queries have three outcomes together (less, equal, greater), so the function is a table over such
pairs; splitting on one pair after the other, outcomes with the same rest together, gives cubes
that never hold at once.  One cube is one attention pattern that adding up scores can make.

Main definitions: :class:`Literal`, :func:`cubes`, :class:`Rows`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any, TypeAlias, final

import numpy as np
import numpy.typing as npt

from rasp.compiler.findings import NotHere
from rasp.evaluate.terms import ALWAYS, EQUAL, GREATER, LESS, RELATIONS
from rasp.graph import (
    And,
    Best,
    Constant,
    Indices,
    Not,
    Or,
    Select,
    SelectorNode,
    SOpNode,
    selector_nodes,
)
from rasp.operations import binary

MOST_PAIRS = 9
OUTCOMES = (LESS, EQUAL, GREATER)
FIRST = Select(Indices(), Constant(0), "==")
"""Position 0, for every row."""
SYMBOLS = {relations: op for op, relations in RELATIONS.items()}


@final
@dataclass(frozen=True, slots=True)
class Literal:
    """The keys stand to the queries in one of ``relations`` (bits less, equal, greater)."""

    keys: SOpNode
    queries: SOpNode
    relations: int

    @property
    def op(self) -> str:
        """The comparison as the language writes it."""
        return SYMBOLS[self.relations]


Cube: TypeAlias = tuple[Literal, ...]


def cubes(selector: SelectorNode) -> tuple[Cube, ...]:
    """Return disjoint conjunctions that together are ``selector``, which holds no ``Best``.

    Raises
    ------
    NotHere
        If more than :data:`MOST_PAIRS` pairs are compared under ``or`` or ``not``.

    Examples
    --------
    >>> from rasp import indices, select, tokens
    >>> before, same = select(indices, indices, "<"), select(tokens, tokens, "==")
    >>> [[literal.op for literal in cube] for cube in cubes((before | same).node)]
    [['!=', '<'], ['==']]
    """
    nodes = selector_nodes(selector)
    if any(isinstance(node, Best) for node in nodes):
        raise NotHere("best inside and, or, not: use it as the whole selector")
    pairs: dict[tuple[int, int], Select] = {}
    for node in nodes:
        if isinstance(node, Select) and _certain(node) is None:
            pairs.setdefault((node.keys.digest, node.queries.digest), node)
    if not any(isinstance(node, (Or, Not)) for node in nodes):
        return _conjunction(nodes, pairs)
    if len(pairs) > MOST_PAIRS:
        raise NotHere(f"or / not over {len(pairs)} different comparisons: at most {MOST_PAIRS}")
    axes = {pair: axis for axis, pair in enumerate(pairs)}
    table = _table(nodes, axes)
    members = list(pairs.values())
    orders: Any = permutations(range(len(members))) if len(members) <= 4 else [range(len(members))]
    best: list[dict[int, int]] | None = None
    for order in orders:
        found = _split(table, tuple(order))
        if best is None or (len(found), sum(map(len, found))) < (len(best), sum(map(len, best))):
            best = found
    return tuple(
        tuple(
            Literal(members[axis].keys, members[axis].queries, relations)
            for axis, relations in sorted(cube.items())
        )
        for cube in best or []
    )


def _certain(node: Select) -> bool | None:
    """Return what a comparison of constants is; ``None`` if the input matters."""
    if isinstance(node.keys, Constant) and isinstance(node.queries, Constant):
        try:
            return bool(binary(node.op)(node.keys.value, node.queries.value))
        except TypeError:
            raise NotHere("an order of strings and numbers") from None
    return None


def _conjunction(
    nodes: Sequence[SelectorNode], pairs: dict[tuple[int, int], Select]
) -> tuple[Cube, ...]:
    allowed = dict.fromkeys(pairs, ALWAYS)
    for node in nodes:
        if isinstance(node, Select):
            certain = _certain(node)
            if certain is None:
                allowed[node.keys.digest, node.queries.digest] &= RELATIONS[node.op]
            elif not certain:
                return ()
    if not all(allowed.values()):
        return ()
    return (
        tuple(
            Literal(pairs[pair].keys, pairs[pair].queries, relations)
            for pair, relations in allowed.items()
        ),
    )


def _table(
    nodes: Sequence[SelectorNode], axes: dict[tuple[int, int], int]
) -> npt.NDArray[np.bool_]:
    known: dict[int, npt.NDArray[np.bool_]] = {}
    for node in nodes:
        match node:
            case Select() if (certain := _certain(node)) is not None:
                known[node.digest] = np.full((1,) * len(axes), certain)
            case Select():
                shape = [1] * len(axes)
                shape[axes[node.keys.digest, node.queries.digest]] = 3
                holds = [bool(RELATIONS[node.op] & outcome) for outcome in OUTCOMES]
                known[node.digest] = np.array(holds).reshape(shape)
            case And():
                known[node.digest] = known[node.left.digest] & known[node.right.digest]
            case Or():
                known[node.digest] = known[node.left.digest] | known[node.right.digest]
            case Not():
                known[node.digest] = ~known[node.inner.digest]
    return np.broadcast_to(known[nodes[-1].digest], (3,) * len(axes))


def _split(table: npt.NDArray[np.bool_], order: tuple[int, ...]) -> list[dict[int, int]]:
    if not table.any():
        return []
    if table.all():
        return [{}]
    axis = order[0]
    groups: dict[bytes, tuple[int, npt.NDArray[np.bool_]]] = {}
    for outcome, bit in enumerate(OUTCOMES):
        part = table.take([outcome], axis)
        relations = groups.get(part.tobytes(), (0, part))[0]
        groups[part.tobytes()] = (relations | bit, part)
    found = []
    for relations, part in groups.values():
        for cube in _split(part, order[1:]):
            found.append({axis: relations, **cube} if relations != ALWAYS else cube)
    return found


def selector_of(cube: Cube) -> SelectorNode:
    """Return the conjunction as a node of the graph."""
    parts: list[SelectorNode] = [Select(x.keys, x.queries, x.op) for x in cube]
    if not parts:
        return Select(Constant(1), Constant(1), "==")
    found = parts[0]
    for part in parts[1:]:
        found = And(found, part)
    return found
