r"""Corollary 2: PARITY and 2DYCK are out of reach; the bracket argument needs a careful reading.

For brackets the paper fixes the first and last fifth of the word and then "applies Theorem 1 with
C = 0.9".  Read literally this is impossible, since only 0.6 n inputs are free; read relative to
those, it works: at most 0.06 n further symbols are fixed, and up to 0.2 n fixed symbols of the
middle always leave both a well-bracketed completion and another one.

Main statements: PARITY (T2), BRACKETS_AS_STATED, BRACKETS (T2), COMPLETABLE, COMPLETABLE_ARGUMENT.

References
----------
Hahn (2020), Corollary 2 [hahn2020].
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import sympy as sp

from bounds.reduction import dyck
from bounds.reduction.symbols import C, c, domains, n
from claims import HAHN, OWN, Claim, ForAll, Inequality, Integers, Kind, Relation, Twin, Verdict
from proofs.checkers import exhaustive, smt

_AT = HAHN.at("Corollary 2")
free = sp.Symbol("m", integer=True, nonnegative=True)
prefix = sp.Symbol("p", integer=True, nonnegative=True)
fixed = sp.Symbol("b", integer=True, nonnegative=True)
closed = sp.Symbol("d", integer=True, nonnegative=True)

_MORE_THAN_C = Relation(n, ">", c / C)

PARITY = Claim(
    id="hahn2020.corollary2.parity",
    says=r"No hard-attention transformer recognises PARITY.",
    source=_AT,
    labels=("T2",),
    statement=Inequality(C * n, ">", c, domains(C * n * c), (_MORE_THAN_C,)),
    check=smt.decide(),
    expect=Verdict.PROVED,
    assumes=("hahn2020.theorem1",),
    twin=Twin(r"that $n>c/C$", Inequality(C * n, ">", c, domains(C * n * c))),
    proof=r"""Take any $C\in(0,1)$ and $n>c/C$, large enough for Theorem 1. More than $c$ inputs are
free, so some free input does not influence the restricted output. Flipping it changes the parity of
the word and leaves the output as it is: one of the two words is classified wrongly.""",
)

_MIDDLE = 1 - 2 * dyck.PUBLISHED_PREFIX_SHARE
_LITERAL = Relation(free, "<=", _MIDDLE * n)

BRACKETS_AS_STATED = Claim(
    id="hahn2020.corollary2.brackets.as_stated",
    says=r"After fixing the first and last $0.2n$ symbols, Theorem 1 with $C=0.9$ leaves $0.9n$ "
    r"inputs free.",
    source=_AT,
    labels=("T2",),
    statement=Inequality(
        free,
        ">=",
        dyck.PUBLISHED_SHARE * n,
        {n: Integers(10), free: Integers(0)},
        (_LITERAL, Relation(free, ">=", _MIDDLE * n)),
    ),
    check=smt.decide(),
    expect=Verdict.REFUTED,
    difference=r"Only $0.6n$ inputs are free once both fifths are fixed, and a restriction chosen "
    r"for the unrestricted network may contradict them. Start Lemma 4 from the $0.6n$ free inputs "
    r"and read $0.9$ relative to these.",
)

_SHARE = {n: Integers(1), fixed: Integers(0)}
_RELATIVE = Relation(fixed, "<=", (1 - dyck.PUBLISHED_SHARE) * _MIDDLE * n)


def _within(*given: Relation) -> Inequality:
    return Inequality(fixed, "<=", dyck.PUBLISHED_PREFIX_SHARE * n, _SHARE, given)


BRACKETS = Claim(
    id="hahn2020.corollary2.brackets.repaired",
    says=r"No hard-attention transformer recognises 1DYCK, hence none recognises 2DYCK: starting "
    r"Lemma 4 from the $0.6n$ free inputs, at most $0.06n\le0.2n$ of them get fixed.",
    source=_AT,
    labels=("T2",),
    kind=Kind.REPAIRED,
    repairs=BRACKETS_AS_STATED.id,
    difference=r"$C=0.9$ is read relative to the $0.6n$ symbols of the middle, and $n$ is even.",
    statement=_within(_RELATIVE),
    check=smt.decide(),
    expect=Verdict.PROVED,
    assumes=(
        "hahn2020.lemma4",
        "hahn2020.corollary2.completable",
        "hahn2020.corollary2.completable.argument",
    ),
    twin=Twin("the share kept by Theorem 1 (here nothing is kept)", _within()),
    proof=r"""Let $n$ be even and large. Fix the first $\lfloor0.2n\rfloor$ symbols to '(' and as many
