r"""R6: programs foretell where restricted attention fails.

Two readings are kept apart.  A *program* fails under a restriction if cutting its heads down to the
allowed positions changes its result; a witness is an input.  A *function* is out of reach of every
program with some number of layers if information cannot travel far enough; windows and blocks
bound that distance, strides do not, which is why no claim is made for them.

Main statements: PROGRAMS (R6), CAUSAL (R6), WINDOW (R6), BLOCK (R6).

References
----------
Weiss, Goldberg & Yahav (2021), section 6 [weiss2021].
"""

from collections.abc import Iterator
from dataclasses import dataclass

import sympy as sp

from claims import OWN, WEISS, Claim, ForAll, Inequality, Integers, Kind, Relation, Twin, Verdict
from proofs.checkers import exhaustive, smt
from proofs.weiss2021.programs import paper_programs
from rasp.profiles import Profile, survives

LENGTH = 4
ALPHABETS = {"reverse": "ab", "hist_nobos": "ab", "sort_bos": "ab", "dyck1_ptf": "()"}
LOCAL = (Profile("window", 1), Profile("block", 2))


@dataclass(frozen=True, slots=True)
class Cut:
    """A program under a profile."""

    program: str
    profile: Profile

    def __str__(self) -> str:
        return f"{self.program} under {self.profile}"

    def survives(self) -> bool:
        """Return whether the result stays the same on all inputs up to the length."""
        alphabet = ALPHABETS[self.program]
        return survives(paper_programs()[self.program], self.profile, alphabet, up_to=LENGTH).equal


def _local() -> Iterator[Cut]:
    return (Cut(program, profile) for program in sorted(ALPHABETS) for profile in LOCAL)


def _breaks(cut: Cut) -> bool:
    return not cut.survives()


def _causal() -> Iterator[Cut]:
    return (Cut(program, Profile("causal")) for program in sorted(ALPHABETS))


def _as_predicted(cut: Cut) -> bool:
    return cut.survives() == (cut.program == "dyck1_ptf")


PROGRAMS = Claim(
    id="weiss2021.r6.programs",
    says=r"Reverse, histogram, sort and Dyck-1 all change under a window of 1 and under blocks of 2.",
    source=WEISS.at("section 6"),
    labels=("R6",),
    statement=ForAll(
        "some input up to the length changes its result when heads are cut down to the profile",
        f"four programs, a window of 1 and blocks of 2, inputs up to length {LENGTH}",
        _local,
        _breaks,
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
)

CAUSAL = Claim(
    id="weiss2021.r6.causal",
    says=r"Under causal attention Dyck-1 survives, and reverse, histogram and sort do not.",
    source=WEISS.at("section 6"),
    labels=("R6",),
    statement=ForAll(
        "the program survives iff it is Dyck-1",
        f"four programs under causal attention, inputs up to length {LENGTH}",
        _causal,
        _as_predicted,
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
)

layers, window, reach, distance = sp.symbols("L w r d", integer=True, nonnegative=True)
_DOMAIN = {layers: Integers(1), window: Integers(1), reach: Integers(0), distance: Integers(0)}
_BEFORE = Relation(reach, "<=", (layers - 1) * window)
_STEP = Relation(distance, "<=", reach + window)

WINDOW = Claim(
    id="weiss2021.r6.window",
    says=r"Under a window of $w$, a value after $L$ layers depends on tokens at distance at most "
    r"$Lw$; hence no program of $L$ layers reverses or sorts inputs longer than $Lw+1$.",
    source=OWN.at("RASP profiles"),
    kind=Kind.OWN,
    labels=("R6",),
    statement=Inequality(distance, "<=", layers * window, _DOMAIN, (_BEFORE, _STEP)),
    check=smt.decide(),
    expect=Verdict.PROVED,
    twin=Twin(
        r"that a layer looks no further than $w$",
        Inequality(distance, "<=", layers * window, _DOMAIN, (_BEFORE,)),
    ),
    proof=r"""The inequality is the induction step. Before layer $L$ a value at position $j$ depends
on tokens at distance $r\le(L-1)w$ from $j$; elementwise operations keep this. A head at $i$ reads
positions $j$ with $|i-j|\le w$: their values, and the keys compared; its result depends on tokens at
distance at most $r+w\le Lw$. With no layer a value depends on its own token, $r=0$. The first output
of reverse is the last token, at distance $n-1$; the first output of sort changes when the last token
becomes the smallest. For $n>Lw+1$ both are out of reach.""",
)

block, query, key = sp.symbols("B i j", integer=True, nonnegative=True)

BLOCK = Claim(
    id="weiss2021.r6.block",
    says=r"Within blocks of $B$ no number of layers lets a position of the first block depend on a "
    r"token of a later one; hence no program reverses or sorts inputs longer than $B$.",
    source=OWN.at("RASP profiles"),
    kind=Kind.OWN,
    labels=("R6",),
    statement=Inequality(
        key,
        "<",
        block,
        {block: Integers(1), query: Integers(0), key: Integers(0)},
        (Relation(query, "<", block), Relation(key, "<=", query + (block - 1 - query))),
    ),
    check=smt.decide(),
    expect=Verdict.PROVED,
    twin=Twin(
        "that the key lies in the block of the query",
        Inequality(
            key,
            "<",
            block,
            {block: Integers(1), query: Integers(0), key: Integers(0)},
            (Relation(query, "<", block),),
        ),
    ),
    proof=r"""A head at a position $i<B$ reads only positions $j$ of the same block, that is $j\le B-1$:
the set of positions $0,\dots,B-1$ is closed under what a layer reads, so by induction values there
depend on tokens there, after any number of layers. The first outputs of reverse and sort depend on
the last token, which lies outside for $n>B$.""",
)
