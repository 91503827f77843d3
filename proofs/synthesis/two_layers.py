r"""Two layers, one head: PARITY stops at 5, at 6, and never at $(H+1)^L = 4$.

Main statements: POWER_CONJECTURE, PEELING, COUNTS, and one claim a row.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

from claims import OWN, Claim, ForAll, Kind, Verdict
from proofs.checkers import exhaustive
from proofs.synthesis.rows import claim_of
from synthesis.peeling import exact, relaxed
from synthesis.spec import Spec
from synthesis.stored import certified


@final
@dataclass(frozen=True, slots=True)
class Length:
    """A word length beyond (H+1)^L for causal attention with L layers, H heads, 2 symbols."""

    layers: int
    heads: int
    n: int

    def __str__(self) -> str:
        return f"L = {self.layers}, H = {self.heads}, n = {self.n}"


def beyond_the_power() -> Iterator[Length]:
    """Yield the first lengths beyond (H+1)^L."""
    yield Length(1, 1, 3)
    yield Length(1, 2, 4)
    yield Length(2, 1, 5)


def is_out_of_reach(case: Length) -> bool:
    """Return whether no transformer of the size decides PARITY at this length."""
    return certified(Spec("parity", case.n, case.layers, case.heads), "impossible")


def peeled(m: int) -> bool:
    """Return whether every case of the relaxed peeling of the m-cube gets stuck."""
    done = relaxed(m)
    return done.cases == 120 * 192 * 192 and done.closed == 0


def counted(case: tuple[int, int, int]) -> bool:
    """Return whether exact peeling counts what it should."""
    m, cases, closed = case
    done = exact(m)
    return (done.cases, done.closed) == (cases, closed) and relaxed(max(2, m)).closed > 0


POWER_CONJECTURE = Claim(
    id="synthesis.power_conjecture",
    says=r"Hard attention with $L$ layers and $H$ heads decides PARITY of no more than "
    r"$(H+1)^L$ bits.",
    source=OWN.at("synthesis, two layers"),
    statement=ForAll(
        "PARITY is out of reach there",
        "the first length beyond $(H+1)^L$ for $(L,H)$ = (1,1), (1,2), (2,1)",
        beyond_the_power,
        is_out_of_reach,
    ),
    check=exhaustive.decide(),
    expect=Verdict.REFUTED,
    kind=Kind.OWN,
    difference="The choice of where to attend carries information beyond the attended value: "
    "with two layers and one head, causal, two symbols, PARITY of 5 bits is decided.",
    proof=r"""That position $i$ attends to the $r$-th literal of its ranking says that the $r-1$
literals before it are false, so some words are known completely by one position, and the second
layer can rank these first. Block trees reach $(H+1)^L$, so it is a lower bound only.""",
)

PEELING = Claim(
    id="synthesis.peeling",
    says=r"No lists close the 5-cube, so causal attention with two layers, one head and any number "
    r"of hidden symbols does not decide PARITY at any $n\ge7$.",
    source=OWN.at("synthesis, two layers"),
    statement=ForAll(
        "all 4,423,680 cases of the relaxed peeling get stuck",
        "m = 5: one outside list up to flips, two lists of the last bit, all earlier lists at once",
        lambda: (5,),
        peeled,
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    assumes=("synthesis.peeling.counts",),
    proof=r"""Reduction: fix $x_n$ and the first literal of the last position's list. The last
position then holds one value, so one ranking over the cells (position, own bit, attended literal)
of $m=n-2$ free positions and of one fixed position decides the parity of the free bits. A ranking
decides it iff the cube can be *closed*: take a cell in which all remaining words have one parity,
remove it, repeat; the order is irrelevant, since a cell that can be taken stays so. Smaller cells
close whatever larger ones close, so lists may be continued past a fixed literal. Relaxation: a
cell of any position but the last free one leaves the last bit open, so it can be taken only if of
each pair of neighbours across that bit at least one is gone; letting the other one vanish at once
closes at least as much. What remains is $5!\cdot(4!\,2^3)^2$ cases; none closes. Longer words: the
neutral prefix 0.""",
)

COUNTS = Claim(
    id="synthesis.peeling.counts",
    says=r"Up to flips, 88 of 96 families of lists close the 3-cube and 43,228 of 221,184 close "
    r"the 4-cube.",
    source=OWN.at("synthesis, two layers"),
    statement=ForAll(
        "the enumeration finds these numbers, and its relaxation does not exclude what exists",
        "m = 1..4, every family of lists up to flipping bits",
        lambda: ((1, 1, 1), (2, 2, 2), (3, 96, 88), (4, 221_184, 43_228)),
        counted,
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
)

PARITY_S2 = claim_of("parity.l2h1s2")
PARITY_S3 = claim_of("parity.l2h1s3")
PARITY_ANY = claim_of("parity.l2h1any")
MOD3_S2 = claim_of("mod3.l2h1s2")
MOD3_S3 = claim_of("mod3.l2h1s3")
MOD3_ANY = claim_of("mod3.l2h1any")
MAJORITY_S2 = claim_of("majority.l2h1s2")
MAJORITY_ANY = claim_of("majority.l2h1any")
DYCK1_S2 = claim_of("dyck1.l2h1s2")
DYCK2_S2 = claim_of("dyck2.l2h1s2")
DYCK2_ANY = claim_of("dyck2.l2h1any")
PARITY_FULL_S2 = claim_of("parity.l2h1s2full")
MOD3_FULL_S2 = claim_of("mod3.l2h1s2full")
PARITY_FULL_ANY = claim_of("parity.l2h1anyfull")
