"""Random programs: what compiles is right on every word, with and without BOS and mask."""

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rasp_programs import RandomProgram, all_words, mistakes, some_words

from rasp.compiler import NotCompilableError, compile_program

WORDS = all_words("ab", 4)


def compiled_right(rng: random.Random, depth: int, *, bos: bool, causal: bool) -> bool:
    node = RandomProgram(rng).any(depth)
    try:
        model = compile_program(node, vocabulary="ab", length=4, bos=bos, causal=causal)
    except NotCompilableError:
        return False
    assert mistakes(model, node, WORDS) == []
    return True


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(rng=st.randoms(use_true_random=False), bos=st.booleans(), causal=st.booleans())
def test_whatever_compiles_is_right(rng: random.Random, bos: bool, causal: bool) -> None:
    compiled_right(rng, 3, bos=bos, causal=causal)


def test_nearly_everything_compiles() -> None:
    compiled = sum(
        compiled_right(random.Random(seed), 4, bos=bool(seed % 2), causal=seed % 3 == 0)
        for seed in range(24)
    )
    assert compiled >= 22


@pytest.mark.parametrize("seed", range(20, 28))
def test_floats_agree_with_the_interpreter(seed: int) -> None:
    node = RandomProgram(random.Random(seed)).any(3)
    words = some_words("abc", 9, 20)
    model = compile_program(node, vocabulary="abc", length=9)
    assert mistakes(model, node, words) == []
    assert mistakes(model, node, words, runtime="float32") == []


@pytest.mark.slow
@pytest.mark.parametrize("bos", [True, False])
@pytest.mark.parametrize("causal", [True, False])
def test_many_random_programs(bos: bool, causal: bool) -> None:
    results = [
        compiled_right(random.Random(seed), 4, bos=bos, causal=causal) for seed in range(100, 220)
    ]
    assert sum(results) >= 100
