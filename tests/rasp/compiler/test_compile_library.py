"""The programs of the paper and of the library, compiled: right, and of the predicted depth."""

from functools import cache
from typing import Any

import pytest
from rasp_programs import mistakes, some_words

from rasp.compiler import compile_program
from rasp.graph import SOpNode
from rasp.interpret.library import library_text
from rasp.interpret.session import Session

CALLS = """
sorted_tokens = sort(tokens_str, tokens_str);
dyck = dyck_prefixes(["()", "{}"]);
shuffled = shuffle_dyck_prefixes(["()", "{}"]);
induced = induction(tokens_str, "-");
odd = parity(tokens_str == "a");
most = majority(tokens_str, "a", "b");
counted = count(tokens_str, "a");
has = contains(tokens_str, "a");
so_far = count_so_far(tokens_str == "a");
shifted = shift(tokens_str, 2, "-");
loaded = load_from_location(tokens_str, 0);
last = mark_last_instance(tokens_str, "a");
first = mark_first_instance(tokens_str, "a");
at_last = aggregate(select_from_last(tokens_str, "a"), indices);
next_same = aggregate(select_next_identical(tokens_str), indices, 0 - 1);
mean_index = average(indices);
share = aggregate(select(indices, indices, <=), indicator(tokens_str == "a"));
focus = has_focus(select(indices, indices + 1, ==));
larger = max(indices, length - 3);
the_length = length;
"""

# attention layers, layers in all, most heads in a layer; where they differ from the analysis:
# sums of two counts are squared, and flags of different heads joined, by one network more
SHAPES = {
    "reverse": (2, 2, 1), "hist_bos": (1, 1, 1), "hist_nobos": (1, 1, 1), "hist2_bos": (2, 2, 2),
    "sort_bos": (2, 3, 2), "sort_by_most_freq": (3, 5, 2), "dyck1_ptf": (2, 2, 1),
    "dyck2_ptf": (4, 4, 1), "dyck3_ptf": (4, 4, 1), "sorted_tokens": (2, 3, 2), "dyck": (3, 3, 1),
    "shuffled": (2, 3, 1), "induced": (2, 2, 1), "odd": (1, 1, 1), "most": (1, 1, 1),
    "counted": (1, 1, 1), "has": (1, 1, 1), "so_far": (1, 1, 1), "shifted": (1, 1, 1),
    "loaded": (1, 1, 1), "last": (1, 1, 1), "first": (1, 1, 1), "at_last": (2, 2, 1),
    "next_same": (2, 2, 1), "mean_index": (1, 1, 1), "share": (1, 1, 1), "focus": (1, 1, 1),
    "larger": (1, 1, 1), "the_length": (1, 1, 1),
}  # fmt: skip


@cache
def programs() -> dict[str, SOpNode]:
    session = Session()
    for text in (library_text("paper_examples"), library_text("stdlib"), CALLS):
        assert not [event.error for event in session.run(text) if event.error is not None]
    return {name: session.console.variables[name].node for name in SHAPES}


def symbols(name: str, size: int) -> str:
    if name == "dyck1_ptf":
        return "()"
    if "dyck" in name or name == "shuffled":
        return ("(){}" + "abcdefghijklmnopqrstuv")[:size]
    start = "§" if name.endswith("_bos") or "freq" in name else ""
    return (start + "abcdefghijklmnopqrstuvwxyz")[:size]


def inputs(name: str, size: int, longest: int, count: int) -> list[tuple[Any, ...]]:
    words = some_words(symbols(name, size), longest, count)
    if symbols(name, size)[0] == "§":  # position 0 holds it, and nothing else does
        words = [("§", *("a" if s == "§" else s for s in word[1:])) for word in words]
    if "dyck" in name or name == "shuffled":
        half = longest // 2
        words += [("(",) * half + (")",) * half, ("(", ")") * half]
        if name != "dyck1_ptf":
            words += [("(", "{", ")", "}"), ("(", "{", "}", ")") * (longest // 4)]
    return words


@pytest.mark.parametrize("name", SHAPES)
def test_program_is_right_and_as_deep_as_predicted(name: str) -> None:
    node = programs()[name]
    model = compile_program(node, vocabulary=symbols(name, 5), length=8, name=name)
    words = inputs(name, 5, 8, 16)
    assert mistakes(model, node, words) == []
    assert mistakes(model, node, words, runtime="float32") == []
    heads = [len(layer.heads) for layer in model.layers if layer.heads]
    assert (len(heads), model.depth, max(heads)) == SHAPES[name]
    assert model.predicted is not None
    assert len(heads) == model.predicted[0]


@pytest.mark.slow
@pytest.mark.parametrize(("size", "longest"), [(26, 50), (8, 200)])
def test_large_programs_are_right(size: int, longest: int) -> None:
    for name, node in programs().items():
        own = symbols(name, size)
        model = compile_program(node, vocabulary=own, length=longest, name=name)
        words = inputs(name, size, longest, 6)
        assert mistakes(model, node, words, runtime="float32") == [], name
        if longest <= 50:
            assert mistakes(model, node, words) == [], name


@pytest.mark.slow
def test_rows_that_tie_at_length_two_hundred_do_so_in_floats() -> None:
    node = programs()["sort_by_most_freq"]
    model = compile_program(node, vocabulary="§abcdefg", length=200)
    words = [("§", *("abc" * 67)[:199]), ("§", *"b" * 199), ("§", *"a" * 100, *"g" * 99)]
    assert mistakes(model, node, words, runtime="float32") == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ["the_length", "hist_nobos", "reverse"])
def test_length_one_thousand(name: str) -> None:
    node = programs()[name]
    model = compile_program(node, vocabulary="abcd", length=1000, name=name)
    words = inputs(name, 4, 1000, 5)
    assert mistakes(model, node, words) == []
    assert mistakes(model, node, words, runtime="float32") == []
