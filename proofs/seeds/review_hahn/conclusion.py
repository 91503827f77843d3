r"""B19 and B20: what a length limit changes, and which languages are regular.

Main statements: B19_EXISTS, B19_GROWS, B20_PARITY, B20_BRACKETS_AS_STATED, B20_BRACKETS.

References
----------
Korean review of Hahn (2020), Section 5.0; McNaughton & Papert (1971) on counter-free languages
[mcnaughton1971].
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import sympy as sp

from attention.function import FunctionTransformer
from attention.hard import evaluate
from claims import (
    REVIEW_HAHN,
    Claim,
    Exists,
    ForAll,
    Inequality,
    Integers,
    Kind,
    Relation,
    Twin,
    Verdict,
)
from proofs.checkers import exhaustive, smt
from proofs.hahn2020.section5.corollary2 import PARITY

_AT = REVIEW_HAHN.at("5.0")


@dataclass(frozen=True, slots=True)
class Word:
    """A bit string and the number of heads of the transformer that is to classify it."""

    bits: str
    heads: int


def words_up_to_seven() -> Iterator[Word]:
    """Yield every bit string of length 1 to 7, for a transformer with 6 heads."""
    for n in range(1, 8):
        for bits in itertools.product("01", repeat=n):
            yield Word("".join(bits), 6)


def _parity_by_position(n: int, heads: int) -> FunctionTransformer:
    """Return a one-layer transformer whose head h at the last position reads position h."""
    return FunctionTransformer(
        n=n,
        layers=1,
        heads=heads,
        alphabet=("0", "1"),
        embedding=lambda i, symbol: (i, symbol),
        scoring=lambda layer, head, i, j, query, key: int(j == head),
        activation=lambda layer, i, own, attended: sum(
            int(symbol) for _, symbol in {own, *attended}
        ),
        output=lambda ones: ones % 2 == 0,
    )


def classified_rightly(word: Word) -> bool:
    """Run the transformer and compare with the parity of the word."""
    model = _parity_by_position(len(word.bits), word.heads)
    return bool(evaluate(model, word.bits)) == (word.bits.count("1") % 2 == 0)


B19_EXISTS = Claim(
    id="seeds.hahn.b19.exists",
    says=r"With an upper limit $N$ on the length a perfect transformer exists: one layer with "
    r"$N-1$ heads recognises PARITY for all $n\le N$ (run for $N=7$).",
    source=_AT,
    labels=("B19",),
    statement=ForAll(
        "the transformer's verdict is the parity",
        "N = 7: all 254 bit strings of length 1 to 7, one layer, 6 heads",
        words_up_to_seven,
        classified_rightly,
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    proof=r"""Head $h$ of the last position attends to position $h$, whatever the symbols are; with
its own symbol the last position then knows all $n\le N$ symbols of the word and can decide any
language. So the statement holds for every $N$ and every language, with $N-1$ heads.""",
)

B19_GROWS = Claim(
    id="seeds.hahn.b19.grows",
    says=r"For fixed $L$ and $H$ PARITY fails from some length on, whatever the parameters: layers "
    r"or heads must grow with $N$.",
    source=_AT,
    labels=("B19",),
    statement=PARITY.statement,
    check=PARITY.check,
    expect=Verdict.PROVED,
    assumes=(PARITY.id,),
    twin=PARITY.twin,
    proof=r"""Theorem 1 assumes nothing about the parameters, so with $L$ and $H$ fixed no growth of
