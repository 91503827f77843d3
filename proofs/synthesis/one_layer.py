r"""One layer: how far each language reaches, by certificates, and the patterns behind.

Main statements: PARITY_PATTERN, MOD_PATTERN, MAJORITY_PATTERN, DYCK_PATTERN, UNBOUNDED, and one claim a row.
"""

from collections.abc import Iterator
from functools import partial
from itertools import product

import numpy as np

from claims import OWN, Claim, ForAll, Kind, Verdict
from proofs.checkers import exhaustive
from proofs.synthesis.rows import claim_of
from synthesis.adversary import adversary_wins
from synthesis.machine import ListKey, Machine, Pair, RowKey
from synthesis.spec import Spec


def pattern(
    names: tuple[str, ...], extra: tuple[int, ...], factor: int, top: int
) -> Iterator[Spec]:
    """Yield, for 1 .. ``top`` heads, the first length that the pattern excludes."""
    for name, more in zip(names, extra, strict=True):
        for heads in range(1, top + 1):
            yield Spec(name, factor * heads + more, 1, heads)


def majorities() -> Iterator[Spec]:
    """Yield, for 1 .. 3 heads, the two lengths from which MAJORITY is excluded."""
    for heads in range(1, 4):
        for n in (2 * heads + 2, 2 * heads + 3):
            yield Spec("majority", n, 1, heads)


def parity_reads(heads: int) -> bool:
    """Return whether reading H positions and its own one decides PARITY of H + 1 bits."""
    spec, last = Spec("parity", heads + 1, 1, heads), heads
    ranks: dict[ListKey, tuple[Pair, ...]] = {
        (1, head, last, own): ((head, 0), (head, 1))
        for head, own in product(range(heads), range(2))
    }
    rows = {
        (1, last, own, tuple(enumerate(bits))): 1
        for own, *bits in product(range(2), repeat=heads + 1)
        if (own + sum(bits)) % 2 == 0
    }
    return not Machine(spec, 2, ranks, rows).mistakes()


def one_list(case: tuple[str, int]) -> bool:
    """Return whether one head that looks for a decisive literal decides FIRST or 1* at n >= 2."""
    name, n = case
    last = n - 1
    ranks: dict[ListKey, tuple[Pair, ...]]
    rows: dict[RowKey, int]
    if name == "first":  # attend to position 0, whatever it holds
        ranks = {(1, 0, last, own): ((0, 0), (0, 1)) for own in range(2)}
        rows = {(1, last, own, ((0, 1),)): 1 for own in range(2)}
    else:  # attend to a 0 if there is one; the own symbol is known anyway
        zeros, ones = tuple((j, 0) for j in range(last)), tuple((j, 1) for j in range(last))
        ranks = {(1, 0, last, 1): zeros + ones}
        rows = {(1, last, 1, (pair,)): 1 for pair in ones}
    machine = Machine(Spec(name, n, 1, 1), 2, ranks, rows)
    words = np.array(list(machine.spec.inputs()), dtype=np.uint8)
    return bool((machine.run_all(words) == machine.spec.target.members(words)).all())


