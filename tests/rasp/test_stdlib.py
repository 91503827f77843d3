"""Our own library against plain Python, on every word up to a length."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from rasp.interpret.library import library_text
from rasp.interpret.session import Session
from rasp.verify import compare


def counts(word: Sequence[str]) -> list[int]:
    return [sum(letter == "a" for letter in word[: i + 1]) for i in range(len(word))]


def shuffle(word: Sequence[str]) -> list[str]:
    out, broken = [], False
    for i in range(len(word)):
        seen = word[: i + 1]
        balances = [seen.count(o) - seen.count(c) for o, c in ("()", "{}")]
        broken = broken or min(balances) < 0
        out.append("F" if broken else "P" if any(balances) else "T")
    return out


def induction(word: Sequence[str]) -> list[str]:
    out = []
    for i, token in enumerate(word):
        after = [j for j in range(1, i + 1) if word[j - 1] == token]
        out.append(word[after[-1]] if after else "-")
    return out


def dyck(word: Sequence[str]) -> list[str]:
    stack: list[str] = []
    out, broken = [], False
    for letter in word:
        if letter in "({":
            stack.append(letter)
        elif letter in ")}":
            broken = broken or not stack or stack.pop() + letter not in ("()", "{}")
        out.append("F" if broken else "P" if stack else "T")
    return out


def sign(word: Sequence[str]) -> list[int]:
    score = word.count("a") - word.count("b")
    return [(score > 0) - (score < 0)] * len(word)


CASES: list[tuple[str, str, int, Callable[[Sequence[str]], list[Any]]]] = [
    ('count_so_far(tokens == "a")', "ab", 7, counts),
    ('shuffle_dyck_prefixes(["()", "{}"])', "(){}", 5, shuffle),
    ('dyck_prefixes(["()", "{}"])', "(){}x", 4, dyck),
    ('induction(tokens, "-")', "abc", 5, induction),
    ('previous(tokens, "-")', "ab", 5, lambda w: ["-", *w[:-1]]),
    ('parity(tokens == "a")', "ab", 6, lambda w: [w.count("a") % 2 == 1] * len(w)),
    ('majority(tokens, "a", "b")', "abc", 5, sign),
]


@pytest.mark.parametrize(("text", "alphabet", "up_to", "meaning"), CASES, ids=lambda c: str(c)[:20])
def test_programs_mean_what_they_say(
    text: str, alphabet: str, up_to: int, meaning: Callable[[Sequence[str]], list[Any]]
) -> None:
    session = Session(read=library_text)
    events = list(session.run(f'load "stdlib"; program = {text};'))
    assert [event.note for event in events if event.error is not None] == []
    outcome = compare(session.console.variables["program"], meaning, alphabet, up_to=up_to)
    assert outcome.equal, outcome.text()
