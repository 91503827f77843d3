"""Parse statements, recover from errors, and group statements into input units.

A *unit* is what the authors' interpreter would read at one prompt: the statements that share
lines.  A syntax error drops its whole unit and nothing else; where a new line begins while a
statement still lacks its ``;``, the error is reported and reading goes on at that line.

Main definitions: :class:`Unit`, :func:`parse_units`, :func:`parse_expression`.

References
----------
Weiss, Goldberg & Yahav (2021), appendix on the language [weiss2021].
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import final

from rasp.errors import RaspError, RaspSyntaxError
from rasp.syntax.lexer import Source
from rasp.syntax.parser import Parser
from rasp.syntax.tree import (
    Assignment,
    Command,
    Definition,
    Draw,
    Expression,
    ExpressionStatement,
    Load,
    Loop,
    Name,
    Statement,
)

_OPEN, _CLOSE = frozenset("([{"), frozenset(")]}")
_COMMANDS = frozenset(
    ["set", "show", "examples", "s-op", "selector", "full seq display"]
) | frozenset(["exit", "exit()", "quit", "quit()"])


@final
@dataclass(frozen=True, slots=True)
class Unit:
    """Statements to run together, or the error that keeps them from running.

    ``end`` is the offset where reading goes on.
    """

    statements: tuple[Statement, ...]
    error: RaspError | None
    start: int
    end: int


def parse_expression(text: str) -> Expression:
    """Parse one expression and nothing else.

    Raises
    ------
    RaspSyntaxError
        If ``text`` is not an expression.

    Examples
    --------
    >>> parse_expression("-2^2").op
    '^'
    """
    parser = Parser(Source(text))
    value = parser.expression()
    parser.expect("end")
    return value


def parse_units(source: Source, *, strict: bool = False) -> Iterator[Unit]:
    r"""Yield the units of ``source`` in order; syntax errors come as units, not as exceptions.

    Parameters
    ----------
    source
        Any text.
    strict
        Refuse the extensions, several statements on a line among them.

    Notes
    -----
    Linear in the length of the text, errors included.

    Examples
    --------
    >>> units = list(parse_units(Source("a = 3\nb = 4; c = 5;")))
    >>> [(len(unit.statements), str(unit.error)) for unit in units]
    [(0, "missing ';' at 'b'"), (2, 'None')]
    """
    parser = Parser(source, strict=strict)
    held: list[Statement] = []
    held_from = 0
    while parser.token.kind != "end":
        begin = parser.at
        start = parser.token.start
        if held and _on_new_line(parser):
            yield Unit(tuple(held), None, held_from, start)
            held = []
        if not held:
            held_from = start
        elif strict:
            error: RaspError = parser.error("several statements on a line are an extension")
            _skip_line(parser)
            yield Unit((), error, held_from, parser.token.start)
            held = []
            continue
        try:
            held.append(_statement(parser))
        except RaspError as caught:
            error = caught
            if _fresh_line(parser, begin):
                resume = parser.token.start  # a new line: the statement before it was cut short
            else:
                _skip(parser, begin)
                resume = parser.token.start
            yield Unit((), error, held_from, resume)
            held = []
            parser.depth = 0
    if held:
        yield Unit(tuple(held), None, held_from, len(source.text))


def _on_new_line(parser: Parser) -> bool:
    return "\n" in parser.source.text[parser.end() : parser.token.start]


def _fresh_line(parser: Parser, begin: int) -> bool:
    depth = 0
    for token in parser.tokens[begin : parser.at]:
        last = token.kind[-1]
        depth += (last in _OPEN) - (token.kind in _CLOSE)
    return depth <= 0 and begin < parser.at and parser.token.kind != "end" and _on_new_line(parser)


def _skip(parser: Parser, begin: int) -> None:
    """Move to where the statement that began at token ``begin`` ends, then to the next line."""
    depth = 0
    position = begin
    block = parser.tokens[begin].kind in ("def", "for")
    while parser.tokens[position].kind != "end":
        kind = parser.tokens[position].kind
        depth += (kind[-1] in _OPEN) - (kind in _CLOSE)
        position += 1
        if position > parser.at and (
            (kind == ";" and depth <= 0) or (block and kind == "}" and depth <= 0)
        ):
            break
    if parser.tokens[position].kind == "end" and depth > 0:  # never closed: give up one line only
        position = max(parser.at, begin + 1)
    parser.at = position
    _skip_line(parser)


def _skip_line(parser: Parser) -> None:
    while parser.token.kind != "end" and not _on_new_line(parser):
        parser.at += 1


def _statement(parser: Parser) -> Statement:
    parser.depth = 0
    token = parser.token
    if token.kind in _COMMANDS:
        return _command(parser)
    if token.kind == "def":
        return _definition(parser)
    if token.kind == "for":
        return _loop(parser)
    start = token.start
    if token.kind == "load":
        parser.at += 1
        file = parser.expect("string").text[1:-1]
        parser.expect(";")
        return Load(file, start=start, end=parser.end())
    if token.kind == "draw":
        parser.at += 1
        parser.expect("(")
        sop = parser.expression()
        example = parser.expression() if parser.take(",") else None
        parser.expect(")")
        parser.expect(";")
        return Draw(sop, example, start=start, end=parser.end())
    first = parser.expression()
    if isinstance(first, Name) and parser.token.kind in ("=", ","):
        names = (first.name, *(parser.names() if parser.take(",") else ()))
        parser.expect("=")
        values = parser.expressions(";")
        parser.expect(";")
        return Assignment(names, values, start=start, end=parser.end())
    parser.expect(";")
    return ExpressionStatement(first, start=start, end=parser.end())


def _block_statement(parser: Parser) -> Statement:
    depth = parser.depth
    statement = _statement_in_block(parser)
    parser.depth = depth
    return statement


def _statement_in_block(parser: Parser) -> Statement:
    if parser.token.kind in _COMMANDS:
        raise parser.error(f"'{parser.token.text}' only works outside of functions and loops")
    return _statement(parser)


def _definition(parser: Parser) -> Definition:
    start = parser.expect("def").start
    name = parser.expect("name").text
    parser.expect("(")
    parameters = parser.names() if parser.token.kind != ")" else ()
    parser.expect(")")
    parser.expect("{")
    body = []
    while parser.token.kind != "return":
        if parser.token.kind == "}":
            raise parser.error(
                "mismatched input '}' expecting 'return'",
                hint="a function ends with one return statement",
            )
        body.append(_block_statement(parser))
    parser.expect("return")
    results = parser.expressions(";")
    parser.expect(";")
    if parser.token.kind != "}":
        raise parser.error(
            f"mismatched input '{parser.token.text}' expecting '}}'",
            hint="return is the last statement of a function",
        )
    parser.expect("}")
    return Definition(name, parameters, tuple(body), results, start=start, end=parser.end())


def _loop(parser: Parser) -> Loop:
    start = parser.expect("for").start
    names = parser.names()
    parser.expect("in")
    iterable = parser.expression()
    parser.expect("{")
    body = [_block_statement(parser)]
    while parser.token.kind != "}":
        body.append(_block_statement(parser))
    parser.expect("}")
    return Loop(names, iterable, tuple(body), start=start, end=parser.end())


def _command(parser: Parser) -> Command:
    token = parser.token
    start = token.start
    parser.at += 1
    if token.kind in ("exit", "exit()", "quit", "quit()"):
        command = Command("exit", start=start, end=parser.end())
        if parser.token.kind == "(":
            raise parser.error(f"{token.kind} takes no argument")
        return command
    if token.kind == "full seq display":
        return Command("full", on=_switch(parser), start=start, end=parser.end())
    if token.kind in ("s-op", "selector"):
        parser.expect("examples")
        on = _switch(parser)
        return Command("examples", token.kind, on=on, start=start, end=parser.end())
    if token.kind == "examples":
        return Command("examples", on=_switch(parser), start=start, end=parser.end())
    which = "both"
    if parser.token.kind in ("s-op", "selector"):
        which = parser.token.kind
        parser.at += 1
    parser.expect("example")
    command = Command(token.kind, which, start=start, end=parser.end())
    if token.kind == "set":
        value = parser.expression()
        command = replace(command, value=value, end=parser.end())
    if parser.token.kind == ";":
        raise parser.error("extraneous input ';'", hint="commands take no ';'")
    return command


def _switch(parser: Parser) -> bool:
    token = parser.token
    if token.kind not in ("on", "off"):
        raise parser.error(f"mismatched input '{token.text}' expecting 'on' or 'off'")
    parser.at += 1
    if parser.token.kind == ";":
        raise parser.error("extraneous input ';'", hint="commands take no ';'")
    return token.kind == "on"


def is_syntax_error(error: RaspError) -> bool:
    """Return whether ``error`` is about the text rather than about what it means."""
    return isinstance(error, RaspSyntaxError)
