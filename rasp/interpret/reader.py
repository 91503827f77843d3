"""Turn lines typed at a prompt into text that is ready to run, without ever getting stuck.

Lines are collected while brackets are open or a statement lacks its end.  A line that cannot go
on the statement before it ends that statement with an error and starts anew, so a forgotten ``;``
costs one message and nothing else.

Main definitions: :class:`Reader`.

References
----------
Weiss, Goldberg & Yahav (2021), appendix on the language [weiss2021].
"""

from typing import final

from rasp.errors import RaspSyntaxError
from rasp.syntax.lexer import Source, tokenise
from rasp.syntax.statements import Unit, parse_units


@final
class Reader:
    """Collects lines; :meth:`feed` returns the units that are complete.

    Examples
    --------
    >>> reader = Reader()
    >>> reader.feed("def f(a) { # note"), reader.pending
    ([], True)
    >>> [len(unit.statements) for unit, source in reader.feed("  return a; }")]
    [1]
    """

    def __init__(self, name: str = "<input>", *, strict: bool = False) -> None:
        self.name = name
        self.strict = strict
        self.line = 0
        self._lines: list[str] = []
        self._first = 1
        self._depth = 0
        self._braces = 0

    @property
    def pending(self) -> bool:
        """Whether a statement has begun and not ended."""
        return bool(self._lines)

    @property
    def depth(self) -> int:
        """How many blocks are open, for the indentation of a prompt."""
        return self._braces

    def cancel(self) -> None:
        """Forget the unfinished statement."""
        self._lines, self._depth, self._braces = [], 0, 0

    def feed(self, line: str) -> list[tuple[Unit, Source]]:
        """Take one line (without its newline) and return what can run now.

        Notes
        -----
        Linear in the lines of a statement: brackets are counted line by line and the text is
        parsed when they are closed.
        """
        self.line += 1
        last = ""
        for token in tokenise(line):
            if token.kind == "end":
                break
            last = token.kind
            self._depth += (last[-1] in "([{") - (last in (")", "]", "}"))
            self._braces += (last == "{") - (last == "}")
        if not last and not self._lines:
            return []
        if not self._lines:
            self._first = self.line
        self._lines.append(line)
        inside_brackets = self._depth > 0 and (self._braces > 0 or last != ";")
        return [] if inside_brackets or not last else self._take(final=False)

    def finish(self) -> list[tuple[Unit, Source]]:
        """Return what is left when no more lines come, errors included."""
        return self._take(final=True) if self._lines else []

    def _take(self, *, final: bool) -> list[tuple[Unit, Source]]:
        source = Source("\n".join(self._lines), self.name, self._first)
        units = list(parse_units(source, strict=self.strict))
        rest: list[str] = []
        if units and not final:
            error = units[-1].error
            if isinstance(error, RaspSyntaxError) and error.incomplete:
                rest = source.text[units[-1].start :].split("\n")
                units.pop()
        self._first = self.line - len(rest) + 1
        self._lines = rest
        self._depth = self._braces = 0
        for line in rest:
            for token in tokenise(line):
                self._depth += (token.kind[-1] in "([{") - (token.kind in (")", "]", "}"))
                self._braces += (token.kind == "{") - (token.kind == "}")
        return [(unit, source) for unit in units]
