from dataclasses import replace
from typing import Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attention.soft import Mask, SoftTransformer
from attention.soft_encodings import FractionEncoding, SinusoidalEncoding
from attention.soft_random import random_transformer
from influence.allflips import all_changes
from influence.brute import brute_changes
from influence.fused import FusedBackend, fused_available
from influence.kernels import DenseBackend
from influence.lowrank import LowRankBackend
from influence.skeleton import pivots, skeleton

NORMS = ["none", "post", "pre"]


def _line(width: int) -> FractionEncoding:
    rng = np.random.default_rng(5)
    return FractionEncoding(rng.standard_normal(width), 0.5 * rng.standard_normal(width))


def _case(
    seed: int, n: int, layers: int, norms: Literal["none", "post", "pre"], width: int = 8
) -> tuple[SoftTransformer, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    model = random_transformer(
        rng, layers=layers, heads=2, width=width, norms=norms, encoding=_line(width)
    )
    assert model.output is not None
    return model, rng.integers(0, 2, n), model.output


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(2, 40), norms=st.sampled_from(NORMS))
def test_hybrid_is_exact_for_one_layer(
    seed: int, n: int, norms: Literal["none", "post", "pre"]
) -> None:
    model, word, readout = _case(seed, n, 1, norms)
    brute = brute_changes(model, word, np.arange(n), 1 - word, readout)
    sweep = all_changes(model, word, 1 - word, readout, DenseBackend())
    np.testing.assert_allclose(sweep.changes, brute, rtol=1e-8, atol=1e-12)


@pytest.mark.parametrize("norms", NORMS)
@pytest.mark.parametrize("layers", [2, 3])
def test_hybrid_error_is_second_order(norms: Literal["none", "post", "pre"], layers: int) -> None:
    n = 128
    model, word, readout = _case(1, n, layers, norms)
    brute = brute_changes(model, word, np.arange(n), 1 - word, readout)
    sweep = all_changes(model, word, 1 - word, readout, DenseBackend(budget=2**12))
    miss = np.linalg.norm((sweep.changes - brute)[:-1]) / np.linalg.norm(brute[:-1])
    assert miss < 20 / n


def test_dropping_the_adjoint_part_would_be_noticed() -> None:
    # planted fault: only the direct view of the last layer, without what others carry
    n = 128
    model, word, readout = _case(1, n, 3, "none")
    brute = brute_changes(model, word, np.arange(n), 1 - word, readout)
    cut = SoftTransformer(
        alphabet=model.alphabet, embedding=model.embedding, layers=model.layers[-1:],
        encoding=model.encoding, logits=model.logits, output=model.output,
    )  # fmt: skip
    partial = all_changes(cut, word, 1 - word, readout, DenseBackend()).changes
    assert np.linalg.norm((partial - brute)[:-1]) / np.linalg.norm(brute[:-1]) > 20 / n


@pytest.mark.parametrize("tolerance", [1e-6, 1e-9, 1e-12])
@pytest.mark.parametrize("layers", [2, 4])
def test_lowrank_follows_its_tolerance_at_every_depth(tolerance: float, layers: int) -> None:
    model, word, readout = _case(2, 700, layers, "post")
    dense = all_changes(model, word, 1 - word, readout, DenseBackend())
    low = all_changes(
        model, word, 1 - word, readout, LowRankBackend(tolerance=tolerance, sample=300)
    )
    assert low.residual < 10 * tolerance
    miss = np.linalg.norm(low.changes - dense.changes) / np.linalg.norm(dense.changes)
    assert miss < 100 * tolerance


@pytest.mark.skipif(not fused_available(), reason="PyTorch is an optional extra")
def test_fused_equals_dense_in_both_precisions() -> None:
    model, word, readout = _case(3, 500, 3, "post")
    dense = all_changes(model, word, 1 - word, readout, DenseBackend()).changes
    double = all_changes(model, word, 1 - word, readout, FusedBackend()).changes
    np.testing.assert_allclose(double, dense, rtol=1e-9, atol=1e-14)
    single = all_changes(model, word, 1 - word, readout, FusedBackend(), dtype=np.float32).changes
    assert np.linalg.norm(single - dense) / np.linalg.norm(dense) < 2e-5


