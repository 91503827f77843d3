"""Decide polynomial inequalities with two solvers and one small judge.

z3 and cvc5 both read the same SMT-LIB text; only when both answer ``unsat`` is the statement
PROVED.  A ``sat`` counts for nothing until its point has been replayed exactly
(:mod:`proofs.checkers.points`).  Hypotheses that no point satisfies prove nothing.

Main definitions: :func:`decide`, :class:`Smt`.

References
----------
L. de Moura, N. Bjørner, "Z3: an efficient SMT solver", 2008 [z3]; H. Barbosa et al., "cvc5: a
versatile and industrial-strength SMT solver", 2022 [cvc5].
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import sympy as sp

from claims import (
    AbstractChecker,
    Budget,
    Inequality,
    Integers,
    Outcome,
    Statement,
    UnsupportedStatementError,
    Verdict,
)
from proofs.checkers import points, smtlib
from proofs.checkers.substitution import Substitution

BY = "smt: z3, cvc5"
_CVC5_RLIMIT_RATIO = 20  # cvc5 counts coarser steps than z3: one of its steps per 20 of z3's


@final
@dataclass(frozen=True, slots=True)
class Smt(AbstractChecker):
    """Two-solver decision of an :class:`Inequality` after stated substitutions."""

    substitutions: tuple[Substitution, ...] = ()

    def __call__(self, statement: Statement, budget: Budget | None = None) -> Outcome:
        """Refute by an exact point, or prove by two solvers; see :class:`AbstractChecker`."""
        budget = budget or Budget()
        inequality = _inequality(statement)
        found = points.search(inequality, "exact point")
        if found.verdict is Verdict.REFUTED:
            return found
        text = smtlib.negation(inequality, self.substitutions)
        answer, point = _z3(text, budget)
        if answer == "unsat":
            return self._proved(inequality, text, budget)
        if answer == "sat":
            return self._refuted(inequality, point, budget)
        return Outcome(Verdict.UNDECIDED, BY, detail="z3 gave up within its resource limit")

    def verify(self, statement: Statement, evidence: Mapping[str, Any]) -> Outcome:
        """Replay the stored point, or let cvc5 alone re-check the stored text."""
        inequality = _inequality(statement)
        if "point" in evidence:
            return points.replay_evidence(inequality, evidence, BY)
        text = smtlib.negation(inequality, self.substitutions)
        if evidence.get("smtlib") != text:
            return Outcome(Verdict.UNDECIDED, BY, detail="the stored text is of another statement")
        return self._proved(inequality, text, Budget())

    def _proved(self, statement: Inequality, text: str, budget: Budget) -> Outcome:
        second = _cvc5(text, budget)
        if second != "unsat":
            return Outcome(Verdict.UNDECIDED, BY, detail=f"z3 says unsat, cvc5 says {second}")
        if points.satisfiable(statement) is None:
            answer, point = _z3(smtlib.hypotheses(statement, self.substitutions), budget)
            if answer != "sat" or not points.allows(
                statement.given, _fill(statement, point), bits=256
            ):
                detail = f"the hypotheses may be unsatisfiable (z3: {answer}): vacuous"
                return Outcome(Verdict.UNDECIDED, BY, detail=detail)
        return Outcome(Verdict.PROVED, BY, evidence={"smtlib": text})

    def _refuted(
        self, statement: Inequality, point: Mapping[str, Fraction], budget: Budget
    ) -> Outcome:
        outcome = points.replay(statement, _fill(statement, point), BY)
        if outcome.verdict is Verdict.REFUTED:
            return outcome
        for smaller in self._instances(statement):
            text = smtlib.negation(smaller, (), integers=True)
            answer, point = _z3(text, budget)
            if answer == "sat":
                outcome = points.replay(statement, _fill(smaller, point), BY)
                if outcome.verdict is Verdict.REFUTED:
                    return outcome
        detail = "z3 found a point, but it is no exact counterexample"
        return Outcome(Verdict.UNDECIDED, BY, detail=detail)

    def _instances(self, statement: Inequality) -> Iterator[Inequality]:
        """Yield the statement with each substituted exponent fixed to 1, 2, 3, 4."""
        exponents = {
            s for sub in self.substitutions if sub.base == 2 for s in sub.exponent.free_symbols
        }
        if any(sub.base == sp.E for sub in self.substitutions):
            return
        for value in (1, 2, 3, 4) if exponents else (0,):
            fixed = {s: sp.Integer(value) for s in exponents}
            yield Inequality(
                statement.lhs.subs(fixed),
                statement.rel,
                statement.rhs.subs(fixed),
                {
                    s: Integers(value, value) if s in exponents else d
                    for s, d in statement.domain.items()
                },
                tuple(
                    type(g)(g.lhs.subs(fixed), g.rel, g.rhs.subs(fixed)) for g in statement.given
                ),
            )


def decide(*substitutions: Substitution) -> Smt:
    """Return the two-solver checker for polynomial inequalities.

    Parameters
    ----------
    substitutions
        For each power that is not polynomial: see :mod:`proofs.checkers.substitution`.

    Examples
    --------
    >>> from claims import Reals
    >>> x = sp.Symbol("x")
    >>> decide()(Inequality(2 * x, "<=", 1 + x**2, {x: Reals()})).verdict
    <Verdict.PROVED: 'PROVED'>
    """
    return Smt(substitutions)


def _inequality(statement: Statement) -> Inequality:
    if not isinstance(statement, Inequality):
        raise UnsupportedStatementError(f"{BY} decides Inequality, not {type(statement).__name__}")
    return statement


def _fill(statement: Inequality, point: Mapping[str, Fraction]) -> dict[sp.Symbol, Fraction]:
    """Return the solver's point by symbol; what the solver left open becomes the lower end or 0."""
    return {
        s: point.get(str(s), Fraction(d.lo if d.lo is not None else 0))
        for s, d in statement.domain.items()
    }


def _z3(text: str, budget: Budget) -> tuple[str, dict[str, Fraction]]:
    """Return z3's answer and, for ``sat``, its point rounded to rationals."""
    import z3

    context = z3.Context()
    solver = z3.Solver(ctx=context)
    solver.set("rlimit", budget.rlimit)
    solver.set("timeout", int(1000 * budget.seconds))  # a second guard; z3 may overrun it
    solver.from_string(text)
    answer = str(solver.check())
    if answer != "sat":
        return answer, {}
    model = solver.model()
    point = {}
    for declaration in model.decls():
        value = model[declaration]
        if z3.is_algebraic_value(value):
            value = value.approx(30)
        if z3.is_int_value(value):
            point[declaration.name()] = Fraction(value.as_long())
        elif z3.is_rational_value(value):
            point[declaration.name()] = Fraction(value.as_fraction())
    return answer, point


def _cvc5(text: str, budget: Budget) -> str:
    """Return cvc5's answer to the same text."""
    import cvc5

    manager = cvc5.TermManager()
    solver = cvc5.Solver(manager)
    solver.setOption("rlimit", str(max(1, budget.rlimit // _CVC5_RLIMIT_RATIO)))
    solver.setOption("tlimit", str(int(1000 * budget.seconds)))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "statement")
    names = parser.getSymbolManager()
    answer = ""
    while not (command := parser.nextCommand()).isNull():
        answer = command.invoke(solver, names).strip() or answer
    return answer
