"""Parse expressions and statements by precedence climbing.

Tightest to loosest: index and call, unary, ``^``, ``* /``, ``%``, ``+ -``, comparisons,
``and or`` (one level), the conditional, ``in``.  Everything is left associative, the conditional
too: ``1 if 1 else 2 if 0 else 3`` is ``(1 if 1 else 2) if 0 else 3``.  The grammar in
``grammar.lark`` says the same thing a second time and the tests compare the two.

Main definitions: :class:`Parser`.

References
----------
Weiss, Goldberg & Yahav (2021), appendix on the language [weiss2021].
"""

import re
from typing import final

from rasp.errors import LimitError, RaspSyntaxError
from rasp.syntax.lexer import KEYWORDS, Source, Token, tokenise
from rasp.syntax.tree import (
    AggregateExpression,
    Binary,
    Builtin,
    Call,
    DictComprehension,
    DictExpression,
    Expression,
    Index,
    ListComprehension,
    ListExpression,
    Literal,
    Name,
    SelectExpression,
    Ternary,
    Unary,
)

PRECEDENCE = {
    "in": 1, "if": 2, "and": 3, "or": 3,
    "==": 4, "!=": 4, "<": 4, "<=": 4, ">": 4, ">=": 4,
    "+": 5, "-": 5, "%": 6, "*": 7, "/": 7, "^": 8,
}  # fmt: skip
UNARY = 9
"""Binding strength of ``not``, ``-`` and ``+``: they bind tighter than ``^``."""

COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
DEEPEST = 150
"""Deepest nesting of brackets."""

_ATOMIC = frozenset({"name", "int", "float", "string"})
_AFTER = frozenset({",", ";", ")", "]", "}", ":"})
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "\\": "\\"}


