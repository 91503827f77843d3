"""A compiled model is validated when made, and JSON gives it back bit for bit."""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rasp.errors import MalformedModelError, WordError
from rasp.weights.atoms import atom_from_json, atom_to_json
from rasp.weights.examples import copy_model, reverse_model
from rasp.weights.matrix import Matrix
from rasp.weights.parts import FeedForward, Head, Layer
from rasp.weights.readout import Mark, Readout
from rasp.weights.run import run
from rasp.weights.store import from_json, load, save, to_json
from rasp.weights.vocabulary import Vocabulary

numbers = st.one_of(st.integers(-(2**70), 2**70), st.fractions(max_denominator=9))


@settings(max_examples=20, deadline=None)
@given(st.lists(st.lists(numbers, min_size=3, max_size=3), min_size=1, max_size=4))
def test_a_matrix_holds_exactly_what_it_was_made_from(dense: list[list[Fraction]]) -> None:
    made = Matrix.of(dense)
    assert [[made.entry(r, c) for c in range(3)] for r in range(len(dense))] == dense
    assert made == Matrix.placed(made.shape, {(r, c): v for r, c, v in made.entries()})
    assert made.transposed.transposed == made


def test_floats_of_a_matrix_are_rounded_once() -> None:
    third = Matrix.of([[Fraction(1, 3), 2**53 + 1]])
    assert third.dense().tolist() == [[1 / 3, float(2**53 + 1)]]
    with pytest.raises(MalformedModelError, match="too large"):
        Matrix.of([[Fraction(10**400, 3)]]).dense()
    with pytest.raises(MalformedModelError, match="too large for float32"):
        Matrix.of([[Fraction(10**40, 3)]]).dense("float32")


@pytest.mark.parametrize(
    ("rows", "columns", "values", "what"),
    [
        ([0, 0], [1, 1], [1, 2], "duplicates"),
        ([2], [0], [1], "out of range"),
        ([0], [-1], [1], "out of range"),
        ([0], [0], [float("nan")], "finite"),
        ([0], [0], [True], "ints, Fractions"),
        ([0], [0], [], "one of each"),
    ],
)
def test_a_matrix_that_is_none_is_refused(
    rows: list[int], columns: list[int], values: list[int], what: str
) -> None:
    with pytest.raises(MalformedModelError, match=what):
        Matrix.build((2, 2), rows, columns, values)


def test_symbols_of_different_types_are_different_symbols() -> None:
    mixed = Vocabulary((1, 1.0, True, "1"), bos=False)
    assert mixed.encode([True, "1", 1.0, 1]) == [2, 3, 1, 0]


@pytest.mark.parametrize(
    ("word", "what"),
    [
        ("abx", "'x' at position 2"),
        ("", "empty"),
        (5, "the word 5"),
        ("abab", "at most 3"),
        ([["a"]], "'a'"),
    ],
)
def test_a_word_that_the_model_cannot_read_is_named(word: str, what: str) -> None:
    with pytest.raises(WordError, match=what):
        copy_model("ab", length=3).encode(word)


@pytest.mark.parametrize("model", [copy_model("ab", length=3), reverse_model("abc", length=5)])
def test_json_gives_the_model_back(model: object, tmp_path: Path) -> None:
    save(model, tmp_path / "model.json")
    again = load(tmp_path / "model.json")
    assert to_json(again) == to_json(model)
    assert again.basis == model.basis
    assert again.readouts == model.readouts
    assert dict(again.places) == dict(model.places)


@given(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.fractions(),
        st.text(),
        st.floats(allow_nan=False),
        st.sampled_from(list(Mark)),
        st.tuples(st.booleans(), st.tuples(st.text(), st.fractions())),
    )
)
def test_json_keeps_the_type_of_an_atom(atom: object) -> None:
    again = atom_from_json(json.loads(json.dumps(atom_to_json(atom))))
    assert (type(again), again) == (type(atom), atom)


