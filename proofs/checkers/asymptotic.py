"""Decide "from the threshold on" by a monotonicity lemma and its base.

The gap ``rhs - lhs``, continued to real values, does not fall from the threshold on (its
derivative is decided by the inner checker) and is right at the threshold (decided by the inner
checker too).  Both are statements of their own, so the proof is two ordinary proofs.

Main definitions: :func:`decide` for :class:`claims.Asymptotic`, :func:`rising` for an
:class:`claims.Inequality` whose variable starts at a closed lower end.
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
    StatementError,
    UnsupportedStatementError,
    Verdict,
)
from proofs.checkers import points

BY = "asymptotic: monotone from the threshold on"


@final
@dataclass(frozen=True, slots=True)
class Rising(AbstractChecker):
    """Monotonicity lemma plus base, each decided by ``inner``.

    Attributes
    ----------
    inner
        Decides the two inequalities.
    symbol
        The variable along which an :class:`claims.Inequality` rises; ``None`` when only
        :class:`claims.Asymptotic` statements, which name their own, are to be decided.
    """

    inner: AbstractChecker
    symbol: sp.Symbol | None = None

    def __call__(self, statement: Statement, budget: Budget | None = None) -> Outcome:
        """Refute by an exact point, or decide base and slope; see :class:`AbstractChecker`."""
        found = points.search(_whole(statement), BY)
        if found.verdict is Verdict.REFUTED:
            return found
        try:
            base, slope = self._split(statement)
        except StatementError as undefined:
            return Outcome(Verdict.UNDECIDED, BY, detail=f"at the threshold: {undefined}")
        at_base = self.inner(base, budget)
        if at_base.verdict is Verdict.REFUTED:
            return _refuted(at_base)
        if at_base.verdict is not Verdict.PROVED:
            return at_base
        rising = self.inner(slope, budget)
        if rising.verdict is not Verdict.PROVED:
            detail = f"right at the threshold, but the gap may fall later: {rising.detail}"
            return Outcome(Verdict.UNDECIDED, BY, detail=detail)
        evidence = {"base": dict(at_base.evidence), "slope": dict(rising.evidence)}
        return Outcome(Verdict.PROVED, f"{BY}; {at_base.by}", evidence=evidence)

    def verify(self, statement: Statement, evidence: Mapping[str, Any]) -> Outcome:
        """Replay the stored point, or verify base and slope from their own evidence."""
        if "point" in evidence:
            return points.replay_evidence(_whole(statement), evidence, BY)
        base, slope = self._split(statement)
        at_base = self.inner.verify(base, evidence["base"])
        if at_base.verdict is Verdict.REFUTED:
            return _refuted(at_base)
        if at_base.verdict is not Verdict.PROVED:
            return at_base
        rising = self.inner.verify(slope, evidence["slope"])
        if rising.verdict is not Verdict.PROVED:
            return Outcome(Verdict.UNDECIDED, BY, detail=rising.detail)
        return Outcome(Verdict.PROVED, f"{BY}; {at_base.by}", evidence=evidence)

    def _split(self, statement: Statement) -> tuple[Inequality, Inequality]:
        """Return the statement at the threshold, and "the gap does not fall beyond it"."""
        if isinstance(statement, Asymptotic):
            return _two(statement, statement.symbol, statement.threshold, Reals())
        if isinstance(statement, Inequality) and self.symbol in statement.domain:
            domain = statement.domain[self.symbol]
            if isinstance(domain, Reals) and domain.lo is not None:
                return _two(statement, self.symbol, sp.Rational(domain.lo), domain)
        raise UnsupportedStatementError(f"{BY}: needs a real variable with a lower end")


def decide(inner: AbstractChecker) -> Rising:
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
    return Rising(inner)


def rising(symbol: sp.Symbol, inner: AbstractChecker) -> Rising:
    """Return the checker of inequalities that hold at the lower end of a variable and then rise.

    Parameters
    ----------
    symbol
        The variable; its domain must have a lower end (closed or, by continuity, open).
    inner
        Decides base and slope.

    Examples
    --------
    >>> from claims import Reals
    >>> from proofs.checkers import smt
    >>> x = sp.Symbol("x")
    >>> tangent = Inequality(2 * x / (2 + x), "<=", sp.log(1 + x), {x: Reals(0)})
    >>> rising(x, smt.decide())(tangent).verdict
    <Verdict.PROVED: 'PROVED'>
    """
    return Rising(inner, symbol)


def _refuted(at_base: Outcome) -> Outcome:
    return Outcome(
        Verdict.REFUTED,
        f"{BY}; {at_base.by}",
        witness=at_base.witness,
        detail=f"already at the threshold: {at_base.detail}",
        evidence={"base": dict(at_base.evidence)},
    )


def _whole(statement: Statement) -> Inequality:
    """Return the statement as one inequality, for replaying points."""
    if isinstance(statement, Asymptotic):
        beyond = Relation(statement.symbol, ">=", statement.threshold)
        goal, given = statement.goal, (*statement.given, beyond)
        return Inequality(goal.lhs, goal.rel, goal.rhs, statement.domain, given)
    if isinstance(statement, Inequality):
        return statement
    raise UnsupportedStatementError(f"{BY}: not for {type(statement).__name__}")


def _two(
    statement: Asymptotic | Inequality, along: sp.Symbol, start: sp.Expr, span: Reals
) -> tuple[Inequality, Inequality]:
    goal = statement.goal
    if goal.rel in ("==", "!="):
        raise UnsupportedStatementError(f"{BY}: {goal.rel} is not monotone")
    others = {s: d for s, d in statement.domain.items() if s != along}
    given = tuple(g for g in statement.given if along not in g.symbols)
    at = {along: start}
    base = Inequality(goal.lhs.subs(at), goal.rel, goal.rhs.subs(at), others, given)
    low, high = (goal.lhs, goal.rhs) if goal.rel in ("<=", "<") else (goal.rhs, goal.lhs)
    slope = Inequality(
        sp.Integer(0),
        "<=",
        sp.diff(high - low, along),
        {**others, along: span},
        (*statement.given, Relation(along, ">=", start)),
    )
    return base, slope
