"""Write programs in one style; comments stay, meaning stays, formatting twice changes nothing.

Main definitions: :func:`format_source`, :func:`expression_text`.
"""

import re
from collections.abc import Sequence
from typing import final

from rasp.syntax.lexer import Source, comments
from rasp.syntax.parser import PRECEDENCE, UNARY
from rasp.syntax.render import literal_text
from rasp.syntax.statements import parse_units
from rasp.syntax.tree import (
    AggregateExpression,
    Assignment,
    Binary,
    Builtin,
    Call,
    Command,
    Definition,
    DictComprehension,
    DictExpression,
    Draw,
    Expression,
    ExpressionStatement,
    Index,
    ListComprehension,
    ListExpression,
    Literal,
    Load,
    Loop,
    Name,
    SelectExpression,
    Statement,
    Ternary,
    Unary,
)

INDENT = "    "
_CALL = UNARY + 1


def expression_text(tree: Expression, weakest: int = 1) -> str:
    """Return ``tree`` with no more parentheses than reading it back needs.

    Examples
    --------
    >>> from rasp.syntax.statements import parse_expression
    >>> expression_text(parse_expression("((a)+b)*(-(c))^2"))
    '(a + b) * -c ^ 2'
    """
    text, strength = _expression(tree)
    return text if strength >= weakest else f"({text})"


def _list(trees: Sequence[Expression]) -> str:
    return ", ".join(map(expression_text, trees))


def _expression(tree: Expression) -> tuple[str, int]:
    match tree:
        case Literal():
            text = literal_text(tree.value)
            return text, _CALL
        case Name():
            return tree.name, _CALL
        case Binary():
            strength = PRECEDENCE[tree.op]
            left = expression_text(tree.left, strength)
            return f"{left} {tree.op} {expression_text(tree.right, strength + 1)}", strength
        case Ternary():
            strength = PRECEDENCE["if"]
            then = expression_text(tree.then, strength)
            condition = expression_text(tree.condition)
            other = expression_text(tree.other, strength + 1)
            return f"{then} if {condition} else {other}", strength
        case Unary(op="round") | Unary(op="indicator"):
            return f"{tree.op}({expression_text(tree.operand)})", _CALL
        case Unary():
            gap = " " if tree.op == "not" else ""
            inner = expression_text(tree.operand, UNARY)
            gap = " " if inner[0] in "-+" else gap
            return f"{tree.op}{gap}{inner}", UNARY
        case Index():
            return f"{expression_text(tree.target, _CALL)}[{expression_text(tree.index)}]", _CALL
        case Call():
            return f"{expression_text(tree.target, _CALL)}({_list(tree.args)})", _CALL
        case SelectExpression():
            return f"select({_list((tree.keys, tree.queries))}, {tree.op})", _CALL
        case AggregateExpression():
            parts = [tree.selector, tree.values]
            parts += [tree.default] if tree.default is not None else []
            return f"aggregate({_list(parts)})", _CALL
        case Builtin():
            return f"{tree.name}({_list(tree.args)})", _CALL
        case ListExpression():
            return f"[{_list(tree.items)}]", _CALL
        case DictExpression():
            pairs = (f"{expression_text(k)}: {expression_text(v)}" for k, v in tree.pairs)
            return "{" + ", ".join(pairs) + "}", _CALL
        case ListComprehension():
            clause = f"for {', '.join(tree.names)} in {expression_text(tree.iterable)}"
            return f"[{expression_text(tree.value)} {clause}]", _CALL
        case DictComprehension():
            pair = f"{expression_text(tree.key)}: {expression_text(tree.value)}"
            clause = f"for {', '.join(tree.names)} in {expression_text(tree.iterable)}"
            return "{" + f"{pair} {clause}" + "}", _CALL


