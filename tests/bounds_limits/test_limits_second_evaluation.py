"""FLINT and plain Python agree on every series, tail and load."""

from fractions import Fraction
from typing import Any

import pytest
from flint import arb, ctx
from hypothesis import given, settings
from hypothesis import strategies as st

from bounds.limits.ball_dyck import ball_dyck_load
from bounds.limits.ball_load import ball_load
from bounds.limits.ball_tails import ball, ball_tails
from bounds.limits.decide import load_at
from bounds.limits.proposal_series import float_tails
from bounds.limits.series import code_series
from bounds.limits.sweep import stored
from bounds.limits.verifier import ONE, code, tails

modules = st.tuples(st.sampled_from(["tree", "list", "cut"]), st.integers(1, 4))
processes = st.lists(modules, min_size=1, max_size=4).map(tuple)


@given(processes, st.integers(1, 12))
def test_series_agree(process: tuple[tuple[str, int], ...], t: int) -> None:
    assert code_series(process, t)[t] == code(list(process), t)


@settings(deadline=None)
@given(processes, st.fractions(Fraction(1, 1000), Fraction(1, 2), max_denominator=1000))
def test_tails_agree_and_are_rounded_up(process: tuple[tuple[str, int], ...], p: Fraction) -> None:
    plain, balls = tails(list(process), p, 8), ball_tails(process, p, 8)
    floats = float_tails(process, float(p), 8)
    for a, b, c in zip(plain, balls, floats, strict=True):
        above = ball(Fraction(a, ONE)) - b
        assert above > -1e-14
        assert above < 1e-14
        assert abs(float(Fraction(a, ONE)) - c) < 1e-9


def loads_differ_by(cert: dict[str, Any], part: dict[str, Any], n: int) -> arb:
    before, ctx.prec = ctx.prec, 256
    try:
        second = (ball_dyck_load if cert["task"] == "dyck" else ball_load)(cert, part, n)
        return ball(load_at(cert, part, n)) - second
    finally:
        ctx.prec = before


@pytest.mark.parametrize("name", ["parity", "parity-tuples", "dyck"])
def test_both_evaluations_agree_on_stored_limits(name: str) -> None:
    """Small sizes in every run, all of them among the slow tests."""
    for cert in stored(name):
        if cert["layers"] * cert["heads"] <= 6:
            for part in cert["ranges"]:
                gap = loads_differ_by(cert, part, part["from"])
                assert gap > -1e-30
                assert gap < 1e-20


@pytest.mark.slow
@pytest.mark.parametrize("name", ["parity", "parity-tuples", "dyck"])
def test_both_evaluations_agree_on_every_stored_limit(name: str) -> None:
    for cert in stored(name):
        for part in cert["ranges"]:
            gap = loads_differ_by(cert, part, part["from"])
            assert gap > -1e-30
            assert gap < 1e-6  # sums over very deep leaves are rounded up at 1e-40


@st.composite
def limits(draw: st.DrawFn) -> tuple[dict[str, Any], dict[str, Any], int]:
    """Random stages with random parameters: most prove nothing, all have a load."""
    task = draw(st.sampled_from(["parity", "mod", "dyck"]))
    layers, heads = draw(st.integers(2, 4)), draw(st.integers(1, 3))
    stages: list[dict[str, Any]] = []
    left, w = layers, 1
    if layers > 2 and draw(st.booleans()):
        kind = draw(st.sampled_from(["first-layer", "two-layers"][: layers - 2]))
        p = str(Fraction(draw(st.integers(5, 40)), 10000))
        w = draw(st.integers(6, 9)) if layers - (1 if kind == "first-layer" else 2) == 2 else 1
        w = max(w, 1 if kind == "first-layer" else 6)
        stages.append({"kind": kind, "p": p, "w": w, "narrow": draw(st.integers(9, 14))})
        stages[0]["lift"] = "101/100"
        left -= 1 if kind == "first-layer" else 2
    while left > (3 if w == 1 else 2):
        p, w = str(Fraction(draw(st.integers(5, 40)), 1000)), draw(st.integers(7, 9))
        stages.append({"kind": "next-layer", "p": p, "w": w, "lift": "101/100"})
        left -= 1
    final: dict[str, Any] = {"kind": "last-two", "s": draw(st.integers(3, 6)) * heads}
    final["choice"] = draw(st.sampled_from(["sets", "tuples"]))
    if left == 3:
        row = sorted(draw(st.lists(st.integers(2, 14), min_size=1, max_size=4)), reverse=True)
        final |= {"kind": "last-three", "w": row}
    size = 10 ** (3 + 2 * len(stages)) if stages or task == "dyck" or left == 3 else 50
    n = 2 * draw(st.integers(size, 4 * size))
    cert = {"task": task, "layers": layers, "heads": heads, "padding": draw(st.integers(0, 3))}
    return (
        {**cert, "modulus": 2},
        {"from": n, "to": None, "share": "1/9", "stages": [*stages, final]},
        n,
    )


@settings(deadline=None, max_examples=40)
@given(limits())
def test_both_evaluations_agree_on_random_limits(
    limit: tuple[dict[str, Any], dict[str, Any], int],
) -> None:
    try:
        load_at(*limit)
    except ValueError:
        return  # refused: nothing to compare
    gap = loads_differ_by(*limit)
    whole = ball(load_at(*limit)) + 1
    assert gap / whole > -1e-30
    assert gap / whole < 1e-15


def test_a_changed_coefficient_is_noticed() -> None:
    cert = {"task": "parity", "layers": 3, "heads": 1, "padding": 0, "modulus": 2}
    final = {"kind": "last-three", "w": [10, 7, 3], "s": 6, "choice": "sets"}
    part = {"from": 265, "to": None, "stages": [final]}
    other = {**part, "stages": [{**final, "w": [10, 7, 4]}]}
    before, ctx.prec = ctx.prec, 256
    try:
        gap = ball(load_at(cert, part, 265)) - ball_load(cert, other, 265)
    finally:
        ctx.prec = before
    assert gap < -1e-12 or gap > 1e-12


def test_loads_of_dyck_fall_however_far_away() -> None:
    """No part may grow with the positions; rounding at 10^-40 would hide it, so in long balls."""
    before, ctx.prec = ctx.prec, 2048
    try:
        for cert in stored("dyck"):
            if (cert["layers"], cert["heads"]) in ((3, 1), (3, 3), (4, 1)):
                part = cert["ranges"][-1]
                near, *far = (
                    ball_dyck_load(cert, {**part, "from": n}, n)
                    for n in (part["from"] * 10**e for e in (0, 20, 300))
                )
                assert all(load < near for load in far)
    finally:
        ctx.prec = before


def test_a_wide_frame_counts_its_limit_at_larger_lengths() -> None:
    """With more than a quarter of the word on either side the base grows towards its limit."""
    cert = {"task": "dyck", "layers": 2, "heads": 1, "padding": 0}
    part = {"from": 60, "to": None, "share": "1/3"}
    part["stages"] = [{"kind": "last-two", "s": 3, "choice": "sets"}]
    gap = loads_differ_by(cert, part, 60)
    assert gap > -1e-30
    assert gap < 1e-20