width or weights helps: the review's "layers, heads or parameters" is true, and for hard attention
layers or heads must grow.""",
)

Mapping = tuple[int, ...]
_IDENTITY: Mapping = (0, 1)
_SWAP: Mapping = (1, 0)


def _power(x: Mapping, times: int) -> Mapping:
    result = _IDENTITY
    for _ in range(times):
        result = tuple(x[state] for state in result)
    return result


def parity_monoid() -> Iterator[Mapping]:
    """Yield the transition monoid of the two-state automaton of PARITY ('0' stays, '1' swaps)."""
    yield from (_IDENTITY, _SWAP)


def has_a_cycle(x: Mapping) -> bool:
    """Ask whether x^m != x^(m+1) for every m: the powers of x repeat from m = 2 on."""
    return all(_power(x, m) != _power(x, m + 1) for m in range(4))


B20_PARITY = Claim(
    id="seeds.hahn.b20.parity",
    says="PARITY is regular and not counter-free: its transition monoid contains a group of order "
    "two.",
    source=_AT,
    labels=("B20",),
    statement=Exists(
        "an element of the transition monoid whose powers never settle",
        "the two-element transition monoid of PARITY",
        parity_monoid,
        has_a_cycle,
    ),
    check=exhaustive.decide(complete=True),
    expect=Verdict.PROVED,
    twin=Twin(
        "the swap (the automaton of $0^*$ on the same states)",
        Exists(
            "an element whose powers never settle", "the identity", lambda: [_IDENTITY], has_a_cycle
        ),
    ),
    proof=r"""Two states suffice, so PARITY is regular. The letter 1 swaps them: its powers
alternate and never settle, so the minimal automaton has a counter (McNaughton and Papert).""",
)


@dataclass(frozen=True, slots=True)
class States:
    """A claimed number of states of a finite automaton for 2DYCK."""

    states: int

    def __str__(self) -> str:
        return f"{self.states} states: '('^0, ..., '('^{self.states} are pairwise inequivalent"

    def merges_two_prefixes(self) -> bool:
        """Ask whether two of '('^0, ..., '('^states agree on all suffixes ')'^j."""
        rows = {
            tuple(i == j for j in range(self.states + 1))  # '('^i ')'^j is a member iff i = j
            for i in range(self.states + 1)
        }
        return len(rows) <= self.states


def numbers_of_states() -> Iterator[States]:
    """Yield claimed numbers of states, the largest first."""
    return (States(s) for s in range(40, 0, -1))


B20_BRACKETS_AS_STATED = Claim(
    id="seeds.hahn.b20.brackets.as_stated",
    says="2DYCK is a (non-counter-free) regular language: some finite automaton recognises it, so "
    "of any S + 1 prefixes two lead to the same state.",
    source=_AT,
    labels=("B20",),
    statement=ForAll(
        "two of the prefixes '('^0, ..., '('^S are equivalent",
        "claimed numbers of states S = 40, ..., 1",
        numbers_of_states,
        States.merges_two_prefixes,
    ),
    check=exhaustive.decide(),
    expect=Verdict.REFUTED,
    difference="2DYCK is context-free and not regular: the prefixes '('^i are pairwise "
    "inequivalent, so no finite number of states is enough.",
)

opened, closed = sp.symbols("i j", integer=True, nonnegative=True)
_COUNTS = {opened: Integers(0), closed: Integers(0)}

B20_BRACKETS = Claim(
    id="seeds.hahn.b20.brackets.repaired",
    says=r"2DYCK is not regular: '('$^i$')'$^j$ is a member iff $i=j$, so the prefixes '('$^i$ are "
    r"pairwise inequivalent.",
    source=_AT,
    labels=("B20",),
    kind=Kind.REPAIRED,
    repairs=B20_BRACKETS_AS_STATED.id,
    difference="Not regular; context-free.",
    statement=Inequality(
        opened - closed, "!=", sp.Integer(0), _COUNTS, (Relation(opened, "!=", closed),)
    ),
    check=smt.decide(),
    expect=Verdict.PROVED,
    twin=Twin(r"$i\ne j$", Inequality(opened - closed, "!=", sp.Integer(0), _COUNTS)),
    proof=r"""The word '('$^i$')'$^j$ ends at height $i-j$; it is well-bracketed iff that is 0. So for
$i\ne i'$ the suffix ')'$^i$ separates '('$^i$ from '('$^{i'}$: infinitely many classes of the
Myhill-Nerode relation, hence no finite automaton.""",
)
