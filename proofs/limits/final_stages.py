"""Theorems F2 and F3 on machines that do compute PARITY: every restriction has to be used up."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from math import comb

import numpy as np

from attention.constructions.two_layer_parity import two_layer_parity
from attention.function import FunctionTransformer
from bounds.limits.all_lists import extended, restrictions, stars
from bounds.limits.all_lists import terms as all_terms
from bounds.limits.machines_reach import reachable
from bounds.limits.model_paths import ModelPaths
from bounds.limits.refuter import constant_last, made_constant
from bounds.limits.verifier import code
from claims import Claim, ForAll, Kind, Twin, Verdict
from claims.source import OWN
from proofs.checkers import exhaustive

Drawn = tuple[int, int, tuple[int | None, ...]]  # layers, heads, symbols of the free positions
_NINE = (2, 0)  # the machine of 9 bits; other keys are trees


def tree_parity(layers: int, heads: int, *, near: bool = False) -> FunctionTransformer:
    """Return the tree of (H+1)^L bits; with ``near`` all layers read as near as the first one."""
    n = (heads + 1) ** layers

    def score(layer: int, head: int, i: int, j: int, query: object, key: object) -> int:
        reach = 1 if near else (heads + 1) ** (layer - 1)
        return int(j == (i - (head + 1) * reach) % n)

    return FunctionTransformer(
        n=n,
        layers=layers,
        heads=heads,
        alphabet=("0", "1"),
        embedding=lambda i, symbol: int(symbol),
        scoring=score,
        activation=lambda layer, i, own, attended: (own + sum(attended)) % 2,
        output=lambda value: value == 0,
    )


@lru_cache(maxsize=8)
def _machine(layers: int, heads: int, near: bool) -> FunctionTransformer:
    if (layers, heads) == _NINE:
        return two_layer_parity(1)
    return tree_parity(layers, heads, near=near)


def _drawn(layers: int, heads: int, stars_drawn: tuple[int, ...]) -> Iterator[Drawn]:
    model = _machine(layers, heads, False)
    free = model.n - len(constant_last(model, {}))
    for symbols in product((0, 1, None), repeat=free):
        if symbols.count(None) in stars_drawn:
            yield layers, heads, symbols


def _two() -> Iterator[Drawn]:
    yield from _drawn(*_NINE, (5, 6))
    yield from _drawn(2, 1, (1, 2))
    yield from _drawn(2, 2, (3, 6))


def _used_up(case: Drawn, near: bool = False) -> bool:
    """Run the proof: no star may be left where the heads of the last layer are constant."""
    layers, heads, symbols = case
    model = _machine(layers, heads, near)
    quiet = constant_last(model, {})
    free = [i for i in range(model.n) if i not in quiet]
    drawn = {i: b for i, b in zip(free, symbols, strict=True) if b is not None}
    return len(made_constant(ModelPaths(model, quiet | drawn, {}))) == model.n


def _lengths() -> Iterator[tuple[int, int]]:
    """Heads and numbers of stars, at the length that a machine with two layers reaches."""
    for heads in range(1, 6):
        m = reachable(2, heads) - heads - 1
        yield from ((heads, s) for s in range(heads, m + 1))


def _counted(case: tuple[int, int]) -> bool:
    heads, s = case
    n = reachable(2, heads)
    process = [("tree", 1), *[("list", 1)] * heads] * heads
    images: int = comb(n - 1, heads) * 2**s * code(process, s)
    return comb(n - heads - 1, s) <= images


def _two_cases() -> Iterator[Drawn | tuple[int, int]]:
    yield from _two()
    yield from _lengths()


def _two_holds(case: Drawn | tuple[int, int]) -> bool:
    return _counted(case) if len(case) == 2 else _used_up(case)


LAST_TWO = Claim(
    id="limits.final.two",
    says=r"Theorem F2: a transformer with two layers left that computes PARITY uses up every"
    r" restriction: making the heads of the last layer constant queries all $s$ stars.  So"
    r" $\binom{m'}{s} \le \binom{N-1}{H} 2^s [z^s]\mathrm{code}'(z)$ for all $s \ge H$.",
    source=OWN.at("explicit limits, Theorem F2"),
    statement=ForAll(
        "no star is left; the inequality holds where a machine exists",
        "machines of 9 bits (5 and 6 stars), of 4 bits, of 9 bits with two heads (3 and 6 stars), all"
        " restrictions; the inequality at the reachable lengths of 1..5 heads, all s",
        _two_cases,
        _two_holds,
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    assumes=("limits.encoding.bound", "limits.sets.suffice", "limits.stage.head_is_a_list"),
    twin=Twin(
        "that PARITY is computed: both layers read the nearest bits only",
        ForAll(
            "no star is left",
            "nine bits, six stars, heads that read the nearest two positions in both layers",
            lambda: _drawn(2, 2, (6,)),
            lambda c: _used_up(c, True),
        ),
    ),
    proof=r"""Let every activation of layer $L-2$ be a decision tree of depth $w$ over $m$ free variables.

(i) Make the last position's activation of layer $L-1$ constant: one path of its tree and, for each
head, the first alive term, $(H+1)w$ variables at most.  Let $m'$ be left.

