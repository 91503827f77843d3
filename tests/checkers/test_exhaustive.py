"""Enumeration: EXHAUSTED with its scope, PROVED only for a complete family, refuted by a case."""

from collections.abc import Iterator

from claims import Budget, Exists, ForAll, Verdict
from proofs.checkers import exhaustive


def small() -> Iterator[int]:
    yield from range(10)


def nothing() -> Iterator[int]:
    yield from ()


def below_ten(n: int) -> bool:
    return n < 10


def below_seven(n: int) -> bool:
    return n < 7


def test_a_clean_run_names_its_scope() -> None:
    outcome = exhaustive.decide()(ForAll("n < 10", "digits", small, below_ten))
    assert (outcome.verdict, outcome.scope) == (Verdict.EXHAUSTED, "digits (10 cases)")


def test_a_complete_family_is_a_proof_and_a_sample_is_none() -> None:
    statement = ForAll("n < 10", "digits", small, below_ten)
    assert exhaustive.decide(complete=True)(statement).verdict is Verdict.PROVED
    assert exhaustive.decide(sampled=True)(statement).verdict is Verdict.SAMPLED


def test_the_first_failing_case_refutes_and_replays() -> None:
    statement = ForAll("n < 7", "digits", small, below_seven)
    outcome = exhaustive.decide()(statement)
    assert outcome.verdict is Verdict.REFUTED
    assert outcome.witness == {"case": "7"}
    assert exhaustive.decide().verify(statement, outcome.evidence).verdict is Verdict.REFUTED
    forged = {"index": 3, "case": "3"}
    assert exhaustive.decide().verify(statement, forged).verdict is Verdict.UNDECIDED


def test_an_empty_family_and_a_small_budget_decide_nothing() -> None:
    empty = ForAll("anything", "nothing", nothing, below_ten)
    assert exhaustive.decide(complete=True)(empty).verdict is Verdict.UNDECIDED
    statement = ForAll("n < 10", "digits", small, below_ten)
    assert exhaustive.decide()(statement, Budget(cases=5)).verdict is Verdict.UNDECIDED


def test_existence_is_proved_by_a_case() -> None:
    found = Exists("n >= 7", "digits", small, lambda n: n >= 7)
    outcome = exhaustive.decide()(found)
    assert (outcome.verdict, outcome.evidence["case"]) == (Verdict.PROVED, "7")
    missing = Exists("n >= 12", "digits", small, lambda n: n >= 12)
    assert exhaustive.decide()(missing).verdict is Verdict.UNDECIDED
    assert exhaustive.decide(complete=True)(missing).verdict is Verdict.REFUTED
