import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from languages import LanguageError, language

NAMES = ["parity", "first", "ones", "anbn", "majority", "mod3", "mod5", "dyck1", "dyck2", "dyckk:3"]


def brute_member(name: str, word: tuple[str, ...]) -> bool:
    """Membership straight from the definition, independent of the machines."""
    text = "".join(word)
    match name:
        case "parity":
            return text.count("1") % 2 == 0
        case "first":
            return text.startswith("1")
        case "ones":
            return "0" not in text
        case "anbn":
            return text == "a" * (len(text) // 2) + "b" * (len(text) // 2)
        case "majority":
            return text.count("1") > text.count("0")
        case "mod3" | "mod5":
            return text.count("1") % int(name[-1]) == 0
    while (shorter := text.replace("()", "").replace("[]", "").replace("{}", "")) != text:
        text = shorter
    return text == ""


@pytest.mark.parametrize("name", NAMES)
def test_membership_counts_and_enumeration_agree_with_the_definition(name: str) -> None:
    lang = language(name)
    for n in range(7 if len(lang.alphabet) <= 4 else 5):
        everything = list(itertools.product(lang.alphabet, repeat=n))
        expected = [word for word in everything if brute_member(name, word)]
        assert list(lang.words(n)) == expected
        assert lang.count(n) == len(expected)
        assert [word for word in everything if lang.contains(word)] == expected
        batch = np.array(
            [[lang.alphabet.index(s) for s in w] for w in everything], dtype=np.uint8
        ).reshape(len(everything), n)
        assert lang.members(batch).tolist() == [brute_member(name, w) for w in everything]


@pytest.mark.parametrize("name", ["parity", "anbn", "majority", "dyck1", "dyck2"])
def test_samples_are_uniform_over_members_and_over_non_members(name: str) -> None:
    lang, rng = language(name), np.random.default_rng(0)
    n = 4 if len(lang.alphabet) == 2 else 2
    for member in (True, False):
        support = [
            w for w in itertools.product(lang.alphabet, repeat=n) if lang.contains(w) == member
        ]
        draws = 40 * len(support)
        seen = dict.fromkeys(support, 0)
        for _ in range(draws):
            seen[lang.sample(n, member=member, rng=rng)] += 1
        chi2 = sum((count - 40) ** 2 / 40 for count in seen.values())
        assert chi2 < len(support) + 6 * (2 * len(support)) ** 0.5


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(NAMES), st.integers(1, 60), st.integers(0, 99))
def test_long_samples_are_on_the_asked_side(name: str, n: int, seed: int) -> None:
    lang, rng = language(name), np.random.default_rng(seed)
    for member in (True, False):
        total = lang.count(n) if member else len(lang.alphabet) ** n - lang.count(n)
        if total:
            assert lang.contains(lang.sample(n, member=member, rng=rng)) is member


def test_counts_are_exact_at_length_1000() -> None:
    assert language("parity").count(1000) == 2**999
    assert language("mod3").count(999) == (2**999 - 2) // 3
    assert language("dyck1").count(200) == __import__("math").comb(200, 100) // 101


@pytest.mark.parametrize(
    "call",
    [
        lambda: language("palindromes"),
        lambda: language("mod1"),
        lambda: language("dyck9"),
        lambda: language("parity").contains("01a"),
        lambda: language("dyck1").count(-1),
        lambda: language("anbn").sample(3, member=True, rng=np.random.default_rng(0)),
    ],
)
def test_bad_calls_name_the_value_and_the_fix(call) -> None:
    with pytest.raises(LanguageError, match=r"use|choose|needs"):
        call()
