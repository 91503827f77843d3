"""The batched exact runtime against the definition, one Fraction at a time."""

from fractions import Fraction

import numpy as np
import pytest
from compiled_random import all_words, naive_stages, random_matrix, random_model
from hypothesis import given, settings
from hypothesis import strategies as st

from rasp.errors import MalformedModelError, WordError
from rasp.weights.exact import run_exact
from rasp.weights.examples import copy_model, reverse_model
from rasp.weights.rows import Product, Rows, grouped, hash_weights

seeds = st.integers(0, 2**32)


@settings(max_examples=15, deadline=None)
@given(seeds)
def test_every_stage_is_what_the_definition_gives(seed: int) -> None:
    rng = np.random.default_rng(seed)
    model = random_model(rng, bottoms=(1,) if rng.integers(2) else (1, 2, 3))
    words = [
        tuple(rng.choice(model.vocabulary.symbols, size=rng.integers(1, 6)).tolist())
        for _ in range(4)
    ]
    run = run_exact(model, words, returns=("outputs", "residuals"))
    for place, word in enumerate(words):
        stages = naive_stages(model, word)
        assert [stage[place].tolist() for stage in run.residuals] == stages
        for i in range(model.width):
            assert run.output(f"x{i}")[place] == [row[i] for row in stages[-1][int(model.bos) :]]


def test_weights_beyond_64_bits_stay_exact() -> None:
    rng = np.random.default_rng(3)
    for _ in range(5):
        model = random_model(rng, bottoms=(1, 10**9 + 7, 998244353, 3**30))
        words = all_words(model.vocabulary.symbols, 2)
        run = run_exact(model, words, returns=("residuals",))
        for place, word in enumerate(words):
            assert [s[place].tolist() for s in run.residuals] == naive_stages(model, word)


def test_reverse_is_right_on_all_short_words_and_at_length_1000() -> None:
    model = reverse_model("ab", length=8)
    words = all_words("ab", 8)
    assert run_exact(model, words).output() == [list(reversed(word)) for word in words]
    word = np.random.default_rng(0).choice(list("abc"), size=1000).tolist()
    run = run_exact(reverse_model("abc", length=1000), [word], returns=("outputs", "gaps"))
    assert run.output() == [word[::-1]]
    assert run.gaps == {"seek": 1}


def test_attention_and_residuals_are_found_by_name() -> None:
    model = reverse_model("ab", length=4)
    run = run_exact(model, ["abb", "b"], returns=("attention", "residuals"))
    assert run.attention_of("reverse")["seek"][0][1:].astype(int).tolist() == [
        [0, 0, 0, 1],
        [0, 0, 1, 0],
        [0, 1, 0, 0],
    ]
    assert run.attention_of("length")["count"][1].all()
    assert run.coordinates_of("length")[0].tolist() == [[Fraction(1, 4)]] * 4
    assert run.coordinates_of("opposite")[0][:, 0].tolist() == [0, 2, 1, 0]
    assert run.coordinates_of("reverse")[1][1].tolist() == [0, 1]
    with pytest.raises(MalformedModelError, match="no head serves 'x'"):
        run.attention_of("x")
    with pytest.raises(MalformedModelError, match="no coordinate belongs to 'x'"):
        run.coordinates_of("x")
    with pytest.raises(MalformedModelError, match="no output 'x'"):
        run.output("x")


def test_the_least_gap_is_the_least_over_all_rows() -> None:
    rng = np.random.default_rng(5)
    for _ in range(5):
        model = random_model(rng, layers=1, bottoms=(1, 2, 3))
        words = all_words(model.vocabulary.symbols, 3)
        gaps = run_exact(model, words, returns=("gaps",)).gaps
        for head in model.layers[0].heads:
            between: list[Fraction] = []
            for word in words:
                x = naive_stages(model, word)[0]
                for i, query in enumerate(x):
                    scores = {
                        sum(
                            query[a] * u * key[b] * v
                            for a, c, u in head.query.entries()
                            for b, d, v in head.key.entries()
                            if c == d
                        )
                        for key in (x[: i + 1] if model.causal else x)
                    }
                    top = sorted(scores)
                    between += [top[-1] - top[-2]] if len(top) > 1 else []
            assert gaps.get(head.name) == min(between, default=None)


def test_bad_requests_are_refused() -> None:
    with pytest.raises(WordError, match="'x' at position 1"):
        run_exact(copy_model("ab", length=3), ["ab", "ax"])
    with pytest.raises(MalformedModelError, match="cannot return 'logits'"):
        run_exact(copy_model("ab", length=3), ["ab"], returns=("logits",))
    assert run_exact(copy_model("ab", length=3), []).output() == []


@settings(max_examples=15, deadline=None)
@given(seeds)
def test_products_agree_however_they_are_made(seed: int) -> None:
    rng = np.random.default_rng(seed)
    matrix = random_matrix(rng, 6, 30, density=float(rng.choice([0.03, 0.5])), bottoms=(1, 5))
    scale = int(rng.choice([1, 2**31, 2**60, 2**80]))
    x = [[int(v) * scale for v in row] for row in rng.integers(-9, 10, size=(4, 6))]
    expected = [
        [sum((x[i][r] * matrix.entry(r, c) for r in range(6)), Fraction(0)) for c in range(30)]
        for i in range(4)
    ]
    assert Product(matrix).of(Rows.of(x)).fractions() == expected


def test_rows_with_one_hash_are_told_apart() -> None:
    first, second = (int(w) for w in hash_weights(2))
    shift = -second * pow(first, -1, 2**64) % 2**64
    shift -= 2**64 * (shift >= 2**63)
    table = np.array([[0, 0], [shift, 1], [0, 0]])
    assert len(np.unique(table.astype(np.uint64) @ hash_weights(2))) == 1
    chosen, place = grouped(table)
    assert (table[chosen][place] == table).all()
    assert len(chosen) == 2
