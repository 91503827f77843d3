"""Stages T1 and T2 on small systems: all restrictions, repairs executed, depths computed exactly."""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import permutations, product

import numpy as np
from numpy.typing import NDArray

from bounds.limits.all_lists import restrictions, tables
from bounds.limits.verifier import cost
from claims import Claim, ForAll, Kind, Twin, Verdict
from claims.source import OWN
from proofs.checkers import exhaustive

Literals = tuple[tuple[int, int], ...]  # (distance to the position read, wanted bit), in order
Ring = tuple[Literals, Literals, Fraction]  # lists for own bit 0 and 1, star probability
Symbols = list[int | None]
_N = 3


def _rings() -> Iterator[Ring]:
    """All pairs of literal lists that three positions on a ring run with one head."""
    lists = [
        tuple(zip(order, bits, strict=True))
        for order in permutations(range(1, _N))
        for bits in product((0, 1), repeat=_N - 1)
    ]
    ps = (Fraction(1, 8), Fraction(1, 3))
    yield from ((a, b, p) for a in lists for b in lists for p in ps)


def _shown(row: Literals, i: int, x: Symbols) -> list[tuple[int, int]]:
    """Return the stars, with the bits that end the list, that position i's list asks under x."""
    found = []
    for distance, want in row:
        j = (i + distance) % _N
        if x[j] is None:
            found.append((j, want))
        elif x[j] == want:
            break
    return found


def _stars_left(ring: Ring, rho: tuple[int | None, ...]) -> int:
    """Run the repairs for width 1; -1 if an activation asks more than one star afterwards."""
    lists, x = ring[:2], list(rho)
    for i in range(_N):
        if x[i] is None:
            deep = [b for b in (0, 1) if _shown(lists[b], i, x)]
            if deep:
                x[i] = 1 - deep[0] if len(deep) == 1 else 0
        own = x[i]
        if own is not None:
            asked = _shown(lists[own], i, x)
            if len(asked) > 1:
                x[asked[0][0]] = asked[0][1]
    for i, own in enumerate(x):
        rows = lists if own is None else (lists[own],)
        if max(len(_shown(row, i, x)) for row in rows) + (own is None) > 1:
            return -1
    return x.count(None)


def _enough_left(ring: Ring, percent: int = 100) -> bool:
    p, kept = ring[2], Fraction(0)
    for rho in restrictions(_N):
        left = _stars_left(ring, rho)
        if left < 0:
            return False
        stars = rho.count(None)
        kept += left * p**stars * ((1 - p) / 2) ** (_N - stars)
    spent = cost(1, {"kind": "first-layer", "w": 1}, 1, p)
    return kept >= _N * (p - percent * spent / 100)


def _endless(p: Fraction, kind: str, percent: int) -> bool:
    """Compare both stages' cost (w = 1) with a position that reads two endless, separate lists.

    Each list asks at least t stars with probability q^t, whatever else is known.
    """
    q = 2 * p / (1 + p)
    if kind == "first-layer":
        both = q * q * (1 + q)  # one star for the own bit, one more if the list asks two
        exact = (1 - p) * q**2 + p * (2 * q * (1 - q) + both)
    else:
        exact = sum(
            ((1 - p) * q**t + p * (2 * q ** (t - 1) - q ** (2 * t - 2)) for t in (2, 3)),
            Fraction(0),
        )
    return 100 * exact <= percent * cost(1, {"kind": kind, "w": 1}, 1, p)


def _first_cases() -> Iterator[Ring | Fraction]:
    yield from (Fraction(1, d) for d in (100, 10, 4))
    yield from _rings()


def _first_holds(case: Ring | Fraction, percent: int = 100) -> bool:
    if isinstance(case, Fraction):
        return _endless(case, "first-layer", percent)
    return _enough_left(case, percent)


_RING_SCOPE = (
    "three positions on a ring, all pairs of literal lists, w = 1, p = 1/8 and 1/3; endless lists on"
    " separate variables, p = 1/100, 1/10, 1/4"
)