@final
class _Writer:
    """Writes statements in order, putting each comment where it was."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.comments = list(comments(text))
        self.lines: list[str] = []
        self.at = 0

    def gap(self, upto: int, depth: int) -> None:
        """Write the comments and at most one blank line that come before offset ``upto``."""
        while self.comments and self.comments[0][0] < upto:
            start, comment = self.comments.pop(0)
            self._blank(start)
            self.lines.append(INDENT * depth + comment)
            self.at = start + len(comment)
        self._blank(upto)

    def _blank(self, upto: int) -> None:
        between = self.text[self.at : upto]
        last = self.lines[-1] if self.lines else ""
        if last and not last.endswith("{") and re.search(r"\n[ \t\r]*\n", between):
            self.lines.append("")

    def statement(self, tree: Statement, depth: int) -> None:
        """Write one statement and the comment that ends its line."""
        self.gap(tree.start, depth)
        pad = INDENT * depth
        match tree:
            case Definition() | Loop():
                self._inner_comments(tree.body[0].start if tree.body else tree.end, depth)
                if isinstance(tree, Definition):
                    head = f"def {tree.name}({', '.join(tree.parameters)}) {{"
                else:
                    iterable = expression_text(tree.iterable)
                    head = f"for {', '.join(tree.names)} in {iterable} {{"
                self.lines.append(pad + head)
                self.at = tree.start
                for inner in tree.body:
                    self.statement(inner, depth + 1)
                if isinstance(tree, Definition):
                    self.gap(tree.results[0].start, depth + 1)
                    self.lines.append(f"{pad}{INDENT}return {_list(tree.results)};")
                    self.at = tree.results[-1].end
                self.gap(tree.end, depth + 1)
                if self.lines[-1] == "":
                    self.lines.pop()
                self.lines.append(pad + "}")
            case _:
                self._inner_comments(tree.end, depth)
                self.lines.append(pad + statement_text(tree))
        self.at = tree.end
        if self.comments:
            start, comment = self.comments[0]
            if "\n" not in self.text[tree.end : start] and not self.text[tree.end : start].strip():
                self.comments.pop(0)
                self.lines[-1] += f"  {comment}"
                self.at = start + len(comment)

    def _inner_comments(self, upto: int, depth: int) -> None:
        while self.comments and self.comments[0][0] < upto:
            self.lines.append(INDENT * depth + self.comments.pop(0)[1])


def statement_text(tree: Statement) -> str:
    """Return a statement that holds no others."""
    match tree:
        case ExpressionStatement():
            return expression_text(tree.value) + ";"
        case Assignment():
            return f"{', '.join(tree.names)} = {_list(tree.values)};"
        case Load():
            return f'load "{tree.file}";'
        case Draw():
            example = "" if tree.input is None else f", {expression_text(tree.input)}"
            return f"draw({expression_text(tree.sop)}{example});"
        case Command():
            which = "" if tree.which == "both" else f"{tree.which} "
            switch = "on" if tree.on else "off"
            match tree.word:
                case "exit":
                    return "exit"
                case "full":
                    return f"full seq display {switch}"
                case "examples":
                    return f"{which}examples {switch}"
                case "show":
                    return f"show {which}example"
            assert tree.value is not None
            return f"set {which}example {expression_text(tree.value)}"
    raise AssertionError(f"{tree!r} holds statements")


def format_source(text: str) -> str:
    r"""Return ``text`` in the one style: a statement a line, blocks indented.

    Raises
    ------
    RaspError
        If the text has a syntax error: nothing is formatted then.

    Examples
    --------
    >>> format_source("a=1;b =[ 1,2 ]; # why\n")
    'a = 1;\nb = [1, 2];  # why\n'
    """
    writer = _Writer(text)
    for unit in parse_units(Source(text)):
        if unit.error is not None:
            raise unit.error
        for statement in unit.statements:
            writer.statement(statement, 0)
    writer.gap(len(text), 0)
    while writer.lines and not writer.lines[-1]:
        writer.lines.pop()
    return "\n".join(writer.lines) + "\n" if writer.lines else ""
