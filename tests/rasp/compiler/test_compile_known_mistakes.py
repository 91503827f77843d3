"""What other compilers get wrong without saying so is right here."""

from collections import Counter
from fractions import Fraction

import pytest
from rasp_programs import all_words, mistakes, some_words

from rasp import (
    aggregate,
    indicator,
    indices,
    length,
    select,
    selector_width,
    tokens,
    tokens_int,
    where,
)
from rasp.compiler import compile_program
from rasp.interpret.library import library_text
from rasp.interpret.session import Session
from rasp.weights.run import run

UPTO = select(indices, indices, "<=")


def library(call: str) -> "object":
    session = Session()
    list(session.run(library_text("stdlib")))
    list(session.run(library_text("paper_examples")))
    events = list(session.run(f"answer = {call};"))
    assert not [event.error for event in events if event.error is not None]
    return session.console.variables["answer"]


@pytest.mark.parametrize("runtime", ["exact", "float32"])
def test_lengths_from_ten_on(runtime: str) -> None:
    model = compile_program(length, vocabulary="ab", length=40)
    words = ["ab" * 20, "a" * 9, "a" * 10, "b" * 11, "a" * 31, "b" * 32, "a" * 33]
    assert run(model, words, runtime=runtime).output() == [[len(w)] * len(w) for w in words]


def test_compiling_for_longer_words_does_not_break_short_ones() -> None:
    dyck = library("dyck1_ptf").node  # type: ignore[attr-defined]
    short, long = (compile_program(dyck, vocabulary="()", length=n) for n in (8, 20))
    words = all_words("()", 6)
    assert run(short, words).output() == run(long, words).output()
    assert run(long, ["()"], runtime="float32").output() == [["P", "T"]]


def test_interleaved_brackets_are_accepted_where_they_balance() -> None:
    shuffled = library('shuffle_dyck_prefixes(["()", "{}"])').node  # type: ignore[attr-defined]
    model = compile_program(shuffled, vocabulary="(){}", length=20)
    words = ["()", "({)}", "(" * 10 + ")" * 10, "({" * 5 + ")}" * 5]
    for runtime in ("exact", "float32"):
        assert [out[-1] for out in run(model, words, runtime=runtime).output()] == ["T"] * 4
    assert model.depth <= 3
    assert model.parameters()["dense"] < 50_000


def test_sorting_many_equal_and_many_different_symbols() -> None:
    letters = "abcdefghijklmnopqrstuvwxyz"
    sort = library("sort(tokens_str, tokens_str)").node  # type: ignore[attr-defined]
    model = compile_program(sort, vocabulary=letters, length=50)
    words = ["z" * 50, letters + letters[:24], "ba" * 25, letters[::-1]]
    for runtime in ("exact", "float32"):
        assert run(model, words, runtime=runtime).output() == [sorted(word) for word in words]


def test_shares_of_positions_stay_sharp_at_length_two_hundred() -> None:
    share = aggregate(UPTO, indicator(tokens == "a"))
    model = compile_program(share, vocabulary="ab", length=200)
    words = ["a" + "b" * 199, "a" * 200, "ab" * 100]
    exact = run(model, words).output()
    assert exact == [share(word) for word in words]
    single = run(model, words, runtime="float32").output()
    worst = max(
        abs(float(a) - float(b))
        for x, y in zip(exact, single, strict=True)
        for a, b in zip(x, y, strict=True)
    )
    assert worst <= 1e-6


def test_shares_other_than_one_over_n_are_told_apart() -> None:
    half = aggregate(UPTO, indicator(tokens == "a"))
    program = where(half == 1 / (indices + 1), "one", where(half == Fraction(2, 3), "two", "-"))
    model = compile_program(program, vocabulary="ab", length=6)
    assert mistakes(model, program.node, all_words("ab", 6)) == []


@pytest.mark.parametrize("default", [0, -3, 7, Fraction(1, 2)])
def test_numeric_defaults(default: int) -> None:
    above = aggregate(select(tokens_int, tokens_int, ">"), tokens_int, default)
    model = compile_program(above, vocabulary="0123", length=4)
    words = all_words("0123", 3)
    assert mistakes(model, above.node, words) == []
    assert mistakes(model, above.node, words, runtime="float32") == []


def test_text_defaults_reach_what_reads_them() -> None:
    before = aggregate(select(indices, indices - 1, "=="), tokens, "#")
    program = before + tokens
    model = compile_program(program, vocabulary="ab", length=5)
    assert mistakes(model, program.node, all_words("ab", 5)) == []


def test_bos_is_nowhere_in_the_outputs() -> None:
    counted = selector_width(select(tokens, tokens, "!="))
    later = aggregate(select(counted, 0, "=="), indices, -1)
    model = compile_program(later, vocabulary="ab", length=6)
    for bos in (True, False):
        model = compile_program(later, vocabulary="ab", length=6, bos=bos)
        assert mistakes(model, later.node, all_words("ab", 5)) == []


def test_mixtures_of_categories_are_never_read_as_one_of_them() -> None:
    mixed = aggregate(select(tokens, "a", "=="), tokens, "-")  # fails where several are selected
    model = compile_program(mixed, vocabulary="ab", length=3)
    assert run(model, ["ba"]).output() == [["a", "a"]]
    firsts = aggregate(select(indices, 2, "<"), tokens, "-")
    model = compile_program(firsts, vocabulary="ab", length=3)
    (out,) = run(model, ["ab"]).output()
    assert not {"a", "b", "-"} & {x for x in out if isinstance(x, str)}


def test_equal_names_of_different_parts_stay_apart() -> None:
    first = (indices + 1).named("same")
    second = (indices * 2).named("same")
    program = aggregate(select(first, second, "=="), tokens, "-").named("same")
    names = {first.node.digest: "same", second.node.digest: "same"}
    model = compile_program(program, vocabulary="abc", length=5, names=names)
    assert mistakes(model, program.node, all_words("abc", 4)) == []
    labels = [d.label for d in model.basis if d.label.startswith("same")]
    assert len(set(labels)) >= 2


def test_selectors_are_combined_whatever_they_compare() -> None:
    same, before = select(tokens, tokens, "=="), select(indices, indices, "<")
    for selector in (same & before, same | before, ~same, ~(same | before), same & ~before):
        for sop in (selector_width(selector), aggregate(selector, indices, -1)):
            model = compile_program(sop, vocabulary="ab", length=5)
            assert mistakes(model, sop.node, all_words("ab", 5)) == []


def test_several_outputs_share_what_they_have_in_common() -> None:
    hist = selector_width(select(tokens, tokens, "=="))
    outputs = {"hist": hist, "rare": hist == 1, "token": tokens, "n": length}
    model = compile_program(outputs, vocabulary="abc", length=6)
    for name, sop in outputs.items():
        assert mistakes(model, sop.node, some_words("abc", 6, 20), output=name) == []
    assert Counter(len(layer.heads) for layer in model.layers) == {2: 1}
