"""The refuter fools models beyond the limit, keeps its promise, never fools a right machine."""

from typing import Any

import numpy as np
import pytest

from attention.constructions.tower_parity import tower_parity
from attention.constructions.two_layer_parity import two_layer_parity
from attention.function import FunctionTransformer
from attention.hard import evaluate
from bounds.limits.plan import LimitError
from bounds.limits.refuter import guarantee, refute


def scrambled(n: int, heads: int, seed: int, layers: int = 2) -> FunctionTransformer:
    """Pseudo-random scores and activations that remember everything they saw."""

    def noise(*parts: Any) -> int:  # hashes of integers are the same in every process
        return (hash(parts) + seed) * 2654435761 % 1000003

    return FunctionTransformer(
        n=n,
        layers=layers,
        heads=heads,
        alphabet=("0", "1"),
        embedding=lambda i, symbol: (i, int(symbol)),
        scoring=lambda layer, head, i, j, query, key: noise(layer, head, i, j, query, key),
        activation=lambda layer, i, own, attended: (
            (own, attended) if layer == 1 else noise(own, attended)
        ),
        output=lambda value: noise(value) & 1,
    )


@pytest.mark.parametrize(("n", "heads", "stars"), [(14, 1, 4), (24, 1, 7), (52, 2, 12)])
def test_models_beyond_the_limit_are_fooled(n: int, heads: int, stars: int) -> None:
    for seed in range(3 if heads == 1 else 1):
        model = scrambled(n, heads, seed)
        found = refute(model, stars=stars, tries=40, rng=np.random.default_rng(seed))
        assert found is not None
        assert evaluate(model, found.word) == evaluate(model, found.other) == found.output
        assert [i for i in range(n) if found.word[i] != found.other[i]] == [found.flipped]


@pytest.mark.parametrize(("n", "heads", "stars"), [(40, 1, 6), (30, 2, 5)])
def test_three_layers_are_fooled(n: int, heads: int, stars: int) -> None:
    model = scrambled(n, heads, 3, layers=3)
    found = refute(model, stars=stars, tries=20, rng=np.random.default_rng(1))
    assert found is not None
    assert evaluate(model, found.word) == evaluate(model, found.other) == found.output
    assert [i for i in range(n) if found.word[i] != found.other[i]] == [found.flipped]


@pytest.mark.slow
def test_the_promised_chance_is_met_beyond_the_limit_of_three_layers() -> None:
    n, widths, runs = 420, (11, 8, 5), 6
    promised = float(guarantee(n, 1, 7, layers=3, widths=widths))
    assert promised > 0.6
    rng = np.random.default_rng(2)
    hits = sum(
        refute(scrambled(n, 1, seed, layers=3), stars=7, tries=1, rng=rng) is not None
        for seed in range(runs)
    )
    assert hits >= promised * runs - 3 * (runs * promised * (1 - promised)) ** 0.5


def test_something_is_promised_from_the_certified_length_on() -> None:
    assert guarantee(265, 1, 6, layers=3, widths=(10, 7, 4, 2)) > 0
    assert guarantee(264, 1, 6, layers=3, widths=(10, 7, 4, 2)) == 0
    assert guarantee(265, 1, 6, layers=3) == 0  # no widths, no proof


def test_four_layers_are_fooled_without_a_promise() -> None:
    model = scrambled(16, 1, 5, layers=4)
    found = refute(model, stars=3, tries=20, rng=np.random.default_rng(4))
    assert found is not None
    assert guarantee(16, 1, 3, layers=4) == 0


def test_the_machine_of_41_bits_is_never_fooled() -> None:
    model = tower_parity(3)
    for stars in (2, 6):
        assert refute(model, stars=stars, tries=2, rng=np.random.default_rng(stars)) is None


def test_the_promised_chance_is_met() -> None:
    n, stars, runs = 20, 6, 20
    promised = float(guarantee(n, 1, stars))
    assert promised > 0.7
    rng = np.random.default_rng(5)
    hits = sum(
        refute(scrambled(n, 1, seed), stars=stars, tries=1, rng=rng) is not None
        for seed in range(runs)
    )
    assert hits >= promised * runs - 3 * (runs * promised * (1 - promised)) ** 0.5


def test_the_machine_that_computes_parity_is_never_fooled() -> None:
    model = two_layer_parity(1)
    for stars in (2, 3, 4):
        assert refute(model, stars=stars, tries=40, rng=np.random.default_rng(stars)) is None


def test_no_chance_is_promised_below_the_limit() -> None:
    assert guarantee(9, 1, 3) == 0
    assert all(guarantee(12, 1, s) == 0 for s in range(1, 10))
    assert guarantee(13, 1, 4) > 0


def test_wrong_numbers_are_refused() -> None:
    with pytest.raises(LimitError, match="stars"):
        refute(two_layer_parity(1), stars=8, tries=1, rng=np.random.default_rng(0))
