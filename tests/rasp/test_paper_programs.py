"""The paper's programs against their specification, in plain Python, on random and small inputs."""

from collections import Counter
from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rasp.interpret.library import library_text
from rasp.interpret.session import Session
from rasp.sops import SOp


@pytest.fixture(scope="module")
def programs() -> dict[str, SOp]:
    session = Session(read=library_text)
    events = list(session.run('load "paper_examples";'))
    assert [event.error for event in events] == [None] * 10
    return {n: v for n, v in session.console.variables.items() if isinstance(v, SOp)}


def histogram_bos(word: str) -> list[int]:
    return [Counter(word[1:])[letter] for letter in word]


def double_histogram_bos(word: str) -> list[int]:
    counts = Counter(word[1:])
    spread = Counter(counts.values())
    return [spread[counts[letter]] for letter in word]


def by_frequency(word: str) -> list[str]:
    rest = word[1:]
    order = sorted(dict.fromkeys(rest), key=lambda letter: -rest.count(letter))
    return [word[0], *order, *"§" * (len(rest) - len(order))]


def dyck(word: str, pairs: list[str]) -> list[str]:
    closing = {pair[1]: pair[0] for pair in pairs}
    stack: list[str] = []
    broken = False
    out = []
    for letter in word:
        if letter in closing.values():
            stack.append(letter)
        elif letter in closing:
            broken = broken or not stack or stack.pop() != closing[letter]
        out.append("F" if broken else "P" if stack else "T")
    return out


CASES: list[tuple[str, str, Callable[[str], list[object]]]] = [
    ("hist_nobos", "abc", lambda w: [w.count(c) for c in w]),
    ("reverse", "abc", lambda w: list(w[::-1])),
    ("dyck1_ptf", "()x", lambda w: list(dyck(w, ["()"]))),
    ("dyck2_ptf", "(){}x", lambda w: list(dyck(w, ["()", "{}"]))),
    ("dyck3_ptf", "(){}[]x", lambda w: list(dyck(w, ["()", "{}", "[]"]))),
]
WITH_BOS: list[tuple[str, Callable[[str], list[object]]]] = [
    ("hist_bos", lambda w: list(histogram_bos(w))),
    ("hist2_bos", lambda w: list(double_histogram_bos(w))),
    ("sort_bos", lambda w: [w[0], *sorted(w[1:])]),
    ("sort_by_most_freq", lambda w: list(by_frequency(w))),
]


@pytest.mark.parametrize(("name", "alphabet", "meaning"), CASES, ids=lambda c: str(c)[:12])
def test_programs_mean_what_they_say(
    programs: dict[str, SOp], name: str, alphabet: str, meaning: Callable[[str], list[object]]
) -> None:
    @settings(max_examples=25, deadline=None)
    @given(st.text(alphabet, min_size=1, max_size=14))
    def check(word: str) -> None:
        assert programs[name](word) == meaning(word)

    check()


@pytest.mark.parametrize(("name", "meaning"), WITH_BOS, ids=lambda c: str(c)[:12])
def test_programs_with_a_first_token_mean_what_they_say(
    programs: dict[str, SOp], name: str, meaning: Callable[[str], list[object]]
) -> None:
    @settings(max_examples=25, deadline=None)
    @given(st.text("abcd", max_size=12))
    def check(word: str) -> None:
        assert programs[name]("^" + word) == meaning("^" + word)

    check()


def test_all_short_words_of_two_brackets(programs: dict[str, SOp]) -> None:
    for n in range(1, 5):
        for letters in product("(){}", repeat=n):
            word = "".join(letters)
            assert programs["dyck2_ptf"](word) == dyck(word, ["()", "{}"])
