"""FLINT and plain Python agree on every series, tail and load."""

from fractions import Fraction
from typing import Any

import pytest
from flint import ctx
from hypothesis import given, settings
from hypothesis import strategies as st

from bounds.limits.ball_load import ball_load
from bounds.limits.ball_tails import ball, ball_tails
from bounds.limits.proposal_series import float_tails
from bounds.limits.series import code_series
from bounds.limits.verifier.counts import ONE, code, tails
from bounds.limits.verifier.proof import Proof

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


CASES: list[tuple[int, int, int, list[dict[str, Any]]]] = [
    (2, 3, 103, [{"kind": "last-two", "s": 24, "choice": "sets"}]),
    (3, 1, 298, [{"kind": "last-three", "w": 9, "s": 6, "choice": "sets"}]),
    (3, 4, 7257, [{"kind": "last-three", "w": 24, "s": 55, "choice": "sets"}]),
    (
        4,
        2,
        195037,
        [
            {"kind": "two-layers", "p": "1795/275209", "narrow": 14, "w": 7},
            {"kind": "last-two", "s": 31, "choice": "tuples"},
        ],
    ),
    (
        4,
        1,
        21576,
        [
            {"kind": "first-layer", "p": "4/51", "w": 1},
            {"kind": "last-three", "w": 15, "s": 11, "choice": "sets"},
        ],
    ),
]


@pytest.mark.parametrize(("layers", "heads", "n", "stages"), CASES)
def test_loads_agree(layers: int, heads: int, n: int, stages: list[dict[str, Any]]) -> None:
    cert = {"task": "parity", "layers": layers, "heads": heads, "padding": 0, "modulus": 2}
    part = {"from": n, "to": None, "stages": stages}
    proof = Proof(cert, part, n)
    for stage in stages[:-1]:
        proof.restrict(stage)
    before, ctx.prec = ctx.prec, 256
    try:
        gap = ball(proof.load(stages[-1])) - ball_load(cert, part, n)
    finally:
        ctx.prec = before
    assert gap > -1e-30
    assert gap < 1e-5  # the verifier rounds the number of variables down to a millionth
