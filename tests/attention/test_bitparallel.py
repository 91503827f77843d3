import itertools

import numpy as np
import pytest
from hard_models import as_functions, random_dot, random_table
from hypothesis import given, settings
from hypothesis import strategies as st

from attention.bitparallel import model_truth_table, output_sets
from attention.diagrams import Diagrams
from attention.hard import ModelError, evaluate
from attention.inputsets import outputs_over


@settings(max_examples=20, deadline=None)
@given(
    st.integers(1, 7),
    st.integers(1, 3),
    st.integers(1, 2),
    st.integers(0, 10**9),
    st.sampled_from(["leftmost", "rightmost"]),
    st.sampled_from(["full", "causal"]),
    st.sampled_from(["table", "dot", "functions"]),
)
def test_bit_parallel_outputs_equal_single_evaluations(n, layers, heads, seed, ties, mask, kind):
    rng = np.random.default_rng(seed)
    if kind == "dot":
        n = min(n, 5)
        model = random_dot(n, layers, heads, rng, d=3, ties=ties, mask=mask)
    else:
        model = random_table(n, layers, heads, 3, rng, spread=2, ties=ties, mask=mask)
    if kind == "functions":
        model = as_functions(model)
    table = model_truth_table(model)
    algebra = Diagrams(n)
    diagrams = outputs_over(model, algebra)
    for x, bits in enumerate(itertools.product((0, 1), repeat=n)):
        word = ["01"[b] for b in reversed(bits)]
        output = evaluate(model, word)
        assert bool(int(table.words[x // 64]) >> (x % 64) & 1) == output
        for found, inputs in diagrams.items():
            for j in range(n):
                inputs = algebra.cofactor(inputs, j, x >> j & 1)
            assert inputs == (found == output)


def test_a_two_layer_table_at_n_16_covers_every_input() -> None:
    model = random_table(16, 2, 2, 8, np.random.default_rng(0))
    sets = output_sets(model)
    total = sum(int(np.bitwise_count(words).sum()) for words in sets.values())
    assert total == 2**16


def test_limits_are_stated() -> None:
    rng = np.random.default_rng(0)
    with pytest.raises(ModelError, match="n <= 24"):
        output_sets(random_table(25, 1, 1, 2, rng, position_aware=False))
    with pytest.raises(ModelError, match="two-symbol"):
        output_sets(random_table(3, 1, 1, 2, rng, symbols="012"))
    with pytest.raises(ModelError, match="nodes"):
        outputs_over(random_table(20, 2, 1, 8, rng, spread=10**5), Diagrams(20, limit=300))
    with pytest.raises(ModelError, match="n <= 512"):
        Diagrams(513)