def test_a_sinusoidal_encoding_has_a_reported_residual() -> None:
    rng = np.random.default_rng(0)
    model = random_transformer(rng, layers=2, heads=1, width=16, encoding=SinusoidalEncoding())
    assert model.output is not None
    word = rng.integers(0, 2, 600)
    sweep = all_changes(
        model, word, 1 - word, model.output, LowRankBackend(1e-10, sample=40, largest=40)
    )
    assert sweep.residual > 1e-9


@settings(max_examples=30, deadline=None)
@given(rank=st.integers(1, 6), seed=st.integers(0, 1000))
def test_pivots_stop_at_the_rank(rank: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    block = rng.standard_normal((20, rank)) @ rng.standard_normal((rank, 30))
    assert len(pivots(block, 1e-10, 30)) == rank


def test_skeleton_is_accurate_where_an_inverse_core_is_not() -> None:
    rng = np.random.default_rng(0)
    x = np.sort(rng.uniform(-1, 1, (2000, 1)), axis=0)
    made = skeleton(x, x, tolerance=1e-13, sample=400, rng=rng)
    assert made.residual < 1e-12
    core = np.exp(made.queries @ made.keys.T)
    a, b = np.exp(x[::7] @ made.keys.T), np.exp(made.queries @ x[::7].T)
    naive = a @ (np.linalg.pinv(core, rcond=1e-16) @ b)
    exact = np.exp(x[::7] @ x[::7].T)
    assert np.abs(naive - exact).max() > np.abs(a @ made.solve(b) * 1.0 - exact).max()


def test_lowrank_samples_see_every_class_of_positions() -> None:
    # planted fault: evenly spaced samples at stride 2 would miss one parity of the encoding
    model, word, readout = _case(7, 1024, 2, "post")
    backend = LowRankBackend(tolerance=1e-9, sample=128, largest=128)
    low = all_changes(model, word, 1 - word, readout, backend)
    dense = all_changes(model, word, 1 - word, readout, DenseBackend())
    assert low.residual < 1e-7
    np.testing.assert_allclose(low.changes, dense.changes, rtol=1e-5, atol=1e-10)


def _masked(
    mask: Mask, norms: Literal["none", "post", "pre"]
) -> tuple[SoftTransformer, np.ndarray]:
    rng = np.random.default_rng(1)
    model = random_transformer(
        rng, layers=3, heads=2, width=8, norms=norms, encoding=SinusoidalEncoding(), mask=mask
    )
    return model, rng.integers(0, 2, 120)


def _miss(found: np.ndarray, exact: np.ndarray) -> float:
    return float(np.linalg.norm((found - exact)[:-1]) / np.linalg.norm(exact[:-1]))


@pytest.mark.parametrize("norms", NORMS)
@pytest.mark.parametrize("mask", [Mask("causal"), Mask("window", 40)])
def test_masked_hybrid_error_is_of_the_order_of_one_weight(
    mask: Mask, norms: Literal["none", "post", "pre"]
) -> None:
    model, word = _masked(mask, norms)
    assert model.output is not None
    brute = brute_changes(model, word, np.arange(120), 1 - word, model.output)
    dense = all_changes(model, word, 1 - word, model.output, DenseBackend(budget=2**12)).changes
    assert _miss(dense, brute) < 4 / 40
    fused = all_changes(model, word, 1 - word, model.output, FusedBackend()).changes
    np.testing.assert_allclose(fused, dense, rtol=1e-8, atol=1e-12)
    one = replace(model, layers=model.layers[-1:])
    exact = brute_changes(one, word, np.arange(120), 1 - word, model.output)
    near = all_changes(one, word, 1 - word, model.output, DenseBackend()).changes
    np.testing.assert_allclose(near, exact, rtol=1e-8, atol=1e-12)


def test_the_exact_prefix_is_what_makes_causal_words_accurate() -> None:
    model, word = _masked(Mask("causal"), "pre")
    assert model.output is not None
    brute = brute_changes(model, word, np.arange(120), 1 - word, model.output)
    with_prefix, without = (
        all_changes(model, word, 1 - word, model.output, DenseBackend(), early=early).changes
        for early in (40, 0)
    )
    assert _miss(with_prefix[:41], brute[:41]) < _miss(without[:41], brute[:41]) / 2


def test_windows_see_nothing_beyond_their_reach() -> None:
    model, word = _masked(Mask("window", 9), "post")
    assert model.output is not None
    changes = all_changes(model, word, 1 - word, model.output, DenseBackend()).changes
    assert not changes[: 119 - 3 * 9].any()
    assert changes[119 - 3 * 9 :].all()