(ii) Draw a restriction $\rho$ with exactly $s$ stars among the $m'$ variables.  Among all
completions take one whose attended pairs $(j_1,v_1),\dots,(j_H,v_H)$ in the last layer are
lexicographically first.  Run the canonical process of position $j_1$ (its tree, then $H$ lists), then
that of $j_2$, and so on, with the answers of that completion.  Afterwards every $y_{j_h}$ is
constant, so every head attends to the same pair on all remaining completions, and the output is
constant.

(iii) If the output is PARITY, no star is left.  So the process of $H$ positions has a canonical
path that queries all $s$ stars.  By Lemma E a set of $H$ positions explains at most
$2^{m'}[z^s]\mathrm{code}'$ restrictions, and there are $\binom{N-1}{H}$ sets (the last position's
activation is constant already), but $\binom{m'}{s}2^{m'-s}$ restrictions.  $s \ge H$ lets Lemma E pad
a set that is smaller than $H$.""",
)

Bulk = tuple[tuple[int, ...], int]  # widths allowed with 1, 2, ... stars; the first term's index


def _three() -> Iterator[Drawn | Bulk]:
    yield from _drawn(3, 1, (3, 5, 6))
    for widths in ((1,), (2, 1), (3, 2)):
        yield from ((widths, first) for first in range(len(all_terms(4, 3))))


@lru_cache(maxsize=4)
def _shorter() -> tuple[np.ndarray, np.ndarray]:
    """Depths of all lists of two terms, and the terms' numbers, shapes (lists, 81), (lists, 2)."""
    rows, last = all_terms(4, 3), np.zeros(81, dtype=np.int8)
    ones = np.concatenate([extended(4, t, last[None, :], last) for t in rows])
    depths = np.concatenate([extended(4, t, ones, last) for t in rows])
    numbers = np.array(list(product(range(len(rows)), repeat=2)))
    return depths, numbers


@lru_cache(maxsize=8)
def _narrow(widths: tuple[int, ...]) -> np.ndarray:
    """Whether a term is falsified, free of stars or narrow enough, shape (terms, 81)."""
    table = []
    for term in all_terms(4, 3):
        row = []
        for rho in restrictions(4):
            dead = any(rho[v] not in (None, b) for v, b in term)
            y = sum(rho[v] is None for v, _ in term)
            row.append(dead or y == 0 or len(term) <= widths[min(y, len(widths)) - 1])
        table.append(row)
    return np.array(table)


def _few_deep(case: Bulk, only_good: bool = True) -> bool:
    """Count, for all lists of three terms with this first one, deep restrictions against codes."""
    widths, first = case
    rest, numbers = _shorter()
    last = np.zeros(81, dtype=np.int8)
    depths = extended(4, all_terms(4, 3)[first], rest, last)
    good = _narrow(widths)
    kept = good[first] & good[numbers[:, 0]] & good[numbers[:, 1]]
    if not only_good:
        kept = np.ones_like(kept)
    free = stars(4)
    for s in range(1, 5):
        for t in range(1, s + 1):
            most = int(((depths[:, free == s] >= t) & kept[:, free == s]).sum(axis=1).max())
            if most > comb(4, s - t) * 2 ** (4 - s + t) * code([("list", list(widths))], t):
                return False
    return True


LAST_THREE = Claim(
    id="limits.final.three",
    says=r"Theorem F3: the same with three layers left, from the bits: one list more in front and in"
    r" every process.  Restrictions under which an alive term with $y$ stars is wider than $w_y$ are"
    r" given up; for the others Lemma E counts $\binom{w_y}{y}$ places for a block of $y$ stars.",
    source=OWN.at("explicit limits, Theorem F3"),
    statement=ForAll(
        "no star is left; deep restrictions are at most the bound",
        "a machine of 8 bits with 3, 5 and 6 stars, all restrictions; all lists of three terms of width"
        " <= 3 over 4 variables with the widths 1, (2, 1) and (3, 2), all s and t",
        _three,
        lambda c: _few_deep(c) if len(c) == 2 else _used_up(c),
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    assumes=("limits.final.two", "limits.stage.wide_leaves"),
    twin=Twin(
        "that wide terms with stars are given up",
        ForAll(
            "deep restrictions are at most the bound",
            "all lists of three terms of width <= 3 over 4 variables, width 1 allowed",
            lambda: (((1,), first) for first in range(len(all_terms(4, 3)))),
            lambda c: _few_deep(c, only_good=False),
        ),
    ),
    proof=r"""Make the last position's activation of layer $L-2$ constant ($H+1$ variables) and draw $s$
stars among the $m'$ others.  Call $\rho$ good if every alive leaf of every tree of layer $L-2$ (own
bit, then $H$ literal lists) with $y \ge 1$ stars has width at most $w_y$.  The claim on wide leaves
bounds the expected number of leaves that break this, so at most $N$ times that bound of all $\rho$ are
not good.

For good $\rho$ the last position's activation of layer $L-1$ is reached by satisfying, for each of its
$H$ lists, the first alive term: only position sets are coded, $\sum_y \binom{w_y}{y}z^y$ each.  Then
the argument of F2 runs with processes of an own bit, $H$ literal lists and $H$ lists of terms.  A
block that asks $y$ stars lies in an alive term with at least $y$ stars, so its width is at most
$w_y$, because the widths fall; its places are one of $\binom{w_y}{y}$.  A wide term without stars just
ends its list.  The decoder of Lemma E finds terms as before.  So at least one good restriction is not
used up if
$$\binom{N-1}{H}2^s[z^s]\mathrm{code}' / \binom{m'}{s} + N\,(\text{wide leaves}) < 1.$$""",
)
