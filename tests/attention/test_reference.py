import pytest

from attention.constructions.trees import parity_tree
from attention.hard import ModelError, evaluate
from attention.json import to_json
from attention.reference import model_at, read_model_or_reference, reference_json

TREE = "attention.constructions.trees:parity_tree"
ONE = parity_tree(1, 1)


def test_names_of_models_and_of_functions_are_resolved() -> None:
    assert evaluate(model_at(f"{TREE}(1, heads=2)"), "011")
    assert model_at(f"{__name__}:ONE") is ONE
    assert read_model_or_reference(f"{TREE}(2, 1, n=6)").n == 6


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ("parity_tree", "of the form"),
        ("attention.nothing:x", "cannot import"),
        ("attention.hard:nothing", "has no nothing"),
        (f"{TREE}(1)", "missing a required argument"),
        (f"{TREE}(1, open)", "literal arguments"),
        ("attention.json:SCHEMA", "not a model"),
        ("attention.json:digest({})", "makes a str"),
    ],
)
def test_other_texts_are_refused_with_the_reason(reference, message) -> None:
    with pytest.raises(ModelError, match=message):
        model_at(reference)


def test_what_stands_in_a_certificate() -> None:
    stored = reference_json(f"{TREE}(1, 1)")
    assert stored["reference"] == f"{TREE}(1, 1)"
    assert len(stored["source_digest"]) == 64
    with pytest.raises(ModelError, match="source file"):
        reference_json("sys:path")
    with pytest.raises(ModelError, match="of the form"):
        reference_json("sys")
    with pytest.raises(ModelError, match="tabulate"):
        to_json(ONE)
