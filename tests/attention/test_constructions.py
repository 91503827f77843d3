import itertools

import numpy as np
import pytest

from attention.bitparallel import model_truth_table
from attention.constructions.recognisers import equal_blocks, first, ones, tribes
from attention.constructions.trees import needle, parity_tree
from attention.hard import ModelError, evaluate, evaluate_batch
from attention.json import from_json, to_json
from attention.tabulate import tabulate
from languages import language
from languages.sensitivity import all_inputs, truth_table


@pytest.mark.parametrize(
    ("build", "name", "lengths"),
    [
        (ones, "ones", range(1, 9)),
        (first, "first", range(1, 9)),
        (equal_blocks, "anbn", range(1, 9)),
    ],
)
def test_recognisers_decide_their_language_at_every_length(build, name, lengths) -> None:
    for n in lengths:
        inputs = all_inputs(n, 0, 2**n)
        assert (evaluate_batch(build(n), inputs) == language(name).members(inputs)).all()


@pytest.mark.parametrize(("layers", "heads"), [(1, 1), (1, 3), (2, 1), (2, 2), (3, 1), (4, 1)])
def test_parity_trees_are_exact_on_all_words(layers, heads) -> None:
    n = (heads + 1) ** layers
    expected = truth_table(language("parity"), n)
    assert (model_truth_table(parity_tree(layers, heads)).words == expected.words).all()


def test_needles_err_on_one_word_only() -> None:
    target = "011010110"
    table = model_truth_table(needle(2, 2, target)).words
    wrong = table ^ truth_table(language("parity"), 9).words
    assert int(np.bitwise_count(wrong).sum()) == 1
    assert evaluate(needle(2, 2, target), target) is not language("parity").contains(target)


def test_tribes_are_ands_of_ors() -> None:
    inputs = all_inputs(6, 0, 64)
    expected = inputs.reshape(64, 3, 2).any(axis=2).all(axis=1)
    assert (evaluate_batch(tribes(6, 2), inputs) == expected).all()


@pytest.mark.parametrize("model", [parity_tree(2, 1), equal_blocks(4), tribes(4, 2), ones(3)])
def test_tabulated_models_survive_json_and_agree(model) -> None:
    twin = from_json(to_json(tabulate(model)))
    for word in itertools.product(model.alphabet, repeat=model.n):
        assert evaluate(twin, word) == evaluate(model, word)


def test_impossible_constructions_are_refused() -> None:
    with pytest.raises(ModelError, match="positions"):
        parity_tree(2, 1, n=3)
    with pytest.raises(ModelError, match="divisor"):
        tribes(5, 2)
    with pytest.raises(ModelError, match="target"):
        needle(2, 1, "01")
    with pytest.raises(ModelError, match="smaller n"):
        tabulate(parity_tree(2, 3), limit=100)
    with pytest.raises(ModelError, match="tabulate"):
        to_json(ones(2))