FIRST_LAYER = Claim(
    id="limits.stage.first_layer_kept",
    says=r"Stage T1: a random restriction and repairs leave all activations of layer 1 at depth"
    r" $\le w$ and at least $pm - N\{(1-p)\sum_{t=w+1}^{w+H} R_H(t) + 2p[R_H(w) +"
    r" \sum_{t=w+2}^{w+H} R_H(t)]\}$ stars on average.",
    source=OWN.at("explicit limits, stage T1"),
    statement=ForAll(
        "depths are at most w and the mean number of stars is at least the bound",
        _RING_SCOPE,
        _first_cases,
        _first_holds,
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    assumes=("limits.stage.first_layer", "limits.conditional.bound", "limits.stage.repair"),
    twin=Twin(
        "the full cost: one percent less",
        ForAll(
            "the mean number of stars is at least the bound with 99 % of the cost",
            _RING_SCOPE,
            _first_cases,
            lambda c: _first_holds(c, 99),
        ),
    ),
    proof=r"""Let $D_b$ be the number of stars that the $H$ lists of own bit $b$ ask.

*The position is fixed to $b$*, with probability $1-p$: fix root variables of its $H$ lists until
$D_b \le w$; satisfying each list once makes it constant, so $\min(H, (D_b-w)^+)$ stars are enough,
and their expectation is at most $\sum_{t=w+1}^{w+H}R_H(t)$ by Lemma H for $H$ lists of width 1 (the own
symbol is independent of the others).

*The position is a star*: its activation has depth $1 + \max_b D_b$.  If only $D_b \ge w$, set the
position to $1-b$, one star.  If both, set it to 0 and repair $D_0$.  If an earlier repair fixed it
to $b$, repair $D_b$.  The cost is at most
$\sum_b (1[D_b \ge w] + \sum_{t=w+2}^{w+H} 1[D_b \ge t])$ in every case: for both deep, one star for the
position and $\min(H,(D_0-w)^+) \le 1[D_0 \ge w+1] + \sum_{t \ge w+2} 1[D_0 \ge t]$ with
$1[D_0 \ge w+1] \le 1[D_1 \ge w]$ in this case.  Take expectations.  Fixing variables never deepens
another position.""",
)

Pair = tuple[int, int, Fraction]  # block of first lists, target depth, star probability
_M = 4


@lru_cache(maxsize=1)
def _asked() -> NDArray[np.int64]:
    """Stars asked by every list of two terms of width <= 2 over 3 variables, shape (lists, 27)."""
    return tables(3, 2, 2).astype(np.int64)


def _pairs() -> Iterator[Pair | Fraction]:
    yield from (Fraction(1, d) for d in (100, 10, 4))
    for block in range(0, len(_asked()), 27):
        yield from ((block, goal, p) for goal in (1, 2) for p in (Fraction(1, 8), Fraction(1, 3)))


def _cheap(case: Pair | Fraction, percent: int = 100) -> bool:
    """Compare E (D - w)^+ of an own bit and its two lists with the stage's cost, for all pairs."""
    if isinstance(case, Fraction):
        return _endless(case, "next-layer", percent)
    block, goal, p = case
    low, high = _asked()[block : block + 27, None, :], _asked()[None, :, :]
    star, bit = 2 * p.numerator, p.denominator - p.numerator  # masses times 2 denominator(p)
    counts = np.array([rho.count(None) for rho in restrictions(3)])
    mass = star**counts * bit ** (3 - counts)
    both = np.maximum(np.maximum(low, high) + 1 - goal, 0) * mass
    each = (np.maximum(low - goal, 0) + np.maximum(high - goal, 0)) * mass
    worst = int((star * both + bit * each).sum(axis=2).max())
    bound = cost(1, {"kind": "next-layer", "w": goal}, 2, p)
    return bool(100 * worst <= percent * bound * (2 * p.denominator) ** _M)


_PAIR_SCOPE = (
    "an own bit and all pairs of lists of two terms of width <= 2 over 3 more variables; targets 1, 2;"
    " p = 1/8, 1/3; endless lists on separate variables, p = 1/100, 1/10, 1/4"
)

NEXT_LAYER = Claim(
    id="limits.stage.next_layer",
    says=r"Stage T2: if activations are trees of depth $w$, those of the next layer are processes"
    r" $D(w), L(w), \dots, L(w)$, and repairing them to depth $w_2$ costs at most"
    r" $\sum_{t=w_2+1}^{w_2+(H+1)w} R(t)$ stars per position on average.",
    source=OWN.at("explicit limits, stage T2"),
    statement=ForAll("E (D - w2)^+ is at most the sum", _PAIR_SCOPE, _pairs, _cheap),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    assumes=("limits.conditional.bound", "limits.stage.repair", "limits.stage.head_is_a_list"),
    twin=Twin(
        "the full cost: one percent less",
        ForAll("E (D - w2)^+ is at most 99 %", _PAIR_SCOPE, _pairs, lambda c: _cheap(c, 99)),
    ),
    proof=r"""A head of the next layer, for a known own value, is a list of the pairs (position, value)
in order of preference; "position $j$ has value $v$" is the disjunction of the root-leaf paths of its
tree, terms of width at most $w$, of which exactly one is satisfied.  So the activation is computed by
the tree of its own value and then $H$ lists of terms of width $w$.  Lemma H bounds
$\Pr[D \ge t] \le R(t)$, and $E(D-w_2)^+ = \sum_{t>w_2}\Pr[D \ge t]$.  A position never costs more than
making it constant: one path and $H$ terms, $(H+1)w$ stars, so the sum may stop there.""",
)