at the end to ')'. Apply Lemma 4 once per layer, starting from these restrictions, so that at least
$0.9$ of the middle stays free: at most $0.06n$ middle symbols get fixed and the output depends on at
most $c$ of the free ones. Fixing these $c$ as well keeps the total below $0.2n$ for large $n$, and
the output is constant. By the completion argument some completion is well-bracketed; flipping one
free symbol of it destroys the balance. Both words get the same answer. For 2DYCK use one kind of
bracket.""",
)


@dataclass(frozen=True, slots=True)
class Fixing:
    """Some symbols of the middle, fixed; '*' is free; ``p`` brackets are forced at either end."""

    p: int
    middle: str

    def __str__(self) -> str:
        return f"{'(' * self.p} {self.middle} {')' * self.p}"

    def completions(self) -> Iterator[bool]:
        """Yield for each completion whether it is well-bracketed."""
        gaps = [i for i, s in enumerate(self.middle) if s == "*"]
        for bits in itertools.product("()", repeat=len(gaps)):
            word = list(self.middle)
            for place, bit in zip(gaps, bits, strict=True):
                word[place] = bit
            yield _balanced("(" * self.p + "".join(word) + ")" * self.p)


def _balanced(word: str) -> bool:
    height = 0
    for symbol in word:
        height += 1 if symbol == "(" else -1
        if height < 0:
            return False
    return height == 0


def fixings() -> Iterator[Fixing]:
    """Yield every way to fix up to p of the n - 2p middle symbols, for even n with p <= n/4."""
    for length in (4, 8, 10, 12):
        p = length // 5 or 1
        inside = length - 2 * p
        for places in itertools.chain.from_iterable(
            itertools.combinations(range(inside), b) for b in range(p + 1)
        ):
            for bits in itertools.product("()", repeat=len(places)):
                middle = ["*"] * inside
                for place, bit in zip(places, bits, strict=True):
                    middle[place] = bit
                yield Fixing(p, "".join(middle))


def both_ways(fixing: Fixing) -> bool:
    """Check that some completion is well-bracketed and some is not."""
    outcomes = set(fixing.completions())
    return outcomes == {True, False}


COMPLETABLE = Claim(
    id="hahn2020.corollary2.completable",
    says=r"Any $b\le p$ fixed symbols of the middle leave a well-bracketed completion and another.",
    source=_AT,
    labels=("T2",),
    kind=Kind.OWN,
    statement=ForAll(
        "a well-bracketed and another completion exist",
        "even n = 4, 8, 10, 12, p = n/5 rounded down (1 for n = 4), all fixings of up to p symbols",
        fixings,
        both_ways,
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
)

_HEIGHT = {prefix: Integers(0), fixed: Integers(0), closed: Integers(0)}
_FEW = Relation(closed, "<=", fixed)

COMPLETABLE_ARGUMENT = Claim(
    id="hahn2020.corollary2.completable.argument",
    says=r"Filling the earliest free places with '(' and the rest with ')' never goes below "
    r"height $p-b\ge0$.",
    source=OWN.at("1DYCK arithmetic"),
    labels=("T2",),
    kind=Kind.OWN,
    statement=Inequality(
        prefix - closed, ">=", sp.Integer(0), _HEIGHT, (_FEW, Relation(fixed, "<=", prefix))
    ),
    check=smt.decide(),
    expect=Verdict.PROVED,
    twin=Twin(r"$b\le p$", Inequality(prefix - closed, ">=", sp.Integer(0), _HEIGHT, (_FEW,))),
    proof=r"""Let the middle have $m=n-2p$ symbols, $m$ even, $b\le\min(p,m/2)$ of them fixed. Choose
the free ones so that half of the middle is '(': possible since $b\le m/2$. Put the '(' into the
earliest free places. While free '(' are placed, the height is at least $p$ minus the number of fixed
')' so far, hence at least $p-b\ge0$. Afterwards all free places hold ')': read backwards from the
final height $p$, the height is at least $p$ minus the number of fixed '(' to come, again at least
$p-b$. The forced ends bring it from 0 and back to 0. Flipping a free symbol of this word changes the
number of '(' and so breaks the balance. For $p\le n/4$ the condition $b\le m/2$ follows from
$b\le p$.""",
)
