"""All checks of one source text.

Main definitions: :func:`check_source`.
"""

from collections.abc import Callable

from rasp.checks.findings import Finding
from rasp.checks.names import name_findings
from rasp.checks.precedence import precedence_findings
from rasp.checks.types import type_findings
from rasp.graph import ancestors
from rasp.interpret.session import Session
from rasp.sops import Selector, SOp
from rasp.syntax.lexer import Source
from rasp.syntax.render import describe_node
from rasp.syntax.statements import parse_units


def check_source(
    text: str, name: str = "<input>", *, read: Callable[[str], str] | None = None
) -> list[Finding]:
    """Return syntax errors, precedence traps, undefined names and type clashes, in order.

    Parameters
    ----------
    text
        A program.
    name
        What messages call it.
    read
        Reads loaded files.

    Notes
    -----
    Types are those of the graph the program builds, so functions are checked where they are
    called; nothing is evaluated on any input.

    Examples
    --------
    >>> [finding.rule for finding in check_source("a = aggregate(full_s, tokens) + 1;")]
    ['mean-of-text']
    """
    source = Source(text, name)
    found: list[Finding] = []
    for unit in parse_units(source):
        if unit.error is not None:
            span = unit.error.span
            start, end = (span.start, span.end) if span else (unit.start, unit.end)
            found.append(Finding("error", "syntax", unit.error.message, start, end))
    found += precedence_findings(source)
    found += name_findings(source)
    found += _graph_findings(source, read)
    unique = {(f.rule, f.message, f.start): f for f in found}
    return sorted(unique.values(), key=lambda finding: (finding.start, finding.rule))


def _graph_findings(source: Source, read: Callable[[str], str] | None) -> list[Finding]:
    session = Session(read=read)
    session.evaluate = lambda value, example: []  # type: ignore[method-assign]
    for _ in session.run(source.text, source.name):
        pass
    found = []
    seen: set[int] = set()
    for value in list(session.console.variables.values()):
        if not isinstance(value, (SOp, Selector)):
            continue
        for remark in type_findings(value.node):
            if remark.node.digest in seen:
                continue
            place = session.origins.get(remark.node.digest)
            if place is None or place[0].name != source.name:
                continue
            shown = describe_node(remark.node, session.names)
            message = f"{remark.message} (in {shown})"
            found.append(Finding(remark.severity, remark.rule, message, place[1], place[2]))
        seen.update(node.digest for node in ancestors((value.node,), skip=seen))
    return found
