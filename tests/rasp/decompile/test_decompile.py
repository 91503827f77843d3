"""Programs read back from weights compute what the models compute."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from compiled_random import all_words, random_model

from rasp import (
    SOp,
    aggregate,
    best,
    full_s,
    indicator,
    indices,
    length,
    select,
    selector_width,
    tokens,
    tokens_int,
    where,
)
from rasp.compiler.pipeline import compile_program
from rasp.decompile import decompile
from rasp.errors import DecompileError, RaspError
from rasp.evaluate.engine import evaluate_batch
from rasp.interpret.library import library_text
from rasp.interpret.session import Session
from rasp.weights.exact import run_exact
from rasp.weights.examples import copy_model, reverse_model
from rasp.weights.model import CompiledModel

same = select(tokens, tokens, "==")
before = select(indices, indices, "<")
hist = selector_width(same)
rank = selector_width(select(tokens, tokens, "<") | (same & before))
PROGRAMS: dict[str, SOp] = {
    "hist": hist,
    "reverse": aggregate(select(indices, length - indices - 1, "=="), tokens),
    "length": length,
    "prefix share": aggregate(select(indices, indices, "<="), indicator(tokens == "a")),
    "shift": aggregate(select(indices, indices - 1, "=="), tokens, "-"),
    "share": aggregate(full_s, indicator(tokens == "a")),
    "sort": aggregate(select(rank, indices, "=="), tokens, "-"),
    "others": selector_width(~same),
    "double histogram": selector_width(
        select(hist, hist, "==") & select(selector_width(same & before), 0, "==")
    ),
    "by cases": where(tokens == "a", indices * 2, indices + 1),
    "even": selector_width(select(tokens, "a", "==")) % 2 == 0,
}


def compiled(sop: SOp, symbols: str = "ab", n: int = 4, **options: Any) -> CompiledModel:
    return compile_program(sop, vocabulary=tuple(symbols), length=n, name="y", **options)


def same_outputs(model: CompiledModel, sop: SOp, words: list[Any]) -> None:
    found, run = evaluate_batch(sop.node, words), run_exact(model, words)
    assert found == list(run.output())


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_compiled_and_read_back_is_the_same_function(name: str) -> None:
    program, words = PROGRAMS[name], all_words("ab", 4)
    model = replace(compiled(program), program="")  # the text is not what is read
    found = decompile(model)
    _, sop = found.outputs["y"]
    assert evaluate_batch(sop.node, words) == evaluate_batch(program.node, words)
    same_outputs(model, sop, words)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("hist", "w = selector_width(select(tokens, tokens, ==));"),
        ("prefix share", 'w = aggregate(select(indices, indices, <=), indicator(tokens == "a"));'),
        ("share", 'w = aggregate(select(1, 1, ==), indicator(tokens == "a"));'),
        ("others", "w = selector_width(select(tokens, tokens, !=));"),
        ("by cases", 'w = 2 * indices if tokens == "a" else indices + 1;'),
        (
            "sort",
            "l = selector_width(select(tokens, tokens, <));"
            "e = selector_width(select(indices, indices, <) and select(tokens, tokens, ==));"
            'w = aggregate(select(e + l, indices, ==), tokens, "-");',
        ),
    ],
)
def test_simple_programs_are_read_as_a_person_would_write_them(name: str, expected: str) -> None:
    session = Session()
    list(session.run(expected))
    _, sop = decompile(compiled(PROGRAMS[name])).outputs["y"]
    assert sop.node == session.console.variables["w"].node


def test_the_text_alone_gives_the_program() -> None:
    found = decompile(reverse_model("abc", length=6))
    session = Session()
    assert [event.error for event in session.run(found.text) if event.error] == []
    name, sop = found.outputs["reverse"]
    assert name == "reverse"
    assert session.console.variables[name].node == sop.node
    assert sop("cab") == ["b", "a", "c"]
    assert found.text == (
        'set example "aaaaaa"\n'
        "selects_length = select(1, 1, ==);\n"
        "width_length = selector_width(selects_length);\n"
        "opposite = (width_length - indices - 1);\n"
        "selects_reverse = select(indices, opposite, ==);\n"
        'reverse = aggregate(selects_reverse, tokens, "");\n'
    )


@pytest.mark.parametrize(
    ("name", "symbols"),
    [
        ("hist2_bos", "ab"),
        ("sort_bos", "ab"),
        ("dyck1_ptf", "()"),
        pytest.param("sort_by_most_freq", "ab", marks=pytest.mark.slow),
        pytest.param("dyck2_ptf", "()[]", marks=pytest.mark.slow),
    ],
)
def test_programs_of_the_paper_can_be_read_back(name: str, symbols: str) -> None:
    session = Session(read=library_text)
    list(session.run('load "paper_examples";'))
    program = session.console.variables[name]
    model = replace(compiled(program, symbols), program="")
    found = decompile(model)
    words = [w for w in all_words(symbols, 4) if len(w) < 4 or symbols != "()[]"]
    for mine, theirs in zip(
        evaluate_batch(program.node, words),
        evaluate_batch(found.outputs["y"][1].node, words),
        strict=True,
    ):
        assert isinstance(mine, RaspError) or mine == theirs


def test_causal_models_get_their_mask_as_a_selector() -> None:
    found = decompile(compiled(aggregate(full_s, indicator(tokens == "a")), causal=True))
    assert "select(indices, indices, <=)" in found.text
    assert [*found.outputs["y"][1]("aba")] == [1, pytest.approx(0.5), pytest.approx(2 / 3)]


def test_models_without_bos_are_read_too() -> None:
    model = compiled(aggregate(select(indices, indices, "=="), tokens), bos=False)
    assert not model.bos
    assert decompile(model).outputs["y"][1]("ba") == ["b", "a"]


def test_symbols_of_several_characters() -> None:
    model = compile_program(hist, vocabulary=("one", "two"), length=3, name="y")
    found = decompile(model)
    assert "set example" not in found.text
    assert found.outputs["y"][1](["one", "two", "one"]) == [2, 1, 2]


def test_symbols_that_are_numbers() -> None:
    model = compile_program(
        aggregate(select(tokens_int, indices, "=="), tokens_int + 1, 0),
        vocabulary=tuple("0123"),
        length=3,
        name="y",
    )
    found = decompile(model)
    assert "select(tokens_int, indices, ==)" in found.text
    assert found.outputs["y"][1]("120") == [1, 2, 3]


def test_a_share_of_the_length() -> None:
    found = decompile(compiled(length / 2))
    assert "round(1 / " in found.text
    assert found.outputs["y"][1]("aba") == [Fraction(3, 2)] * 3


def test_a_copy_is_its_input() -> None:
    assert decompile(copy_model("ab", length=3)).outputs["copy"][1]("ba") == ["b", "a"]


def test_a_changed_weight_gives_another_program_or_none() -> None:
    model = reverse_model("ab", length=4)
    network = model.layers[0].feed_forward
    assert network is not None
    half = replace(network, w2=network.w2.times(2))
    wrong = replace(model, layers=(replace(model.layers[0], feed_forward=half), model.layers[1]))
    words = all_words("ab", 4)
    try:
        _, sop = decompile(wrong).outputs["reverse"]
    except DecompileError:
        return
    assert evaluate_batch(sop.node, words) != [list(reversed(word)) for word in words]


@pytest.mark.parametrize(
    "sop",
    [
        aggregate(best(full_s, indices, 0), tokens),
        aggregate(best(select(tokens, "b", "==") & before, indices), indices, -1),
        aggregate(best(full_s, hist), tokens, "-"),
        aggregate(best(select(tokens, "a", "!="), 0 - indices), tokens, "-"),
    ],
)
def test_heads_that_rank_keys_are_read_as_best(sop: SOp) -> None:
    model = compiled(sop)
    found = decompile(model)
    assert "best(" in found.text
    same_outputs(model, found.outputs["y"][1], all_words("ab", 4))


def test_ranks_that_no_selector_of_the_language_has_are_refused() -> None:
    either = where(tokens == "a", 1, -1)
    with pytest.raises(DecompileError, match="depends on the row"):
        decompile(compiled(aggregate(best(full_s, indices, either, "*"), tokens, "-")))
    with pytest.raises(DecompileError, match="without BOS"):
        decompile(compiled(aggregate(best(full_s, indices), tokens, "-"), bos=False))


def test_outputs_that_mix_kinds_are_read_where_the_program_fails_too() -> None:
    shifted = aggregate(select(indices, indices - 1, "=="), tokens)  # 0 where nothing is
    assert decompile(compiled(shifted)).text.endswith("y = aggregate(selects_y, tokens, 0);\n")


def test_random_weights_are_no_program() -> None:
    refused = 0
    for seed in range(4):
        model = random_model(np.random.default_rng(seed), bottoms=(1,))
        try:
            found = decompile(model, probes=5, exhaustive=100)
        except DecompileError:
            refused += 1
            continue
        words = all_words(model.vocabulary.symbols, 2)
        for readout in model.readouts:
            _, sop = found.outputs[readout.name]
            values = evaluate_batch(sop.node, words)
            assert values == list(run_exact(model, words).output(readout.name))
    assert refused > 0


def test_what_has_no_text_is_refused() -> None:
    model = copy_model("ab", length=3)
    object.__setattr__(model, "vocabulary", replace(model.vocabulary, symbols=(1, "1")))
    with pytest.raises(DecompileError, match="written alike"):
        decompile(model)
    absent = aggregate(select(indices, indices - 1, "=="), tokens, None)  # type: ignore[arg-type]
    with pytest.raises(DecompileError, match="None has no literal"):
        decompile(compiled(absent))


def test_what_few_probes_miss_is_found_when_the_program_is_compared() -> None:
    session = Session(read=library_text)
    list(session.run('load "paper_examples";'))
    program = session.console.variables["hist2_bos"]
    model = compiled(program, "§he", 12)
    found = decompile(model, probes=0, exhaustive=10, compared=150)
    words: list[Any] = [("§", *"h" * k, "e", *"h" * (10 - k)) for k in range(11)]
    words += ["§" + "h" * k + "e" * (11 - k) for k in range(12)]
    same_outputs(model, found.outputs["y"][1], words)
    assert "150 random words" in found.scope


def test_a_difference_that_remains_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = ("y = 1 if indices == 5 else selector_width(select(tokens, tokens, ==));", {"y": "y"})
    monkeypatch.setattr("rasp.decompile.program.read_program", lambda *_: wrong)
    with pytest.raises(DecompileError, match="the program that was read gives"):
        decompile(compiled(hist, n=6))
    with pytest.raises(DecompileError, match="the program that was read gives"):
        decompile(compiled(hist, n=12), probes=5, exhaustive=20, compared=50)
