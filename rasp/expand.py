"""Write ``Width`` out as the aggregates it abbreviates.

The library's ``selector_width`` reads the width off a mean: with position 0 forced into the
selection, the mean of its indicator is one over the number of selected positions, and a second
head says whether position 0 belonged to the selection anyway.  Two heads, one layer.

Main definitions: :func:`expand_widths`, :func:`rebuild`.

References
----------
Weiss, Goldberg & Yahav (2021), section 4 [weiss2021].
"""

from collections.abc import Callable

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
    Width,
    ancestors,
)


def width_parts(selector: SelectorNode) -> tuple[SelectorNode, SelectorNode]:
    """Return the two selectors that counting ``selector`` needs: with and within position 0."""
    first = Select(Indices(), Constant(0), "==")
    return Or(selector, first), And(selector, first)


def expanded_width(selector: SelectorNode) -> SOpNode:
    """Return the s-op of two aggregates that counts the rows of ``selector``."""
    with_first, within_first = width_parts(selector)
    at_first = Elementwise("indicator", (Elementwise("==", (Indices(), Constant(0))),))
    others = Elementwise(
        "-",
        (Elementwise("/", (Constant(1), Aggregate(with_first, at_first))), Constant(1)),
    )
    first = Aggregate(within_first, Constant(1), 0)
    return Elementwise("round", (Elementwise("+", (others, first)),))


def expand_widths(root: SOpNode) -> SOpNode:
    """Return an equal program without ``Width`` nodes.

    Examples
    --------
    >>> from rasp import indices, select, selector_width
    >>> from rasp.evaluate.engine import evaluate
    >>> count = selector_width(select(indices, indices, "<=")).node
    >>> evaluate(expand_widths(count), "abc")
    [1, 2, 3]
    """

    def expand(node: Node) -> Node:
        return expanded_width(node.selector) if isinstance(node, Width) else node

    result = rebuild(root, expand)
    assert isinstance(result, SOpNode)
    return result


def rebuild(root: Node, change: Callable[[Node], Node]) -> Node:
    """Return ``root`` with ``change`` applied to every node, parents before children.

    ``change`` gets a node whose parents are changed already and returns what to put there.
    """
    new: dict[Node, Node] = {}
    for node in ancestors((root,)):
        new[node] = change(_rebuild(node, new))
    return new[root]


def _rebuild(node: Node, new: dict[Node, Node]) -> Node:
    def sop(old: SOpNode) -> SOpNode:
        found = new[old]
        assert isinstance(found, SOpNode)
        return found

    def selector(old: SelectorNode) -> SelectorNode:
        found = new[old]
        assert isinstance(found, SelectorNode)
        return found

    match node:
        case Elementwise():
            return Elementwise(node.op, tuple(sop(a) for a in node.args), node.param)
        case Select():
            return Select(sop(node.keys), sop(node.queries), node.op)
        case And():
            return And(selector(node.left), selector(node.right))
        case Or():
            return Or(selector(node.left), selector(node.right))
        case Not():
            return Not(selector(node.inner))
        case Best():
            return Best(selector(node.inner), sop(node.keys), sop(node.queries), node.op)
        case Aggregate():
            return Aggregate(selector(node.selector), sop(node.values), node.default)
        case Width():
            return Width(selector(node.selector))
    return node
