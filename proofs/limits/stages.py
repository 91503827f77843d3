"""The restricting stages: heads are lists, repairs by expectation, the first layer."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from bounds.limits.process import Tree
from bounds.limits.verifier import ONE, tails
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
