from typing import Literal

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attention.soft import Mask, SoftTransformer
from attention.soft_encodings import UnboundedEncoding
from attention.soft_random import aligned_transformer, random_transformer
from influence import InfluenceError, InfluenceWarning, influence
from influence.brute import brute_changes
from influence.difference import relu_difference, softmax_difference
from influence.types import type_changes
from influence.words import RepeatedWord, type_table


def _spread(model: SoftTransformer, word: str, target: int) -> np.ndarray:
    assert model.output is not None
    table = type_table(model, word)
    changes = type_changes(model, table, target, model.output)
    assert table.type_of is not None
    out = changes.elsewhere[table.type_of]
    out[model.reading_position(len(word))] = changes.at_read
    return out


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    word=st.text("01", min_size=1, max_size=24),
    layers=st.integers(1, 3),
    norms=st.sampled_from(["none", "post", "pre"]),
    bound=st.sampled_from([None, 0.5, 3.0]),
    log_n=st.booleans(),
)
def test_types_equal_brute_force(
    seed: int,
    word: str,
    layers: int,
    norms: Literal["none", "post", "pre"],
    bound: float | None,
    log_n: bool,
) -> None:
    model = random_transformer(
        np.random.default_rng(seed), layers=layers, heads=2, width=6, norms=norms,
        logit_bound=bound, log_n=log_n, period=4,
    )  # fmt: skip
    assert model.output is not None
    brute = brute_changes(model, model.indices(word), np.arange(len(word)), 1, model.output)
    np.testing.assert_allclose(_spread(model, word, 1), brute, rtol=1e-9, atol=1e-11)


def test_a_repeated_word_is_the_word_spelled_out() -> None:
    model = random_transformer(np.random.default_rng(3), layers=2, heads=2, width=8)
    short = RepeatedWord(tuple("0010111"), 200)
    assert model.output is not None
    a = type_table(model, short)
    b = type_table(model, "".join(str(s) for s in short.spelled()))
    assert a.counts.tolist() == b.counts.tolist()
    assert a.first.tolist() == b.first.tolist()
    assert a.read == b.read
    np.testing.assert_allclose(
        type_changes(model, a, 1, model.output).elsewhere,
        type_changes(model, b, 1, model.output).elsewhere,
        rtol=1e-12,
    )


@pytest.mark.parametrize("power", [8, 30, 50])
def test_aligned_head_matches_its_closed_form_to_sixteen_digits(power: int) -> None:
    # one exchanged symbol of 0^n: output moves by 2 u / (u + n - 1), u = exp(2A)
    model = aligned_transformer(4.0)
    assert model.output is not None
    table = type_table(model, RepeatedWord(("0",), 2**power))
    got = type_changes(model, table, 1, model.output).elsewhere[0, 0]
    with mp.workdps(60):
        u = mp.exp(8)
        want = 2 * u / (u + 2**power - 1)
        assert abs(mp.mpf(float(got)) / want - 1) < 1e-13


def test_subtracting_loses_what_propagating_keeps() -> None:
    # planted fault: the naive way is wrong where the engine is right
    model = aligned_transformer(1.0)
    n = 2**40
    u = np.exp(2.0)
    want = 2 * u / (u + n - 1)
    naive = np.float32(-1 + want) - np.float32(-1)
    assert naive == 0
    assert model.output is not None
    table = type_table(model, RepeatedWord(("0",), n))
    assert type_changes(model, table, 1, model.output).elsewhere[0, 0] == pytest.approx(
        want, rel=1e-13
    )


@settings(max_examples=30, deadline=None)
@given(z=st.floats(-5, 5), dz=st.floats(-5, 5))
def test_relu_difference_is_the_difference_of_relus(z: float, dz: float) -> None:
    base, moved = relu_difference(np.array(z), np.array(dz))
    assert base == max(z, 0)
    assert moved == pytest.approx(max(z + dz, 0) - max(z, 0), abs=1e-14)


def test_huge_logit_changes_do_not_overflow() -> None:
    b, db = softmax_difference(
        np.zeros((1, 2)), np.array([[900.0, 0.0]]), np.ones((1, 2)),
        np.array([[1.0], [3.0]]), np.zeros((2, 1)),
    )  # fmt: skip
    assert b[0, 0] == 2
    assert db[0, 0] == pytest.approx(-1)


def test_masks_and_encodings_without_types_are_refused() -> None:
    rng = np.random.default_rng(0)
    causal = random_transformer(rng, layers=1, heads=1, width=4, mask=Mask("causal"))
    assert causal.output is not None
    with pytest.raises(InfluenceError, match="full attention"):
        type_changes(causal, type_table(causal, "0101"), 1, causal.output)


@pytest.mark.parametrize("norms", ["none", "post"])
def test_a_key_that_held_all_the_weight_and_loses_it(norms: Literal["none", "post"]) -> None:
    # unbounded logits: the exchanged key may hold all the weight before and none after
    for seed in range(3):
        model = random_transformer(
            np.random.default_rng(seed), layers=2, heads=1, width=8, norms=norms,
            encoding=UnboundedEncoding(np.ones(8)), logit_bound=None,
        )  # fmt: skip
        with pytest.warns(InfluenceWarning, match="grows with n"):
            types = influence(model, "0101" * 10, engine="types")
        with pytest.warns(InfluenceWarning, match="grows with n"):
            brute = influence(model, "0101" * 10, engine="brute")
        np.testing.assert_allclose(types.values, brute.values, rtol=1e-8, atol=1e-12)
