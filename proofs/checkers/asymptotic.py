"""Decide "for every integer n >= threshold" by a monotonicity lemma and its base.

The gap ``rhs - lhs``, continued to real n, does not fall from the threshold on (its derivative is
decided by the inner checker) and is right at the threshold (decided by the inner checker too).
Both are statements of their own, so the proof is two ordinary proofs.

Main definitions: :func:`decide`, :class:`Eventually`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import sympy as sp

from claims import (
    AbstractChecker,
    Asymptotic,
    Budget,
    Inequality,
    Outcome,
    Reals,
    Relation,
    Statement,
    UnsupportedStatementError,
    Verdict,
)

BY = "asymptotic: monotone from the threshold on"


@final
@dataclass(frozen=True, slots=True)
class Eventually(AbstractChecker):
    """Monotonicity lemma plus threshold, each decided by ``inner``."""

    inner: AbstractChecker

    def __call__(self, statement: Statement, budget: Budget | None = None) -> Outcome:
        """Decide base and slope; see :class:`claims.AbstractChecker`."""
        base, slope = _split(_supported(statement))
        at_base = self.inner(base, budget)
        if at_base.verdict is not Verdict.PROVED:
            return (
                at_base
                if at_base.verdict is Verdict.UNDECIDED
                else self._refute(statement, at_base)
            )
        rising = self.inner(slope, budget)
        if rising.verdict is not Verdict.PROVED:
            detail = f"right at the threshold, but the gap may fall later: {rising.detail}"
            return Outcome(Verdict.UNDECIDED, BY, detail=detail)
        return Outcome(
            Verdict.PROVED,
            f"{BY}; {at_base.by}",
            evidence={"base": dict(at_base.evidence), "slope": dict(rising.evidence)},
        )

    def verify(self, statement: Statement, evidence: Mapping[str, Any]) -> Outcome:
        """Verify base and slope from their own evidence."""
        base, slope = _split(_supported(statement))
        at_base = self.inner.verify(base, evidence["base"])
        if at_base.verdict is not Verdict.PROVED:
            return self._refute(statement, at_base) if at_base.witness else at_base
        rising = self.inner.verify(slope, evidence["slope"])
        if rising.verdict is not Verdict.PROVED:
            return Outcome(Verdict.UNDECIDED, BY, detail=rising.detail)
        return Outcome(Verdict.PROVED, f"{BY}; {at_base.by}", evidence=evidence)

    def _refute(self, statement: Statement, at_base: Outcome) -> Outcome:
        return Outcome(
            at_base.verdict,
            f"{BY}; {at_base.by}",
            witness=at_base.witness,
            detail=f"already at the threshold: {at_base.detail}",
            evidence={"base": dict(at_base.evidence)},
        )


def decide(inner: AbstractChecker) -> Eventually:
    """Return the checker of eventual statements.

    Parameters
    ----------
    inner
        Decides the two inequalities at and beyond the threshold, e.g. ``smt.decide()``.

    Examples
    --------
    >>> from claims import Integers
    >>> from proofs.checkers import smt
    >>> n = sp.Symbol("n")
    >>> goal = Relation(10 * n, "<=", n**2)
    >>> decide(smt.decide())(Asymptotic(goal, n, 10, {n: Integers(1)})).verdict
    <Verdict.PROVED: 'PROVED'>
    """
    return Eventually(inner)


def _supported(statement: Statement) -> Asymptotic:
    if not isinstance(statement, Asymptotic):
        raise UnsupportedStatementError(f"{BY}: not for {type(statement).__name__}")
    if statement.goal.rel in ("==", "!="):
        raise UnsupportedStatementError(f"{BY}: {statement.goal.rel} is not monotone")
    return statement


def _split(statement: Asymptotic) -> tuple[Inequality, Inequality]:
    """Return the statement at the threshold, and "the gap does not fall beyond it"."""
    n, goal = statement.symbol, statement.goal
    others = {s: d for s, d in statement.domain.items() if s != n}
    given = tuple(g for g in statement.given if n not in g.symbols)
    at = {n: statement.threshold}
    base = Inequality(goal.lhs.subs(at), goal.rel, goal.rhs.subs(at), others, given)
    sides = (goal.lhs, goal.rhs) if goal.rel in ("<=", "<") else (goal.rhs, goal.lhs)
    slope = Inequality(
        sp.Integer(0),
        "<=",
        sp.diff(sides[1] - sides[0], n),
        {**others, n: Reals(0)},
        (*statement.given, Relation(n, ">=", statement.threshold)),
    )
    return base, slope
