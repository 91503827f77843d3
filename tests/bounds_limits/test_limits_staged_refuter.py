"""A first stage and the last layers run as an algorithm: promises, pairs, right machines."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from attention.constructions.tower_parity import tower_parity
from attention.function import FunctionTransformer
from attention.hard import evaluate
from bounds.limits.plan import LimitError
from bounds.limits.staged_refuter import refute_staged, staged_guarantee
from bounds.limits.sweep import stored

TWO = {"kind": "last-two", "s": 8, "choice": "tuples"}
STAGES = [{"kind": "first-layer", "p": "7/20", "w": 4}, TWO]


def mixed(n: int, layers: int, seed: int) -> FunctionTransformer:
    """Integer scores without pattern; activations remember everything they saw."""

    def score(layer: int, head: int, i: int, j: int, query: Any, key: Any) -> int:
        seen = hash((query, key)) + seed  # of integers only: the same in every process
        return (i * 7919 + j * 104729 + layer * 31 + seen) * 2654435761 % 1000003

    return FunctionTransformer(
        n=n,
        layers=layers,
        heads=1,
        alphabet=("0", "1"),
        embedding=lambda i, symbol: (i, int(symbol)),
        scoring=score,
        activation=lambda layer, i, own, attended: hash((layer, own, attended)),
        output=lambda value: value & 1,
    )


def test_four_layers_are_fooled_after_a_first_stage() -> None:
    first = {"kind": "first-layer", "p": "1/2", "w": 1}
    last = {"kind": "last-three", "s": 3, "choice": "tuples", "w": [9]}
    model = mixed(24, 4, 2)
    found = refute_staged(model, [first, last], tries=6, rng=np.random.default_rng(0))
    assert found is not None
    assert evaluate(model, found.word) == evaluate(model, found.other) == found.output
    assert [i for i in range(24) if found.word[i] != found.other[i]] == [found.flipped]


def test_every_certified_length_of_four_layers_promises_a_chance() -> None:
    cert = next(c for c in stored("parity-tuples") if (c["layers"], c["heads"]) == (4, 1))
    stages, n0 = cert["ranges"][-1]["stages"], cert["n0"]
    chances = [staged_guarantee(n, 4, 1, stages) for n in (n0, 2 * n0)]
    assert 0 < chances[0] < Fraction(1, 20) < chances[1] < 1


@pytest.mark.slow
def test_the_promised_chance_is_met_with_a_first_stage() -> None:
    promised = float(staged_guarantee(620, 3, 1, STAGES))
    assert promised > 0.15
    found = refute_staged(mixed(620, 3, 1), STAGES, tries=1, rng=np.random.default_rng(1))
    assert (found is not None) >= promised


def test_a_machine_that_computes_parity_is_never_fooled() -> None:
    last = {"kind": "last-two", "s": 5, "choice": "tuples"}
    stages = [{"kind": "first-layer", "p": "1/2", "w": 2}, last]
    rng = np.random.default_rng(5)
    assert refute_staged(tower_parity(3), stages, tries=2, rng=rng) is None


@pytest.mark.parametrize(
    ("stages", "tries"),
    [
        (STAGES[1:], 1),
        ([{**STAGES[0], "kind": "next-layer"}, TWO], 1),
        (STAGES, 0),
        ([STAGES[0], {**TWO, "kind": "last"}], 1),
    ],
)
def test_stages_that_do_not_fit_are_refused(stages: list[dict[str, Any]], tries: int) -> None:
    with pytest.raises(LimitError):
        refute_staged(mixed(30, 3, 1), stages, tries=tries, rng=np.random.default_rng(1))


def test_ordered_tuples_are_needed_and_useless_stages_promise_nothing() -> None:
    with pytest.raises(LimitError):
        staged_guarantee(620, 3, 1, [STAGES[0], {**TWO, "choice": "sets"}])
    assert staged_guarantee(100, 3, 1, STAGES) == 0