PARITY_PATTERN = Claim(
    id="synthesis.one_layer.parity",
    says=r"With one layer and $H$ heads PARITY is decided exactly up to $n=H+1$.",
    source=OWN.at("synthesis, one layer"),
    statement=ForAll(
        "the adversary wins at $H+2$",
        "H = 1..6 heads, every ranking of every head",
        partial(pattern, ("parity",), (2,), 1, 6),
        adversary_wins,
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    assumes=("synthesis.one_layer.parity.reading",),
    proof=r"""For every $H$: fix the last bit, then for each head in turn the first literal of its
ranking that the bits fixed so far allow. At most $H+1$ bits are fixed, every head attends to a
fixed literal, and at $n\ge H+2$ one bit is free and changes the parity but not the output. At
$n=H+1$ the heads read the $H$ other positions.""",
)

PARITY_READING = Claim(
    id="synthesis.one_layer.parity.reading",
    says=r"With one layer and $H$ heads PARITY of $H+1$ bits is decided by reading them.",
    source=OWN.at("synthesis, one layer"),
    statement=ForAll("it is right on all words", "H = 1..8", lambda: range(1, 9), parity_reads),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    proof=r"Head $h$ ranks both literals of position $h$ first; the table is the parity.",
)

MOD_PATTERN = Claim(
    id="synthesis.one_layer.modulus",
    says=r"With one layer and $H$ heads MOD-$m$ is not decided at any $n\ge H+m$.",
    source=OWN.at("synthesis, one layer"),
    statement=ForAll(
        "the adversary wins at $H+m$",
        "m = 2..5, H = 1..4 heads, every ranking of every head",
        partial(pattern, ("mod2", "mod3", "mod4", "mod5"), (2, 3, 4, 5), 1, 4),
        adversary_wins,
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    proof=r"""For every $H$ and $m$: the adversary of one layer fixes at most $H+1$ bits and makes
the output constant. At $n\ge H+m$ at least $m-1$ bits stay free, so the number of ones runs through
$m$ consecutive values, exactly one of which is divisible by $m$: membership is not constant.""",
)

MAJORITY_PATTERN = Claim(
    id="synthesis.one_layer.majority",
    says=r"With one layer and $H$ heads MAJORITY is not decided at any $n\ge2H+2$.",
    source=OWN.at("synthesis, one layer"),
    statement=ForAll(
        "the adversary wins at $2H+2$ and $2H+3$",
        "H = 1..3 heads, every ranking of every head",
        majorities,
        adversary_wins,
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    proof=r"""For every $H$: fix the last bit to 1, then for each head in turn the first literal of its
ranking that the bits fixed so far allow; say $k\le H$ of them become 1 and at most $H-k$ become 0.
The output is now constant. With 0 on all free bits there are $1+k\le H+1\le n/2$ ones, no majority;
with 1 on all free bits there are at least $n-(H-k)\ge n-H>n/2$ ones, a majority.""",
)

DYCK_PATTERN = Claim(
    id="synthesis.one_layer.dyck1",
    says=r"With one layer and $H$ heads 1DYCK, hence 2DYCK, is not decided at any even "
    r"$n\ge 2H+2$.",
    source=OWN.at("synthesis, one layer"),
    statement=ForAll(
        "the adversary wins at $2H+2$",
        "H = 1..4 heads, every ranking of every head",
        partial(pattern, ("dyck1",), (2,), 2, 4),
        adversary_wins,
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    proof=r"""By induction on $H$: fix $x_1$ to "(" and $x_n$ to ")", $n=2H+2$. For $H=1$ the word is
$(\,x_2x_3\,)$ and belongs to the language iff $x_2\ne x_3$, so after one more symbol is set
membership still depends on the other. For $H\ge2$ let the first head's first possible literal set
$x_i$ (if it only names a fixed symbol the head is constant already, and a further symbol is
spared). If $x_i$ is "(" and $i+1<n$, set $x_{i+1}$ to ")"; if $i+1=n$, the pair is $x_{n-1}x_n$
and $x_{n-2}$ becomes the new ")" at the end. If $x_i$ is ")", pair it with $x_{i-1}$, or for $i=2$
with $x_1$, and $x_3$ becomes the new "(" at the start. Dropping the matched pair changes no
membership and leaves the frame at length $2(H-1)+2$ with $H-1$ heads. Longer words: prefix "()".
2DYCK restricted to one type of bracket is 1DYCK.""",
)

UNBOUNDED = Claim(
    id="synthesis.one_layer.unbounded",
    says=r"With one layer and one head FIRST and $1^*$ are decided at every length.",
    source=OWN.at("synthesis, one layer"),
    statement=ForAll(
        "the machine is right on all words",
        "FIRST and 1*, n = 2..12",
        lambda: product(("first", "ones"), range(2, 13)),
        one_list,
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    proof=r"""FIRST: attend to position 1. $1^*$: attend to any 0 first; the attended symbol and the
own one are both 1 iff no symbol is 0. The construction does not depend on $n$.""",
)

PARITY_1 = claim_of("parity.l1h1")
PARITY_2 = claim_of("parity.l1h2")
PARITY_3 = claim_of("parity.l1h3")
PARITY_4 = claim_of("parity.l1h4")
MOD3_1 = claim_of("mod3.l1h1")
MOD3_2 = claim_of("mod3.l1h2")
MOD3_3 = claim_of("mod3.l1h3")
MOD3_4 = claim_of("mod3.l1h4")
MAJORITY_1 = claim_of("majority.l1h1")
MAJORITY_2 = claim_of("majority.l1h2")
MAJORITY_3 = claim_of("majority.l1h3")
MAJORITY_4 = claim_of("majority.l1h4")
DYCK1_1 = claim_of("dyck1.l1h1")
DYCK1_2 = claim_of("dyck1.l1h2")
DYCK1_3 = claim_of("dyck1.l1h3")
DYCK1_4 = claim_of("dyck1.l1h4")
DYCK2_1 = claim_of("dyck2.l1h1")
DYCK2_2 = claim_of("dyck2.l1h2")
DYCK2_3 = claim_of("dyck2.l1h3")
FIRST = claim_of("first.l1h1")
ONES = claim_of("ones.l1h1")
