"""Write a graph as text in the concrete language, whole programs or short descriptions.

Main definitions: :func:`program_text`, :func:`describe_node`, :func:`literal_text`.

References
----------
Weiss, Goldberg & Yahav (2021), appendix on the language [weiss2021].
"""

import math
from collections import Counter
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from rasp.errors import RaspError
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
    Tokens,
    Width,
    ancestors,
)


class NoTextError(RaspError):
    """A graph, or a constant, that the concrete language cannot write."""


def literal_text(value: Any) -> str:
    r"""Return an atom as the language writes it.

    Raises
    ------
    NoTextError
        For infinities, NaN and fractions that are no finite decimals.

    Examples
    --------
    >>> literal_text(-3), literal_text(1e-7), literal_text('a"b')
    ('(-3)', '0.0000001', 'e"a\\"b"')
    """
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, str):
        if '"' in value or "\n" in value or "\r" in value:
            escaped = value.replace("\\", "\\\\").replace('"', '\\"')
            return 'e"' + escaped.replace("\n", "\\n").replace("\r", "\\r") + '"'
        return f'"{value}"'
    if isinstance(value, int):
        return str(value) if value >= 0 else f"({value})"
    if isinstance(value, float) and math.isfinite(value):
        text = format(Decimal(repr(value)), "f")
        text = text if "." in text else text + ".0"
        return text if not text.startswith("-") else f"({text})"
    raise NoTextError(f"{value!r} has no text in the language")


def _table_text(param: tuple[str, Any]) -> str:
    kind, table = param
    if kind == "str":
        return literal_text(table)
    if kind == "list":
        return "[" + ", ".join(map(literal_text, table)) + "]"
    return "{" + ", ".join(f"{literal_text(k)}: {literal_text(v)}" for k, v in table) + "}"


def _elementwise_text(node: Elementwise, parts: list[str]) -> str:
    match node.op:
        case "not":
            return f"(not {parts[0]})"
        case "neg":
            return f"(-{parts[0]})"
        case "pos":
            return f"(+{parts[0]})"
        case "round" | "indicator":
            return (
                f"{node.op}({parts[0].removeprefix('(').removesuffix(')')})"
                if (_wrapped(parts[0]))
                else f"{node.op}({parts[0]})"
            )
        case "if":
            return f"({parts[1]} if {parts[0]} else {parts[2]})"
        case "in":
            param: Any = node.param
            return f"({parts[0]} in [{', '.join(map(literal_text, param))}])"
        case "get":
            table: Any = node.param
            return f"{_table_text(table)}[{parts[0]}]"
        case "map" | "abs":
            raise NoTextError(
                f"{getattr(node.param, 'label', node.op)} is a Python function: it has no text"
            )
    return f"({parts[0]} {node.op} {parts[1]})"


def _wrapped(text: str) -> bool:
    """Return whether the first parenthesis closes at the very end, outside of strings."""
    if not text.startswith("(") or '"' in text:
        return False
    depth = 0
    for position, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            return position == len(text) - 1
    return False


def _bare(text: str) -> str:
    return text[1:-1] if _wrapped(text) else text


def _text(node: Node, parts: list[str]) -> str:
    match node:
        case Tokens():
            return f"tokens_{node.cast}"
        case Indices():
            return "indices"
        case Constant():
            value = node.value
            if isinstance(value, Fraction):
                return f"({value.numerator} / {value.denominator})"
            return literal_text(value)
        case Elementwise():
            return _elementwise_text(node, parts)
        case Select():
            return f"select({_bare(parts[0])}, {_bare(parts[1])}, {node.op})"
        case And():
            return f"({parts[0]} and {parts[1]})"
        case Or():
            return f"({parts[0]} or {parts[1]})"
        case Not():
            return f"(not {parts[0]})"
        case Best():
            inner = ", ".join(_bare(part) for part in parts)
            return f'best({inner}, "{node.op}")'
        case Aggregate():
            default = "" if node.default == 0 and type(node.default) is int else None
            default = f", {literal_text(node.default)}" if default is None else ""
            return f"aggregate({_bare(parts[0])}, {_bare(parts[1])}{default})"
        case Width():
            return f"selector_width({_bare(parts[0])})"
    raise AssertionError(f"unknown node {node!r}")


def program_text(
    root: Node, name: str = "result", *, names: Mapping[int, str] | None = None
) -> str:
    """Return a program that defines ``root`` under ``name``; running it gives an equal graph.

    Parameters
    ----------
    root
        An s-op or selector made by either front end.
    name
        A name the language lets programs set.
    names
        Digest to name, for nodes that should get a statement of their own.

    Raises
    ------
    NoTextError
        If the graph holds Python functions or values that have no literal.

    Notes
    -----
    Nodes used more than once, or nested deeply, become statements, so text is linear in the
    graph.

    Examples
    --------
    >>> from rasp import indices, tokens, select, selector_width
    >>> print(program_text(selector_width(select(tokens, tokens, "==")).node, "hist"), end="")
    hist = selector_width(select(tokens_str, tokens_str, ==));
    """
    given = dict(names or {})
    uses: Counter[int] = Counter()
    order = list(ancestors((root,)))
    for node in order:
        uses.update(parent.digest for parent in node.parents)
    texts: dict[int, str] = {}
    statements = []
    taken = set(given.values()) | {name}
    for node in order:
        text = _text(node, [texts[parent.digest] for parent in node.parents])
        if node is order[-1]:
            statements.append(f"{name} = {_bare(text)};\n")
        elif node.parents and (node.digest in given or uses[node.digest] > 1 or len(text) > 120):
            own = given.get(node.digest) or _fresh(taken)
            statements.append(f"{own} = {_bare(text)};\n")
            text = own
        texts[node.digest] = text
    return "".join(statements)


def _fresh(taken: set[str]) -> str:
    number = 1
    while f"_t{number}" in taken:
        number += 1
    taken.add(f"_t{number}")
    return f"_t{number}"


def describe_node(node: Node, names: Mapping[int, str] | None = None, *, longest: int = 60) -> str:
    """Return a short text for ``node``: its name, or its expression cut to ``longest``.

    Examples
    --------
    >>> from rasp import indices, select
    >>> describe_node(select(indices, 0, "==").node)
    'select(indices, 0, ==)'
    """
    known = names or {}

    def short(node: Node, room: int) -> str:
        if node.digest in known:
            return known[node.digest]
        if room <= 0 and node.parents:
            return "…"
        try:
            return _text(node, [short(parent, room - 1) for parent in node.parents])
        except NoTextError:
            return getattr(getattr(node, "param", None), "label", "python")

    if node.digest in known:
        return known[node.digest]
    text = _bare(short(node, 4))
    return text if len(text) <= longest else text[: longest - 1] + "…"
