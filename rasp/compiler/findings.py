"""What stands against compiling a program: which s-op or selector, and why.

Main definitions: :class:`Finding`, :class:`NotCompilableError`, :class:`NotHere`.
"""

from dataclasses import dataclass
from typing import final

from rasp.errors import RaspError


@final
@dataclass(frozen=True, slots=True)
class Finding:
    """One reason: the part of the program, as text, and what is wrong with it."""

    part: str
    reason: str

    def __str__(self) -> str:
        return f"{self.part}: {self.reason}"


@final
class NotCompilableError(RaspError):
    """A program that has no transformer here; ``findings`` lists every reason."""

    def __init__(self, name: str, findings: tuple[Finding, ...]) -> None:
        lines = "".join(f"\n  {finding}" for finding in findings)
        super().__init__(f"cannot compile {name}:{lines}")
        self.findings = findings


@final
class NotHere(Exception):
    """A form that a node does not have; never leaves the compiler."""
