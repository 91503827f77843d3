"""The program that a model with a causal mask computes.

Main definitions: :func:`causal_program`.
"""

from rasp.expand import rebuild
from rasp.graph import Aggregate, And, Best, Indices, Node, Select, SelectorNode, SOpNode, Width


def causal_program(root: SOpNode) -> SOpNode:
    """Return the program with every selector cut down to keys not later than the query.

    Examples
    --------
    >>> from rasp import full_s, selector_width
    >>> from rasp.evaluate.engine import evaluate
    >>> evaluate(causal_program(selector_width(full_s).node), "abc")
    [1, 2, 3]
    """
    past = Select(Indices(), Indices(), "<=")

    def cut(selector: SelectorNode) -> SelectorNode:
        if isinstance(selector, Best):
            return Best(cut(selector.inner), selector.keys, selector.queries, selector.op)
        return And(selector, past)

    def change(node: Node) -> Node:
        match node:
            case Aggregate():
                return Aggregate(cut(node.selector), node.values, node.default)
            case Width():
                return Width(cut(node.selector))
        return node

    found = rebuild(root, change)
    assert isinstance(found, SOpNode)
    return found
