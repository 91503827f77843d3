"""Comparing programs: shortest differences, shrinking, errors as outcomes."""

import numpy as np
import pytest

from rasp import aggregate, indices, length, select, selector_width, tokens, tokens_int
from rasp.interpret.library import library_text
from rasp.interpret.session import Session
from rasp.verify import ScopeError, compare, compare_random, words

COUNTS = selector_width(select(tokens, tokens, "=="))


def counts(word: tuple[str, ...]) -> list[int]:
    return [word.count(letter) for letter in word]


def test_a_program_equals_its_specification() -> None:
    outcome = compare(COUNTS, counts, "abc", up_to=5)
    assert outcome.equal
    assert outcome.inputs == sum(3**n for n in range(1, 6)) == len(list(words("abc", 5)))
    assert outcome.text() == "equal on all 363 inputs: all words over abc of length 1 to 5\n"


def test_the_first_difference_is_a_shortest_one() -> None:
    def wrong(word: tuple[str, ...]) -> list[int]:
        return [9] * len(word) if word[:3] == ("b", "a", "b") else counts(word)

    outcome = compare(COUNTS, wrong, "ab", up_to=6)
    assert outcome.difference is not None
    assert outcome.difference.input == ("b", "a", "b")
    assert outcome.difference.right == "[9]*3 (ints)"


def test_random_differences_are_shrunk() -> None:
    def wrong(word: tuple[str, ...]) -> list[int]:
        return [0] * len(word) if word.count("b") >= 4 else counts(word)

    rng = np.random.default_rng(0)
    outcome = compare_random(COUNTS, wrong, "ab", samples=200, longest=40, rng=rng)
    assert outcome.difference is not None
    assert outcome.difference.input == ("b",) * 4


def test_two_programs_for_one_function() -> None:
    session = Session(read=library_text)
    code = 'load "stdlib"; load "paper_examples"; other = dyck_prefixes(["()", "{}"]);'
    list(session.run(code))
    other, first = session.console.variables["other"], session.console.variables["dyck2_ptf"]
    assert compare(other, first, "(){}x", up_to=5).equal


def test_errors_are_outcomes() -> None:
    assert compare(1 / (tokens_int - 1), 1 / (1 - tokens_int) * -1, "012", up_to=3).equal
    outcome = compare(1 / tokens_int, tokens_int, "12", up_to=2)
    assert outcome.difference is not None
    assert outcome.difference.input == ("2",)


def test_strings_are_not_numbers() -> None:
    assert not compare(
        aggregate(select(indices, 0, "=="), "1"), length / length, "a", up_to=1
    ).equal


def test_a_comparison_over_nothing_is_refused() -> None:
    with pytest.raises(ScopeError):
        compare(COUNTS, counts, "", up_to=3)
    with pytest.raises(ScopeError):
        compare_random(COUNTS, counts, "a", samples=0, longest=3, rng=np.random.default_rng(0))
