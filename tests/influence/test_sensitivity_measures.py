import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attention.soft_forward import embed, forward, read_out
from attention.soft_random import random_transformer
from influence.result import InfluenceError
from influence.sensitivity import average_sensitivity, norm_blow_up, sharpness, truth_table


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 1000), n=st.integers(1, 6))
def test_average_sensitivity_is_the_degree_weighted_fourier_mass(seed: int, n: int) -> None:
    values = np.random.default_rng(seed).choice([-1.0, 1.0], 1 << n)
    index = np.arange(1 << n)
    ones = np.array([bin(i).count("1") for i in index])
    characters = (-1.0) ** np.array([[bin(i & j).count("1") for j in index] for i in index])
    coefficients = characters @ values / (1 << n)
    assert average_sensitivity(values) == pytest.approx(float(ones @ coefficients**2), abs=1e-12)


@pytest.mark.parametrize(
    ("accepts", "n", "want"),
    [
        (lambda w: w.sum(1) % 2 == 0, 10, 10.0),
        (lambda w: w[:, 0] == 1, 10, 1.0),
        (lambda w: w.all(1), 4, 4 * 2 / 16),
    ],
)
def test_known_sensitivities(accepts: object, n: int, want: float) -> None:
    assert callable(accepts)
    assert average_sensitivity(truth_table(accepts, n)) == pytest.approx(want)


def test_sharpness_vanishes_without_noise_and_grows_with_it() -> None:
    rng = np.random.default_rng(0)
    model = random_transformer(rng, layers=2, heads=2, width=8, norms="post")
    words = rng.integers(0, 2, (16, 10))
    at = model.reading_position(10)
    target = read_out(model, forward(model, embed(model, words), at=at)[-1][:, 0])

    def loss(out: np.ndarray) -> float:
        return float(((out - target) ** 2).mean())

    assert sharpness(model, loss, words, scale=0.0, draws=2, rng=rng) == 0
    small = sharpness(model, loss, words, scale=0.01, draws=4, rng=np.random.default_rng(1))
    large = sharpness(model, loss, words, scale=0.05, draws=4, rng=np.random.default_rng(1))
    assert 0 < small < large


def test_blow_up_is_the_product_of_gains() -> None:
    rng = np.random.default_rng(0)
    words = rng.integers(0, 2, (3, 6))
    post = random_transformer(rng, layers=2, heads=1, width=6, norms="post")
    pre = random_transformer(rng, layers=2, heads=1, width=6, norms="pre")
    assert norm_blow_up(post, words) > 0
    assert norm_blow_up(pre, words) > 0
    plain = random_transformer(rng, layers=1, heads=1, width=6)
    with pytest.raises(InfluenceError, match="no layer norm"):
        norm_blow_up(plain, words)


def test_wrong_arguments() -> None:
    with pytest.raises(InfluenceError, match="2\\^n"):
        average_sensitivity(np.zeros(6))
    with pytest.raises(InfluenceError, match="1 to 26"):
        truth_table(lambda w: w[:, 0] == 1, 40)
