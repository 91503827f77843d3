"""Events: what a session has to say, for transcripts and for people.

Main definitions: :class:`Event`, :func:`failure`, :func:`note`.

References
----------
Weiss, Goldberg & Yahav (2021), appendix on the language [weiss2021].
"""

from dataclasses import dataclass, field
from typing import Any, final

from rasp.errors import RaspError, RejectedError
from rasp.interpret.expressions import NotCallableError
from rasp.sops import Selector, SOp
from rasp.syntax.lexer import Source
from rasp.syntax.statements import is_syntax_error


@final
@dataclass(frozen=True, slots=True)
class Event:
    """One thing a session has to say.

    Attributes
    ----------
    kind
        ``value``, ``list``, ``dict``, ``function``, ``s-op``, ``selector``, ``evaluated``,
        ``example``, ``reject``, ``runtime``, ``syntax``, ``unsupported`` or ``exit``.
    text
        The lines that transcripts have for it, with their newline.
    name
        The variable shown, if any.
    value
        The value shown, if any.
    error
        The mistake, if it is one.
    note
        Place, excerpt with caret, and hint of a mistake: for people, not for transcripts.
    """

    kind: str
    text: str
    name: str | None = None
    value: Any = field(default=None, compare=False)
    error: RaspError | None = field(default=None, compare=False)
    note: str = ""


def kind_of(value: Any) -> str:
    """Return the kind of the event that shows ``value``."""
    if isinstance(value, SOp):
        return "s-op"
    if isinstance(value, Selector):
        return "selector"
    if isinstance(value, (list, dict)):
        return type(value).__name__
    return "value" if isinstance(value, (int, float, str)) else "function"


def failure(error: RaspError, source: Source) -> Event:
    """Return the event of a mistake in the words transcripts have for its family."""
    if isinstance(error, NotCallableError):
        text, kind = "not implemented this command yet! ignoring\n", "unsupported"
    elif is_syntax_error(error):
        text, kind = f"\t!! antlr exception: {error.message} \t-- ignoring input\n", "syntax"
    elif isinstance(error, RejectedError):
        text, kind = f"\t\t!!ignoring input:\n\t {error.message}\n", "reject"
    else:
        text, kind = f"something went wrong: {error.message}\n", "runtime"
    return Event(kind, text, error=error, note=note(error, source))


def note(error: RaspError, source: Source) -> str:
    """Return place, excerpt with caret and hint of ``error``, for people."""
    cause = error.message.split("\n")[0].removeprefix("Error: ")
    text = f"{source.name}: {cause}\n"
    if error.span is not None:
        text = f"{source.name}:{error.span.line}:{error.span.column}: {cause}\n"
        if error.source is None or error.source is source:
            text += source.excerpt(error.span) + "\n"
        else:
            text = f"{error.source.name}:{error.span.line}:{error.span.column}: {cause}\n"
            text += error.source.excerpt(error.span) + "\n"
    if error.hint:
        text += f"    hint: {error.hint}\n"
    return text
