"""Every program of the paper and of the library, compiled at working sizes, is right."""

from functools import cache

import numpy as np
import pytest

from rasp import SOp
from rasp.certify.verification import verify
from rasp.compiler.pipeline import compile_program
from rasp.interpret.library import library_text
from rasp.interpret.session import Session
from rasp.weights.padded import TOLERANCE

LETTERS = "abcdefghijklmnopqrstuvwxyz"
CODE = """load "paper_examples"; load "stdlib";
sorted = sort(tokens, tokens); size = length + 0;
dyck2_best = dyck_prefixes(["()", "{}"]); shuffle2 = shuffle_dyck_prefixes(["()", "{}"]);
so_far = count_so_far(tokens == "a"); before = previous(tokens, "-");
again = induction(tokens, "-"); even = parity(tokens == "a");
more = majority(tokens, "a", "b"); often = count(tokens, "a"); has = contains(tokens, "b");
moved = shift(tokens, 2, "-"); frac_prevs = aggregate(select(indices, indices, <=),
    indicator(tokens == "a"));
"""
NAMES = (
    "reverse", "hist_bos", "hist_nobos", "hist2_bos", "sort_bos", "sort_by_most_freq", "dyck1_ptf",
    "dyck2_ptf", "dyck3_ptf", "sorted", "size", "dyck2_best", "shuffle2", "so_far", "before",
    "again", "even", "more", "often", "has", "moved", "frac_prevs",
)  # fmt: skip


@cache
def programs() -> dict[str, SOp]:
    session = Session(read=library_text)
    broken = [event.note for event in session.run(CODE) if event.error is not None]
    assert not broken
    return {name: session.console.variables[name] for name in NAMES}


def symbols(name: str, count: int) -> str:
    brackets = {"dyck1_ptf": "()", "dyck2_ptf": "(){}", "dyck3_ptf": "(){}[]"}
    brackets |= {"dyck2_best": "(){}", "shuffle2": "(){}"}
    return (brackets.get(name, "") + LETTERS)[:count]


def check(name: str, count: int, length: int, *, samples: int, bounded: int = 0) -> None:
    sop, alphabet = programs()[name], symbols(name, count)
    model = compile_program(sop, vocabulary=list(alphabet), length=length, name=name)
    rng = np.random.default_rng(1)
    sizes = [*rng.integers(1, length + 1, size=samples).tolist(), length, length - 1, 1]
    words = [tuple(rng.choice(list(alphabet[: 2 + 3 * i]), size=n)) for i, n in enumerate(sizes)]
    words += [tuple(alphabet[0] * length), tuple((alphabet * length)[:length])]
    words += [tuple(("()" * length)[:length])] if "(" in alphabet else []
    words += [tuple("(" * (length // 2) + ")" * (length // 2))] if "(" in alphabet else []
    words = [tuple(map(str, word)) for word in words]
    found = verify(sop, model, words=words, rng=rng, bounded=bounded)
    assert found.right, found.text()
    assert found.tried == len(words)
    assert all(error.bound < TOLERANCE for error in found.errors), found.text()  # proved to be read


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_26_symbols_and_50_tokens(name: str) -> None:
    check(name, 26, 50, samples=3, bounded=3)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_8_symbols_and_200_tokens(name: str) -> None:
    check(name, 8, 200, samples=0)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["size", "hist_nobos", "reverse"])
def test_1000_tokens(name: str) -> None:
    check(name, 26, 1000, samples=0)


@pytest.mark.parametrize("name", ["reverse", "sorted", "dyck1_ptf", "frac_prevs"])
def test_longer_than_where_known_compilers_fail(name: str) -> None:
    check(name, 5, 24, samples=6, bounded=1)
