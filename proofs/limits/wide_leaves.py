"""Leaves that are alive and too wide: how many are expected, in the stages and at the end."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import comb

from bounds.limits.verifier import wide_leaves
from claims import Claim, ForAll, Kind, Twin, Verdict
from claims.source import OWN
from proofs.checkers import exhaustive


def _leaf_depths() -> Iterator[tuple[int, Fraction]]:
    return ((d, p) for d in range(1, 8) for p in (Fraction(1, 100), Fraction(1, 8), Fraction(1, 3)))


def _alive_with_star(case: tuple[int, Fraction], percent: int = 100) -> bool:
    """Sum the masses of all 3^d restrictions of a leaf's variables that leave it alive, not fixed."""
    d, p = case
    exact = sum(
        (
            p ** letters.count("*") * ((1 - p) / 2) ** letters.count("+")
            for letters in product("*+-", repeat=d)
            if "-" not in letters and "*" in letters
        ),
        Fraction(0),
    )
    return 100 * exact <= percent * (((1 + p) / 2) ** d - ((1 - p) / 2) ** d)


WIDE = Claim(
    id="limits.stage.two_layers",
    says=r"Stage T12: a leaf of depth $d$ is alive with a star with probability"
    r" $(\tfrac{1+p}2)^d - (\tfrac{1-p}2)^d$, so at most"
    r" $\omega = 2\sum_{d>w}\binom{d-2}{H-1}[(\tfrac{1+p}2)^d - (\tfrac{1-p}2)^d]$ wider ones are"
    r" expected per position, each repaired with at most $H$ stars.",
    source=OWN.at("explicit limits, stage T12"),
    statement=ForAll(
        "the mass is at most the difference",
        "d = 1..7; p = 1/100, 1/8, 1/3",
        _leaf_depths,
        _alive_with_star,
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    assumes=("limits.conditional.bound", "limits.stage.repair"),
    twin=Twin(
        "the full constant: one percent less",
        ForAll(
            "the mass is at most 99 % of the difference",
            "d = 1..7; p = 1/100, 1/8, 1/3",
            _leaf_depths,
            lambda c: _alive_with_star(c, 99),
        ),
    ),
    proof=r"""Every variable of an alive leaf is a star or agrees: $p + (1-p)/2 = (1+p)/2$ each; without
a star all agree.  A position has at most $2\binom{d-2}{H-1}$ leaves of depth $d$, and replacing a
leaf by its two successors does not lower the sum, because $h(d) \le 2h(d+1)$ for this difference
$h$.  Positions with such a leaf are made constant for that own bit: set the own bit
otherwise, or satisfy each of the $H$ lists once.  Then every alive wide leaf is free of stars, that is
satisfied, and only cuts a list of the second layer.  Lemma H for lists that may be cut anywhere
bounds the depth $D$ of the second layer for all cuts at once, and repairs cost
$E(D - w_2)^+ = \sum_{t>w_2}\Pr[D \ge t]$.  Stage T2 is the same with trees of depth $w$ and lists of
width $w$, without the first step.""",
)

Leaves = tuple[int, list[int], int, int]  # heads, widths, variables, stars


def _leaf_cases() -> Iterator[Leaves]:
    for heads in (1, 2):
        for widths in ([4], [6], [6, 4], [7, 5, 4, 3]):
            yield from ((heads, widths, m, s) for m in (60, 120) for s in (2, 5))


def _leaves_bounded(case: Leaves, percent: int = 100) -> bool:
    """Compare the exact expectation over all depths up to the number of variables."""
    heads, widths, m, s = case
    whole = comb(m, s)
    exact = Fraction(0)
    for d in range(2, m + 1):
        alive = sum(
            (
                Fraction(comb(d, y) * comb(m - d, s - y), whole) / 2 ** (d - y)
                for y in range(1, min(d, s) + 1)
                if widths[min(y, len(widths)) - 1] < d
            ),
            Fraction(0),
        )
        exact += 2 * comb(d - 2, heads - 1) * alive
    return 100 * exact <= percent * wide_leaves(heads, widths, s, Fraction(m))


_LEAF_SCOPE = "H = 1, 2; four rows of widths; m = 60, 120; s = 2, 5"

LEAVES = Claim(
    id="limits.stage.wide_leaves",
    says=r"Let terms with $y$ stars be allowed up to width $w_y$, $w_1 \ge w_2 \ge \dots$, and let"
    r" $k(d)$ be the least $y \ge 1$ with $w_y < d$.  With exactly $s$ stars among $m$ variables the"
    r" expected number of alive leaves of one position that are too wide for their stars is at most"
    r" $2\sum_d \binom{d-2}{H-1} 2^{-d} \sum_b a^{(k(d))}_b \binom db \binom sb / \binom mb$ for any"
    r" $a^{(k)}_b \ge 0$ with $\sum_b a^{(k)}_b \binom Yb \ge 2^Y$ whenever $Y \ge k$.",
    source=OWN.at("explicit limits, Theorem F3"),
    statement=ForAll(
        "the exact expectation is at most the bound", _LEAF_SCOPE, _leaf_cases, _leaves_bounded
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    twin=Twin(
        "the full constant: one percent less",
        ForAll(
            "the exact expectation is at most 99 % of the bound",
            _LEAF_SCOPE,
            _leaf_cases,
            lambda c: _leaves_bounded(c, 99),
        ),
    ),
    proof=r"""Every path of a position's tree asks its own bit and then answers the literals of $H$
lists in turn; a list ends with its first true literal.  So the tree is the start of the infinite
tree whose leaves at depth $d$ are the $2\binom{d-2}{H-1}$ words with $H$ true answers, the last one
at the end.  A leaf of depth $d$ with $Y$ stars is alive with probability $2^{-(d-Y)}$, and it is too
wide if $Y \ge k(d)$: it counts $2^{-d} g(d)$ with $g(d) = E[2^Y; Y \ge k(d)]$.  Here $g$ does not
decrease with $d$: one variable more cannot lower $Y$, and $k(d+1) \le k(d)$.  So replacing a leaf by
its two successors does not lower the sum, and the infinite tree gives an upper bound.  Finally
$E\binom Yb = \binom db\binom sb/\binom mb$.  The $a_b$ are chosen greedily; for $k = 1$ they are
$1 - (-1)^b$ and the bound on $g$ is exact, which is why one percent less is false.

Why widths may depend on the stars: a block of the coding argument that asks $y$ stars lies in an
alive term with at least $y$ stars, so its width is at most $w_y$, and its places are one of
$\binom{w_y}y$.""",
)
