"""The restricting stages: heads are lists, repairs by expectation, wide leaves."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import comb

from bounds.limits.process import Tree
from bounds.limits.verifier import ONE, tails, wide_leaves
from claims import Claim, ForAll, Kind, Twin, Verdict
from claims.source import OWN
from proofs.checkers import exhaustive

Scores = tuple[tuple[int, int], ...]  # per position the scores of its two values


def _scores() -> Iterator[Scores]:
    """All rankings of 3 positions with 2 values each by scores 0..2, ties included."""
    pairs = list(product(range(3), repeat=2))
    yield from product(pairs, repeat=3)


def _list_agrees(scores: Scores, leftmost: bool = True) -> bool:
    order = sorted(
        ((j, v) for j in range(3) for v in (0, 1)),
        key=lambda jv: (-scores[jv[0]][jv[1]], jv[0] if leftmost else -jv[0]),
    )
    for x in product((0, 1), repeat=3):
        best = max(range(3), key=lambda j: (scores[j][x[j]], -j))
        if next(jv for jv in order if x[jv[0]] == jv[1]) != (best, x[best]):
            return False
    return True


HEAD = Claim(
    id="limits.stage.head_is_a_list",
    says=r"A head is an ordered list: sort the pairs (position, value) by score, ties by position;"
    r" the attended pair is the first one that is present.",
    source=OWN.at("explicit limits, Claim 1"),
    statement=ForAll(
        "the first present pair is attended",
        "3 positions, 2 values, all scores 0..2",
        _scores,
        _list_agrees,
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    twin=Twin(
        "ties by position: later positions first",
        ForAll(
            "the first present pair is attended",
            "3 positions, 2 values, all scores 0..2",
            _scores,
            lambda s: _list_agrees(s, leftmost=False),
        ),
    ),
)


def _depth(tree: Tree) -> int:
    return 0 if tree.branches is None else 1 + max(map(_depth, tree.branches))


def _fix(tree: Tree, variable: int, bit: int) -> Tree:
    if tree.branches is None:
        return tree
    if tree.variable == variable:
        return _fix(tree.branches[bit], variable, bit)
    low, high = (_fix(b, variable, bit) for b in tree.branches)
    return Tree(tree.label, tree.variable, (low, high))


def _trees(names: tuple[int, ...], depth: int) -> Iterator[Tree]:
    """All trees of at most this depth that ask no variable twice on a path."""
    yield Tree()
    for v in names if depth else ():
        rest = tuple(u for u in names if u != v)
        below = tuple(_trees(rest, depth - 1))
        yield from (Tree(0, v, (low, high)) for low, high in product(below, repeat=2))


def _forests() -> Iterator[tuple[tuple[Tree, ...], int]]:
    """All pairs of trees of depth at most 3 over 3 variables; the first root is 0 by symmetry."""
    trees = tuple(_trees((0, 1, 2), 3))
    for first in trees:
        if first.variable in (None, 0):
            yield from (((first, second), w) for second in trees for w in (1, 2))


def _repaired(case: tuple[tuple[Tree, ...], int], percent: int = 100) -> bool:
    forest, w = case
    budget = sum(max(0, _depth(tree) - w) for tree in forest)
    trees, spent = list(forest), 0
    for i in range(len(trees)):
        while _depth(trees[i]) > w:
            root = trees[i]
            assert root.variable is not None
            assert root.branches is not None
            bit = min((0, 1), key=lambda b: _depth(root.branches[b]))  # type: ignore[index]
            trees = [_fix(tree, root.variable, bit) for tree in trees]
            spent += 1
    return max(map(_depth, trees)) <= w and 100 * spent <= percent * budget


_FOREST_SCOPE = "all pairs of trees of depth <= 3 over 3 variables, w = 1 and 2"

REPAIR = Claim(
    id="limits.stage.repair",
    says=r"Fixing the root variable of a too deep tree, $d - w$ times, makes it at most $w$ deep and"
    r" no other tree deeper: all positions are repaired with at most $\sum_i (D_i - w)^+$ stars.",
    source=OWN.at("explicit limits, Claim 3"),
    statement=ForAll("repairs cost at most the sum", _FOREST_SCOPE, _forests, _repaired),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    twin=Twin(
        "the full budget: one percent less",
        ForAll(
            "repairs cost at most 99 % of the sum",
            _FOREST_SCOPE,
            _forests,
            lambda c: _repaired(c, 99),
        ),
    ),
    proof=r"""A fixed root removes one level of its own tree, and fixing a variable never deepens a
tree.  Taking expectations over a random restriction, some restriction keeps at least
$pm - \sum_i E[(D_i - w)^+]$ stars; no concentration bound is needed.""",
)


def _stage_cases() -> Iterator[tuple[int, int, Fraction]]:
    ps = (Fraction(1, 8), Fraction(1, 4))
    return ((heads, w, p) for heads in (1, 2) for w in (1, 2) for p in ps)


def _first_layer(case: tuple[int, int, Fraction], percent: int = 100) -> bool:
    """Exact expected repairs of one bit's H chains on fresh variables against the tails."""
    heads, w, p = case
    q = 2 * p / (1 + p)
    depth = [Fraction(1)]  # distribution of the total number of queried stars, cut at w + heads
    top = w + heads
    for _ in range(heads):
        geometric = [(1 - q) * q**y for y in range(top)] + [q**top]
        mixed = [Fraction(0)] * (top + 1)
        for a, x in enumerate(depth):
            for b, y in enumerate(geometric):
                mixed[min(top, a + b)] += x * y
        depth = mixed
    bound = tails([("list", 1)] * heads, p, top)
    exact = sum((x * min(heads, max(0, d - w)) for d, x in enumerate(depth)), Fraction(0))
    return 100 * exact * ONE <= percent * sum(bound[w + 1 : top + 1])


FIRST = Claim(
    id="limits.stage.first_layer",
    says=r"For $H$ literal lists the expected number of repairs, at most $H$ each, is at most"
    r" $\sum_{t=w+1}^{w+H} R_H(t)$; for long lists on separate variables it is equal.",
    source=OWN.at("explicit limits, stage T1"),
    statement=ForAll(
        "expected repairs are at most the sum",
        "H, w in {1, 2}, p = 1/8, 1/4; endless lists",
        _stage_cases,
        _first_layer,
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    assumes=("limits.conditional.bound", "limits.stage.repair"),
    twin=Twin(
        "the full constant: one percent less",
        ForAll(
            "expected repairs are at most 99 % of the sum",
            "H, w in {1, 2}, p = 1/8, 1/4; endless lists",
            _stage_cases,
            lambda c: _first_layer(c, 99),
        ),
    ),
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
