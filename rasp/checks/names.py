"""Find names that are used and never defined, or before they are.

A function body is read when it is called, so names it uses may be defined later, but they must be
defined somewhere.

Main definitions: :func:`name_findings`.
"""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

from rasp.checks.findings import Finding
from rasp.checks.precedence import walk
from rasp.interpret.environment import CONSTANTS
from rasp.interpret.library import library_environment
from rasp.syntax.lexer import Source
from rasp.syntax.statements import parse_units
from rasp.syntax.tree import (
    Assignment,
    Definition,
    DictComprehension,
    ListComprehension,
    Load,
    Loop,
    Name,
    Statement,
)


def name_findings(source: Source) -> list[Finding]:
    """Return names used before or without definition; nothing after a ``load``, which may define.

    Examples
    --------
    >>> [f.message for f in name_findings(Source("def f() { return b; } a = c; b = 1;"))]
    ['c is used but never defined']
    """
    statements = [s for unit in parse_units(source) for s in unit.statements]
    known = set(CONSTANTS) | set(library_environment().variables) | {"out"}
    anywhere = known | _defined(statements)
    found: list[Finding] = []
    _check(statements, set(known), anywhere, found)
    return sorted(found, key=lambda finding: finding.start)


def _defined(statements: Iterable[Statement]) -> set[str]:
    names: set[str] = set()
    for statement in statements:
        match statement:
            case Assignment():
                names.update(statement.names)
            case Definition():
                names.add(statement.name)
            case Loop():
                names.update(statement.names)
                names |= _defined(statement.body)
    return names


def _check(
    statements: Iterable[Statement], known: set[str], anywhere: set[str], found: list[Finding]
) -> None:
    for statement in statements:
        match statement:
            case Load():
                return
            case Definition():
                local = set(statement.parameters)
                # called later, so everything that is defined somewhere may be there by then
                body = anywhere | local | {statement.name}
                for inner in statement.body:
                    _check([inner], body, anywhere, found)
                    body |= _defined([inner])
                _uses(statement.results, body, anywhere, found)
            case Loop():
                _uses(statement.iterable, known, anywhere, found)
                inside = known | set(statement.names)
                for inner in statement.body:
                    _check([inner], inside, anywhere, found)
                    inside |= _defined([inner])
            case _:
                _uses(statement, known, anywhere, found)
        known |= _defined([statement])


def _uses(tree: Any, known: set[str], anywhere: set[str], found: list[Finding]) -> None:
    bound: set[str] = set()
    for node in walk(tree):
        if isinstance(node, (ListComprehension, DictComprehension)):
            bound.update(node.names)
    for node in walk(tree):
        if isinstance(node, Name) and node.name not in known and node.name not in bound:
            if node.name in anywhere:
                message = f"{node.name} is used before it is defined"
            else:
                message = f"{node.name} is used but never defined"
                close = get_close_matches(node.name, sorted(anywhere), n=1, cutoff=0.75)
                message += f": did you mean {close[0]}?" if close else ""
            found.append(Finding("error", "undefined", message, node.start, node.end))
