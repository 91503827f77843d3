from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rasp import aggregate, best, full_s, indices, length, select, selector_width, tokens, where
from rasp.errors import EvaluationError, SequenceTypeError
from rasp.evaluate.masks import comparison_rows
from rasp.expand import expand_widths
from rasp.graph import Constant, Indices, Node, Select, ancestors

WORDS = st.text("ab()", min_size=1, max_size=9)


@given(WORDS)
def test_reverse_reverses(word: str) -> None:
    flip = select(indices, length - 1 - indices, "==")
    assert "".join(aggregate(flip, tokens)(word)) == word[::-1]


@given(WORDS)
def test_histogram_counts(word: str) -> None:
    counts = selector_width(select(tokens, tokens, "=="))
    assert counts(word) == [word.count(letter) for letter in word]


@given(WORDS)
def test_expanding_a_width_keeps_its_value(word: str) -> None:
    node = selector_width(select(tokens, tokens, "!=") | select(indices, indices, ">")).node
    from rasp.evaluate.engine import evaluate

    assert evaluate(expand_widths(node), word) == evaluate(node, word)


def test_one_selected_value_is_kept_and_several_are_averaged_exactly() -> None:
    upto = aggregate(select(indices, indices, "<="), indices)
    assert upto("abc") == [0, Fraction(1, 2), Fraction(1)]
    assert [type(v) for v in upto("abc")] == [int, Fraction, Fraction]
    assert upto("abc", exact=False) == [0, 0.5, 1.0]


def test_a_mean_of_floats_is_rounded_once() -> None:
    tenth = aggregate(full_s, 0.1 + 0 * indices)
    assert tenth("a" * 10) == [0.1] * 10
    assert tenth("a" * 10, exact=False) == [0.09999999999999999] * 10


def test_strings_are_not_averaged() -> None:
    with pytest.raises(EvaluationError, match="non-numbers: \\['a', 'b'\\]"):
        aggregate(full_s, tokens)("ab")
    with pytest.raises(EvaluationError, match="non-numbers"):
        aggregate(full_s, indices == 0)("ab")


def test_a_default_of_another_type_is_refused() -> None:
    previous = select(indices, indices - 1, "==")
    with pytest.raises(SequenceTypeError):
        aggregate(previous, tokens)("ab")
    assert aggregate(previous, tokens, "-")("ab") == ["-", "a"]


def test_best_takes_the_highest_score_and_leftmost_on_ties() -> None:
    latest = best(select(tokens, "(", "=="), indices)
    assert aggregate(latest, indices, -1)("(()") == [1, 1, 1]
    level = best(full_s, 0)
    assert aggregate(level, indices)("abc") == [0, 0, 0]


def test_where_takes_values_by_condition() -> None:
    assert where(indices == 1, "x", tokens)("abc") == ["a", "x", "c"]


@given(
    st.lists(st.integers(-2, 2) | st.sampled_from([0.5, float("nan")]), min_size=1, max_size=6),
    st.sampled_from(["==", "!=", "<", "<=", ">", ">="]),
)
def test_comparison_rows_agree_with_pairs(values: list[float], op: str) -> None:
    import operator

    python = {
        "==": operator.eq,
        "!=": operator.ne,
        "<": operator.lt,
        "<=": operator.le,
        ">": operator.gt,
        ">=": operator.ge,
    }[op]
    rows = comparison_rows(values, values, op)
    for i, query in enumerate(values):
        for j, key in enumerate(values):
            assert bool(rows[i] >> j & 1) == python(key, query)


def test_structure_decides_equality_and_identity_stays_apart() -> None:
    one, other = Select(Indices(), Constant(0), "=="), Select(Indices(), Constant(0), "==")
    assert one == other
    assert one is not other
    assert Constant(1) != Constant(True)
    assert Constant(1) != Constant(1.0)
    pair: tuple[Node, ...] = (one, other)
    assert len(list(ancestors(pair))) == 3
    assert len(list(ancestors(pair, key=id))) == 6


def test_depth_is_no_limit() -> None:
    node = indices
    for _ in range(5_000):
        node = node + 1
    assert node("ab") == [5_000, 5_001]
