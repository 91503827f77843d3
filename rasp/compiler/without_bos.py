"""Programs for models without a row for BOS: what BOS does, done with position 0.

Position 0 is always there, so a selection with it added is never empty, and one over the mean of
"is position 0" counts it.  Whether position 0 was selected anyway takes a second head: it looks at
position 0 if that is selected and at all the others if not.  The first row of a word of one
symbol has no others, so it answers from its own values.  A row that selects nothing finds
something else; the count tells, and the default takes its place.

Main definitions: :class:`FirstElseRest`, :data:`NOTHING`, :func:`count`, :func:`filled`.
"""

from dataclasses import dataclass
from typing import final

from rasp.compiler.findings import NotHere
from rasp.compiler.selections import FIRST, cubes
from rasp.graph import (
    Aggregate,
    And,
    Best,
    Constant,
    Elementwise,
    Indices,
    Node,
    Not,
    Or,
    Select,
    SelectorNode,
    SOpNode,
    selector_nodes,
)

AT_FIRST = Elementwise("indicator", (Elementwise("==", (Indices(), Constant(0))),))
AT_FIRST_DIGESTS = (
    AT_FIRST.digest,
    Elementwise("indicator", (Elementwise("==", (Constant(0), Indices())),)).digest,
)


@final
@dataclass(frozen=True)
class Nothing:
    """The default of an aggregate whose empty rows nobody reads."""


NOTHING = Nothing()


@final
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class FirstElseRest(SelectorNode):
    """Position 0 where ``inner`` selects it, else all other positions, if there are any."""

    inner: SelectorNode

    def __post_init__(self) -> None:
        self._seal(self.inner.digest)

    @property
    def parents(self) -> tuple[Node, ...]:
        """The selector that is looked at."""
        return (self.inner,)


def selects_first(selector: SelectorNode) -> bool:
    """Return whether every row certainly selects position 0."""
    if isinstance(selector, (Best, FirstElseRest)):
        return False
    try:
        return not cubes(And(Not(selector), FIRST))
    except NotHere:
        return False


def count(selector: SelectorNode) -> SOpNode:
    """Return the s-op that counts a selector's rows with two heads and no BOS."""
    others = Elementwise("/", (Constant(1), Aggregate(Or(selector, FIRST), AT_FIRST, NOTHING)))
    first = Elementwise("indicator", (_first(selector),))
    total = Elementwise("+", (Elementwise("-", (others, Constant(1))), first))
    return Elementwise("round", (total,))


def filled(node: Aggregate) -> SOpNode:
    """Return an aggregate that gives its default where its head finds nothing."""
    selector = node.selector.inner if isinstance(node.selector, Best) else node.selector
    share = Aggregate(Or(selector, FIRST), AT_FIRST, NOTHING)
    some = Elementwise("or", (Elementwise("<", (share, Constant(1))), _first(selector)))
    found = Aggregate(node.selector, node.values, NOTHING)
    return Elementwise("if", (some, found, Constant(node.default)))


def _first(selector: SelectorNode) -> SOpNode:
    """Return whether each row selects position 0."""
    looked = Elementwise(">", (Aggregate(FirstElseRest(selector), AT_FIRST, NOTHING), Constant(0)))
    here = Elementwise("==", (Indices(), Constant(0)))
    return Elementwise("if", (here, _own(selector), looked))


def _own(selector: SelectorNode) -> SOpNode:
    """Return whether each row selects itself."""
    known: dict[int, SOpNode] = {}
    for node in selector_nodes(selector):
        match node:
            case Select():
                known[node.digest] = Elementwise(node.op, (node.keys, node.queries))
            case And():
                sides = (known[node.left.digest], known[node.right.digest])
                known[node.digest] = Elementwise("and", sides)
            case Or():
                sides = (known[node.left.digest], known[node.right.digest])
                known[node.digest] = Elementwise("or", sides)
            case Not():
                known[node.digest] = Elementwise("not", (known[node.inner.digest],))
            case _:
                raise NotHere("best inside and, or, not: use it as the whole selector")
    return known[selector.digest]
