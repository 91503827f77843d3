"""Decide identities and limits with sympy, and believe none of it unchecked.

An identity is PROVED when the difference of its sides simplifies to zero *and* the two sides agree
at exact points; it is REFUTED by a point where they differ.  A limit is PROVED when sympy finds
it *and* rigorous balls at growing arguments come ever closer to it.

Main definitions: :func:`decide`, :class:`Exact`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Any, final

import sympy as sp

from bounds.ball import UnsupportedTermError, Values, enclose
from claims import (
    AbstractChecker,
    Budget,
    Inequality,
    Integers,
    Limit,
    Outcome,
    Statement,
    UnsupportedStatementError,
    Verdict,
)
from proofs.checkers import points

BY = "exact: sympy"
_ARGUMENTS = (10**3, 10**6, 10**12, 10**24)
_CROSS_CHECKS = 12


@final
@dataclass(frozen=True, slots=True)
class Exact(AbstractChecker):
    """Symbolic decision of identities and limits."""

    def __call__(self, statement: Statement, budget: Budget | None = None) -> Outcome:
        """Decide an identity or a limit; see :class:`claims.AbstractChecker`."""
        budget = budget or Budget()
        if isinstance(statement, Inequality) and statement.rel == "==" and not statement.given:
            return _identity(statement)
        if isinstance(statement, Inequality) and statement.rel == "!=":
            return points.search(statement, BY)  # can only refute
        if isinstance(statement, Limit):
            return _limit(statement, budget)
        raise UnsupportedStatementError(
            f"{BY} decides identities without hypotheses and limits, not {statement.text()}"
        )

    def verify(self, statement: Statement, evidence: Mapping[str, Any]) -> Outcome:
        """Replay the stored point, or simplify again."""
        if "point" in evidence and isinstance(statement, Inequality):
            return points.replay_evidence(statement, evidence, BY)
        return self(statement, Budget())


def decide() -> Exact:
    """Return the checker of identities and limits.

    Examples
    --------
    >>> c, eta = sp.symbols("c eta", positive=True)
    >>> from claims import Reals
    >>> both = {c: Reals(1), eta: Reals(0, 1, open_lo=True)}
    >>> decide()(Inequality(c / eta * eta, "==", c, both)).verdict
    <Verdict.PROVED: 'PROVED'>
    """
    return Exact()


def _identity(statement: Inequality) -> Outcome:
    found = points.search(statement, BY)
    if found.verdict is Verdict.REFUTED:
        return found
    difference = _simplify(statement.lhs - statement.rhs)
    if difference != 0:
        return Outcome(
            Verdict.UNDECIDED, BY, detail=f"sides differ by {difference}, unless it is 0"
        )
    agreed = _agreements(statement)
    if not agreed:
        return Outcome(Verdict.UNDECIDED, BY, detail="no exact point confirms what sympy says")
    return Outcome(
        Verdict.PROVED,
        BY,
        detail=f"the difference simplifies to 0; confirmed at {agreed} exact points",
        evidence={"difference": "0"},
    )


def _agreements(statement: Inequality) -> int:
    """Count the points at which balls of both sides overlap; a miss counts as a veto (0)."""
    agreed = 0
    for point in islice(points.candidates(statement.domain), _CROSS_CHECKS):
        try:
            left = enclose(statement.lhs, point, bits=256)
            right = enclose(statement.rhs, point, bits=256)
        except UnsupportedTermError:
            continue
        if not left.overlaps(right):
            return 0
        agreed += left.is_finite() and right.is_finite()
    return agreed


def _simplify(difference: sp.Expr) -> sp.Expr:
    for attempt in (sp.expand, sp.cancel, sp.simplify, _by_logarithms):
        difference = attempt(difference)
        if difference == 0:
            return difference
    return difference


def _by_logarithms(difference: sp.Expr) -> sp.Expr:
    return sp.simplify(sp.expand_log(sp.powsimp(difference, force=False)))


def _limit(statement: Limit, budget: Budget) -> Outcome:
    if not isinstance(statement.domain.get(statement.symbol), Integers):
        raise UnsupportedStatementError(f"{statement.symbol} must range over Integers")
    said = sp.limit(statement.expression, statement.symbol, sp.oo)
    rest = {s: d for s, d in statement.domain.items() if s != statement.symbol}
    if sp.simplify(said - statement.value) != 0:
        return _another(statement, said, rest, budget)
    if not _approaches(statement, statement.value, rest, budget):
        return Outcome(Verdict.UNDECIDED, BY, detail="balls do not confirm the limit")
    return Outcome(
        Verdict.PROVED,
        BY,
        detail="limit computed symbolically; balls at arguments up to 10^24 come ever closer",
        evidence={"limit": str(said)},
    )


def _another(
    statement: Limit, said: sp.Expr, rest: Mapping[sp.Symbol, Any], budget: Budget
) -> Outcome:
    """Refute a limit at one exact point of the parameters, where balls confirm another value."""
    point = next(points.candidates(rest))
    at = {s: sp.Rational(v) for s, v in point.items()}
    other, claimed = said.subs(at), statement.value.subs(at)
    apart = not enclose(other - claimed, {}, bits=256).contains(0)
    fixed = Limit(
        statement.expression.subs(at),
        statement.symbol,
        claimed,
        {statement.symbol: statement.domain[statement.symbol]},
    )
    if not apart or not _approaches(fixed, other, {}, budget):
        return Outcome(Verdict.UNDECIDED, BY, detail=f"sympy says {said}; balls do not confirm it")
    where = {str(s): str(v) for s, v in point.items()}
    witness = {**where, "limit": str(other), "claimed": str(claimed)}
    return Outcome(
        Verdict.REFUTED,
        BY,
        witness=witness,
        detail=f"the limit is {other}, not {claimed}",
        evidence={"limit": str(said)},
    )


def _approaches(
    statement: Limit, value: sp.Expr, rest: Mapping[sp.Symbol, Any], budget: Budget
) -> bool:
    """Check that the distance to ``value`` certainly falls along growing arguments."""
    confirmed = 0
    for point in islice(points.candidates(rest), _CROSS_CHECKS // 2):
        distances = [_distance(statement, value, point, a, budget) for a in _ARGUMENTS]
        falling = all(b < a for a, b in pairwise(distances))
        if not (falling or all(d.contains(0) for d in distances)):
            return False
        confirmed += 1
    return confirmed > 0


def _distance(
    statement: Limit, value: sp.Expr, point: Values, argument: int, budget: Budget
) -> Any:
    at = {**point, statement.symbol: argument}
    return abs(enclose(statement.expression - value, at, bits=min(1024, budget.bits)))
