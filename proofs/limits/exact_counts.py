"""The exact programme for two layers, lengths beyond the first one, and counting modulo m."""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import comb

import numpy as np
from numpy.typing import NDArray

from bounds.limits.all_lists import stars, tables
from bounds.limits.decide import load_at
from bounds.limits.sweep import stored
from bounds.limits.verifier_exact import worst_trees
from claims import Claim, ForAll, Kind, Twin, Verdict
from claims.source import OWN
from proofs.checkers import exhaustive

Tree = tuple[str, int]  # which tree, stars
_M = 4


@lru_cache(maxsize=2)
def _lists(m: int) -> NDArray[np.int64]:
    """Stars asked by every list of m literals over m variables, shape (lists, 3^m)."""
    return tables(m, 1, m).astype(np.int64)


def _trees() -> Iterator[Tree]:
    yield from (("list", s) for s in range(1, _M + 1))
    yield from (("own bit and list", s) for s in range(1, _M + 1))


@lru_cache(maxsize=16)
def _most(case: Tree) -> int:
    """Return the largest number of restrictions with s stars under which all of them are asked."""
    kind, s = case
    if kind == "list":
        return int((_lists(_M)[:, stars(_M) == s] >= s).sum(axis=1).max())
    row, free = _lists(_M - 1), stars(_M - 1)  # the own bit, then a list for each of its values
    fixed = (row[:, free == s] >= s).sum(axis=1).max()  # for each fixed own bit
    deep = row[:, free == s - 1] >= s - 1
    starred = max(int((one | deep).sum(axis=1).max()) for one in np.unique(deep, axis=0))
    return int(2 * fixed) + starred


def _programme(case: Tree, percent: int = 100) -> bool:
    kind, s = case
    # the answers to the last star come in pairs, so half of the programme's sum counts
    value = worst_trees(1, _M, s)[0] if kind == "list" else 2 * worst_trees(1, _M, s)[1]
    return 200 * _most(case) <= percent * value


_TREE_SCOPE = "all literal lists over 4 variables; an own bit and two lists over 3; s = 1..4"

EXACT = Claim(
    id="limits.exact.two_layers",
    says=r"For two layers the restrictions that a set of positions uses up are at most half of the"
    r" largest sum of $\binom ds 2^{m'-d}$ over the leaves of the trees they run; that sum is an exact"
    r" programme, $V_k(d) = \max(V_{k-1}(d), V_k(d+1) + V_{k-1}(d+1))$.",
    source=OWN.at("explicit limits, single lengths of two layers"),
    statement=ForAll("no tree uses up more restrictions", _TREE_SCOPE, _trees, _programme),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    assumes=("limits.final.two",),
    twin=Twin(
        "the full constant: one percent less",
        ForAll("at most 99 %", _TREE_SCOPE, _trees, lambda c: _programme(c, 99)),
    ),
    proof=r"""Literal lists form a decision tree.  A leaf of depth $d$ is a subcube; $\binom ds 2^{m'-d}$
restrictions with $s$ stars are alive there with all stars on its path.  A restriction that is used up
reaches at least two such leaves: follow the path that asks all stars up to its last star, take either
answer, and no further star is left.  So half of the sum over leaves bounds their number.  For a
literal list at depth $d$ with $k$ lists to go, either the list ends here (a constant is known), or it
asks one more literal: one answer goes on with $k-1$ lists, the other with this one.  Own bits of
positions whose bit is free come first: one level and two leaves each.""",
)

Length = tuple[str, int, int, int]  # table, layers, heads, per cent of its first open length


def _longer() -> Iterator[Length]:
    for task in ("parity", "dyck"):
        for layers, heads in ((2, 1), (2, 3), (3, 1), (4, 1)):
            yield from ((task, layers, heads, percent) for percent in (100, 130, 200, 1000))


@lru_cache(maxsize=64)
def _load(case: Length) -> Fraction:
    task, layers, heads, percent = case
    cert = next(c for c in stored(task) if (c["layers"], c["heads"]) == (layers, heads))
    part = cert["ranges"][-1]
    n = part["from"] * percent // 200 * 2
    return load_at(cert, {**part, "from": n}, n)


