import itertools
from fractions import Fraction

import numpy as np
import pytest
from hard_models import as_functions, fraction_dot_output, random_dot, random_table
from hypothesis import given, settings
from hypothesis import strategies as st

from attention.hard import (
    DotProductHead,
    DotProductLayer,
    DotProductTransformer,
    FunctionTransformer,
    ModelError,
    TableTransformer,
    evaluate,
    evaluate_batch,
    trace,
)
from attention.scoring import order_ranks, score_rows

SHAPES = st.tuples(st.integers(1, 5), st.integers(1, 3), st.integers(1, 2), st.integers(1, 4))
FRAMES = st.tuples(st.sampled_from(["leftmost", "rightmost"]), st.sampled_from(["full", "causal"]))


def all_words(model):
    return list(itertools.product(model.alphabet, repeat=model.n))


def all_indices(model):
    return np.array(list(itertools.product(range(len(model.alphabet)), repeat=model.n)), np.uint8)


@settings(max_examples=25, deadline=None)
@given(SHAPES, FRAMES, st.integers(0, 10**6), st.booleans())
def test_tables_functions_and_batches_agree(shape, frame, seed, aware) -> None:
    n, layers, heads, values = shape
    rng = np.random.default_rng(seed)
    # a spread of 2 makes ties frequent
    model = random_table(
        n, layers, heads, values, rng, spread=2, ties=frame[0], mask=frame[1], position_aware=aware
    )
    twin = as_functions(model)
    expected = [evaluate(model, w) for w in all_words(model)]
    assert [evaluate(twin, w) for w in all_words(model)] == expected
    assert evaluate_batch(model, all_indices(model)).tolist() == expected
    assert evaluate_batch(twin, all_indices(model)).tolist() == expected
    assert [trace(model, w).output for w in all_words(model)] == expected


@settings(max_examples=10, deadline=None)
@given(
    st.integers(1, 4),
    st.integers(1, 2),
    st.integers(1, 2),
    FRAMES,
    st.integers(0, 10**6),
    st.sampled_from([None, 3, 8]),
    st.sampled_from([None, 3]),
)
def test_dot_products_agree_with_fractions(n, layers, heads, frame, seed, grid, classes) -> None:
    model = random_dot(
        n,
        layers,
        heads,
        np.random.default_rng(seed),
        grid=grid,
        ties=frame[0],
        mask=frame[1],
        classes=classes,
    )
    expected = [fraction_dot_output(model, w) for w in all_words(model)]
    assert [evaluate(model, w) for w in all_words(model)] == expected
    assert evaluate_batch(model, all_indices(model)).tolist() == expected


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([2.0**-60, 2.0**-30, 1.0]))
def test_filtered_scores_keep_the_exact_order(seed, noise) -> None:
    """Keys that differ by less than a rounding error are still told apart, and ties are ties."""
    rng = np.random.default_rng(seed)
    base = rng.normal(size=(1, 3))
    positions = np.concatenate([base + noise * rng.integers(0, 3, (6, 3)), base, base])
    model = DotProductTransformer(
        alphabet=("0",),
        symbols=np.zeros((1, 3)),
        positions=positions,
        stack=[
            DotProductLayer(
                heads=[
                    DotProductHead(
                        query=rng.normal(size=(3, 3)), key=rng.normal(size=(3, 3)), value=np.eye(3)
                    )
                ]
            )
        ],
        weights=[1, 0, 0],
    )
    values = [model.embed(i, "0") for i in range(model.n)]
    fast = score_rows(model, 1, 0, range(model.n), values, range(model.n), values)
    for i in range(model.n):
        slow = [model.score(1, 0, i, j, values[i], values[j]) for j in range(model.n)]
        assert order_ranks(fast[i].tolist()) == order_ranks(slow)
    assert fast[0, -1] == fast[0, -2]


def test_ties_alone_can_decide_the_output() -> None:
    def copier(ties):
        return FunctionTransformer(
            n=3,
            layers=1,
            heads=1,
            alphabet=("0", "1"),
            embedding=lambda i, s: s,
            scoring=lambda layer, head, i, j, q, k: Fraction(1, 3),
            ties=ties,
            activation=lambda layer, i, own, attended: attended[0],
            output=lambda v: v == "1",
        )

    assert evaluate(copier("leftmost"), "100") is True
    assert evaluate(copier("rightmost"), "100") is False


