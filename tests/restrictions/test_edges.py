import numpy as np
import pytest
from hard_models import random_table
from hypothesis import given, settings
from hypothesis import strategies as st

from attention.bitparallel import model_truth_table
from attention.constructions.trees import needle, parity_tree
from attention.hard import ModelError, evaluate
from restrictions.edges import edge_by_diagrams
from restrictions.sat import insensitive_edge


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 5), st.integers(1, 2), st.integers(0, 10**9))
def test_edges_exist_just_when_the_truth_table_has_one(n, layers, seed) -> None:
    model = random_table(n, layers, 1, 3, np.random.default_rng(seed), spread=2)
    table = model_truth_table(model)
    exists = any(int(np.bitwise_count(changed).sum()) < 2**n for changed in table.differences())
    edge = edge_by_diagrams(model)
    assert (edge is not None) == exists
    assert insensitive_edge(model).answer == ("yes" if exists else "no")
    if edge is not None:
        i, word = edge.position, edge.word
        other = (*word[:i], "01"[word[i] == "0"], *word[i + 1 :])
        assert evaluate(model, word) == evaluate(model, other)


@pytest.mark.parametrize(("layers", "heads"), [(1, 3), (2, 2), (3, 2), (6, 1)])
def test_parity_trees_have_no_edge_and_one_planted_word_is_found(layers, heads) -> None:
    assert edge_by_diagrams(parity_tree(layers, heads)) is None
    n = (heads + 1) ** layers
    if n > 30:
        return
    target = tuple("01"[b] for b in np.random.default_rng(n).integers(0, 2, n))
    edge = edge_by_diagrams(needle(layers, heads, target))
    assert edge is not None
    i = edge.position
    flipped = (*edge.word[:i], "01"[edge.word[i] == "0"], *edge.word[i + 1 :])
    assert target in (edge.word, flipped)


def test_too_large_diagrams_are_an_error_and_no_proof() -> None:
    with pytest.raises(ModelError, match="limit"):
        edge_by_diagrams(parity_tree(6, 1), limit=100)
