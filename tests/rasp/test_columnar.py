"""The columnar engine against the direct one, on random graphs, batches and lengths."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rasp_graphs import graphs, selectors

from rasp import aggregate, best, indices, select, tokens, tokens_asis, tokens_int
from rasp.errors import EvaluationError, RaspError
from rasp.evaluate.columnar import ColumnarEvaluation
from rasp.evaluate.columns import column_of
from rasp.evaluate.direct import DirectEvaluation
from rasp.evaluate.engine import evaluate_batch
from rasp.evaluate.layout import Layout
from rasp.evaluate.terms import expand
from rasp.evaluate.wavelet import range_sums
from rasp.graph import Aggregate, Indices, SelectorNode, SOpNode, Width
from rasp.interpret.library import library_text
from rasp.interpret.session import Session
from rasp.sops import SOp

INPUTS = st.lists(
    st.text("ab()", min_size=1, max_size=6)
    | st.lists(st.integers(-2, 3), min_size=1, max_size=5)
    | st.lists(st.sampled_from([0.5, 1, True, -0.25]), min_size=1, max_size=4),
    min_size=1,
    max_size=4,
)


def alone(node: SOpNode, values: object, exact: bool) -> list[object] | str:
    try:
        return list(DirectEvaluation(values, exact=exact).sequence(node))  # type: ignore[arg-type]
    except RaspError as error:
        return type(error).__name__


def typed(result: list[object] | str) -> object:
    if isinstance(result, str):
        return "fails"  # of several errors the engines may meet another one first
    return [(type(value), repr(value)) for value in result]


def engines_agree(node: SOpNode, inputs: list[object], exact: bool) -> None:
    expected = [alone(node, values, exact) for values in inputs]
    for values, want in zip(inputs, expected, strict=True):
        try:
            got: list[object] | str = ColumnarEvaluation([values], exact=exact).batch(node)[0]  # type: ignore[list-item]
        except RaspError as error:
            got = type(error).__name__
        assert typed(got) == typed(want)
    many = evaluate_batch(node, inputs * 2, exact=exact)  # type: ignore[arg-type]
    for result, want in zip(many, expected * 2, strict=True):
        got = type(result).__name__ if isinstance(result, RaspError) else result
        assert typed(got) == typed(want)


@settings(max_examples=60, deadline=None)
@given(graphs(), INPUTS, st.booleans())
def test_both_engines_agree(node: SOpNode, inputs: list[object], exact: bool) -> None:
    engines_agree(node, inputs, exact)


@pytest.mark.slow
@settings(max_examples=600, deadline=None)
@given(graphs(), INPUTS, st.booleans())
def test_both_engines_agree_on_many(node: SOpNode, inputs: list[object], exact: bool) -> None:
    engines_agree(node, inputs, exact)


@settings(max_examples=80, deadline=None)
@given(selectors(), st.integers(0, 10**6), st.booleans())
def test_structure_gives_the_same_as_matrices(
    selector: SelectorNode, seed: int, exact: bool
) -> None:
    rng = random.Random(seed)
    words = ["".join(rng.choices("ab", k=rng.randint(1, 12))) for _ in range(3)]
    sparse = ColumnarEvaluation(words, exact=exact, step_cost=0)
    counts, means = Width(selector), Aggregate(selector, Indices(), -1)
    for node in (counts, means):
        got = sparse.batch(node)
        for word, values in zip(words, got, strict=True):
            assert typed(values) == typed(alone(node, word, exact))
    rows = ColumnarEvaluation(words).rows(selector)
    assert rows == [mask for word in words for mask in DirectEvaluation(word).rows(selector)]


@pytest.mark.parametrize("n", [151, 400])
def test_programs_agree_on_long_inputs(n: int) -> None:
    session = Session(read=library_text)
    list(session.run('load "paper_examples"; load "stdlib"; d = dyck_prefixes(["()", "{}"]);'))
    word = "".join(random.Random(n).choices("(){}ab", k=n))
    for name, value in session.console.variables.items():
        if isinstance(value, SOp):
            long = ColumnarEvaluation([word]).batch(value.node)[0]
            assert typed(long) == typed(alone(value.node, word, True)), name


def test_nearest_earlier_key_by_sorting() -> None:
    nearest = best(
        select(tokens, "(", "==") & select(indices, indices, "<") & select(1, 1, "=="), indices
    )
    word = "".join(random.Random(1).choices("()", k=300))
    got = ColumnarEvaluation([word, "()"]).batch(aggregate(nearest, indices, -1).node)
    assert got == [[word.rfind("(", 0, i) for i in range(300)], [-1, 0]]
    tied = best(select(tokens, tokens, "=="), 0 * indices)
    got = ColumnarEvaluation([word]).batch(aggregate(tied, indices, -1).node)
    assert got == [[word.find(c) for c in word]]


@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(-5, 5)), min_size=1, max_size=12),
    st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12), st.integers(0, 7)), max_size=6),
)
def test_range_sums_are_sums_over_ranges(
    points: list[tuple[int, int]], queries: list[tuple[int, int, int]]
) -> None:
    values = np.array([v for v, _ in points])
    weights = np.array([[w, 1] for _, w in points])
    top = int(values.max()) + 1
    spans = [
        (min(a, b, len(points)), min(max(a, b), len(points)), min(x, top)) for a, b, x in queries
    ]
    low, high, below = (np.array([s[i] for s in spans], np.int64) for i in range(3))
    got = range_sums(values, weights, low, high, below)
    for (a, b, x), row in zip(spans, got.tolist(), strict=True):
        chosen = [w for v, w in points[a:b] if v < x]
        assert row == [sum(chosen), len(chosen)]


def test_expansion_drops_contradictions_and_merges_tautologies() -> None:
    less, same = select(tokens, tokens, "<"), select(tokens, tokens, "==")
    none = expand((less & same).node, 10)
    assert none is not None
    assert none.terms == {}
    either = expand((select(tokens, tokens, "<=") | select(tokens, tokens, ">=")).node, 10)
    assert either is not None
    everything = expand((less | ~less).node, 10)
    assert everything is not None
    assert everything.terms == {frozenset(): 1}


def test_columns_tell_equal_values_of_different_types_apart() -> None:
    values = [True, 1, 0, False]
    assert [type(v) for v in column_of(values).values()] == [bool, int, int, bool]
    codes, pool = column_of(values).factor()
    assert [type(pool[c]) for c in codes] == [bool, int, int, bool]


def test_one_bad_input_does_not_spoil_the_batch() -> None:
    results = evaluate_batch((1 / tokens_int).node, ["12", "10", "5", "2", "21"])
    assert [isinstance(r, EvaluationError) for r in results] == [False, True, False, False, False]
    with pytest.raises(RaspError):
        Layout.of(["ab", ""])


def test_mixed_batches_keep_types_by_input() -> None:
    assert evaluate_batch(tokens_asis.node, ["ab", [1, 2], [0.5, 1]]) == [
        ["a", "b"],
        [1, 2],
        [0.5, 1],
    ]
