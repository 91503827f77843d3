"""Least k and least n are least, whatever the guess, and agree with the conditions themselves."""

import time
from fractions import Fraction

import mpmath
import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st

from bounds.reduction.least import (
    UnreachableError,
    least_k,
    least_k_for_e11,
    least_n,
    settle,
)
from bounds.reduction.local_lemma import E10, E11, E12
from bounds.reduction.monotone import BRACKET, BRACKET_U, PUBLISHED, E, best_weights
from bounds.reduction.symbols import C, H, c, eta, k
from bounds.values import BoundError

QUARTER = Fraction(1, 4)
shares = st.fractions(Fraction(1, 10), 1, max_denominator=20)
etas = st.fractions(Fraction(1, 20), Fraction(9, 20), max_denominator=40)
chances = st.fractions(Fraction(1, 4), Fraction(9, 10), max_denominator=40)


@given(inputs=st.integers(1, 3), heads=st.integers(1, 9), share=shares, eta_=etas, q=chances)
@settings(max_examples=15, deadline=None)
def test_e10_and_e12_hold_from_the_least_k_on_and_not_below(
    inputs: int, heads: int, share: Fraction, eta_: Fraction, q: Fraction
) -> None:
    point = {"c": inputs, "H": heads, "C": share, "eta": eta_, "q": q}
    least = least_k(**point).value
    for condition in (E10, E12):
        assert condition.holds(k=least, **point)
        assert not condition.holds(k=least - 1, **point)
        assert condition.holds(k=3 * least, **point)
        for below in {2, 3, least // 3, least // 2, (9 * least) // 10} - {0, 1}:
            assert not condition.holds(k=below, **point)


def slack(k: int, c: int, H: int, C: Fraction, eta: Fraction, q: Fraction, best: bool) -> object:
    """The slack of E12 in mpmath, written out by hand."""
    room, chance = (mpmath.mpf(x.numerator) / x.denominator for x in (eta * C, q))
    f = mpmath.mpf(4) ** c * c * c * k * k * H / room
    event = k * room / c**2 * mpmath.log1p(-((chance / 2) ** c))
    if best:
        other = mpmath.mpf(999) / 1000
        return -event - mpmath.log(f + 1) + f * mpmath.log1p(-1 / (f + 1)) + mpmath.log(other)
    return -event - 2 * mpmath.log(k) - mpmath.log(2) + f * mpmath.log1p(-1 / mpmath.mpf(k) ** 2)


@pytest.mark.parametrize("best", [False, True])
@pytest.mark.parametrize(("inputs", "heads"), [(1, 1), (2, 8), (30, 3), (300, 1)])
def test_least_k_agrees_with_another_arithmetic(inputs: int, heads: int, best: bool) -> None:
    point = {"c": inputs, "H": heads, "C": Fraction(2, 3), "eta": QUARTER, "q": Fraction(1, 3)}
    least = least_k(**point, weights=best_weights() if best else PUBLISHED).value
    with mpmath.workprec(200 + 4 * least.bit_length()):
        assert slack(least, *point.values(), best) >= 0
        assert slack(least - 1, *point.values(), best) < 0


def test_thousands_of_digits_take_seconds_at_most() -> None:
    start = time.process_time()
    least = least_k(c=4497, H=8, C=Fraction(1, 35000), eta=Fraction(1, 3), q=Fraction(999, 1000))
    assert 10**4000 < least.value < 10**4200
    assert least.slack >= 0
    assert least.slack_below is not None
    assert least.slack_below < 0
    assert time.process_time() - start < 5


@given(answer=st.integers(1, 10**40), guess=st.integers(1, 10**45), first=st.integers(1, 5))
def test_any_guess_leads_to_the_same_answer(answer: int, guess: int, first: int) -> None:
    assert settle(lambda m: m >= answer, first, guess) == max(answer, first)


@given(heads=st.integers(1, 5), eta_=etas, q=chances, delta=st.fractions(Fraction(1, 10), 1))
@settings(max_examples=10, deadline=None)
def test_e11_holds_from_the_least_n_on_and_not_below(
    heads: int, eta_: Fraction, q: Fraction, delta: Fraction
) -> None:
    if not (1 + delta) * q < 1:
        return
    point = {"c": 1, "H": heads, "C": Fraction(3, 4), "eta": eta_, "q": q, "delta": delta}
    start = least_k_for_e11(**point)
    if start.value > 2:
        with pytest.raises(UnreachableError, match="no n"):
            least_n(k=start.value - 1, **point)
    for value in (start.value, 2 * start.value):
        least = least_n(k=value, **point).value
        assert E11.holds(k=value, n=least, **point)
        assert E11.holds(k=value, n=5 * least, **point)
        if least > 1:
            assert not E11.holds(k=value, n=least - 1, **point)
            assert not E11.holds(k=value, n=max(1, least // 2), **point)


def test_the_hypotheses_of_the_monotonicity_argument_hold() -> None:
    from bounds.ball import enclose, exact

    smallest = exact(E, {c: 1, H: 1, C: Fraction(1), eta: Fraction(1, 2), k: 1})
    assert smallest == 8  # eta < 1/2 makes E larger
    for j in range(1, 100):
        assert enclose(BRACKET, {BRACKET_U: Fraction(j, 100)}, bits=128) > 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"c": 0}, "c = 0 is outside"),
        ({"H": Fraction(1, 2)}, "H = 1/2 is outside"),
        ({"C": 2}, "C = 2 is outside"),
        ({"eta": Fraction(1, 2)}, "eta = 1/2 is outside"),
        ({"q": 0.5}, "q = 0.5 is a float"),
        ({"q": float("nan")}, "not a finite number"),
    ],
)
def test_malformed_points_are_refused(change: dict[str, object], message: str) -> None:
    with pytest.raises(BoundError, match=message):
        least_k(**{"c": 1, "H": 1, "C": 1, "eta": QUARTER, "q": QUARTER, **change})


@pytest.mark.parametrize("inputs", [10**5, 10**9, 10**50, 10**4000])
def test_a_k_too_long_to_write_out_is_refused_at_once(inputs: int) -> None:
    start = time.process_time()
    with pytest.raises(BoundError, match="more than 131072 bits"):
        least_k(c=inputs, H=1, C=1, eta=QUARTER, q=QUARTER)
    assert time.process_time() - start < 2


def test_k_below_two_is_refused_for_the_published_weights() -> None:
    with pytest.raises(BoundError, match="use k >= 2"):
        least_n(k=1, c=1, H=1, C=1, eta=QUARTER, q=QUARTER, delta=1)


def test_weights_outside_the_unit_interval_are_refused() -> None:
    with pytest.raises(BoundError, match="B = 1 is outside"):
        best_weights(Fraction(1))


def test_slacks_are_enclosed() -> None:
    least = least_k(c=1, H=1, C=1, eta=QUARTER, q=QUARTER)
    assert isinstance(least.slack, arb)
    assert least.value == 909
