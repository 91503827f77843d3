"""Parameters reach the target exactly; growth enclosures contain the exact and each other."""

import itertools
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from flint import arb, ctx
from hypothesis import given, settings
from hypothesis import strategies as st

from bounds.reduction import growth, parameters
from bounds.reduction.final import REACHES, SHARE, STARS
from bounds.reduction.growth import grow, next_inputs
from bounds.reduction.layers import length, one_layer, two_layers
from bounds.reduction.least import least_k
from bounds.reduction.monotone import PUBLISHED, Weights, best_weights
from bounds.reduction.optimise import certified_step, decimal, smallest_k, smallest_n
from bounds.reduction.parameters import Parameters, explicit, solve_q
from bounds.reduction.stage2 import LEAST_K
from bounds.reduction.symbols import delta, eta, q
from bounds.reduction.tower import Tower, TowerError
from bounds.values import BoundError

HALF = Fraction(1, 2)
EIGHTH = Parameters(Fraction(1, 8), Fraction(1, 6), Fraction(1))
unit = st.fractions(Fraction(1, 100), Fraction(99, 100), max_denominator=100)


def test_explicit_family_reaches_every_ratio_identically() -> None:
    at = {
        eta: parameters.EXPLICIT_ETA,
        delta: parameters.EXPLICIT_DELTA,
        q: parameters.EXPLICIT_Q,
    }
    assert sp.simplify(SHARE.subs(at) - parameters.RHO) == 0
    assert sp.simplify(SHARE.subs(q, parameters.SOLVED_Q) - parameters.RHO) == 0


@given(C=unit, rho=unit, spend=unit, delta_=unit)
@settings(max_examples=60, deadline=None)
def test_parameters_reach_the_target_exactly(
    C: Fraction, rho: Fraction, spend: Fraction, delta_: Fraction
) -> None:
    target = rho * C
    solved = solve_q(C=C, Cprime=target, eta=spend * (1 - rho) / 2, delta=delta_)
    for p in (explicit(C=C, Cprime=target), solved):
        assert p.share == rho
        assert REACHES.holds(C=C, Cprime=target, eta=p.eta, q=p.q, delta=p.delta)
        assert STARS.exact(C=C, n=7, eta=p.eta, q=p.q, delta=p.delta) == 7 * target


def test_targets_that_cannot_be_reached_are_refused() -> None:
    with pytest.raises(BoundError, match="Cprime < C fails"):
        explicit(C=HALF, Cprime=HALF)
    with pytest.raises(BoundError, match=r"choose 0 < eta < 1/4"):
        solve_q(C=1, Cprime=HALF, eta=Fraction(1, 4), delta=Fraction(1))
    with pytest.raises(BoundError, match="solve for q"):
        certified_step(c=1, H=1, C=1, Cprime=Fraction(1, 3), parameters=EIGHTH)


@pytest.mark.parametrize(
    ("inputs", "heads", "target", "published", "best"),
    [
        (1, 1, HALF, 1789, 759),
        (1, 8, HALF, 9428, 860),
        (1, 1, Fraction(9, 10), 241_939, 40_910),
        (3, 1, HALF, 72_068_625, 481_926),
    ],
)
def test_search_finds_small_k(
    inputs: int, heads: int, target: Fraction, published: int, best: int
) -> None:
    point = {"c": inputs, "H": heads, "C": 1, "Cprime": target}
    found = smallest_k(**point).k, smallest_k(**point, weights=best_weights(Fraction(1, 10**9))).k
    # the search uses floats, so another libm may end a few units higher or lower
    assert found == pytest.approx((published, best), rel=1e-4, abs=1)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"c": 10**400}, "too long to write out"),
        ({"c": 0}, "c = 0 is outside"),
        ({"H": 10**400}, "too extreme"),
        ({"Cprime": 1 - Fraction(1, 10**20)}, "too extreme"),
        ({"C": Fraction(1, 10**400), "Cprime": Fraction(1, 2 * 10**400)}, "too extreme"),
        ({"Cprime": 1}, "Cprime = 1 is outside"),
        ({"Cprime": 0.5}, "is a float"),
    ],
)
def test_searches_refuse_what_they_cannot_represent(change: dict[str, Any], message: str) -> None:
    for search in (smallest_k, smallest_n):
        with pytest.raises(BoundError, match=message):
            search(**{"c": 1, "H": 1, "C": 1, "Cprime": HALF, **change})


