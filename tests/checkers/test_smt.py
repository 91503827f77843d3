"""The two-solver checker proves, refutes with a replayed point, and stays undecided."""

from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from bounds.ball import UnsupportedTermError
from claims import Budget, Inequality, Integers, Reals, Relation, StatementError, Verdict
from proofs.checkers import smt
from proofs.checkers.substitution import SubstitutionError, exponential, power_of_two

x, y, z = sp.symbols("x y z")
c, k, w, u, A = sp.symbols("c k w u A")


@settings(max_examples=25, deadline=None)
@given(at=st.fractions(-5, 5), a=st.fractions(-5, 5), b=st.fractions(-5, 5))
def test_smt_agrees_with_exact_arithmetic(at: Fraction, a: Fraction, b: Fraction) -> None:
    lhs, rhs = x * sp.Rational(b), x * x + sp.Rational(a)
    verdict = smt.decide()(Inequality(lhs, "<=", rhs, {x: Reals(at, at)})).verdict
    assert verdict is (Verdict.PROVED if at * b <= at * at + a else Verdict.REFUTED)


def test_a_far_counterexample_is_found_and_replayed() -> None:
    far = Inequality(x, "!=", sp.Rational(123457, 7), {x: Reals(0)})
    outcome = smt.decide()(far)
    assert outcome.verdict is Verdict.REFUTED
    assert outcome.witness == {"x": "123457/7"}
    assert smt.decide().verify(far, outcome.evidence).verdict is Verdict.REFUTED


def test_no_integer_between_is_not_refuted_by_a_fraction() -> None:
    between = Inequality(
        sp.Integer(0),
        "==",
        sp.Integer(1),
        {x: Integers(0)},
        (Relation(2 * x, "==", sp.Integer(1)),),
    )
    assert smt.decide()(between).verdict is Verdict.UNDECIDED  # vacuous over the integers


def test_a_false_hypothesis_proves_nothing() -> None:
    vacuous = Inequality(
        sp.Integer(1), "<=", sp.Integer(0), {x: Reals()}, (Relation(x**2, "<", sp.Integer(0)),)
    )
    assert smt.decide()(vacuous).verdict is Verdict.UNDECIDED


def test_an_undefined_quotient_refutes() -> None:
    gap = Inequality(sp.Integer(0), "<", 1 / x**2, {x: Reals(-1, 1)})
    outcome = smt.decide()(gap)
    assert outcome.verdict is Verdict.REFUTED
    assert outcome.detail == "is undefined at x = 0"
    assert smt.decide()(Inequality(gap.lhs, "<", gap.rhs, {x: Reals(1)})).verdict is Verdict.PROVED


def test_facts_of_a_power_hold_only_where_they_were_established() -> None:
    claim = Inequality(2**c, ">=", 2 * c, {c: Integers(1)})
    check = smt.decide(power_of_two(c, w))
    assert check(claim).verdict is Verdict.PROVED
    for wider in (Reals(1), Reals(0), Integers(0), Integers(-3)):
        widened = check(Inequality(claim.lhs, ">=", claim.rhs, {c: wider}))
        assert widened.verdict is not Verdict.PROVED
    shrinking = Inequality(1 + A, "<=", sp.exp(A), {A: Reals(-1)})
    assert smt.decide(exponential(A, u))(shrinking).verdict is not Verdict.PROVED


def test_a_small_budget_leaves_it_undecided() -> None:
    a, b, d = sp.symbols("a b d")
    cubes = Inequality(
        3 * a**2 * b**2 * d**2, "<=", a**6 + b**6 + d**6, {s: Reals() for s in (a, b, d)}
    )
    assert smt.decide()(cubes, Budget(rlimit=10)).verdict is Verdict.UNDECIDED


def test_powers_of_two_go_through_a_checked_substitution() -> None:
    claim = Inequality(4 * c**2, "<=", 4**c, {c: Integers(1)})
    assert smt.decide(power_of_two(c, w))(claim).verdict is Verdict.PROVED
    altered = Inequality(5 * c**2, "<=", 4**c, {c: Integers(1)})
    assert smt.decide(power_of_two(c, w))(altered).verdict is Verdict.REFUTED
    with pytest.raises(SubstitutionError, match="induction"):
        power_of_two(c, w, Relation(w, ">=", 3 * c - 1 + c**2 - c**2 + 0 * c))
    with pytest.raises(SubstitutionError, match="fails at"):
        power_of_two(c, w, Relation(w, ">=", 2 * c + 1))


def test_exponentials_go_through_a_ladder_of_derivatives() -> None:
    claim = Inequality(1 + 2 * A, "<=", sp.exp(2 * A), {A: Reals(0)})
    assert smt.decide(exponential(2 * A, u))(claim).verdict is Verdict.PROVED
    with pytest.raises(SubstitutionError, match="derivative"):
        exponential(A, u, Relation(u, ">=", 1 + 2 * A))


def test_floats_and_unknown_powers_are_refused() -> None:
    with pytest.raises(StatementError, match="float"):
        Inequality(x, "<=", sp.Float(0.5), {x: Reals()})
    with pytest.raises(UnsupportedTermError, match="substitution"):
        smt.decide()(Inequality(sp.Integer(0), "<=", 3**x, {x: Reals()}))


def test_verification_rejects_the_text_of_another_statement() -> None:
    claim = Inequality(2 * x, "<=", 1 + x**2, {x: Reals()})
    evidence = smt.decide()(claim).evidence
    other = Inequality(3 * x, "<=", 1 + x**2, {x: Reals()})
    assert smt.decide().verify(claim, evidence).verdict is Verdict.PROVED
    assert smt.decide().verify(other, evidence).verdict is Verdict.UNDECIDED
