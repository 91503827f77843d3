"""Infer, before running, what types the values of each s-op can have, and what must or may clash.

The types of a node are a set out of ``str``, ``bool``, ``int`` and ``float``; constants and
positions also carry bounds.  An operation that no combination of its operands' types supports is
an error; one that some do not is not reported, because programs for one kind of input are normal.

Main definitions: :func:`infer`, :func:`type_findings`, :class:`Kinds`.

References
----------
Weiss, Goldberg & Yahav (2021), section 3 [weiss2021].
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal, final

from rasp.evaluate.masks import compare
from rasp.graph import (
    Aggregate,
    And,
    Constant,
    Elementwise,
    Indices,
    Node,
    Select,
    SelectorNode,
    SOpNode,
    Tokens,
    Width,
    ancestors,
)

NUMBERS = frozenset({"bool", "int", "float"})
EVERYTHING = NUMBERS | {"str"}
_ORDERS = ("<", "<=", ">", ">=")


@final
@dataclass(frozen=True, slots=True)
class Kinds:
    """Possible types, and bounds where values are numbers."""

    types: frozenset[str]
    low: float = -math.inf
    high: float = math.inf


@final
@dataclass(frozen=True, slots=True)
class TypeRemark:
    """A remark about a node."""

    severity: Literal["error", "warning"]
    rule: str
    node: Node
    message: str


def infer(root: Node) -> dict[int, Kinds]:
    """Return the possible types of every s-op below ``root``, by digest.

    Examples
    --------
    >>> from rasp import indices, tokens
    >>> sorted(infer((indices * 2).node)[(indices * 2).node.digest].types)
    ['int']
    """
    found: dict[int, Kinds] = {}
    for node in ancestors((root,)):
        if isinstance(node, SOpNode):
            found[node.digest] = _kinds(node, found)
    return found


def _atom(value: Any) -> Kinds:
    name = type(value).__name__ if type(value) in (bool, int, float, str) else "float"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return Kinds(frozenset({name}), value, value)
    return Kinds(frozenset({name}))


def _kinds(node: SOpNode, found: dict[int, Kinds]) -> Kinds:
    match node:
        case Tokens():
            return Kinds(EVERYTHING if node.cast == "asis" else frozenset({node.cast}))
        case Indices():
            return Kinds(frozenset({"int"}), 0)
        case Constant():
            return _atom(node.value)
        case Width():
            return Kinds(frozenset({"int"}), 0)
        case Aggregate():
            values = found[node.values.digest]
            default = _atom(node.default)
            types = set(values.types)
            if not single(node.selector):
                types |= {"float"} if types & {"int", "float"} else set()
                types -= {"str", "bool"} if _surely_many(node.selector) else set()
            if not total(node.selector):
                types |= default.types
            low = min(values.low, default.low)
            return Kinds(frozenset(types), low, max(values.high, default.high))
        case Elementwise():
            return _elementwise(node, [found[a.digest] for a in node.args])
    raise AssertionError(f"unknown node {node!r}")


def _elementwise(node: Elementwise, args: list[Kinds]) -> Kinds:
    op = node.op
    if op in ("==", "!=", "and", "or", "not", "in"):
        return Kinds(frozenset({"bool"}))
    if op in _ORDERS:
        return Kinds(frozenset({"bool"} if _comparable(args[0], args[1]) else ()))
    if op == "indicator":
        return Kinds(frozenset({"int"}), 0, 1)
    if op == "round":
        return Kinds(
            frozenset({"int"} if args[0].types & NUMBERS else ()), args[0].low, args[0].high
        )
    if op == "if":
        low, high = min(args[1].low, args[2].low), max(args[1].high, args[2].high)
        return Kinds(args[1].types | args[2].types, low, high)
    if op in ("get", "map"):
        return Kinds(EVERYTHING)
    if op in ("neg", "pos", "abs"):
        types = args[0].types & NUMBERS
        return Kinds(frozenset("int" if name == "bool" else name for name in types))
    results = {
        name
        for left in args[0].types
        for right in args[1].types
        if (name := _arithmetic(op, left, right))
    }
    return Kinds(frozenset(results), *_bounds(op, args))


def _arithmetic(op: str, left: str, right: str) -> str:
    if left == "str" or right == "str":
        if op == "+" and left == right:
            return "str"
        if op == "*" and {left, right} & {"int", "bool"}:
            return "str"
        return "str" if op == "%" and left == "str" else ""
    if op == "/" or "float" in (left, right):
        return "float"
    return "int"


def _bounds(op: str, args: list[Kinds]) -> tuple[float, float]:
    left, right = args
    if op == "+":
        return left.low + right.low, left.high + right.high
    if op == "-":
        return left.low - right.high, left.high - right.low
    if op == "%" and right.low == right.high and right.low > 0:
        return 0, right.high
    if op == "*" and left.low >= 0 and right.low >= 0:
        return left.low * right.low, math.inf
    return -math.inf, math.inf


def _comparable(left: Kinds, right: Kinds) -> bool:
    both_text = "str" in left.types and "str" in right.types
    return both_text or bool(left.types & NUMBERS and right.types & NUMBERS)


def single(selector: SelectorNode) -> bool:
    """Return whether no row can select two keys: some conjunct matches keys one to one."""
    if isinstance(selector, And):
        return single(selector.left) or single(selector.right)
    return (
        isinstance(selector, Select) and selector.op == "==" and _distinct(selector.keys)
    ) or type(selector).__name__ == "Best"


def _distinct(keys: SOpNode) -> bool:
    if isinstance(keys, Elementwise) and keys.op in ("+", "-"):
        moved = [a for a in keys.args if not isinstance(a, Constant)]
        return len(moved) == 1 and _distinct(moved[0])
    return isinstance(keys, Indices)


def total(selector: SelectorNode) -> bool:
    """Return whether every row surely selects something: reflexive comparisons, true ones."""
    holds = _constant_comparison(selector)
    if holds is not None:
        return holds
    return (
        isinstance(selector, Select)
        and selector.op in ("==", "<=", ">=")
        and selector.keys == selector.queries
    )


def _surely_many(selector: SelectorNode) -> bool:
    return _constant_comparison(selector) is True


def _constant_comparison(selector: SelectorNode) -> bool | None:
    """Return whether a comparison of two constants holds; ``None`` if it is none, or fails."""
    if not isinstance(selector, Select):
        return None
    keys, queries = selector.keys, selector.queries
    if not (isinstance(keys, Constant) and isinstance(queries, Constant)):
        return None
    try:
        return compare(selector.op, queries.value, keys.value)
    except TypeError:
        return None


def type_findings(root: Node) -> list[TypeRemark]:
    """Return what must or may go wrong below ``root``, in evaluation order.

    Examples
    --------
    >>> from rasp import aggregate, full_s, tokens
    >>> [remark.rule for remark in type_findings(aggregate(full_s, tokens).node)]
    ['mean-of-text']
    """
    found = infer(root)
    remarks: list[TypeRemark] = []
    for node in ancestors((root,)):
        for severity, rule, message in _rules(node, found):
            remarks.append(TypeRemark(severity, rule, node, message))
    return remarks


Rule = Iterable[tuple[Literal["error", "warning"], str, str]]


def _rules(node: Node, found: dict[int, Kinds]) -> Rule:
    rules = _RULES.get(type(node))
    return rules(node, found) if rules is not None else ()


def _aggregate_rules(node: Aggregate, found: dict[int, Kinds]) -> Rule:
    values, default = found[node.values.digest], _atom(node.default)
    if (values.types and values.types <= {"str"}) or values.types == {"bool"}:
        what = "strings" if "str" in values.types else "Booleans"
        fix = "" if what == "strings" else ": average indicator(…) instead"
        if _surely_many(node.selector):
            yield (
                "error",
                f"mean-of-{'text' if what == 'strings' else 'bools'}",
                (f"every row selects all positions, and {what} cannot be averaged{fix}"),
            )
        elif not single(node.selector):
            yield (
                "warning",
                f"mean-of-{'text' if what == 'strings' else 'bools'}",
                (f"rows that select several positions fail: {what} cannot be averaged{fix}"),
            )
    if not total(node.selector):
        text_values, text_default = values.types <= {"str"}, "str" in default.types
        if values.types and text_values != text_default and "str" in values.types | default.types:
            if values.types == EVERYTHING:
                return
            yield (
                "warning",
                "default-type",
                (
                    f"rows that select nothing give {node.default!r}, which does not fit the other "
                    f"values: give a default like {'a string' if text_values else '0'}"
                ),
            )


def _select_rules(node: Select, found: dict[int, Kinds]) -> Rule:
    keys, queries = found[node.keys.digest], found[node.queries.digest]
    yield from _comparison_rules(node.op, keys, queries, "nothing is selected")


def _comparison_rules(op: str, left: Kinds, right: Kinds, empty: str) -> Rule:
    if not left.types or not right.types:
        return
    if not _comparable(left, right):
        if op in _ORDERS:
            yield "error", "order-of-types", "strings and numbers have no order between them"
        elif op == "==":
            yield "warning", "never", f"a string never equals a number: {empty}"
        return
    if "str" in left.types & right.types:
        return
    never = {
        "==": left.low > right.high or left.high < right.low,
        "<": left.low >= right.high,
        "<=": left.low > right.high,
        ">": left.high <= right.low,
        ">=": left.high < right.low,
    }
    if never.get(op):
        yield (
            "warning",
            "out-of-range",
            (
                f"never true, since one side is in [{left.low:g}, {left.high:g}] and the other in "
                f"[{right.low:g}, {right.high:g}]: {empty}"
            ),
        )


def _elementwise_rules(node: Elementwise, found: dict[int, Kinds]) -> Rule:
    args = [found[a.digest] for a in node.args]
    if node.op in _ORDERS or node.op in ("==", "!="):
        yield from _comparison_rules(node.op, args[0], args[1], "always false")
        return
    if all(kinds.types for kinds in args) and not found[node.digest].types:
        shown = " and ".join("/".join(sorted(kinds.types)) for kinds in args)
        yield "error", "types", f"{node.op} does not take {shown}"
    if node.op == "if" and args[1].types and args[2].types:
        texts = [kinds.types <= {"str"} for kinds in args[1:]]
        mixed = texts[0] != texts[1] and not any(kinds.types == EVERYTHING for kinds in args[1:])
        if mixed:
            yield "warning", "types", "one branch gives strings and the other numbers"
    if node.op == "get":
        pair: Any = node.param
        kind, table = pair
        if kind != "dict":
            if args[0].low >= len(table):
                yield "error", "out-of-range", f"the {kind} has only {len(table)} entries"
            elif args[0].high >= len(table) and args[0].low >= 0:
                yield (
                    "warning",
                    "out-of-range",
                    (f"fails where the index reaches {len(table)}: that is all the table holds"),
                )


_RULES: dict[type, Callable[[Any, dict[int, Kinds]], Rule]] = {
    Aggregate: _aggregate_rules,
    Select: _select_rules,
    Elementwise: _elementwise_rules,
}
