"""Two layers with one head do not compute PARITY of 12 bits: 21 lists do not close the 10-cube."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from bounds.limits.closing_count import needed, pairs, per_list
from claims import Claim, ForAll, Kind, Twin, Verdict
from claims.source import OWN
from proofs.checkers import exhaustive

Square = tuple[int, ...]  # for corner v of a 4-cycle: 1 if v comes before v + 1


def _squares() -> Iterator[Square]:
    """Yield the orientations of a square without a cycle."""
    for edges in product((0, 1), repeat=4):
        if 0 < sum(edges) < 4:
            yield edges


def _outs(edges: Square) -> list[int]:
    return [edges[v] + (1 - edges[v - 1]) for v in range(4)]


def _one_or_two(edges: Square) -> bool:
    """Return whether there are as many sources as sinks, one or two opposite ones."""
    outs = _outs(edges)
    sources, sinks = outs.count(2), outs.count(0)
    opposite = outs[0] == outs[2] and outs[1] == outs[3]
    return sources == sinks and (sources == 1 or (sources == 2 and opposite))


SQUARES = Claim(
    id="limits.machine.squares",
    says=r"Orient the edges of a square without a cycle: it has one source and one sink, or two"
    r" opposite sources and two opposite sinks.",
    source=OWN.at("explicit limits, machines"),
    statement=ForAll("one or two sources", "all 14 orientations", _squares, _one_or_two),
    check=exhaustive.decide(complete=True),
    expect=Verdict.PROVED,
    kind=Kind.OWN,
    twin=Twin(
        "no cycle",
        ForAll(
            "one or two sources",
            "all 16 orientations",
            lambda: product((0, 1), repeat=4),
            _one_or_two,
        ),
    ),
)


def _sets() -> Iterator[tuple[int, tuple[int, ...]]]:
    for c in range(1, 5):
        even = [x for x in range(1 << c) if x.bit_count() % 2 == 0]
        for chosen in product((0, 1), repeat=len(even)):
            yield c, tuple(x for x, b in zip(even, chosen, strict=True) if b)


def _pairs_in(points: tuple[int, ...]) -> int:
    return sum((x ^ y).bit_count() == 2 for x in points for y in points if x < y)


PAIRS = Claim(
    id="limits.machine.pairs",
    says=r"$r$ points of one parity of a $c$-cube contain at least as many pairs at distance 2 as if"
    r" their $cr$ edges were shared equally by the $2^{c-1}$ points of the other parity.",
    source=OWN.at("explicit limits, machines"),
    statement=ForAll(
        "no set has fewer pairs",
        "all sets of points of one parity, c <= 4",
        _sets,
        lambda case: _pairs_in(case[1]) >= pairs(case[0], len(case[1])),
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    proof=r"""Let a point of the other parity have $n_a$ of the $r$ points as neighbours.  Then $\sum_a n_a
= cr$, and two points at distance 2 have exactly two common neighbours, so $\sum_a \binom{n_a}{2}$ is
twice the number of pairs.  Moving one from a larger to a smaller $n_a$ that differ by two or more
lowers the sum, so equal shares give the least.""",
)

_PRICE = Fraction(1)


def _too_few(lists: int) -> bool:
    return lists * per_list(10, _PRICE) < needed(10, _PRICE)


TWELVE = Claim(
    id="limits.machine.no_twelve",
    says=r"No 21 lists (nor 23) close the 10-cube.  Hence two layers with one head do not compute"
    r" PARITY of 12 bits, nor of more: $n_0(2,1) \le 12$.",
    source=OWN.at("explicit limits, machines"),
    statement=ForAll(
        "the points removed add less than the squares and edges of the 10-cube need",
        "1 to 23 lists, edges priced 1",
        lambda: range(1, 24),
        _too_few,
    ),
    check=exhaustive.decide(complete=True),
    expect=Verdict.PROVED,
    kind=Kind.OWN,
    assumes=("limits.machine.squares",),
    twin=Twin(
        "the number of lists (24 allowed)",
        ForAll(
            "the points removed add less than the squares and edges of the 10-cube need",
            "1 to 24 lists, edges priced 1",
            lambda: range(1, 25),
            _too_few,
        ),
    ),
    proof=r"""*Reduction.*  Fix the last bit and the literal that the last position's list ranks first.  The
last position then holds one value, and one ranking of cells decides the parity of the $k = n - 2$ free
bits: the cells of $2k + 1$ lists (two for every free position, one of the fixed position) can be
removed one after another, each when its remaining points have one parity, until no point is left.  A
list that ends early may be continued: smaller cells are removed whenever larger ones are.

*Edges and squares.*  Orient every edge of the $k$-cube from the point removed first to the other one;
points removed together have the same parity, so they are not neighbours.  Let $L(x)$ be the number of
later neighbours of $x$.  Then $\sum_x L(x) = k 2^{k-1}$.  There is no cycle, so every square has one
source or two, and $\sum_x \binom{L(x)}{2} = \binom{k}{2} 2^{k-2} + D$, where $D$ counts the squares with
two sources.  Such a square has two sinks.  For $t = 1$,
$$\sum_x L(x)(L(x) - 2) - 2D = k(k-3) 2^{k-2}.$$

*Cells.*  Let a cell with $c \ge 1$ free variables remove a set $R$.  All points of $R$ have one parity, so
$|R| \le 2^{c-1}$, and their neighbours inside the cell were removed before: $L(x) \le k - c$.  Two points
of $R$ at distance 2 span a square inside the cell, and both are its sinks; a square has at most one
pair of sinks, so $D$ is at least the number of these pairs over all cells.  Among $r$ points of one
parity there are at least as many pairs as if the $cr$ edges to the other parity were shared equally
(the number of pairs is $\frac12\sum_a\binom{n_a}{2}$ with $\sum_a n_a = cr$, and the sum is convex).

*Lists.*  A list has one cell for every $c$ from 1 to $k - 2$ (to $k-1$ if it belongs to no free
position) and two neighbouring points with $c = 0$, of which at most one has $L(x) = k$.  Adding up the
best sizes $r$, one list contributes at most 747 to the left side for $k = 10$.  The right side is 17,920,
so at least 24 lists are needed; 12 bits would need 21 lists to do it.  A machine for more bits gives
one for 12: fix the further bits.""",
)
