"""Cut RASP source text into tokens.

``select(``, ``aggregate(``, ``range(``, ``zip(`` and ``len(`` are single tokens, as in the
authors' grammar, which is why these words remain legal names and why no space may stand before
the parenthesis.  ``s-op`` and ``full seq display`` are single tokens too.

Main definitions: :class:`Token`, :func:`tokenise`, :class:`Source`.

References
----------
Weiss, Goldberg & Yahav (2021), appendix on the language [weiss2021].
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, final

from rasp.errors import Span

_OPERATOR_WORDS = ("if", "else", "not", "and", "or", "in", "round", "indicator")
_STATEMENT_WORDS = ("def", "return", "for", "load", "draw")
_COMMAND_WORDS = ("set", "show", "example", "examples", "on", "off", "exit", "quit", "selector")
KEYWORDS = frozenset(_OPERATOR_WORDS + _STATEMENT_WORDS + _COMMAND_WORDS)
"""Words that are never names."""

CALLS = frozenset({"select(", "aggregate(", "range(", "zip(", "len("})

_PATTERN = re.compile(
    r"""
      (?P<space>[ \t\r\n]+)
    | (?P<call>(?:select|aggregate|range|zip|len)\()
    | (?P<word>full\ seq\ display\b|s-op|exit\(\)|quit\(\))
    | (?P<float>[0-9]+\.[0-9]+)
    | (?P<int>[0-9]+)
    | (?P<escaped>e"(?:[^"\\\r\n]|\\.)*")
    | (?P<name>[a-zA-Z_][a-zA-Z_0-9]*)
    | (?P<string>"[^"\r\n]*")
    | (?P<op>==|!=|<=|>=|[-+*/%^<>=()\[\]{},;:])
    | (?P<comment>\#[^\r\n]*)
    | (?P<bad>"[^\r\n]*|.)
    """,
    re.VERBOSE | re.DOTALL,
)


class Token(NamedTuple):
    """A piece of text.

    ``kind`` is ``name``, ``int``, ``float``, ``string``, ``escaped``, ``bad`` or ``end``; for
    keywords, operators and call tokens it is the text itself.
    """

    kind: str
    text: str
    start: int


@final
@dataclass(frozen=True, slots=True)
class Source:
    """Source text with its name; turns offsets into lines and columns."""

    text: str
    name: str = "<input>"
    first_line: int = 1
    _starts: list[int] = field(default_factory=list, init=False, repr=False)

    def line_of(self, offset: int) -> int:
        """Return the line, counted from 1, that ``offset`` is on."""
        if not self._starts:
            self._starts.append(0)
            self._starts.extend(match.end() for match in re.finditer("\n", self.text))
        return bisect_right(self._starts, offset) - 1 + self.first_line

    def span(self, start: int, end: int) -> Span:
        """Return the span of ``text[start:end]``."""
        line = self.line_of(start)
        return Span(line, start - self._starts[line - self.first_line] + 1, start, end)

    def excerpt(self, span: Span) -> str:
        """Return the line of ``span`` with a caret line below it.

        Examples
        --------
        >>> print(Source("a = ;").excerpt(Source("a = ;").span(4, 5)))
            a = ;
                ^
        """
        begin = self.text.rfind("\n", 0, span.start) + 1
        stop = self.text.find("\n", span.start)
        line = self.text[begin : stop if stop >= 0 else len(self.text)].rstrip("\r")
        if len(line) > 160:  # a window around the place, for literals of many thousand entries
            cut = max(0, span.start - begin - 60)
            line, begin = line[cut : cut + 120], begin + cut
        padding = "".join("\t" if c == "\t" else " " for c in line[: span.start - begin])
        room = max(1, len(line) - (span.start - begin))
        return f"    {line}\n    {padding}{'^' * min(max(1, span.end - span.start), room)}"


def tokenise(text: str) -> Iterator[Token]:
    """Yield the tokens of ``text`` without spaces and comments, then one of kind ``end``.

    Notes
    -----
    Never fails: text that is no token comes out with kind ``bad``.  Linear in the text.

    Examples
    --------
    >>> [token.kind for token in tokenise("a = select(1, 2, ==); # why")]
    ['name', '=', 'select(', 'int', ',', 'int', ',', '==', ')', ';', 'end']
    """
    for match in _PATTERN.finditer(text):
        kind = match.lastgroup
        assert kind is not None
        if kind in ("space", "comment"):
            continue
        piece = match.group()
        if kind in ("op", "call", "word") or (kind == "name" and piece in KEYWORDS):
            kind = piece
        yield Token(kind, piece, match.start())
    yield Token("end", "<EOF>", len(text))


def comments(text: str) -> Iterator[tuple[int, str]]:
    """Yield where each comment begins, and the comment.

    Examples
    --------
    >>> list(comments('a = "#"; # why'))
    [(9, '# why')]
    """
    for match in _PATTERN.finditer(text):
        if match.lastgroup == "comment":
            yield match.start(), match.group().rstrip()