@pytest.mark.parametrize(
    ("path", "value", "what"),
    [
        (["schema"], "x", "not a compiled program"),
        (["version"], 2, "version 2"),
        (["length"], 0, "length 0"),
        (["length"], 9, "position embedding has shape"),
        (["vocabulary", "symbols"], [], "without symbols"),
        (["vocabulary", "pad"], 7, "PAD and BOS"),
        (["layers", 0, "heads", 0, "query", "shape"], [9, 1], "query"),
        (["layers", 1, "heads", 0, "query", "rows", 0], 99, "out of range"),
        (["layers", 1, "heads", 0, "query", "numerators", 0], 1.5, "not integers"),
        (["layers", 1, "heads", 0, "query", "numerators", 0], 0, "is 0"),
        (
            ["layers", 1, "heads", 0, "query", "denominator"],
            0,
            "heads.0.query: the denominator 0",
        ),
        (["parts", 1, "heads", 0, "separation"], "-1", "must be positive"),
        (["parts", 1, "heads", 0, "name"], "count", "two heads"),
        (["readouts", 0, "directions"], [1], "directions"),
        (["readouts", 0, "kind"], "other", "kind"),
        (["readouts"], [], "without a readout"),
        (["basis", 0, 0], 99, "outside width"),
        (["places", "reverse"], [2, "nowhere"], "does not exist"),
        (["layers"], [], "wrong value"),
        (["layers", 1, "heads", 0, "key"], 5, "layers.1.heads.0.key: 'int'"),
        (["layers", 1, "heads", 0, "key"], {}, "layers.1.heads.0.key lacks"),
        (["predicted"], [], "wrong value"),
        (["causal"], 5, "causal is 5, no bool"),
        (["name"], None, "name is None, no str"),
    ],
)
def test_a_tampered_file_is_refused(path: list[object], value: object, what: str) -> None:
    data = json.loads(json.dumps(to_json(reverse_model("ab", length=3))))
    place = data
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    with pytest.raises(MalformedModelError, match=what):
        from_json(data)


def test_words_that_are_no_list_are_refused() -> None:
    for runtime in ("exact", "float32"):
        with pytest.raises(WordError, match="words 5"):
            run(copy_model("ab", length=3), 5, runtime=runtime)  # type: ignore[arg-type]


def test_a_missing_field_or_file_is_named(tmp_path: Path) -> None:
    data = to_json(copy_model("ab", length=3))
    del data["width"]
    with pytest.raises(MalformedModelError, match="'width'"):
        from_json(data)
    with pytest.raises(MalformedModelError, match="cannot read"):
        load(tmp_path / "none.json")
    (tmp_path / "bad.json").write_text("{")
    with pytest.raises(MalformedModelError, match="not JSON"):
        load(tmp_path / "bad.json")
    (tmp_path / "bad.json").write_text("[" * 100_000)
    with pytest.raises(MalformedModelError, match=r"bad\.json is not JSON"):
        load(tmp_path / "bad.json")
    (tmp_path / "bad.json").write_text(json.dumps(data))
    with pytest.raises(MalformedModelError, match=r"bad\.json: the model lacks"):
        load(tmp_path / "bad.json")


def test_parts_that_do_not_fit_are_refused() -> None:
    model, one = copy_model("ab", length=3), Matrix.of([[1]])
    with pytest.raises(MalformedModelError, match=r"widths \[1\]"):
        replace(model, layers=(Layer(feed_forward=FeedForward(w1=one, b1=one, w2=one)),))
    with pytest.raises(MalformedModelError, match="without heads"):
        Layer()
    with pytest.raises(MalformedModelError, match="do not fit"):
        Head(name="h", query=one, key=one, value=one, output=Matrix.zeros(2, 1), separation=1)
    with pytest.raises(MalformedModelError, match="PAD"):
        replace(model, token_embedding=Matrix.placed((3, 2), {(2, 0): 1}))


def test_a_readout_guesses_nothing() -> None:
    kind = Readout(
        name="y", kind="categorical", directions=(0, 1), values=(True, False), none_direction=2
    )
    assert kind.read([1, 0, 0]) is True
    assert kind.read([0, 0, 1]) is None
    assert kind.read([1, 1, 0]).coordinates == (1, 1)
    assert kind.read([0.9, 0.05, 0.0], tolerance=0.2) is True
    assert kind.read([0.9, 0.5, 0.0], tolerance=0.2).coordinates == (0.9, 0.5)
    number = Readout(name="y", kind="numeric", directions=(0,), cast="int", scale=Fraction(1, 2))
    assert number.read([4]) == 2
    assert number.read([5]).coordinates == (5,)
    assert number.read([4.1], tolerance=0.1) == 2
