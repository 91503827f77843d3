"""Capture and the two notions of satisfied, against hard attention run by hand."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from claims import ForAll, Verdict
from proofs.checkers import exhaustive
from proofs.hahn2020.combinatorics.families import Restricted, pairs, small_pairs
from proofs.hahn2020.combinatorics.pairs import Pair, completions, extensions, restrictions
from proofs.hahn2020.combinatorics.satisfaction import literally, witness_inputs, witnessed
from proofs.hahn2020.stage2 import capture, readings, satisfied


def score(pair: Pair, x: tuple[int, ...], j: int) -> int:
    """The score of activation j on a full input, read from its table."""
    index = 0
    for source in pair.feeds[j]:
        index = 2 * index + x[source]
    return pair.scores[j][index]


@st.composite
def some_pairs(draw: st.DrawFn) -> Pair:
    n = draw(st.integers(1, 4))
    feeds = tuple(tuple(sorted(draw(st.sets(st.integers(0, 2), max_size=2)))) for _ in range(n))
    scores = tuple(
        tuple(draw(st.lists(st.integers(0, 3), min_size=2 ** len(f), max_size=2 ** len(f))))
        for f in feeds
    )
    return Pair(feeds, scores)


@given(pair=some_pairs(), rho=st.sampled_from(list(restrictions(3))))
def test_ranking_and_attention_agree_with_full_inputs(pair: Pair, rho: tuple[int | None]) -> None:
    inputs = list(completions(rho))
    for j in range(len(pair.feeds)):
        values = [score(pair, x, j) for x in inputs]
        assert pair.best(rho, j) == max(values)
        assert pair.constant(rho, j) == (len(set(values)) == 1)
    for x in inputs:
        scores = [score(pair, x, j) for j in range(len(pair.feeds))]
        assert pair.attended(x) == scores.index(max(scores)) == pair.ranking(x)[0]


@given(pair=some_pairs(), rho=st.sampled_from(list(restrictions(3))))
def test_a_captured_head_depends_only_on_inputs_of_its_prefix(
    pair: Pair, rho: tuple[int | None]
) -> None:
    prefix = pair.captured(rho)
    if prefix is None:
        return
    fed = {s for j in prefix for s in pair.feeds[j]}
    seen: dict[tuple[int, ...], tuple[int, int]] = {}
    for x in completions(rho):
        j = pair.attended(x)
        assert j in prefix
        key = tuple(x[s] for s in sorted(fed))
        assert seen.setdefault(key, (j, score(pair, x, j))) == (j, score(pair, x, j))


@given(pair=some_pairs(), rho=st.sampled_from(list(restrictions(3))))
def test_witnesses_outlive_every_extension(pair: Pair, rho: tuple[int | None]) -> None:
    now = witness_inputs(pair, rho)
    if now is not None:
        assert all(witnessed(pair, later, now) for later in extensions(rho))


def test_the_witness_against_literal_satisfaction_replays_by_hand() -> None:
    # y1 = a wants 1, y2 = a wants 0, y3 = b: (1, 3) and (2, 3) both end at rank 3
    pair = Pair(((0,), (0,), (1,)), ((0, 1), (1, 0), (0, 1)))
    stars, fixed = (None, None), (0, None)
    assert literally(pair, stars, fixed, (1, 2))
    assert not literally(pair, stars, fixed, (0, 2))
    text = satisfied.AS_STATED.check(satisfied.AS_STATED.statement).witness["case"]
    assert text.startswith("scores y1(a)=0/1 y2(a)=1/0 y3(b)=0/1, k=2")


def test_the_free_inputs_reading_loses_the_pair_at_once() -> None:
    text = readings.FREE_INPUTS.check(readings.FREE_INPUTS.statement).witness["case"]
    assert "selection (1), then 1*" in text


def test_a_capture_that_stops_one_short_is_refuted() -> None:
    def one_short(case: Restricted) -> bool:
        prefix = case.pair.captured(case.rho)
        if prefix is None or len(prefix) < 2:
            return True
        return all(case.pair.attended(x) in prefix[:-1] for x in completions(case.rho))

    statement = ForAll("one short", capture.SCOPE, capture.restricted_pairs, one_short)
    assert exhaustive.decide()(statement).verdict is Verdict.REFUTED


def test_the_family_has_pairs_that_are_captured_late() -> None:
    lengths = {
        len(prefix)
        for pair in small_pairs()
        for rho in restrictions(2)
        if (prefix := pair.captured(rho)) is not None
    }
    assert lengths == {1, 2, 3}


def test_pairs_depend_on_all_their_inputs() -> None:
    for pair in pairs(1, inputs=2, c=2, levels=2):
        for i, source in enumerate(pair.feeds[0]):
            assert source in (0, 1)
            flipped = 1 << (len(pair.feeds[0]) - 1 - i)
            table = pair.scores[0]
            assert any(table[r] != table[r ^ flipped] for r in range(len(table)))
    assert len(list(pairs(1, inputs=2, c=2, levels=2))) == 2 + 2 * 2 + 10


def test_restrictions_and_completions_count() -> None:
    assert len(list(restrictions(3))) == 27
    assert sorted(completions((None, 1))) == [(0, 1), (1, 1)]
    assert list(product((0, 1), repeat=2)) == list(completions((None, None)))
