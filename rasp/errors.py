"""What can go wrong in a RASP program, one class per kind of mistake.

The three families mirror what the authors' interpreter prints, because transcripts are compared
by family: a *rejected* statement (a type or a value that the language forbids), a *failed
evaluation* (the arithmetic of one input went wrong), and a *syntax* error.

Main definitions: :class:`RaspError`, :class:`RejectedError`, :class:`EvaluationError`,
:class:`RaspSyntaxError`, :class:`LimitError`,
:class:`MalformedModelError`, :class:`WordError`, :class:`DecompileError`.

References
----------
Weiss, Goldberg & Yahav (2021) [weiss2021].
"""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of source text; lines and columns count from 1, ``end`` is exclusive."""

    line: int
    column: int
    start: int
    end: int


class RaspError(ValueError):
    """Any mistake of a RASP program or of a call to this package.

    Attributes
    ----------
    span
        Where in the source, or ``None`` for programs built in Python.
    hint
        What to do about it, or the empty string.
    source
        The :class:`rasp.syntax.lexer.Source` that ``span`` is in, if known.
    """

    def __init__(self, message: str, *, span: Span | None = None, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.span = span
        self.hint = hint
        self.source: Any = None

    def at(self, span: Span) -> "RaspError":
        """Remember the innermost place the error passed through; keep an earlier one."""
        if self.span is None:
            self.span = span
        return self


class RejectedError(RaspError):
    """A statement the language forbids; printed as ``!!ignoring input``."""


class SequenceTypeError(RejectedError):
    """A sequence whose values have no common type, or a type that is not an atom's."""


class UndefinedNameError(RejectedError):
    """A name that nothing defines."""


class ReservedNameError(RejectedError):
    """An assignment to a name the language keeps for itself."""


class EvaluationError(RaspError):
    """Arithmetic that fails on the given input; printed as ``something went wrong``."""


class RaspSyntaxError(RaspError):
    """Text that is not a statement.

    ``incomplete`` says that more text might make it one.
    """

    incomplete: bool = False


class LimitError(EvaluationError):
    """A statement that would need more memory, time or nesting than allowed."""


class MalformedModelError(RaspError):
    """A compiled model, or a file of one, whose parts do not fit together."""


class WordError(RaspError):
    """A word that a compiled model cannot read: unknown symbol, empty, or too long."""


class DecompileError(RaspError):
    """A compiled model that cannot be read as a RASP program, with the reason."""