@given(inputs=st.integers(1, 4), heads=st.integers(1, 6), target=unit)
@settings(max_examples=4, deadline=None)
def test_steps_are_certified(inputs: int, heads: int, target: Fraction) -> None:
    step = smallest_n(c=inputs, H=heads, C=1, Cprime=target)
    p = step.parameters
    assert p.share == target
    least = least_k(c=inputs, H=heads, C=1, eta=p.eta, q=p.q).value
    assert step.k >= least >= LEAST_K.exact(c=inputs, C=1, eta=p.eta)
    assert step.c_out == inputs * (2**inputs * step.k * heads + 1)
    assert target * step.n0 > step.c_out
    assert step.n0 >= step.n11


@pytest.mark.parametrize(("weights", "most"), [(PUBLISHED, 3140), (best_weights(), 2015)])
def test_one_layer_plan_is_valid_and_short(weights: Weights, most: int) -> None:
    plan = one_layer(1, weights=weights)
    assert plan[0].Cprime * length(plan) > plan[0].c_out
    assert length(plan) <= most


@pytest.mark.slow
@pytest.mark.parametrize(("weights", "digits"), [(PUBLISHED, 188), (best_weights(), 63)])
def test_two_layer_plan_chains_and_is_short(weights: Weights, digits: int) -> None:
    first, second = two_layers(1, weights=weights)
    assert (second.c, second.C) == (first.c_out, first.Cprime)
    assert second.Cprime == first.parameters.share * second.parameters.share
    assert second.Cprime * length((first, second)) > second.c_out
    assert len(str(length((first, second)))) == digits


@given(inputs=st.integers(30, 120), heads=st.integers(1, 9), best=st.booleans())
@settings(max_examples=20, deadline=None)
def test_enclosure_of_one_step_contains_the_exact_step(inputs: int, heads: int, best: bool) -> None:
    weights = best_weights() if best else PUBLISHED
    k = least_k(c=inputs, H=heads, C=HALF, eta=EIGHTH.eta, q=EIGHTH.q, weights=weights).value
    exact = Tower.of(inputs * (2**inputs * k * heads + 1))
    enclosed = next_inputs(Tower.of(inputs), H=heads, C=HALF, p=EIGHTH, weights=weights)
    assert enclosed.height == 1
    with ctx.workprec(2000):
        assert enclosed.ball.contains(exact.log10().ball)
        assert enclosed.ball.rad() < 1


@pytest.mark.parametrize("weights", [PUBLISHED, best_weights()])
def test_both_enclosures_agree_where_both_apply(weights: Weights) -> None:
    with ctx.workprec(2000):
        huge = Tower(1, arb(10) ** 40)
        near = next_inputs(huge, H=3, C=HALF, p=EIGHTH, weights=weights)
        far = growth._beyond(huge, 3, HALF, EIGHTH, weights)
        assert far.height == 2
        assert near.ball.overlaps(far.ball)
        assert not near.ball.overlaps(far.ball + 1)


def test_growth_goes_on_for_any_number_of_layers() -> None:
    layers = grow([EIGHTH] * 7, H=12)
    assert [layer.exact for layer in layers[:2]] == [1, 895_345]
    assert [layer.inputs.height for layer in layers] == [0, 0, 1, 2, 3, 4, 5, 6]
    heights = [layer.inputs.super_log() for layer in layers]
    assert all(b > a + 0.9 for a, b in itertools.pairwise(heights[1:]))
    assert layers[-1].share == Fraction(1, 2**7)


def test_small_c_needs_the_exact_step() -> None:
    wide = Parameters(Fraction(49, 100), Fraction(1, 6), Fraction(1))
    with pytest.raises(TowerError, match="too small"):
        next_inputs(Tower.of(1), H=1, C=Fraction(1), p=wide)


def test_towers_refuse_what_is_undefined() -> None:
    with pytest.raises(TowerError, match="below 1"):
        Tower.of(0)
    with pytest.raises(TowerError, match="does not fit"):
        Tower(3, arb(10)).value()
    with pytest.raises(TowerError, match="may not be positive"):
        Tower.of(1).log10().log10()
    assert Tower.of(1).super_log() == 0
    assert str(Tower(1, arb(3))) == "10^3.00000"


@given(value=st.floats(1e-9, 1e9))
def test_decimals_keep_their_digits(value: float) -> None:
    assert abs(float(decimal(value)) / value - 1) < 1e-6
