"""The parser against the grammar: random programs, token soup, the library, precedence."""

from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lark import Lark, Token, Tree
from lark.exceptions import LarkError
from rasp_texts import expressions

from rasp.interpret.library import library_text
from rasp.syntax import tree as ast
from rasp.syntax.lexer import Source
from rasp.syntax.statements import parse_expression, parse_units

GRAMMAR = Lark(
    (files("rasp.syntax") / "grammar.lark").read_text(), parser="lalr", maybe_placeholders=True
)


def plain(node: Any) -> Any:
    """Return either parser's tree as nested lists."""
    if node is None:
        return None
    if isinstance(node, Token):
        return str(node)
    if isinstance(node, Tree):
        return from_lark(node)
    return FROM_OURS[type(node)](node)


def from_lark(node: Tree[Any]) -> Any:
    kind, parts = str(node.data), node.children
    children = [plain(part) for part in parts]
    match kind:
        case "start" | "names" | "expressions" | "block":
            return children
        case "integer":
            return ["literal", int(children[0])]
        case "real":
            return ["literal", float(children[0])]
        case "text":
            return ["literal", children[0][1:-1]]
        case "binary":
            return ["binary", children[1], children[0], children[2]]
        case "contains":
            return ["binary", "in", *children]
        case "negation" | "minus" | "plus":
            word = {"negation": "not", "minus": "-", "plus": "+"}[kind]
            return ["unary", word, children[0]]
        case "round" | "indicator":
            return ["unary", kind, children[0]]
        case "select":
            return ["select", children[1], children[2], children[3]]
        case "aggregate":
            return ["aggregate", *children[1:]]
        case "range" | "zip":
            return [kind, children[1]]
        case "len":
            return [kind, [children[1]]]
        case "list":
            return ["list", children[0] or []]
        case "dict":
            return ["dict", [child for child in children if child is not None]]
        case "pair":
            return children
        case "call":
            return ["call", children[0], children[1] or []]
        case "definition":
            return ["definition", children[0], children[1] or [], *children[2:]]
        case "loop":
            return ["loop", children[0], children[1], children[2:]]
        case "load":
            return ["load", children[0][1:-1]]
    return [kind, *children]


def many(nodes: Any) -> list[Any]:
    return [plain(node) for node in nodes]


FROM_OURS: dict[type, Any] = {
    ast.Literal: lambda n: ["literal", n.value],
    ast.Name: lambda n: ["name", n.name],
    ast.ListExpression: lambda n: ["list", many(n.items)],
    ast.DictExpression: lambda n: ["dict", [[plain(k), plain(v)] for k, v in n.pairs]],
    ast.Index: lambda n: ["index", plain(n.target), plain(n.index)],
    ast.Call: lambda n: ["call", plain(n.target), many(n.args)],
    ast.Unary: lambda n: ["unary", n.op, plain(n.operand)],
    ast.Binary: lambda n: ["binary", n.op, plain(n.left), plain(n.right)],
    ast.Ternary: lambda n: ["ternary", plain(n.then), plain(n.condition), plain(n.other)],
    ast.SelectExpression: lambda n: ["select", plain(n.keys), plain(n.queries), n.op],
    ast.AggregateExpression: lambda n: [
        "aggregate", plain(n.selector), plain(n.values), plain(n.default)
    ],
    ast.Builtin: lambda n: [n.name, many(n.args)],
    ast.ListComprehension: lambda n: [
        "list_comprehension", plain(n.value), list(n.names), plain(n.iterable)
    ],
    ast.DictComprehension: lambda n: [
        "dict_comprehension", [plain(n.key), plain(n.value)], list(n.names), plain(n.iterable)
    ],
    ast.ExpressionStatement: lambda n: ["expression_statement", plain(n.value)],
    ast.Assignment: lambda n: ["assignment", list(n.names), many(n.values)],
    ast.Definition: lambda n: [
        "definition", n.name, list(n.parameters), many(n.body), many(n.results)
    ],
    ast.Loop: lambda n: ["loop", list(n.names), plain(n.iterable), many(n.body)],
    ast.Draw: lambda n: ["draw", plain(n.sop), plain(n.input)],
    ast.Load: lambda n: ["load", n.file],
}  # fmt: skip


def ours(text: str) -> Any:
    units = list(parse_units(Source(text)))
    if any(unit.error is not None for unit in units):
        return "error"
    return [plain(statement) for unit in units for statement in unit.statements]


def theirs(text: str) -> Any:
    try:
        return plain(GRAMMAR.parse(text))
    except LarkError:
        return "error"


@pytest.mark.parametrize("name", ["rasplib", "paper_examples", "stdlib"])
def test_the_library_has_one_reading(name: str) -> None:
    text = library_text(name)
    assert ours(text) == theirs(text) != "error"


@settings(max_examples=200, deadline=None)
@given(expressions())
def test_expressions_have_one_reading(text: str) -> None:
    assert ours(text + ";") == theirs(text + ";") != "error"


SOUP = ["a", "1", "+", "(", ")", "[", "]", "{", "}", ",", ";", ":", "=", "==", "if", "else", "in"]
SOUP += ["for", "def", "return", "not", "select(", "aggregate(", "round", "load", '"s"', "draw"]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(SOUP), max_size=9).map(" ".join))
def test_soup_is_refused_by_both_or_by_none(text: str) -> None:
    wanted = theirs(text)
    if "," in text:  # trailing commas are an extension that the grammar leaves out
        assert wanted == "error" or ours(text) == wanted
    else:
        assert ours(text) == wanted


@pytest.mark.parametrize(
    ("text", "reading"),
    [
        ("2^3^2", "(2^3)^2"),
        ("-2^2", "(-2)^2"),
        ("6%4*2", "6%(4*2)"),
        ("a or b and c", "(a or b) and c"),
        ("not a == b", "(not a) == b"),
        ("1<2<3", "(1<2)<3"),
        ("a if b else c if d else e", "(a if b else c) if d else e"),
        ("1 in a and 2 in b", "(1 in (a and 2)) in b"),
        ("-a[0](b)", "-(a[0](b))"),
        ("1 + 2 in a", "(1 + 2) in a"),
    ],
)
def test_precedence(text: str, reading: str) -> None:
    assert parse_expression(text) == parse_expression(reading)
