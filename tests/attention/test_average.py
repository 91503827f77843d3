import itertools
from fractions import Fraction

import numpy as np
import pytest
from hard_models import random_dot

from attention.average import (
    AverageHardTransformer,
    as_average,
    evaluate_average,
    majority_by_average,
)
from attention.hard import (
    DotProductHead,
    DotProductLayer,
    DotProductTransformer,
    ModelError,
    evaluate,
)
from languages import language
from languages.sensitivity import all_inputs


def test_uniform_attention_computes_majority() -> None:
    for n in range(1, 8):
        inputs = all_inputs(n, 0, 2**n)
        expected = language("majority").members(inputs)
        found = [evaluate_average(majority_by_average(n), ["01"[b] for b in row]) for row in inputs]
        assert found == expected.tolist()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("mask", ["full", "causal"])
@pytest.mark.parametrize("grid", [None, 30])
def test_without_ties_average_and_unique_attention_agree(seed, mask, grid) -> None:
    model = random_dot(3, 2, 2, np.random.default_rng(seed), d=3, grid=grid, mask=mask)
    for word in itertools.product("01", repeat=3):
        assert evaluate_average(as_average(model), word) == evaluate(model, word)


def test_ties_are_averaged_exactly() -> None:
    thirds = AverageHardTransformer(
        n=3,
        layers=1,
        heads=1,
        alphabet=("0", "1"),
        embedding=lambda i, s: (int(s),),
        scoring=lambda layer, head, i, j, q, k: 7,
        activation=lambda layer, i, own, means: means[0],
        output=lambda v: v[0],
    )
    assert evaluate_average(thirds, "110") == Fraction(2, 3)
    with pytest.raises(ModelError, match="exactly 3"):
        evaluate_average(thirds, "11")


def test_encoders_with_norms_are_read_with_averages_unless_norms_go_first() -> None:
    rng = np.random.default_rng(0)
    norm = (np.ones(3), np.zeros(3), 1e-5)

    def encoder(norm_first):
        def draw(*shape):
            return np.round(rng.normal(size=shape) * 16) / 16

        head = DotProductHead(query=draw(3, 3), key=draw(3, 3), value=draw(3, 3))
        layer = DotProductLayer(heads=[head], norms=[norm], norm_first=norm_first)
        return DotProductTransformer(
            alphabet="01",
            symbols=draw(2, 3),
            positions=draw(4, 3),
            stack=[layer],
            weights=draw(3),
            grid=20,
            final_norm=norm,
        )

    model = encoder(norm_first=False)
    for word in itertools.product("01", repeat=4):
        assert evaluate_average(as_average(model), word) == evaluate(model, word)
    with pytest.raises(ModelError, match="norms follow"):
        as_average(encoder(norm_first=True))