TABLE = {
    "n": 2,
    "alphabet": ("0", "1"),
    "embedding": [[0, 1]],
    "scores": [[np.zeros((1, 2, 1, 2), int)]],
    "acts": [np.zeros((1, 2, 2), int)],
    "outputs": (False,),
}
DOT = {
    "alphabet": ("0", "1"),
    "symbols": [[0.0], [1.0]],
    "positions": [[1.0], [2.0]],
    "stack": [DotProductLayer(heads=[DotProductHead(query=[[1]], key=[[1]], value=[[1]])])],
    "weights": [1.0],
}
FUNCTION = {
    "n": 2,
    "layers": 1,
    "heads": 1,
    "alphabet": ("0", "1"),
    "embedding": lambda i, s: s,
    "scoring": lambda *a: 0,
    "activation": lambda layer, i, own, att: own,
}


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda: TableTransformer(**TABLE | {"embedding": [[0, 1], [0]]}), "ragged"),
        (lambda: TableTransformer(**TABLE | {"n": 0}), "n >= 1"),
        (lambda: TableTransformer(**TABLE | {"n": 3, "embedding": [[0, 1], [0, 1]]}), "use 3 or 1"),
        (lambda: TableTransformer(**TABLE | {"embedding": [[0.5, 1]]}), "not an integer"),
        (lambda: TableTransformer(**TABLE | {"embedding": [[float("nan"), 1]]}), "NaN"),
        (lambda: TableTransformer(**TABLE | {"embedding": [[-1, 1]]}), "integers from 0"),
        (lambda: TableTransformer(**TABLE | {"embedding": [[0, 2]]}), "shape"),
        (lambda: TableTransformer(**TABLE | {"embedding": [["a", "b"]]}), "integers"),
        (lambda: TableTransformer(**TABLE | {"acts": [np.full((1, 2, 2), 3)]}), "outputs"),
        (lambda: TableTransformer(**TABLE | {"scores": []}), "layers >= 1"),
        (lambda: TableTransformer(**TABLE | {"alphabet": ("0", "0")}), "repeats"),
        (lambda: TableTransformer(**TABLE | {"ties": "random"}), "leftmost"),
        (lambda: TableTransformer(**TABLE | {"outputs": ([],)}), "not hashable"),
        (lambda: DotProductTransformer(**DOT | {"weights": [float("nan")]}), "finite"),
        (lambda: DotProductTransformer(**DOT | {"symbols": [[0.0], [1.0, 2.0]]}), "ragged"),
        (lambda: DotProductTransformer(**DOT | {"positions": []}), "position"),
        (lambda: DotProductTransformer(**DOT | {"positions": [[1.0, 2.0]]}), "shape"),
        (lambda: DotProductTransformer(**DOT | {"stack": []}), "layers >= 1"),
        (lambda: DotProductHead(query=[["x"]], key=[[1]], value=[[1]]), "finite floats"),
        (lambda: FunctionTransformer(**FUNCTION | {"n": 0}), "n >= 1"),
        (lambda: FunctionTransformer(**FUNCTION | {"n": 1.5}), "integer"),
        (
            lambda: evaluate(
                FunctionTransformer(**FUNCTION | {"embedding": lambda i, s: [s]}), "00"
            ),
            "not hashable",
        ),
        (
            lambda: evaluate(
                FunctionTransformer(**FUNCTION | {"scoring": lambda *a: float("nan")}), "00"
            ),
            "int or Fraction",
        ),
        (lambda: evaluate(TableTransformer(**TABLE), "000"), "reads exactly 2"),
        (lambda: evaluate(TableTransformer(**TABLE), "0x"), "alphabet"),
        (lambda: evaluate_batch(TableTransformer(**TABLE), np.zeros((1, 3), np.uint8)), "shape"),
    ],
)
def test_bad_models_and_inputs_get_a_clear_error(build, words) -> None:
    with pytest.raises(ModelError, match=words):
        build()
