"""Rewrite a program into what heads do best, without changing what it computes.

* A width of a disjunction is the sum of the widths of disjoint cubes.
* The mean of "is position 0" over a selection that contains position 0 is one over a count: the
  authors' way to count, which a head with BOS does on its own.
* Selectors that never select give the default; operations on constants are constants.

Main definitions: :func:`lower`.
"""

from rasp.compiler import without_bos
from rasp.compiler.findings import NotHere
from rasp.compiler.selections import FIRST, cubes, selector_of
from rasp.compiler.values import Values
from rasp.compiler.without_bos import AT_FIRST_DIGESTS, Nothing
from rasp.errors import RaspError
from rasp.expand import rebuild
from rasp.graph import (
    Aggregate,
    And,
    Best,
    Constant,
    Elementwise,
    Node,
    Not,
    Select,
    SelectorNode,
    SOpNode,
    Width,
)
from rasp.operations import operation
from rasp.sops import length

LENGTHS = (length.node.digest, Width(Select(Constant(1), Constant(1), "==")).digest)


def lower(root: SOpNode, values: Values) -> SOpNode:
    """Return an equal program of simpler parts.

    Examples
    --------
    >>> from rasp import indices, select, selector_width, tokens
    >>> from rasp.compiler.setting import Setting
    >>> from rasp.compiler.values import Values
    >>> either = select(tokens, tokens, "==") | select(indices, 0, "==")
    >>> lower(selector_width(either).node, Values(Setting(("a", "b"), 4))).op
    '+'
    """

    def change(node: Node) -> Node:
        match node:
            case Elementwise():
                return _counted(_folded(node), values)
            case Width():
                return _width(node.selector, values)
            case Aggregate():
                return _aggregate(node, values)
        return node

    found = rebuild(root, change)
    assert isinstance(found, SOpNode)
    return found


def _folded(node: Elementwise) -> SOpNode:
    if not node.args or not all(isinstance(arg, Constant) for arg in node.args):
        return node
    atoms = [arg.value for arg in node.args if isinstance(arg, Constant)]
    try:
        return Constant(operation(node.op, node.param, exact=True)(*atoms))
    except (ArithmeticError, TypeError, ValueError, RaspError):
        return node  # fails on every input; the values pass says so


def _counted(node: SOpNode, values: Values) -> SOpNode:
    """Return the length times the share of positions with a 0/1 value as their number."""
    if not (isinstance(node, Elementwise) and node.op == "*" and values.setting.bos):
        return node
    for times, share in (node.args, node.args[::-1]):
        if times.digest in LENGTHS and isinstance(share, Aggregate):
            flag = share.values
            if not isinstance(flag, Elementwise) or flag.op != "indicator":
                continue
            try:
                everything = cubes(share.selector) == ((),)
            except NotHere:
                continue
            if everything:
                return Width(Select(flag, Constant(1), "=="))
    return node


def _width(selector: SelectorNode, values: Values) -> SOpNode:
    if isinstance(selector, Best):
        found = _aggregate(Aggregate(selector.inner, Constant(1), 0), values)
        return Elementwise("indicator", (Elementwise(">", (found, Constant(0))),))
    try:
        parts = cubes(selector)
    except NotHere:
        return Width(selector)  # the check says why not
    if not parts:
        return Constant(0)
    if not values.setting.bos:
        return without_bos.count(selector)
    total: SOpNode = Width(selector_of(parts[0]))
    for part in parts[1:]:
        total = Elementwise("+", (total, Width(selector_of(part))))
    return total


def _aggregate(node: Aggregate, values: Values) -> SOpNode:
    if not values.setting.bos and isinstance(node.default, Nothing):
        return node
    if isinstance(node.selector, Best):
        return node if values.setting.bos else _filled(node, node.selector.inner, values)
    try:
        parts = cubes(node.selector)
        if not parts:
            return Constant(node.default)
        if values.setting.bos and node.values.digest in AT_FIRST_DIGESTS and all(parts):
            rest = And(node.selector, Not(FIRST))
            if not cubes(And(Not(node.selector), FIRST)):
                count = Elementwise("+", (Constant(1), _width(rest, values)))
                return Elementwise("/", (Constant(1), count))
    except NotHere:
        return node
    if len(parts) == 1:
        node = Aggregate(selector_of(parts[0]), node.values, node.default)
    return node if values.setting.bos else _filled(node, node.selector, values)


def _filled(node: Aggregate, selector: SelectorNode, values: Values) -> SOpNode:
    """Return an aggregate for a model without BOS."""
    try:
        if values.facts(selector).filled:
            return node
        return without_bos.filled(node)
    except NotHere:
        return node  # the check says why not
