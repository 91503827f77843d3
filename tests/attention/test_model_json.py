import copy
import itertools
import json

import numpy as np
import pytest
from hard_models import random_dot, random_table

from attention.hard import ModelError, evaluate
from attention.json import digest, from_json, read_model, to_json


@pytest.mark.parametrize(
    "model",
    [
        random_table(3, 2, 2, 3, np.random.default_rng(0), ties="rightmost", mask="causal"),
        random_dot(3, 2, 2, np.random.default_rng(1)),
        random_dot(3, 1, 1, np.random.default_rng(2), grid=None, classes=3),
    ],
)
def test_models_survive_json_and_keep_their_digest(model) -> None:
    text = json.dumps(to_json(model))
    twin = from_json(json.loads(text))
    assert digest(to_json(twin)) == digest(json.loads(text))
    assert (twin.n, twin.layers, twin.heads, twin.ties, twin.mask) == (
        model.n,
        model.layers,
        model.heads,
        model.ties,
        model.mask,
    )
    for word in itertools.product("01", repeat=3):
        assert evaluate(twin, word) == evaluate(model, word)


def test_hand_written_matrices_of_numbers_and_fractions_are_read() -> None:
    data = {
        "schema": "attnlimits.hard-transformer",
        "version": 1,
        "kind": "dot-product",
        "alphabet": ["0", "1"],
        "symbols": [[0], [1]],
        "positions": [[0.5], ["1/3"]],
        "stack": [{"heads": [{"query": [[1]], "key": [[-1]], "value": [[1]]}]}],
        "weights": [1],
        "bias": -1,
    }
    model = from_json(data)
    assert [evaluate(model, w) for w in ("00", "01", "10", "11")] == [False, True, False, True]


def broken(change):
    data = to_json(random_dot(3, 1, 1, np.random.default_rng(1)))
    change(data)
    return data


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda d: d.update(schema="x"), "not a model"),
        (lambda d: d.update(version=9), "version"),
        (lambda d: d.update(kind="x"), "kind"),
        (lambda d: d.pop("stack"), "lacks the field 'stack'"),
        (lambda d: d["symbols"].update(denominator=0), "positive integer"),
        (lambda d: d["symbols"].update(numerators=[[1], [1, 2]]), "ragged"),
        (lambda d: d["symbols"].update(numerators=[[1.5, 2]]), "not integers"),
        (lambda d: d.update(weights=[float("nan")] * 4), "finite"),
        (lambda d: d.update(positions=[]), "position"),
        (lambda d: d.update(stack=3), "wrong type"),
    ],
)
def test_damaged_models_get_a_clear_error(change, words) -> None:
    with pytest.raises(ModelError, match=words):
        from_json(broken(change))


def test_unreadable_files_get_a_clear_error(tmp_path) -> None:
    with pytest.raises(ModelError, match="cannot read"):
        read_model(tmp_path / "none.json")
    path = tmp_path / "m.json"
    path.write_text("{")
    with pytest.raises(ModelError, match="not JSON"):
        read_model(path)
    path.write_text("[]")
    with pytest.raises(ModelError, match="not a model"):
        read_model(path)
    path.write_text(
        json.dumps(copy.deepcopy(to_json(random_dot(2, 1, 1, np.random.default_rng(0)))))
    )
    assert read_model(path).n == 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"positions": {"denominator": 1, "numerators": []}}, "no position embeddings"),
        ({"grid": -1}, "integer from 0"),
        ({"grid": "8"}, "integer from 0"),
        ({"final_norm": [[1, 1], [0, 0]]}, "2 parts"),
        ({"final_norm": [[1], [0], 1]}, "final norm"),
    ],
)
def test_broken_dot_product_files_are_refused_with_the_reason(change, message) -> None:
    data = to_json(random_dot(3, 1, 1, np.random.default_rng(0), d=2))
    with pytest.raises(ModelError, match=message):
        from_json(data | change)
