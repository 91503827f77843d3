"""What a check found, and where.

Main definitions: :class:`Finding`.
"""

from dataclasses import dataclass
from typing import Literal, final

from rasp.syntax.lexer import Source


@final
@dataclass(frozen=True, slots=True)
class Finding:
    """One remark about a program.

    Attributes
    ----------
    severity
        ``error``: it will fail; ``warning``: it may fail or does not mean what it seems to.
    rule
        Short name of the rule.
    message
        One line.
    start, end
        Offsets into the source.
    """

    severity: Literal["error", "warning"]
    rule: str
    message: str
    start: int = 0
    end: int = 0

    def text(self, source: Source) -> str:
        """Return place, rule, message and the excerpt with a caret."""
        span = source.span(self.start, max(self.end, self.start + 1))
        head = f"{source.name}:{span.line}:{span.column}: {self.severity}: {self.message}"
        return f"{head} [{self.rule}]\n{source.excerpt(span)}\n"
