"""Sums of integers under one comparison against the rows they stand for."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rasp import aggregate, indices, select, selector_width, tokens_int
from rasp.errors import RaspError
from rasp.evaluate.columns import numbered
from rasp.evaluate.direct import DirectEvaluation
from rasp.evaluate.masks import comparison_rows
from rasp.evaluate.sums import comparison_sums
from rasp.graph import COMPARISONS

DIGITS = st.text("0123", min_size=1, max_size=8)


@given(DIGITS, st.sampled_from(COMPARISONS), st.sampled_from([0, -1, True, 2.5]), st.booleans())
def test_means_and_their_roundings(word: str, op: str, default: float, exact: bool) -> None:
    keys, queries = tokens_int % 3, tokens_int + indices
    head = aggregate(select(keys, queries, op), tokens_int * 2 - indices, default)
    evaluation = DirectEvaluation(word, exact=exact)
    rounded = evaluation.sequence(round(head).node)
    rows = comparison_rows(
        evaluation.sequence(keys.node), evaluation.sequence(queries.node), op, total=True
    )
    values = evaluation.sequence((tokens_int * 2 - indices).node)
    want = evaluation.aggregate(rows, values, default)
    found = evaluation.sequence(head.node)
    assert list(map(repr, found)) == list(map(repr, want))
    assert rounded == [round(value) for value in want]
    assert all(type(value) is int for value in rounded)


@given(DIGITS, st.sampled_from(COMPARISONS))
def test_widths_with_and_without_rows(word: str, op: str) -> None:
    selector = select(tokens_int, indices - 1, op)
    without = DirectEvaluation(word).sequence(selector_width(selector).node)
    seen = DirectEvaluation(word)
    rows = seen.rows(selector.node)
    assert seen.sequence(selector_width(selector).node) == without
    assert without == [row.bit_count() for row in rows]


def test_a_default_of_another_type_still_fails() -> None:
    before = aggregate(select(indices, indices, "<"), tokens_int, "x")
    with pytest.raises(RaspError, match="different types"):
        DirectEvaluation("12").sequence(before.node)


@given(st.lists(st.integers(-5, 5) | st.integers(-(10**9), 10**9), min_size=1, max_size=9))
def test_numbers_are_ranks(values: list[int]) -> None:
    codes, count = numbered(np.array(values))
    ranked = sorted(set(values))
    assert [ranked[code] for code in codes] == values
    assert count == len(ranked)


def test_no_key_at_all_is_selected() -> None:
    assert comparison_sums([5, 6], [1], "<", [1, 1]) == {1: (0, 0)}
