import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attention.constructions import chiang2022_parity as parity
from attention.constructions.chiang2022 import cross_entropy_bits
from attention.constructions.chiang2022_first import (
    first_cross_entropy,
    first_logit,
    first_transformer,
)
from attention.constructions.chiang2022_parity import (
    parity_cross_entropy,
    parity_logit,
    parity_transformer,
)
from attention.soft import SoftModelError
from attention.soft_forward import evaluate

EPS = [None, 1e-3, 1e-5, 1e-10, 0.0]


@pytest.mark.parametrize("eps", EPS)
@pytest.mark.parametrize("log_n", [False, True])
def test_closed_forms_equal_the_executed_transformers(eps: float | None, log_n: bool) -> None:
    rng = np.random.default_rng(1)
    first, even = first_transformer(eps=eps, log_n=log_n), parity_transformer(eps=eps, log_n=log_n)
    for n in (1, 2, 3, 10, 31, 100):
        word = "".join(rng.choice(["0", "1"], n))
        for bits in (word, "0" * n, "1" * n):
            k = bits.count("1")
            want = parity_logit(n, k, eps=eps, log_n=log_n)
            got = evaluate(even, bits + "$")[0]
            assert got == pytest.approx(want, rel=1e-9)
            assert (got > 0) == (k % 2 == 0)
            want = first_logit(n, int(bits[0]), eps=eps, log_n=log_n)
            got = evaluate(first, "$" + bits)[0]
            assert got == pytest.approx(want, rel=1e-9)
            assert (got > 0) == (bits[0] == "1")


@settings(max_examples=40, deadline=None)
@given(bits=st.text("01", min_size=1, max_size=40))
def test_parity_is_decided_at_every_length_with_and_without_norms(bits: str) -> None:
    for eps in EPS:
        z = parity_logit(len(bits), bits.count("1"), eps=eps)
        assert (z > 0) == (bits.count("1") % 2 == 0)


@pytest.mark.parametrize(
    ("n", "plain", "tiny", "zero"),
    [
        (10, 0.994998, 0.059811, 0.059811),
        (100, 0.9999408, 0.0607, 0.059811),
        (1000, 0.99999940, 0.786, 0.059811),
        (3000, 0.999999933, 0.9743, 0.059811),
    ],
)
def test_cross_entropy_of_parity(n: int, plain: float, tiny: float, zero: float) -> None:
    assert parity_cross_entropy(n) == pytest.approx(plain, abs=1e-6)
    assert parity_cross_entropy(n, eps=1e-10) == pytest.approx(tiny, abs=2e-3)
    assert parity_cross_entropy(n, eps=0.0) == pytest.approx(zero, abs=1e-6)


def test_cross_entropy_of_first() -> None:
    for n, plain in ((10, 0.953612), (100, 0.994665), (1000, 0.999458)):
        assert first_cross_entropy(n) == pytest.approx(plain, abs=1e-6)
        assert first_cross_entropy(n, eps=0.0) == pytest.approx(0.119473, abs=1e-6)
    assert first_cross_entropy(10**9) < 1


def test_the_grid_over_k_is_the_full_binomial_mean() -> None:
    n = 301
    full = sum(
        math.comb(n, k) / 2**n * cross_entropy_bits(abs(parity_logit(n, k, eps=1e-5)))
        for k in range(n + 1)
    )
    assert parity_cross_entropy(n, eps=1e-5) == pytest.approx(full, rel=2e-6)


def test_large_lengths_continue_the_direct_sums() -> None:
    def size(place: np.ndarray) -> np.ndarray:
        return 2 / np.sqrt(1 + place**2)

    direct = parity._normed_sums(60_001, 0.8, size, 10**6)
    smooth = parity._normed_sums(60_001, 0.8, size, 10)
    np.testing.assert_allclose(direct, smooth, rtol=1e-9)


@pytest.mark.parametrize(
    ("logit", "exponent"),
    [
        (lambda n: parity_logit(n, n // 2), -2),
        (lambda n: first_logit(n, 1), -1),
        (lambda n: parity_logit(n, n // 2, eps=0.0), 0),
        (lambda n: first_logit(n, 1, eps=0.0), 0),
        (lambda n: first_logit(n, 1, eps=1e-5), -1),
        (lambda n: parity_logit(n, n // 2, eps=1e-5), -2),
    ],
)
def test_influence_exponents(logit: object, exponent: int) -> None:
    assert callable(logit)
    slope = math.log(abs(logit(10**8) / logit(10**6))) / math.log(100)
    assert slope == pytest.approx(exponent, abs=2e-2)


def test_wrong_arguments() -> None:
    with pytest.raises(SoftModelError, match="eps = -1"):
        parity_transformer(eps=-1.0)
    with pytest.raises(SoftModelError, match="k = 5"):
        parity_logit(4, 5)
    with pytest.raises(SoftModelError, match="bit = 2"):
        first_logit(4, 2)
    with pytest.raises(SoftModelError, match="at least 1"):
        parity_cross_entropy(0)
