from typing import Literal

import numpy as np
import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st

from attention.soft import Mask, SoftTransformer
from attention.soft_random import aligned_transformer, random_transformer
from bounds.soft.apriori import (
    AprioriError,
    apriori_constant,
    apriori_influence,
    rescaled_logits,
)
from bounds.soft.norms import spectral_norm
from influence import RepeatedWord, influence
from influence.enclosure import EnclosureError, enclose_change
from influence.measured_bound import certified_influence
from influence.types import type_changes
from influence.words import type_table

PATTERN = tuple("0010111011000101")


def _model(
    seed: int, layers: int, norms: Literal["none", "post", "pre"], bound: float | None
) -> SoftTransformer:
    return random_transformer(
        np.random.default_rng(seed), layers=layers, heads=2, width=6, norms=norms,
        logit_bound=bound, period=4,
    )  # fmt: skip


@settings(max_examples=12, deadline=None)
@given(
    seed=st.integers(0, 10**4),
    layers=st.integers(1, 3),
    norms=st.sampled_from(["none", "post", "pre"]),
    bound=st.sampled_from([None, 1.0]),
    power=st.sampled_from([6, 20, 50]),
)
def test_enclosure_contains_truth_and_the_float_engine_is_next_to_it(
    seed: int,
    layers: int,
    norms: Literal["none", "post", "pre"],
    bound: float | None,
    power: int,
) -> None:
    model = _model(seed, layers, norms, bound)
    assert model.output is not None
    table = type_table(model, RepeatedWord(PATTERN, 2**power))
    target = 1 - int(table.symbols[2])
    ball = enclose_change(model, table, exchanged=2, target=target, readout=model.output, bits=300)[
        0
    ]
    assert float(ball.rad()) < 1e-40
    got = type_changes(model, table, 1 - table.symbols, model.output).elsewhere[2, 0]
    scale = np.abs(type_changes(model, table, 1 - table.symbols, model.output).elsewhere).max()
    assert abs(got - float(ball)) < 1e-13 * scale * 20


@settings(max_examples=10, deadline=None)
@given(
    seed=st.integers(0, 10**4),
    layers=st.integers(1, 3),
    norms=st.sampled_from(["none", "post", "pre"]),
    bound=st.sampled_from([None, 0.5]),
)
def test_certified_bound_is_above_the_measurement(
    seed: int, layers: int, norms: Literal["none", "post", "pre"], bound: float | None
) -> None:
    model = _model(seed, layers, norms, bound)
    assert model.output is not None
    table = type_table(model, RepeatedWord(PATTERN, 2**24))
    measured = type_changes(model, table, 1 - table.symbols, model.output).elsewhere[:, 0]
    for kind in (0, 3):
        bounded = certified_influence(
            model, table, exchanged=kind, target=1 - int(table.symbols[kind]), readout=model.output
        )
        assert float(bounded) >= abs(measured[kind])


def test_certified_is_a_hundred_times_tighter_than_a_priori_at_three_layers() -> None:
    model = rescaled_logits(_model(1, 3, "none", None), 1.0)
    assert model.output is not None
    n = 2**16
    table = type_table(model, RepeatedWord(PATTERN, n))
    measured = influence(model, RepeatedWord(PATTERN, n))
    kind = int(np.argmax(measured.values[measured.others()]))
    bounded = certified_influence(
        model, table, exchanged=kind, target=1 - int(table.symbols[kind]), readout=model.output
    )
    wide = apriori_constant(model) / n
    assert measured.worst() <= float(bounded)
    assert bounded * 100 < wide


def test_a_priori_at_one_length_is_below_the_constant_for_all() -> None:
    model = rescaled_logits(_model(2, 2, "none", None), 0.5)
    change = arb(float(np.linalg.norm(model.embedding[0] - model.embedding[1])))
    for n in (16, 2**10, 2**30):
        _, small = apriori_influence(model, change, n)
        _, scaled = apriori_influence(model, change, None)
        assert small * n < scaled
        measured = influence(model, RepeatedWord(PATTERN, n), readout=np.eye(6)).worst()
        assert measured <= float(small)


def test_frozen_weights_would_bound_too_little() -> None:
    # planted fault: a bound that keeps the attention weights, 2/n here, is below the truth
    model, n = aligned_transformer(2.0), 2**24
    assert model.output is not None
    table = type_table(model, RepeatedWord(("0",), n))
    measured = float(type_changes(model, table, 1, model.output).elsewhere[0, 0])
    assert measured > 2 / n * 50
    bounded = certified_influence(model, table, exchanged=0, target=1, readout=model.output)
    assert measured <= float(bounded) < 1.01 * measured


@given(seed=st.integers(0, 1000))
@settings(max_examples=20, deadline=None)
def test_spectral_norm_is_above_and_close(seed: int) -> None:
    w = np.random.default_rng(seed).standard_normal((5, 8))
    true = np.linalg.norm(w, 2)
    assert true <= float(spectral_norm(w)) <= 1.06 * true


def test_refusals() -> None:
    rng = np.random.default_rng(0)
    causal = random_transformer(rng, layers=1, heads=1, width=4, mask=Mask("causal"))
    assert causal.output is not None
    table = type_table(causal, "0101")
    with pytest.raises(EnclosureError, match="full attention"):
        enclose_change(causal, table, exchanged=0, target=1, readout=causal.output)
    with pytest.raises(AprioriError, match="plain logits"):
        apriori_constant(causal)
    zero = random_transformer(rng, layers=1, heads=1, width=4, norms="post", eps=0.0,
                              logit_bound=None)  # fmt: skip
    with pytest.raises(AprioriError, match="eps = 0"):
        apriori_constant(zero)
    full = _model(0, 1, "none", 1.0)
    assert full.output is not None
    lone = type_table(full, "0110")
    with pytest.raises(EnclosureError, match="no position besides"):
        enclose_change(full, lone, exchanged=lone.read, target=1, readout=full.output)
