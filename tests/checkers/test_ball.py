"""The ball checker proves on boxes, refutes at points, and gives up where sides touch."""

from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from claims import Inequality, Integers, Reals, UnsupportedStatementError, Verdict
from proofs.checkers import ball

x, y = sp.symbols("x y")


def test_a_transcendental_inequality_is_certified_and_verified() -> None:
    claim = Inequality(1 + x, "<", sp.exp(x), {x: Reals(Fraction(1, 10), 2)})
    outcome = ball.decide()(claim)
    assert outcome.verdict is Verdict.PROVED
    assert ball.decide().verify(claim, outcome.evidence).verdict is Verdict.PROVED


def test_two_variables_and_integers() -> None:
    claim = Inequality(x * y, "<", sp.exp(x) + y**2, {x: Reals(0, 1), y: Integers(1, 3)})
    outcome = ball.decide()(claim)
    assert outcome.verdict is Verdict.PROVED
    assert ball.decide().verify(claim, outcome.evidence).verdict is Verdict.PROVED


def test_a_narrow_violation_is_found() -> None:
    dip = Inequality(
        sp.Rational(1, 1000),
        "<",
        (x - sp.Rational(1, 3)) ** 2 + sp.exp(-x) / 1000,
        {x: Reals(0, 1)},
    )
    outcome = ball.decide()(dip)
    assert outcome.verdict is Verdict.REFUTED
    assert ball.decide().verify(dip, outcome.evidence).verdict is Verdict.REFUTED


def test_touching_sides_stay_undecided() -> None:
    touch = Inequality(1 + x, "<=", sp.exp(x), {x: Reals(Fraction(-1, 3), 1)})
    assert ball.decide(boxes=200)(touch).verdict is Verdict.UNDECIDED


@settings(max_examples=30, deadline=None)
@given(a=st.fractions(-3, 3), b=st.fractions(-3, 3), at=st.fractions(-3, 3))
def test_at_a_point_it_agrees_with_exact_arithmetic(a: Fraction, b: Fraction, at: Fraction) -> None:
    claim = Inequality(sp.Rational(a) * x, "<=", sp.Rational(b), {x: Reals(at, at)})
    verdict = ball.decide()(claim).verdict
    assert verdict is (Verdict.PROVED if a * at <= b else Verdict.REFUTED)


def test_missing_boxes_and_shrunk_boxes_are_noticed() -> None:
    claim = Inequality(x * sp.exp(-x), "<", sp.Rational(2, 5), {x: Reals(0, 4)})
    boxes = ball.decide()(claim).evidence["boxes"]
    assert len(boxes) > 1
    for damaged in (boxes[1:], boxes[:-1], [boxes[0], *boxes], boxes[:1] + boxes):
        outcome = ball.decide().verify(claim, {"boxes": damaged})
        assert outcome.verdict is Verdict.UNDECIDED


def test_an_axis_that_is_a_point_does_not_hide_missing_boxes() -> None:
    claim = Inequality(x * y, "<", sp.exp(x), {x: Reals(0, 1), y: Reals(1, 1)})
    half = {"boxes": [[64, [["0", "1/2"], ["1", "1"]]]]}
    assert ball.decide().verify(claim, half).verdict is Verdict.UNDECIDED
    whole = ball.decide()(claim)
    assert ball.decide().verify(claim, whole.evidence).verdict is Verdict.PROVED


def test_unbounded_domains_are_refused_with_the_reason() -> None:
    with pytest.raises(UnsupportedStatementError, match="bounded box"):
        ball.decide()(Inequality(x, "<=", sp.exp(x), {x: Reals(0)}))
