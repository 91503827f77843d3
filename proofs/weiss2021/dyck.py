r"""R5: for every k there is a RASP program for Dyck-k, here with three layers of one head.

The program classifies every prefix as balanced (T), balanceable (P) or beyond repair (F).  It is
compared with a stack on all words up to a length for k = 1 … 6.  A word of length n names at most n
kinds of brackets, and the program treats kinds alike, so the words that number their kinds in order
of appearance stand for all words of that length and every k.

Main statements: DYCK_UP_TO_SIX (R5), DYCK_ALL_KINDS (R5), WITHOUT_LEVELS.

References
----------
Weiss, Goldberg & Yahav (2021), section 4 [weiss2021].
"""

from collections.abc import Iterable, Iterator
from itertools import product

from claims import WEISS, Claim, Exists, ForAll, Kind, Verdict
from proofs.checkers import exhaustive
from proofs.weiss2021.programs import BRACKETS, dyck_prefixes, dyck_program

LONGEST = {1: 9, 2: 5, 3: 4, 4: 3, 5: 3, 6: 3}
CANONICAL = 5


def _words() -> Iterator[tuple[int, str]]:
    for kinds, longest in LONGEST.items():
        letters = "".join(BRACKETS[:kinds])
        for length in range(1, longest + 1):
            for word in product(letters, repeat=length):
                yield kinds, "".join(word)


def _agrees(case: tuple[int, str]) -> bool:
    kinds, word = case
    return dyck_program(kinds)(word) == dyck_prefixes(word, kinds)


def _canonical() -> Iterator[tuple[int, str]]:
    for length in range(1, CANONICAL + 1):
        for kinds in _growth(length):
            for sides in product((0, 1), repeat=length):
                word = "".join(BRACKETS[k][side] for k, side in zip(kinds, sides, strict=True))
                yield CANONICAL, word


def _growth(length: int) -> Iterator[tuple[int, ...]]:
    """Yield the sequences in which every number is at most one more than all before it."""

    def extend(prefix: tuple[int, ...], top: int) -> Iterator[tuple[int, ...]]:
        if len(prefix) == length:
            yield prefix
            return
        for following in range(top + 2):
            yield from extend((*prefix, following), max(top, following))

    yield from extend((), -1)


DYCK_UP_TO_SIX = Claim(
    id="weiss2021.r5.up_to_six",
    says=r"For $k=1,\dots,6$ a program of three layers with one head classifies every prefix of "
    r"every bracket word correctly.",
    source=WEISS.at("section 4, Dyck-k"),
    labels=("R5",),
    statement=ForAll(
        "the program agrees with a stack on every prefix",
        "all words over k kinds up to length "
        + ", ".join(f"{n} (k={k})" for k, n in LONGEST.items()),
        _words,
        _agrees,
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
)

DYCK_ALL_KINDS = Claim(
    id="weiss2021.r5.all_kinds",
    says=r"The program classifies every prefix correctly for every number $k$ of kinds, on words "
    rf"of length up to {CANONICAL}.",
    source=WEISS.at("section 4, Dyck-k"),
    labels=("R5",),
    statement=ForAll(
        "the program agrees with a stack on every prefix",
        f"all words up to length {CANONICAL} whose kinds are numbered in order of appearance",
        _canonical,
        _agrees,
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    proof=r"""Longer words, for every $k$. Let the level of an opening bracket be the depth after it
and the level of a closing bracket the depth before it, where the depth counts openings minus
closings over the prefix, whatever their kinds; the first layer computes it as $(i+1)$ times a mean.
Suppose the depth was never negative so far, and let a closing bracket at $i$ have level $d\ge1$.
Depth moves by one per bracket, so the last opening bracket at level $d$ before $i$, at $j$ say,
exists, and between $j$ and $i$ the depth never falls below $d$: it could return to $d$ only by
another opening bracket at level $d$. Hence $j$ is the bracket that a stack would pop at $i$. The
second layer fetches its token, the latest among opening brackets of equal level, and compares kinds.
The prefix is beyond repair iff some closing bracket so far met another kind or the depth was
negative at some point; the third layer averages that. At the first violation everything before it
was sound, so the argument applies up to it, and after it the answer stays F.""",
)


def _flat(word: str) -> list[str]:
    """Classify by depth alone, as if all kinds were one."""
    depth, broken, out = 0, False, []
    for letter in word:
        depth += 1 if any(letter == pair[0] for pair in BRACKETS) else -1
        broken = broken or depth < 0
        out.append("F" if broken else "P" if depth else "T")
    return out


def _separated(case: tuple[int, str]) -> bool:
    kinds, word = case
    return dyck_program(kinds)(word) != _flat(word)


def _two_kinds() -> Iterable[tuple[int, str]]:
    return ((2, "".join(word)) for word in product("(){}", repeat=2))


WITHOUT_LEVELS = Claim(
    id="weiss2021.r5.depth_alone_fails",
    says=r"Depth alone, which two layers compute, does not classify Dyck-2: some word of length 2 "
    r"separates the program from it.",
    source=WEISS.at("section 4, Dyck-k"),
    kind=Kind.OWN,
    labels=("R5",),
    statement=Exists(
        "the program and the count of depth differ",
        "all words of length 2 over two kinds of brackets",
        _two_kinds,
        _separated,
    ),
    check=exhaustive.decide(),
    expect=Verdict.PROVED,
    no_twin="an existence statement: its witness is replayed",
)
