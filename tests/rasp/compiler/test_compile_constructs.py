"""Every construct of the language, alone: casts, operations, defaults, empty rows, best."""

from fractions import Fraction

import pytest
from rasp_programs import all_words, mistakes

from rasp import (
    aggregate,
    best,
    elementwise,
    full_s,
    indicator,
    indices,
    length,
    select,
    selector_width,
    tokens,
    tokens_asis,
    tokens_bool,
    tokens_float,
    tokens_int,
    where,
)
from rasp.compiler import compile_program
from rasp.sops import SOp, lift

HIST = selector_width(select(tokens, tokens, "=="))
UPTO = select(indices, indices, "<=")
SHARE = aggregate(UPTO, indicator(tokens == "a"))
WHOLE = aggregate(full_s, indicator(tokens == "a"))

CASES: dict[str, tuple[SOp, object]] = {
    "integers": (tokens_int * 2 + indices, "0123"),
    "a cast that fails for some": (tokens_int + 1, "01a"),
    "floats": (tokens_float + 0.1, "012"),
    "means of floats": (aggregate(full_s, tokens_float), "012"),
    "means of floats as they are": (
        aggregate(select(tokens_asis, tokens_asis, "<"), tokens_asis), [0.5, 1.5, 2.25],
    ),
    "truth of text": (~tokens_bool, ["", "a"]),
    "numbers as they are": (tokens_asis + 1, [0, 1, 5]),
    "equal numbers of different types": (tokens_asis == 1, [1, True, 2]),
    "a constant": (lift(3), "ab"),
    "a constant text": (lift("x"), "ab"),
    "the input": (tokens, "ab"),
    "positions": (indices, "ab"),
    "text": (tokens + "x" + tokens, "ab"),
    "a dictionary": (tokens.lookup({"a": 1, "b": 5}), "ab"),
    "a list": (indices.lookup([5, 6, 7, 8, 9]), "ab"),
    "letters of a text": (indices.lookup("hello"), "ab"),
    "membership": (tokens.isin(["a", "c"]), "abc"),
    "quotients": (10 / (indices + 1), "ab"),
    "quotients that fail": (10 / (indices - 1), "ab"),
    "powers": (indices**2 + 2**HIST, "ab"),
    "rounding to even": (round(indices / 2), "ab"),
    "magnitudes": (abs(indices - 2), "ab"),
    "remainders": ((0 - indices) % 3, "ab"),
    "large numbers": (indices * 1_000_000_007 + 5, "ab"),
    "truths and numbers": (where(tokens == "a", 1, True), "ab"),
    "a host function": (elementwise(lambda a, b: a * 7 - b, indices, HIST), "ab"),
    "squares of means": (WHOLE * WHOLE, "ab"),
    "one over a mean": (1 / (WHOLE + 1), "ab"),
    "equal means": (aggregate(full_s, indicator(tokens == "b")) == WHOLE, "abc"),
    "means over different rows": (WHOLE > SHARE, "ab"),
    "selecting by means": (selector_width(select(SHARE, SHARE, "==")), "ab"),
    "selecting positions by means": (aggregate(select(indices, SHARE, "<"), indices, -1), "ab"),
    "means of means": (aggregate(full_s, SHARE), "ab"),
    "comparing means of means": (aggregate(full_s, SHARE) > Fraction(1, 2), "ab"),
    "a truth fetched": (aggregate(select(indices, 0, "=="), tokens == "a"), "ab"),
    "averaging text": (aggregate(select(tokens, tokens, "=="), tokens), "ab"),
    "selecting nothing": (aggregate(select(indices, -1, "=="), tokens, "-"), "ab"),
    "halves as positions": (aggregate(select(indices / 2, indices, "=="), tokens, "-"), "ab"),
    "text against numbers": (selector_width(select(tokens, indices, "==")), "ab"),
    "order of texts": (selector_width(select(tokens, tokens, "<") & ~UPTO), "abc"),
    "counts of counts": (
        aggregate(select(HIST, selector_width(select(HIST, HIST, "==")), "<="), HIST * HIST), "ab",
    ),
    "best, latest": (aggregate(best(select(tokens, tokens, "<"), indices), indices, -1), "abc"),
    "best by product": (aggregate(best(UPTO, tokens_int, indices - 1, "*"), tokens, "-"), "012"),
    "best of a disjunction": (
        aggregate(best(select(tokens, tokens, "<") | select(indices, 0, "=="), indices), indices),
        "ab",
    ),
    "best by a mean": (aggregate(best(full_s, SHARE), tokens, "-"), "ab"),
    "whether there is a best": (selector_width(best(select(tokens, tokens, "<"), indices)), "abc"),
    "counting the first position": (selector_width(select(indices, 0, "==")), "ab"),
    "the last position": (aggregate(select(indices, length - 1, "=="), tokens), "ab"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_construct(name: str) -> None:
    program, symbols = CASES[name]
    words = all_words(symbols, 4)  # type: ignore[arg-type]
    for bos, causal in ((True, False), (False, False), (True, True)):
        model = compile_program(program, vocabulary=symbols, length=4, bos=bos, causal=causal)  # type: ignore[arg-type]
        assert mistakes(model, program.node, words) == [], (bos, causal)
    if name != "large numbers":
        assert mistakes(model, program.node, words, runtime="float32") == []


@pytest.mark.parametrize("size", [400, 5000])
def test_large_vocabularies_are_compared_by_numbers(size: int) -> None:
    symbols = [f"word {number}" for number in range(size)]
    model = compile_program(HIST, vocabulary=symbols, length=9)
    assert model.width <= 7
    words = [symbols[:9], symbols[-3:] * 3, [symbols[-1]] * 9, [symbols[0], symbols[-1]] * 4]
    for runtime in ("exact", "float32"):
        assert mistakes(model, HIST.node, words, runtime=runtime) == []


def test_words_of_one_symbol_and_vocabularies_of_one() -> None:
    reverse = aggregate(select(indices, length - 1 - indices, "=="), tokens)
    for program in (HIST, reverse, length, SHARE):
        for bos in (True, False):
            model = compile_program(program, vocabulary="a", length=1, bos=bos)
            assert mistakes(model, program.node, ["a"]) == []
            model = compile_program(program, vocabulary="a", length=3, bos=bos)
            assert mistakes(model, program.node, ["a", "aa", "aaa"]) == []
