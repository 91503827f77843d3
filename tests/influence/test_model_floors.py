import math
from fractions import Fraction

import numpy as np
import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st

from attention.soft import Mask
from attention.soft_forward import evaluate
from attention.soft_random import random_transformer
from influence import RepeatedWord, influence
from influence.measured_bound import certified_influence
from influence.result import InfluenceError
from influence.theorem6 import (
    certified_floor,
    mean_exchange,
    opener_exchange,
    opener_of,
    pair_floor_bits,
    type_cross_entropy,
)
from influence.training import ALPHABET, Training, hidden_prefixes, train_dyck
from influence.words import type_table
from languages.dyck_process import DyckProcess


@settings(max_examples=60, deadline=None)
@given(odds=st.floats(-30, 30), change=st.floats(-30, 30))
def test_no_predictor_is_below_the_floor(odds: float, change: float) -> None:
    cost = (
        type_cross_entropy(odds, round_due=True)
        + type_cross_entropy(odds + change, round_due=False)
    ) / 2
    assert cost >= pair_floor_bits(abs(change)) - 1e-12


def test_the_floor_is_attained() -> None:
    change = 3.0
    cost = (
        type_cross_entropy(change / 2, round_due=True)
        + type_cross_entropy(-change / 2, round_due=False)
    ) / 2
    assert cost == pytest.approx(pair_floor_bits(change), rel=1e-14)
    assert pair_floor_bits(math.inf) == 0


def test_openers() -> None:
    assert opener_of("([]()") == 0
    assert opener_of("()[[") == 3
    with pytest.raises(InfluenceError, match="no closer is due"):
        opener_of("()")
    with pytest.raises(InfluenceError, match="at least 0"):
        pair_floor_bits(-1.0)


def test_exchange_agrees_with_two_evaluations() -> None:
    rng = np.random.default_rng(0)
    base = random_transformer(
        rng, layers=2, heads=2, width=8, symbols="()[]$", norms="pre", mask=Mask("causal")
    )
    from dataclasses import replace

    model = replace(base, output=rng.standard_normal((8, 5)))
    for prefix in hidden_prefixes(DyckProcess(Fraction(1, 2)), 9, 3, rng):
        pair = opener_exchange(model, prefix)
        other = "[" if prefix[pair.opener] == "(" else "("
        twin = prefix[: pair.opener] + other + prefix[pair.opener + 1 :]
        odds = [evaluate(model, w)[1] - evaluate(model, w)[3] for w in (prefix, twin)]
        assert pair.log_odds_change == pytest.approx(abs(odds[1] - odds[0]), rel=1e-8)
        assert pair.cross_entropy >= pair.floor - 1e-12
    with pytest.raises(InfluenceError, match="logit for every symbol"):
        opener_exchange(base, "(")


def test_hidden_prefixes_are_hidden() -> None:
    process = DyckProcess(Fraction(1, 4))
    for word in hidden_prefixes(process, 12, 20, np.random.default_rng(1)):
        assert process.open_brackets(word)
        assert word[-1] in ")]"
    with pytest.raises(InfluenceError, match="3 symbols"):
        hidden_prefixes(process, 2, 1, np.random.default_rng(1))


@pytest.mark.slow
def test_training_runs_and_converts() -> None:
    pytest.importorskip("torch")
    small = Training(length=8, steps=3, batch=4, layers=1, heads=1, width=8)
    model, losses = train_dyck(small, seed=0)
    assert model.alphabet == ALPHABET
    assert len(losses) == 1
    again, _ = train_dyck(small, seed=0)
    np.testing.assert_array_equal(model.embedding, again.embedding)


@pytest.mark.slow
def test_theorem_6_shows_in_a_trained_encoder() -> None:
    pytest.importorskip("torch")
    model, losses = train_dyck(Training(), seed=0)
    assert losses[-1] < 1.2  # nats; the optimum is 1.040
    process, rng = DyckProcess(Fraction(1, 2)), np.random.default_rng(0)
    changes, costs, floors = {}, {}, {}
    for n in (16, 48, 192, 768):
        words = hidden_prefixes(process, n, 12, rng)
        changes[n], costs[n], floors[n] = mean_exchange(model, words)
    assert costs[16] < 0.5 < 0.85 < costs[768]
    assert floors[16] < floors[192] < floors[768] <= costs[768] + 1e-12
    scaled = [changes[n] * n for n in (48, 192, 768)]
    assert max(scaled) < 4 * min(scaled)  # D is of order 1/n beyond the trained length


def test_a_certified_floor_for_a_bidirectional_predictor() -> None:
    # the due opener is one of n/2 equal brackets; its exchange moves the log-odds by C/n at most
    rng = np.random.default_rng(2)
    model = random_transformer(rng, layers=2, heads=2, width=4, symbols="()[]$", period=2,
                               logit_bound=None)  # fmt: skip
    odds = rng.standard_normal((4, 1))
    word = RepeatedWord(tuple("([])"), 2**30)
    table = type_table(model, word)
    bound = certified_influence(model, table, exchanged=0, target=2, readout=odds)
    measured = influence(model, word, to="[", readout=odds)
    floor = certified_floor(bound)
    assert floor > arb("0.99999")
    assert float(floor) <= pair_floor_bits(float(measured.values[0]))
