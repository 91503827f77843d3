"""Frames of Dyck words: when a balanced middle makes a member, and how often it does not."""

from collections.abc import Iterator
from itertools import combinations
from math import comb

from claims import Claim, ForAll, Kind, Twin, Verdict
from claims.source import OWN
from proofs.checkers import exhaustive

Frame = tuple[int, tuple[int, ...]]


def _words() -> Iterator[Frame]:
    for m in (2, 4, 6, 8):
        for ones in combinations(range(m), m // 2):
            middle = tuple(1 if i in ones else -1 for i in range(m))
            yield from ((a, middle) for a in range(1, m // 2 + 1))


def _lowest(middle: tuple[int, ...]) -> int:
    height = low = 0
    for step in middle:
        height += step
        low = min(low, height)
    return low


def _member(word: tuple[int, ...]) -> bool:
    return sum(word) == 0 and _lowest(word) >= 0


def _framed(case: Frame) -> bool:
    a, middle = case
    return _lowest(middle) < -a or _member((1,) * a + middle + (-1,) * a)


FRAME = Claim(
    id="limits.dyck.frame",
    says=r"$a$ opening brackets, a balanced middle that never dips below $-a$, and $a$ closing"
    r" brackets form a Dyck word.",
    source=OWN.at("explicit limits, frame"),
    statement=ForAll("the word is a member", "balanced middles of length <= 8", _words, _framed),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    twin=Twin(
        "that the middle does not dip",
        ForAll(
            "the word is a member",
            "balanced middles of length <= 8",
            _words,
            lambda c: _member((1,) * c[0] + c[1] + (-1,) * c[0]),
        ),
    ),
)


def _bridges() -> Iterator[tuple[int, int, int]]:
    for m in range(1, 10):
        for ones in range(m + 1):
            yield from ((m, ones, b) for b in range(m + 1) if 2 * ones - m >= -(b + 1))


def _reflected(case: tuple[int, int, int]) -> bool:
    m, ones, b = case
    dips = sum(
        _lowest(tuple(1 if i in places else -1 for i in range(m))) < -b
        for places in combinations(range(m), ones)
    )
    return dips == (comb(m, ones + b + 1) if ones + b + 1 <= m else 0)


REFLECTION = Claim(
    id="limits.dyck.reflection",
    says=r"Of the $\binom{M}{o}$ sequences of $o$ up and $M - o$ down steps exactly"
    r" $\binom{M}{o+b+1}$ dip below $-b$, if $2o - M \ge -b-1$.",
    source=OWN.at("explicit limits, frame"),
    statement=ForAll("the count is the binomial", "M <= 9", _bridges, _reflected),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
)
