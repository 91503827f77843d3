"""What a checker returns, and how much it may spend.

An :class:`Outcome` carries the verdict and everything needed to establish it again without
search (``witness``, ``evidence``).  A :class:`Budget` bounds a check; exceeding it yields
UNDECIDED, never an exception.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from claims.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of one check.

    Attributes
    ----------
    verdict
        What was established.
    by
        Name of the checker and of the tools it used, e.g. ``"smt: z3, cvc5"``.
    scope
        For EXHAUSTED and SAMPLED: the cases covered, in words.  Empty otherwise.
    witness
        For REFUTED: names and exact values of the counterexample, as text.
    detail
        One readable sentence for a person.
    evidence
        JSON-compatible data from which :meth:`AbstractChecker.verify` re-establishes the verdict
        without search.

    Raises
    ------
    OutcomeError
        If a finite verdict names no scope, or a refutation has no witness.
    """

    verdict: Verdict
    by: str
    scope: str = ""
    witness: Mapping[str, str] = field(default_factory=dict)
    detail: str = ""
    evidence: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.verdict in (Verdict.EXHAUSTED, Verdict.SAMPLED) and not self.scope:
            raise OutcomeError(f"{self.verdict} by {self.by} must name its scope")
        if self.verdict is Verdict.REFUTED and not self.witness:
            raise OutcomeError(f"REFUTED by {self.by} must carry a witness")


class OutcomeError(ValueError):
    """An outcome that claims more than it shows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Limits of one check.

    Attributes
    ----------
    seconds
        Wall-clock limit; the caller kills the checking process when it is exceeded.  Positive.
    rlimit
        z3's deterministic resource limit (dimensionless).  Positive.
    bits
        Largest precision that ball arithmetic may raise itself to.  At least 64.
    cases
        Largest number of cases that an enumeration may visit.  Positive.

    Examples
    --------
    >>> Budget(seconds=5).bits
    8192
    """

    seconds: float = 120.0
    rlimit: int = 10_000_000
    bits: int = 8192
    cases: int = 5_000_000

    def __post_init__(self) -> None:
        for name in ("seconds", "rlimit", "cases"):
            if not getattr(self, name) > 0:
                raise BudgetError(f"budget {name}={getattr(self, name)} must be positive")
        if self.bits < 64:
            raise BudgetError(f"budget bits={self.bits} must be at least 64")


class BudgetError(ValueError):
    """A budget that allows nothing."""
