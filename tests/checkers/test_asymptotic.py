"""Eventually: proved from the threshold on, refuted at it, undecided when the gap may fall."""

import sympy as sp

from claims import Asymptotic, Integers, Relation, Verdict
from proofs.checkers import asymptotic, smt

n = sp.Symbol("n")
check = asymptotic.decide(smt.decide())
where = {n: Integers(1)}


def test_from_the_threshold_on() -> None:
    statement = Asymptotic(Relation(10 * n, "<=", n**2), n, sp.Integer(10), where)
    outcome = check(statement)
    assert outcome.verdict is Verdict.PROVED
    assert check.verify(statement, outcome.evidence).verdict is Verdict.PROVED


def test_a_threshold_too_low_is_refuted() -> None:
    statement = Asymptotic(Relation(10 * n, "<=", n**2), n, sp.Integer(9), where)
    outcome = check(statement)
    assert outcome.verdict is Verdict.REFUTED
    assert check.verify(statement, outcome.evidence).verdict is Verdict.REFUTED


def test_a_gap_that_dips_and_recovers_is_undecided() -> None:
    goal = Relation(sp.Integer(0), "<", (n - 20) ** 2 + 1)
    assert check(Asymptotic(goal, n, sp.Integer(10), where)).verdict is Verdict.UNDECIDED


def test_a_gap_that_falls_below_zero_is_refuted_by_a_point() -> None:
    statement = Asymptotic(Relation(n**2, "<=", sp.Integer(100)), n, sp.Integer(5), where)
    outcome = check(statement)
    assert outcome.verdict is Verdict.REFUTED
    assert check.verify(statement, outcome.evidence).verdict is Verdict.REFUTED
