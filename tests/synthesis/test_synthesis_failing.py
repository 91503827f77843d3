"""The inverse task: failures are found and replayed, correct machines are proved correct."""

import time
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attention.function import FunctionTransformer
from attention.hard import TableTransformer, evaluate, evaluate_batch
from languages.registry import language
from synthesis.bitwise import wrong_words
from synthesis.failing import (
    Failure,
    ModelMismatchError,
    NeverFails,
    NoFailureFound,
    find_failure,
)
from synthesis.forward import StateLimitError, encode


def block_tree(depth: int, planted: tuple[int, ...] | None = None) -> TableTransformer:
    """PARITY of 2^depth bits by halving blocks, one head a layer; wrong on ``planted`` only.

    A value is parity + 2 * (everything read so far equals the planted word).
    """
    n = 2**depth
    embedding = [[0, 1]] * n
    if planted is not None:
        embedding = [[0 + 2 * (planted[i] == 0), 1 + 2 * (planted[i] == 1)] for i in range(n)]
    scores, acts = [], []
    for layer in range(1, depth + 1):
        half = 2 ** (layer - 1)
        table = np.zeros((n, 4, n, 4), dtype=np.int64)
        for i in range(n):
            table[i, :, i - half if i >= half else i, :] = 1
        scores.append([table])
        acts.append([[[(a ^ b) & 1 | a & b & 2 for b in range(4)] for a in range(4)]])
    outputs = (True, False, True, False) if planted is None else (True, False, False, True)
    return TableTransformer(
        n=n, alphabet=("0", "1"), embedding=embedding, scores=scores, acts=acts, outputs=outputs
    )


def random_tables(
    n: int, layers: int, heads: int, size: int, rng: np.random.Generator, name: str = "parity"
) -> TableTransformer:
    alphabet = language(name).alphabet
    shape = (size,) * (1 + heads)
    return TableTransformer(
        n=n,
        alphabet=alphabet,
        embedding=rng.integers(0, size, (n, len(alphabet))),
        scores=[
            [rng.integers(0, 4, (n, size, n, size)) for _ in range(heads)] for _ in range(layers)
        ],
        acts=[rng.integers(0, size, (n, *shape)) for _ in range(layers)],
        outputs=tuple(bool(b) for b in rng.integers(0, 2, size)),
        mask="causal" if rng.integers(2) else "full",
        ties="leftmost" if rng.integers(2) else "rightmost",
    )


@settings(max_examples=12, deadline=None)
@given(
    seed=st.integers(0, 10**6), heads=st.integers(1, 2), name=st.sampled_from(["parity", "dyck2"])
)
def test_brute_force_agrees_with_the_definition(seed: int, heads: int, name: str) -> None:
    n = 3
    model = random_tables(n, 2, heads, 2, np.random.default_rng(seed), name)
    target = language(name)
    words = np.array(list(product(range(len(target.alphabet)), repeat=n)), dtype=np.uint8)
    wrong = words[evaluate_batch(model, words) != target.members(words)]
    assert wrong_words(model, target, limit=10**6) == [tuple(w) for w in wrong.tolist()]


@settings(max_examples=4, deadline=None)
@given(seed=st.integers(0, 10**6), heads=st.integers(1, 2))
def test_sat_finds_a_failure_exactly_when_brute_force_does(seed: int, heads: int) -> None:
    rng = np.random.default_rng(seed)
    model = random_tables(4, 2, heads, 2, rng)
    for name in ("ones", "majority"):
        target = language(name)
        by_sat = find_failure(model, target, rng=rng, ways=("sat",))
        assert isinstance(by_sat, Failure) == bool(wrong_words(model, target))


def test_random_tables_of_length_100_fail_at_once() -> None:
    rng = np.random.default_rng(1)
    start = time.process_time()
    found = find_failure(random_tables(100, 2, 1, 2, rng), language("parity"), rng=rng)
    assert isinstance(found, Failure)
    assert time.process_time() - start < 5


@pytest.mark.parametrize("depth", [3, 6])
def test_one_wrong_word_of_two_to_the_64_is_found(depth: int) -> None:
    rng = np.random.default_rng(2)
    planted = tuple(int(b) for b in rng.integers(0, 2, 2**depth))
    model = block_tree(depth, planted)
    found = find_failure(model, language("parity"), rng=rng, ways=("sat",))
    assert isinstance(found, Failure)
    assert found.word == tuple(map(str, planted))
    if depth == 6:  # flips cannot: 51 of 2^64 words are tried
        quick = find_failure(model, language("parity"), rng=rng, ways=("flips",), words=3)
        assert isinstance(quick, NoFailureFound)


def test_correct_trees_are_proved_correct() -> None:
    for depth in (3, 6):  # 8 bits, and 2^64 words
        for ways in (("sat",), ("brute",)):
            if ways == ("brute",) and depth > 4:
                continue
            done = find_failure(
                block_tree(depth), language("parity"), rng=np.random.default_rng(0), ways=ways
            )
            assert isinstance(done, NeverFails)
            assert ways == ("brute",) or "lemmas checked" in done.detail
    assert evaluate(block_tree(3), "01101100") is True


def test_bracket_machines_are_compared_with_their_stack() -> None:
    rng = np.random.default_rng(4)
    always = TableTransformer(
        n=8, alphabet=("(", ")", "[", "]"), embedding=[[0, 0, 0, 0]],
        scores=[[[[[[0]]]]]], acts=[[[[0]]]], outputs=(False,),
    )  # fmt: skip
    found = find_failure(always, language("dyck2"), rng=rng, ways=("sat",))
    assert isinstance(found, Failure)
    assert language("dyck2").contains(found.word)
    # odd lengths have no members, so rejecting everything is right
    odd = TableTransformer(
        n=7, alphabet=("(", ")"), embedding=[[0, 0]], scores=[[[[[[0]]]]]], acts=[[[[0]]]],
        outputs=(False,),
    )  # fmt: skip
    assert isinstance(find_failure(odd, language("dyck1"), rng=rng), NeverFails)


def test_limits_are_reported_not_hidden() -> None:
    rng = np.random.default_rng(5)
    wide = random_tables(40, 1, 1, 2, rng, "dyck2")
    with pytest.raises(StateLimitError, match="states"):
        encode(wide, language("dyck2"))
    outcome = find_failure(wide, language("dyck2"), rng=rng, ways=("sat",))
    assert isinstance(outcome, NoFailureFound)
    function = FunctionTransformer(
        n=30, layers=1, heads=1, alphabet=("0", "1"),
        embedding=lambda i, symbol: symbol, scoring=lambda k, h, i, j, query, key: 0,
        activation=lambda k, i, own, attended: own, output=lambda value: value is not None,
    )  # fmt: skip
    late = find_failure(function, language("ones"), rng=rng, ways=("sat",))
    assert isinstance(late, NoFailureFound)
    assert "tabulate" in late.detail
    assert isinstance(find_failure(function, language("ones"), rng=rng), Failure)
    with pytest.raises(ModelMismatchError, match="alphabets differ"):
        find_failure(wide, language("parity"), rng=rng)