@final
class Parser:
    """The tokens of a source with a position; the statement level is in ``statements``.

    Parameters
    ----------
    source
        The text.
    strict
        Refuse what the authors' grammar refuses: trailing commas, ``!=`` between values,
        escaped strings.
    """

    def __init__(self, source: Source, *, strict: bool = False) -> None:
        self.source = source
        self.strict = strict
        self.tokens = list(tokenise(source.text))
        self.at = 0
        self.depth = 0

    @property
    def token(self) -> Token:
        """The next token."""
        return self.tokens[self.at]

    def error(self, message: str, *, hint: str = "", token: Token | None = None) -> RaspSyntaxError:
        """Return a syntax error at ``token`` (the next one unless given)."""
        bad = token or self.token
        if bad.kind == "bad":
            message = f"token recognition error at: '{bad.text}'"
        start = bad.start
        end = start + max(1, len(bad.text) if bad.kind != "end" else 1)
        if message.startswith("missing ';'") and self.at:
            start, end = self.end(), self.end() + 1  # the place where it is missing
        error = RaspSyntaxError(message, span=self.source.span(start, end), hint=hint)
        error.incomplete = bad.kind == "end"
        return error

    def expect(self, kind: str) -> Token:
        """Consume a token of ``kind``.

        Raises
        ------
        RaspSyntaxError
            If the next token is another.
        """
        token = self.token
        if token.kind != kind:
            if kind == ";":
                raise self.error(
                    f"missing ';' at '{token.text}'", hint="end the statement with ';'"
                )
            shown = "ID" if kind == "name" else f"'{kind}'"
            hint = f"'{token.text}' is a word of the language" if token.text in KEYWORDS else ""
            raise self.error(f"mismatched input '{token.text}' expecting {shown}", hint=hint)
        self.at += 1
        return token

    def take(self, kind: str) -> bool:
        """Consume the next token if it is of ``kind``."""
        if self.tokens[self.at].kind == kind:
            self.at += 1
            return True
        return False

    def extension(self, what: str) -> None:
        """Refuse ``what`` in strict mode."""
        if self.strict:
            raise self.error(f"{what} is an extension, refused by --strict")

    def end(self) -> int:
        """Return the offset where the last consumed token ends."""
        last = self.tokens[self.at - 1]
        return last.start + len(last.text)

    def expression(self, weakest: int = 1) -> Expression:
        """Parse an expression whose operators bind at least as tightly as ``weakest``."""
        token = self.tokens[self.at]
        if token.kind in _ATOMIC and self.tokens[self.at + 1].kind in _AFTER:
            self.at += 1  # most operands stand alone; long lists of them should load fast
            if token.kind == "name":
                return Name(token.text, start=token.start, end=token.start + len(token.text))
            return self._literal(token)
        self.depth += 1
        if self.depth > DEEPEST:
            raise LimitError(
                f"nested deeper than {DEEPEST} levels",
                span=self.source.span(self.token.start, self.token.start + 1),
            )
        start = self.token.start
        left = self._prefix()
        while True:
            op = self.tokens[self.at].kind
            strength = PRECEDENCE.get(op, 0)
            if strength < weakest:
                break
            if op == "!=" and self.strict:
                raise self.error("mismatched input '!=' expecting ';'")
            self.at += 1
            if op == "if":
                condition = self.expression()
                self.expect("else")
                other = self.expression(strength + 1)
                left = Ternary(left, condition, other, start=start, end=self.end())
            else:
                right = self.expression(strength + 1)
                left = Binary(op, left, right, start=start, end=self.end())
        self.depth -= 1
        return left

    def _prefix(self) -> Expression:
        signs = []
        while self.token.kind in ("not", "-", "+"):
            signs.append(self.token)
            self.at += 1
        value = self._postfix()
        for sign in reversed(signs):
            value = Unary(sign.kind, value, start=sign.start, end=self.end())
        return value

    def _postfix(self) -> Expression:
        start = self.token.start
        value = self._primary()
        while True:
            if self.take("["):
                index = self.expression()
                self.expect("]")
                value = Index(value, index, start=start, end=self.end())
            elif self.take("("):
                args = self.expressions(")") if self.token.kind != ")" else ()
                self.expect(")")
                value = Call(value, args, start=start, end=self.end())
            else:
                return value

    def expressions(self, closer: str) -> tuple[Expression, ...]:
        """Parse ``e, e, …`` up to, not including, ``closer``; a trailing comma is an extension."""
        found = [self.expression()]
        while self.take(","):
            if self.token.kind == closer:
                self.extension("a trailing comma")
                break
            found.append(self.expression())
        return tuple(found)

    def names(self) -> tuple[str, ...]:
        """Parse ``a, b, …``."""
        found = [self.expect("name").text]
        while self.take(","):
            found.append(self.expect("name").text)
        return tuple(found)

    def _primary(self) -> Expression:
        token = self.token
        kind, start = token.kind, token.start
        self.at += 1
        if kind == "name":
            return Name(token.text, start=start, end=start + len(token.text))
        if kind in ("int", "float", "string", "escaped"):
            return self._literal(token)
        if kind == "(":
            value = self.expression()
            self.expect(")")
            return value
        if kind == "[":
            return self._list(start)
        if kind == "{":
            return self._dict(start)
        if kind in ("round", "indicator"):
            self.expect("(")
            value = self.expression()
            self.expect(")")
            return Unary(kind, value, start=start, end=self.end())
        if kind == "select(":
            return self._select(start)
        if kind == "aggregate(":
            parts = self.expressions(")")
            self.expect(")")
            if len(parts) not in (2, 3):
                raise self.error(
                    f"aggregate takes a selector, values and maybe a default, not {len(parts)}",
                    token=token,
                )
            return AggregateExpression(*parts, start=start, end=self.end())
        if kind in ("range(", "zip(", "len("):
            args = self.expressions(")")
            self.expect(")")
            if kind == "len(" and len(args) != 1:
                raise self.error("len takes one list", token=token)
            return Builtin(kind[:-1], args, start=start, end=self.end())
        self.at -= 1
        hint = f"'{token.text}' is a word of the language" if token.text in KEYWORDS else ""
        raise self.error(f"mismatched input '{token.text}' expecting an expression", hint=hint)

    def _literal(self, token: Token) -> Literal:
        start, end = token.start, token.start + len(token.text)
        if token.kind == "float":
            return Literal(float(token.text), start=start, end=end)
        if token.kind == "int":
            if len(token.text) > 4000:
                raise LimitError(
                    f"a number of {len(token.text)} digits", span=self.source.span(start, end)
                )
            return Literal(int(token.text), start=start, end=end)
        if token.kind == "string":
            return Literal(token.text[1:-1], start=start, end=end)
        self.at -= 1
        self.extension("a string with escapes")
        self.at += 1
        for found in re.finditer(r"\\(.)", token.text[2:-1]):
            if found[1] not in _ESCAPES:
                raise self.error(
                    f"unknown escape '\\{found[1]}'", token=token, hint=r"use \n \t \r \" \\"
                )
        text = re.sub(r"\\(.)", lambda found: _ESCAPES[found[1]], token.text[2:-1])
        return Literal(text, start=start, end=end)

    def _select(self, start: int) -> Expression:
        keys = self.expression()
        self.expect(",")
        queries = self.expression()
        self.expect(",")
        token = self.token
        if token.kind not in COMPARISONS:
            raise self.error(
                f"mismatched input '{token.text}' expecting one of {', '.join(COMPARISONS)}"
            )
        self.at += 1
        self.expect(")")
        return SelectExpression(keys, queries, token.kind, start=start, end=self.end())

    def _list(self, start: int) -> Expression:
        if self.take("]"):
            return ListExpression((), start=start, end=self.end())
        first = self.expression()
        if self.take("for"):
            names, iterable = self._clause()
            self.expect("]")
            return ListComprehension(first, names, iterable, start=start, end=self.end())
        items = [first]
        while self.take(","):
            if self.token.kind == "]":
                self.extension("a trailing comma")
                break
            items.append(self.expression())
        self.expect("]")
        return ListExpression(tuple(items), start=start, end=self.end())

    def _clause(self) -> tuple[tuple[str, ...], Expression]:
        names = self.names()
        self.expect("in")
        return names, self.expression()

    def _dict(self, start: int) -> Expression:
        if self.take("}"):
            return DictExpression((), start=start, end=self.end())
        pairs = [self._pair()]
        if self.take("for"):
            names, iterable = self._clause()
            self.expect("}")
            key, value = pairs[0]
            return DictComprehension(key, value, names, iterable, start=start, end=self.end())
        while self.take(","):
            if self.token.kind == "}":
                self.extension("a trailing comma")
                break
            pairs.append(self._pair())
        self.expect("}")
        return DictExpression(tuple(pairs), start=start, end=self.end())

    def _pair(self) -> tuple[Expression, Expression]:
        key = self.expression()
        self.expect(":")
        return key, self.expression()
