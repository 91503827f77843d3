r"""Theorem 6 for PARITY: chance level holds only if the last symbol is out of reach too.

The reading position n carries x_n, whose influence Lemma 5 does not bound.  Among the prefixes
that survive, the state before the last symbol is odd a little more often, so x_n alone tells
something about the parity.  The law of prefixes is that of the automaton given survival to n.

Main statements: AS_STATED, LAST_SYMBOL, WEIGHTS, UNIGRAM.

References
----------
Hahn (2020), Theorem 6 [hahn2020].
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import sympy as sp

from claims import HAHN, OWN, Claim, ForAll, Inequality, Kind, Reals, Twin, Verdict
from languages.next_symbol import mixture
from languages.parity_process import ParityProcess
from proofs.checkers import exact, exhaustive, smt

p = sp.Symbol("p", positive=True)
_AT = HAHN.at("Theorem 6, PARITY")
_INSIDE = {p: Reals(0, 1, open_lo=True, open_hi=True)}
_SCOPE = "p in {1/4, 1/2, 3/4}, 2 <= n <= 7, every prefix of n bits"


def binary_entropy(t: sp.Expr) -> sp.Expr:
    """Return -t ln t - (1 - t) ln(1 - t)."""
    return -t * sp.log(t) - (1 - t) * sp.log(1 - t)


CHANCE = binary_entropy(p / 2) + (1 - p / 2) * sp.log(2)
"""Entropy of the next symbol given only that n >= 1 symbols were emitted."""

WITH_LAST = (
    binary_entropy(p * (1 - p) / (2 - p)) / 2
    + binary_entropy(p / (2 - p)) / 2
    + (1 - p / 2) * sp.log(2)
)
"""Mean entropy of the next symbol given x_n, n >= 2."""


@dataclass(frozen=True, slots=True)
class Prefix:
    """A prefix of the PARITY process."""

    p: Fraction
    word: str

    def __str__(self) -> str:
        return f"p={self.p}, prefix {self.word}"


def prefixes() -> Iterator[Prefix]:
    """Yield the prefixes of the scope."""
    for chance in (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4)):
        for n in range(2, 8):
            for bits in itertools.product("01", repeat=n):
                yield Prefix(chance, "".join(bits))


def _flipped(word: str, at: int) -> str:
    return word[:at] + ("1" if word[at] == "0" else "0") + word[at + 1 :]


def _mixed(case: Prefix, at: int) -> object:
    process = ParityProcess(case.p)
    pair = (case.word, _flipped(case.word, at))
    weights = [process.probability(w) for w in pair]
    return mixture(
        [(q / sum(weights), process.after(w)) for q, w in zip(weights, pair, strict=True)]
    )


def second_last_mixes_to_last(case: Prefix) -> bool:
    """Decide that exchanging x_(n-1) mixes to the law given x_n."""
    n = len(case.word)
    return _mixed(case, n - 2) == ParityProcess(case.p).given_last(case.word[-1])


def last_mixes_to_chance(case: Prefix) -> bool:
    """Decide that exchanging x_n mixes to the unigram law."""
    return _mixed(case, len(case.word) - 1) == ParityProcess(case.p).unigram()


def second_last_mixes_to_chance(case: Prefix) -> bool:
    """Decide that exchanging x_(n-1) mixes to the unigram law (it does not)."""
    return _mixed(case, len(case.word) - 2) == ParityProcess(case.p).unigram()


AS_STATED = Claim(
    id="hahn2020.theorem6.parity.as_stated",
    says="On PARITY the cross-entropy of every soft-attention transformer tends to unigram chance "
    "level (prediction read at the last symbol's position).",
    source=_AT,
    labels=("T6",),
    statement=Inequality(CHANCE, "<=", WITH_LAST, _INSIDE),
    check=smt.decide(),
    expect=Verdict.REFUTED,
    difference="A transformer that ignores attention and predicts from $x_n$ alone has, at every "
    "$n$, the entropy given $x_n$, which is strictly below chance level: survivors were in the "
    "odd state more often, so $x_n$ tells something about the parity.",
)

WEIGHTS = Claim(
    id="hahn2020.theorem6.parity.mixture",
    says="Exchanging $x_{n-1}$ swaps the parity, and the two prefixes mix exactly to the law of "
    "the next symbol given $x_n$.",
    source=OWN.at("Theorem 6, PARITY, repaired"),
    kind=Kind.OWN,
    labels=("T6",),
    statement=ForAll("the pair mixes to the law given x_n", _SCOPE, prefixes,
                     second_last_mixes_to_last),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    twin=Twin(
        "the law given x_n, not chance",
        ForAll("the pair mixes to chance", _SCOPE, prefixes, second_last_mixes_to_chance),
    ),
)  # fmt: skip

LAST_SYMBOL = Claim(
    id="hahn2020.theorem6.parity",
    says="Read at the last symbol's position, the cross-entropy on PARITY is at least the entropy "
    "of the next symbol given $x_n$, minus $O(1/n)$, and this limit is attained.",
    source=_AT,
    kind=Kind.REPAIRED,
    repairs="hahn2020.theorem6.parity.as_stated",
    difference="The entropy given $x_n$ instead of unigram chance level.",
    labels=("T6",),
    statement=Inequality(
        sp.Mul((1 - p) / (2 - p), p, evaluate=False), "==", p * (1 - p) / (2 - p), _INSIDE
    ),
    check=exact.decide(),
    expect=Verdict.PROVED,
    assumes=("hahn2020.theorem6.parity.mixture", "hahn2020.theorem6.pair", "hahn2020.lemma5"),
    twin=Twin(
        "survival weighs the even state by 1 - p",
        Inequality(p / 2, "==", p * (1 - p) / (2 - p), _INSIDE),
    ),
    proof=r"""Exchanging $x_{n-1}$ changes the states after $n-1$ and after $n$ symbols only.
Survival weighs a state before the last symbol by $1-p$ (even) or $1$ (odd); so of the two prefixes
the one that was even there has weight $(1-p):1$, whatever else they contain, and the next symbol of
the pair is END with probability $p(1-p)/(2-p)$ if $x_n=0$ and $p/(2-p)$ if $x_n=1$.  The pair lemma
and Lemma 5 with $i=n-1<n$ give the bound; reading $x_n$ alone attains it.""",
)

UNIGRAM = Claim(
    id="hahn2020.theorem6.parity.separate_reader",
    says="If the prediction is read where no symbol of the prefix stands (a separate position), "
    "every symbol has influence $O(1/n)$ and the cross-entropy does tend to unigram chance.",
    source=_AT,
    kind=Kind.REPAIRED,
    repairs="hahn2020.theorem6.parity.as_stated",
    difference="Needs a reading position that carries none of the symbols.",
    labels=("T6",),
    statement=ForAll("exchanging x_n mixes to chance", _SCOPE, prefixes, last_mixes_to_chance),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    assumes=("hahn2020.theorem6.pair", "hahn2020.lemma5"),
    proof=r"""Exchanging $x_n$ changes the last state only, which no survival factor weighs yet: the
two prefixes are equally likely and mix to chance.""",
)
