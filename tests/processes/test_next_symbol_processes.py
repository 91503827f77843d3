import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from languages.dyck_process import CLOSER, DyckProcess
from languages.language import LanguageError
from languages.next_symbol import END, cross_entropy_bits, entropy_bits, mixture
from languages.parity_process import ParityProcess

CHANCES = st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=20)


def _dyck_prefixes(process: DyckProcess, n: int) -> dict[str, Fraction]:
    """Grow prefixes symbol by symbol from the law of the next symbol alone."""
    law = {"": Fraction(1)}
    for _ in range(n):
        law = {
            prefix + symbol: q * chance
            for prefix, q in law.items()
            for symbol, chance in process.after(prefix).items()
            if symbol != END
        }
    return law


@settings(max_examples=15, deadline=None)
@given(p=CHANCES, n=st.integers(0, 6))
def test_dyck_height_law_is_that_of_enumerated_prefixes(p: Fraction, n: int) -> None:
    process = DyckProcess(p)
    law = _dyck_prefixes(process, n)
    assert sum(law.values()) == process.survival(n)
    heights = [Fraction(0)] * (n + 1)
    for prefix, q in law.items():
        assert q == process.probability(prefix)
        heights[len(process.open_brackets(prefix))] += q
    assert tuple(heights) == process.heights(n)
    if n:
        survival = sum(law.values())
        hidden = sum(
            q for w, q in law.items() if process.open_brackets(w) and w[-1] in CLOSER.values()
        )
        assert hidden / survival == process.unbalanced_closing(n)


@pytest.mark.parametrize(
    ("p", "even", "odd", "stream"),
    [
        (Fraction(1, 10), Fraction(17, 90), Fraction(13, 18), Fraction(1, 90)),
        (Fraction(1, 4), Fraction(5, 12), Fraction(2, 3), Fraction(1, 12)),
        (Fraction(2, 5), Fraction(8, 15), Fraction(7, 12), Fraction(4, 15)),
    ],
)
def test_limits_of_p0(p: Fraction, even: Fraction, odd: Fraction, stream: Fraction) -> None:
    process = DyckProcess(p)
    assert process.limit("survival", even=True) == even
    assert process.limit("survival", even=False) == odd
    assert process.limit("stream", even=True) == stream
    # convergence is O(1/n): the error times n is bounded and the error shrinks
    for n in (30, 31):
        far = float(process.unbalanced_closing(n) - process.limit("survival", even=n % 2 == 0))
        near = float(
            process.unbalanced_closing(2 * n - n % 2) - process.limit("survival", even=n % 2 == 0)
        )
        assert abs(near) < 0.6 * abs(far)


def test_stationary_law_is_invariant() -> None:
    process = DyckProcess(Fraction(1, 3))
    pi = [process.stationary(h) for h in range(40)]
    p = process.p
    for h in range(1, 39):
        assert pi[h] == p * pi[h - 1] + (1 - p) * pi[h + 1]
    assert pi[0] == (1 - p) * (pi[0] + pi[1])  # an end mark at height 0 stays at height 0
    with pytest.raises(LanguageError, match="p < 1/2"):
        DyckProcess(Fraction(1, 2)).stationary(0)


@settings(max_examples=15, deadline=None)
@given(p=CHANCES)
def test_entropy_is_the_same_after_every_dyck_prefix(p: Fraction) -> None:
    process = DyckProcess(p)
    for prefix in ("", "(", "([", "()", "([]"):
        assert entropy_bits(process.after(prefix)) == pytest.approx(
            process.next_symbol_entropy_bits(), rel=1e-12
        )


def test_word_entropy_is_the_series_over_words() -> None:
    process = DyckProcess(Fraction(1, 5))
    p = Fraction(1, 5)
    total = 0.0
    for pairs in range(120):
        words = math.comb(2 * pairs, pairs) // (pairs + 1) * 2**pairs
        q = (p / 2) ** pairs * (1 - p) ** (pairs + 1)
        total -= float(words * q) * math.log2(q)
    assert total == pytest.approx(process.word_entropy_bits(), rel=1e-9)


@settings(max_examples=15, deadline=None)
@given(p=CHANCES, n=st.integers(1, 6))
def test_parity_laws_are_those_of_enumerated_prefixes(p: Fraction, n: int) -> None:
    process = ParityProcess(p)
    words = ["".join(bits) for bits in itertools.product("01", repeat=n)]
    law = {w: process.probability(w) for w in words}
    assert sum(law.values()) == process.survival(n)
    total = process.survival(n)
    assert mixture([(q / total, process.after(w)) for w, q in law.items()]) == process.unigram()
    if n >= 2:
        for last in "01":
            part = {w: q for w, q in law.items() if w[-1] == last}
            got = mixture([(q / sum(part.values()), process.after(w)) for w, q in part.items()])
            assert got == process.given_last(last)


def test_the_last_symbol_tells_something_about_parity() -> None:
    process = ParityProcess(Fraction(1, 2))
    split = (entropy_bits(process.given_last("0")) + entropy_bits(process.given_last("1"))) / 2
    assert split < entropy_bits(process.unigram()) - 0.02


def test_samples_follow_the_conditioned_law() -> None:
    rng = np.random.default_rng(7)
    dyck = DyckProcess(Fraction(3, 10))
    law = _dyck_prefixes(dyck, 5)
    total = sum(law.values())
    draws = 4000
    seen: dict[str, int] = dict.fromkeys(law, 0)
    for word in dyck.sample_many(5, draws, rng):
        seen[word] += 1
    chi = sum(
        (seen[w] - draws * float(q / total)) ** 2 / (draws * float(q / total))
        for w, q in law.items()
    )
    assert chi < len(law) + 6 * math.sqrt(2 * len(law))
    parity = ParityProcess(Fraction(3, 4))
    odd = [parity.sample(6, rng) for _ in range(draws)]
    target = sum(parity.probability(w) for w in map("".join, itertools.product("01", repeat=6))
                 if w[:5].count("1") % 2 == 0) / parity.survival(6)  # fmt: skip
    share = sum(w[:5].count("1") % 2 == 0 for w in odd) / draws
    assert share == pytest.approx(float(target), abs=5 * 0.5 / math.sqrt(draws))


def test_long_prefixes_are_sampled_though_survival_is_hopeless() -> None:
    word = DyckProcess(Fraction(1, 10)).sample(600, np.random.default_rng(0))
    assert len(word) == 600
    DyckProcess(Fraction(1, 10)).open_brackets(word)


def test_wrong_arguments() -> None:
    for wrong in (Fraction(0), Fraction(1)):
        with pytest.raises(LanguageError, match="strictly between"):
            ParityProcess(wrong)
        with pytest.raises(LanguageError, match="strictly between"):
            DyckProcess(wrong)
    with pytest.raises(LanguageError, match="no prefix of 2DYCK"):
        DyckProcess(Fraction(1, 2)).after("(]")
    assert cross_entropy_bits({"a": Fraction(1)}, {"b": 1.0}) == math.inf
