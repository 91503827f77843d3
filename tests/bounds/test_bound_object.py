"""Bounds evaluate exactly or as balls that contain the exact value, and refuse everything else."""

import math
from fractions import Fraction

import numpy as np
import pytest
import sympy as sp
from flint import arb, ctx
from hypothesis import given, settings
from hypothesis import strategies as st

from bounds.ball import UnsupportedTermError, enclose, exact, sign
from bounds.bound import Bound, BoundError, IrrationalError, holds
from bounds.catalogue import catalogue, lookup
from bounds.reduction import stage2, stage3
from bounds.rounding import PrecisionError, round_up
from bounds.values import parse
from claims import OWN, Reals
from claims.statements import Relation

x = sp.Symbol("x")
y = sp.Symbol("y")

EXPRESSIONS = [
    x**2 * y - 3 * y / x,
    (1 - x) ** y,
    sp.floor(x * 7) + sp.ceiling(y / 3),
    sp.Max(x, y) - sp.Min(x, 2 * y),
    (1 + x) ** -3 + y**5,
]


@given(
    at_x=st.fractions(Fraction(1, 50), Fraction(49, 50)),
    at_y=st.integers(1, 40),
    which=st.sampled_from(EXPRESSIONS),
    bits=st.sampled_from([16, 53, 200]),
)
@settings(max_examples=50, deadline=None)
def test_ball_contains_the_exact_value(
    at_x: Fraction, at_y: int, which: sp.Expr, bits: int
) -> None:
    values = {x: at_x, y: at_y}
    exactly = exact(which, values)
    assert exactly == Fraction(*map(int, which.subs(values_to_sympy(values)).as_numer_denom()))
    with ctx.workprec(4000):
        assert enclose(which, values, bits=bits).overlaps(enclose(x, {x: exactly}, bits=4000))


def values_to_sympy(values: dict[sp.Symbol, Fraction | int]) -> dict[sp.Symbol, sp.Rational]:
    return {s: sp.Rational(v.numerator, v.denominator) for s, v in values.items()}


@given(value=st.floats(0.001, 0.9), power=st.floats(0.1, 30))
@settings(max_examples=60, deadline=None)
def test_ball_agrees_with_floating_point(value: float, power: float) -> None:
    point = {x: Fraction(value), y: Fraction(power)}
    for expression, expected in [
        (sp.log(1 - x) * y, math.log1p(-value) * power),
        ((1 - x) ** y, math.exp(math.log1p(-value) * power)),
        (sp.exp(-x * y), math.exp(-value * power)),
        (sp.log(x**y * sp.exp(-y)), power * math.log(value) - power),
    ]:
        assert float(enclose(expression, point, bits=96).mid()) == pytest.approx(expected, rel=1e-9)


def test_tiny_differences_from_one_keep_their_accuracy() -> None:
    ball = enclose((1 - x) ** (1 / x), {x: Fraction(1, 10**3000)}, bits=11000)
    assert ball.overlaps(enclose(sp.exp(-1 + 0 * x), {}, bits=90))
    narrow = enclose(sp.log(1 - x) / x, {x: Fraction(1, 10**3000)}, bits=64)
    assert narrow.rel_accuracy_bits() > 50


def test_a_sign_that_balls_cannot_settle_stays_open() -> None:
    assert sign(sp.log(x) * 2 - sp.log(y), {x: 3, y: 9}, bits=2048) is None
    with pytest.raises(PrecisionError, match="agree to"):
        holds(Relation(sp.log(x) * 2, "<=", sp.log(y)), {x: 3, y: 9})
    assert sign(sp.log(x) - sp.log(y), {x: 10**400, y: 10**400 + 1}) == -1


def test_rounding_up_is_certified() -> None:
    assert round_up(sp.log(x), {x: 10**100}) == 231
    assert round_up(x / 7, {x: 14}) == 2
    with pytest.raises(PrecisionError, match="floor still open"):
        round_up(sp.log(y) / sp.log(x), {x: 3, y: 9}, max_bits=1024)


def test_perfect_powers_are_exact_and_others_are_not() -> None:
    assert exact(x**y, {x: Fraction(8, 27), y: Fraction(2, 3)}) == Fraction(4, 9)
    assert exact(x**y, {x: 2, y: Fraction(1, 2)}) is None
    assert exact(x**y, {x: -2, y: Fraction(1, 2)}) is None
    assert exact(x**y, {x: Fraction(1, 2), y: -3}) == 8
    assert isinstance(stage3.E9.at(c=1, k=3, C=1, eta=Fraction(1, 4), q=Fraction(1, 3)), arb)


def test_large_powers_become_balls() -> None:
    with pytest.raises(IrrationalError, match="too large"):
        stage2.VALUES.exact(c=10**30)
    ball = stage2.VALUES.at(c=10**30, bits=256)
    assert isinstance(ball, arb)
    assert ball > 10**1000


