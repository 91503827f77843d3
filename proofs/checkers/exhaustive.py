"""Decide a statement about a finite family by visiting every member.

A family that is the whole domain (``complete=True``) yields PROVED; otherwise a clean run yields
EXHAUSTED with the family's scope.  One failing member refutes.  An empty family decides nothing.

Main definitions: :func:`decide`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, final

from claims import (
    AbstractChecker,
    Budget,
    Exists,
    ForAll,
    Outcome,
    Statement,
    UnsupportedStatementError,
    Verdict,
)

BY = "exhaustive"


@final
@dataclass(frozen=True, slots=True)
class Exhaustive(AbstractChecker):
    """Visit every member of the statement's family.

    Attributes
    ----------
    complete
        Whether the family is the whole domain of the statement, not only a finite part of it.
    sampled
        Whether the family was drawn at random (with a fixed seed): a clean run is SAMPLED.
    """

    complete: bool = False
    sampled: bool = False

    def __call__(self, statement: Statement, budget: Budget | None = None) -> Outcome:
        """Visit the family; see :class:`claims.AbstractChecker`."""
        budget = budget or Budget()
        if isinstance(statement, ForAll):
            return self._for_all(statement, budget)
        if isinstance(statement, Exists):
            return self._exists(statement, budget)
        raise UnsupportedStatementError(
            f"{BY} decides ForAll and Exists, not {type(statement).__name__}"
        )

    def verify(self, statement: Statement, evidence: Mapping[str, Any]) -> Outcome:
        """Replay the witness alone if there is one, else visit the family again."""
        if not isinstance(statement, (ForAll, Exists)):
            raise UnsupportedStatementError(f"{BY} decides ForAll and Exists")
        index = evidence.get("index")
        if index is None:
            return self(statement, Budget(cases=evidence.get("cases", 0) + 1))
        case = next(islice(statement.cases(), index, None), None)
        if case is None or str(case) != evidence.get("case"):
            return Outcome(Verdict.UNDECIDED, BY, detail=f"case {index} is not {evidence}")
        held = statement.holds(case)
        if isinstance(statement, ForAll) and not held:
            return _refuted(index, case)
        if isinstance(statement, Exists) and held:
            return _found(index, case)
        return Outcome(Verdict.UNDECIDED, BY, detail=f"case {index} does not replay")

    def _for_all(self, statement: ForAll, budget: Budget) -> Outcome:
        visited = 0
        for case in statement.cases():
            if visited >= budget.cases:
                return _too_many(budget)
            if not statement.holds(case):
                return _refuted(visited, case)
            visited += 1
        if not visited:
            return Outcome(Verdict.UNDECIDED, BY, detail="the family is empty: vacuous")
        if self.complete:
            verdict = Verdict.PROVED
        else:
            verdict = Verdict.SAMPLED if self.sampled else Verdict.EXHAUSTED
        scope = f"{statement.scope} ({visited:,} cases)"
        return Outcome(verdict, BY, scope, evidence={"cases": visited})

    def _exists(self, statement: Exists, budget: Budget) -> Outcome:
        visited = 0
        for case in statement.cases():
            if visited >= budget.cases:
                return _too_many(budget)
            if statement.holds(case):
                return _found(visited, case)
            visited += 1
        detail = f"none of the {visited:,} members of [{statement.scope}]"
        if not self.complete or not visited:
            return Outcome(Verdict.UNDECIDED, BY, detail=detail)
        return Outcome(
            Verdict.REFUTED,
            BY,
            witness={"no member of": statement.scope},
            detail=detail,
            evidence={"cases": visited},
        )


def decide(*, complete: bool = False, sampled: bool = False) -> Exhaustive:
    """Return the enumerating checker.

    Parameters
    ----------
    complete
        The family is the whole domain of the statement, so a clean run is a proof.
    sampled
        The family is a seeded random sample, so a clean run is SAMPLED.

    Examples
    --------
    >>> square = ForAll("n^2 >= n", "0 <= n <= 9", lambda: range(10), lambda n: n * n >= n)
    >>> decide()(square).verdict
    <Verdict.EXHAUSTED: 'EXHAUSTED'>
    """
    return Exhaustive(complete=complete, sampled=sampled)


def _refuted(index: int, case: Any) -> Outcome:
    return Outcome(
        Verdict.REFUTED,
        BY,
        witness={"case": str(case)},
        detail=f"fails for {case}",
        evidence={"index": index, "case": str(case)},
    )


def _found(index: int, case: Any) -> Outcome:
    return Outcome(
        Verdict.PROVED,
        BY,
        detail=f"holds for {case}",
        evidence={"index": index, "case": str(case)},
    )


def _too_many(budget: Budget) -> Outcome:
    return Outcome(Verdict.UNDECIDED, BY, detail=f"more than {budget.cases:,} cases: raise `cases`")