def _falls(case: Length) -> bool:
    task, layers, heads, percent = case
    after = {100: 130, 130: 200, 200: 1000, 1000: 5000}[percent]
    return _load((task, layers, heads, after)) < _load(case)


def _share(n: int, heads: int, s: int) -> Fraction:
    return Fraction(comb(n - 1, heads), comb(n // 2, s))


LOADS = Claim(
    id="limits.longer.load",
    says=r"With fixed parameters the load of an open range falls as the length grows: what holds at its"
    r" first length holds at every larger one.",
    source=OWN.at("explicit limits, all larger lengths"),
    statement=ForAll(
        "the load at a larger length is smaller",
        "eight stored limits, from the first length to fifty times it",
        _longer,
        _falls,
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    assumes=("limits.longer.ratio",),
    twin=Twin(
        "that there are at least as many stars as heads",
        ForAll(
            "the share of used-up restrictions falls with n",
            "half of the inputs free, H = 3, s = 1, 2, 3",
            lambda: iter((1, 2, 3)),
            lambda s: _share(200, 3, s) < _share(100, 3, s),
        ),
    ),
    proof=r"""Stages keep a share of the stars: $m = pn - N \cdot$ cost $= \eta n - a$ with $N = n + e$,
so $(n+b)/(\eta n - a)$ does not increase (claim `limits.longer.ratio`).  With $s \ge H$
$$\binom{N-1}H \Big/ \binom{m'}s = \frac{s!}{H!}\prod_{k<H}\frac{N-1-k}{m'-k}\prod_{H \le k<s}\frac1{m'-k},$$
a product of such ratios.  The bound on wide leaves is $N$ times a sum over $b \ge 1$ of
non-negative numbers times $\binom sb/\binom{m'}b$, which falls at least like $1/m'$.  For 1DYCK the numbers
$o, c$ of fixed symbols grow like $m$, the frame like $n$, and the chance to dip below it falls
geometrically.""",
)

Rest = tuple[int, int, int]  # modulus, free bits, ones among the fixed bits


def _rests() -> Iterator[Rest]:
    for m in range(2, 8):
        yield from ((m, free, ones) for free in (m - 1, m) for ones in range(m))


def _undecided(case: Rest) -> bool:
    m, free, ones = case
    return len({(ones + sum(x)) % m == 0 for x in product((0, 1), repeat=free)}) == 2


MODULUS = Claim(
    id="limits.mod.carries_over",
    says=r"With $m - 1$ bits free the number of ones is divisible by $m$ for some completions and not"
    r" for others.  So the theorems hold for MOD-$m$ with $m - 1$ in place of one free bit: a path has"
    r" to ask $t = s - (m - 2)$ stars.",
    source=OWN.at("explicit limits, counting modulo m"),
    statement=ForAll(
        "both kinds of completions",
        "m = 2..7, m - 1 and m free bits, all remainders",
        _rests,
        _undecided,
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    assumes=("limits.final.two", "limits.final.three"),
    twin=Twin(
        "the last of the free bits",
        ForAll(
            "both kinds of completions",
            "m = 3..7, m - 2 free bits",
            lambda: ((m, m - 2, ones) for m in range(3, 8) for ones in range(m)),
            _undecided,
        ),
    ),
    proof=r"""The remainders $r, r+1, \dots, r+m-1$ reached by $0..m-1$ further ones are all remainders, so
one is zero and, as $m \ge 2$, another is not.  A constant output on a subcube with $m-1$ free bits is
therefore a contradiction.  So under every restriction with $s$ stars the process of the attended
positions must ask at least $t = s-(m-2)$ stars, and part (b) of Lemma E counts
$\binom{m'}{s-t}2^{m'-s+t}[z^t]\mathrm{code}'$ restrictions for a set of positions.  One layer: $H+1$ fixed
bits, so $n_0 = H + 1 + (m-1)$.""",
)