def test_every_bound_takes_huge_integers() -> None:
    values = {"c": 10**60, "k": 10**60, "H": 10**60, "n": 10**60, "U": 10**60, "f": 10**60}
    small = Fraction(1, 10**60)
    values |= {"C": small, "eta": Fraction(1, 4), "q": small, "delta": small, "A": small}
    values |= {"B": Fraction(1, 4), "a": Fraction(1, 5), "Cprime": small / 10}
    for name, entry in catalogue("bounds.reduction").items():
        if name == "stage3.e11.least_n":
            continue  # its denominator is negative there, which is an error of its own
        at = {str(s): values[str(s)] for s in entry.symbols}
        if isinstance(entry, Bound):
            value = entry.at(**at)
            assert isinstance(value, Fraction) or value.is_finite(), name
        else:
            assert entry.holds(**at) in (True, False)


GOOD = {"c": 2, "k": 10, "C": 1, "eta": Fraction(1, 4), "q": Fraction(1, 5)}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"c": 0}, r"c = 0 is outside integers >= 1"),
        ({"k": 0}, r"k = 0 is outside"),
        ({"k": Fraction(3, 2)}, r"k = 3/2 is outside integers"),
        ({"eta": Fraction(1, 2)}, r"eta = 1/2 is outside \(0, 1/2\)"),
        ({"q": 0}, r"q = 0 is outside"),
        ({"q": Fraction(-1, 3)}, r"q = -1/3 is outside"),
        ({"q": 0.25}, r"q = 0.25 is a float.*Fraction\(1, 4\)"),
        ({"q": float("nan")}, r"q = nan is not a finite number"),
        ({"q": float("inf")}, r"q = inf is not a finite number"),
        ({"q": True}, r"truth value"),
        ({"q": "1/4"}, r"is text"),
        ({"q": None}, r"q is a NoneType"),
        ({"k": -(10**50_000)}, r"k = an integer of 166097 bits is outside"),
        ({"zeta": 1}, r"unknown zeta: give C, c, eta, k, q"),
    ],
)
def test_malformed_values_are_named_with_a_fix(change: dict[str, object], message: str) -> None:
    with pytest.raises(BoundError, match=message):
        stage3.E9.at(**{**GOOD, **change})


def test_missing_values_and_broken_relations_are_named() -> None:
    with pytest.raises(BoundError, match="no value for q"):
        stage3.E9.at(**{name: v for name, v in GOOD.items() if name != "q"})
    with pytest.raises(BoundError, match=r"q\*\(delta \+ 1\) < 1 fails at delta = 1, q = 1/2"):
        stage3.E8.at(C=1, delta=1, eta=Fraction(1, 4), n=5, q=Fraction(1, 2))


def test_numpy_integers_are_integers() -> None:
    assert stage2.VALUES.at(c=np.int64(3)) == 8


def test_floats_inside_an_expression_are_refused() -> None:
    with pytest.raises(BoundError, match="float"):
        Bound(
            name="bad",
            title="",
            symbols={x: Reals()},
            expression=x * 0.5,
            direction="upper",
            source=OWN.at(""),
            text="",
        )
    with pytest.raises(UnsupportedTermError, match="Float"):
        enclose(sp.Float(0.5) + x, {x: 1}, bits=64)


@given(a=st.fractions(-3, 3), b=st.fractions(-3, 3))
def test_relations_are_decided_as_fractions_compare(a: Fraction, b: Fraction) -> None:
    values = {x: a, y: b}
    assert holds(Relation(x, "<=", y), values) == (a <= b)
    assert holds(Relation(x, "<", y), values) == (a < b)
    assert holds(Relation(x, "==", y), values) == (a == b)
    if a != b:
        assert holds(Relation(sp.exp(x), ">", sp.exp(y)), values) == (a > b)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7", 7),
        ("-1/3", Fraction(-1, 3)),
        ("0.1", Fraction(1, 10)),
        (".5e1", 5),
        ("1e-3", Fraction(1, 1000)),
        ("10^400", 10**400),
        ("2**64", 2**64),
        ("1_000", 1000),
    ],
)
def test_text_is_read_exactly(text: str, value: Fraction | int) -> None:
    assert parse(text) == value


def test_long_integers_are_read() -> None:
    assert parse("9" * 6000) == 10**6000 - 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nan", "not a number"),
        ("inf", "not a number"),
        ("", "not a number"),
        ("1/0", "divides by zero"),
        ("1e999999999", "exponent"),
        ("1" * 30_000, "digits"),
        ("10^100000", "digits"),
        ("1,5", "not a number"),
        ("0x10", "not a number"),
    ],
)
def test_unreadable_text_is_refused(text: str, message: str) -> None:
    with pytest.raises(BoundError, match=message):
        parse(text)


def test_catalogue_finds_every_bound_and_names_neighbours() -> None:
    names = list(catalogue())
    assert names == sorted(names)
    assert {"stage1.threshold", "stage3.e12", "seed.b12.event", "dyck.budget"} <= set(names)
    with pytest.raises(BoundError, match=r"did you mean stage3\.e9"):
        lookup("stage3.e99")
