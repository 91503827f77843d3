"""Three evaluations of one expression agree: exact recursion, closures, balls."""

from fractions import Fraction

import pytest
import sympy as sp
from flint import arb, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from bounds.ball import UnsupportedTermError, enclose, exact, holds, sign
from bounds.compiled import compiled
from claims import Relation

x, y = sp.symbols("x y")
leaves = st.one_of(st.sampled_from([x, y]), st.fractions(-3, 3, max_denominator=7).map(sp.Rational))
expressions = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda p: p[0] + p[1]),
        st.tuples(inner, inner).map(lambda p: p[0] * p[1]),
        st.tuples(inner, st.integers(1, 3)).map(lambda p: p[0] ** p[1]),
    ),
    max_leaves=6,
)


@settings(max_examples=60, deadline=None)
@given(expression=expressions, a=st.fractions(-2, 2), b=st.fractions(-2, 2))
def test_closures_and_balls_agree_with_the_recursion(
    expression: sp.Expr, a: Fraction, b: Fraction
) -> None:
    at = {x: a, y: b}
    value = exact(expression, at)
    assert value is not None
    assert compiled(expression)(at) == value
    rational = arb(fmpq(value.numerator, value.denominator))
    assert enclose(expression, at, bits=128).overlaps(rational)
    assert sign(expression, at) == (value > 0) - (value < 0)


def test_equality_of_irrational_sides_is_left_open() -> None:
    same = Relation(sp.log(x) + sp.log(y), "==", sp.log(x * y))
    assert holds(same, {x: 2, y: 3}, bits=512) is None


def test_floats_and_unknown_functions_are_refused() -> None:
    with pytest.raises(UnsupportedTermError, match="float"):
        exact(x, {x: 0.5})  # type: ignore[dict-item]
    with pytest.raises(UnsupportedTermError, match="gamma"):
        enclose(sp.gamma(x), {x: 1}, bits=64)
    with pytest.raises(UnsupportedTermError, match="divides by zero"):
        exact(1 / x, {x: 0})


def test_huge_powers_become_balls() -> None:
    assert exact(2**x, {x: 10**9}) is None
    assert sign(2**x - x, {x: 10**9}) == 1
