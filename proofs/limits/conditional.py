"""Lemma H: depth tails under independent stars, conditioned on any event that survives extensions.

Tails are computed exactly over all restrictions of a few variables and compared with the verifier's
rounded recursion.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product
from typing import NamedTuple

import numpy as np

from bounds.limits.all_lists import extended, restrictions, tables
from bounds.limits.all_lists import terms as all_terms
from bounds.limits.process import Module, Process, Restriction, Term, Tree, canonical_depth
from bounds.limits.verifier import ONE, tails
from claims import Claim, ForAll, Kind, Paper, Twin, Verdict
from claims.source import OWN
from proofs.checkers import exhaustive

HARRIS = Paper(
    "harris1960",
    "Harris",
    "A lower bound for the critical probability in a certain percolation process",
    1960,
    "Proc. Cambridge Philos. Soc. 56, 13-20",
)
_PS = (Fraction(1, 10), Fraction(1, 3))
Case = tuple[tuple[tuple[str, int], ...], tuple[Module, ...], int, Term]


class Bulk(NamedTuple):
    """Every list of ``length`` terms of width <= ``width`` over 3 variables, given any event below.

    With ``cut`` the lists may be cut anywhere, and two literals are asked afterwards.
    """

    width: int
    length: int
    cut: bool


def _mass(rho: Restriction, p: Fraction) -> Fraction:
    stars = rho.count(None)
    return p**stars * ((1 - p) / 2) ** (len(rho) - stars)


def _falsified(term: Term, rho: Restriction) -> bool:
    return any(rho[v] not in (None, b) for v, b in term)


@lru_cache(maxsize=8)
def _restrictions(m: int) -> tuple[Restriction, ...]:
    return tuple(product((0, 1, None), repeat=m))


def _below(case: Case | Bulk, percent: int) -> bool:
    if isinstance(case, Bulk):
        return _all_below(case, percent)
    kinds, modules, m, condition = case
    process = Process.fixed(kinds, modules)
    given = [r for r in _restrictions(m) if not condition or _falsified(condition, r)]
    depths = [(r, canonical_depth(process, r)) for r in given]
    top = 3
    for p in _PS:
        whole = sum((_mass(r, p) for r in given), Fraction(0))
        bound = tails(list(kinds), p, top)
        for s in range(1, top + 1):
            deep = sum((_mass(r, p) for r, d in depths if d >= s), Fraction(0))
            if 100 * deep * ONE > percent * bound[s] * whole:
                return False
    return True


_EVENTS = ((), *all_terms(3, 2))  # no condition, or a falsified term: closed events


def _weights(p: Fraction) -> list[int]:
    """Return the masses of all restrictions of 3 variables, times (2 denominator(p))^3."""
    star, bit = 2 * p.numerator, p.denominator - p.numerator
    return [star ** r.count(None) * bit ** (3 - r.count(None)) for r in restrictions(3)]


def _all_below(case: Bulk, percent: int) -> bool:
    width, length, cut = case
    chain = ((0, 1),), ((1, 0),)  # two literals, asked after a list that may be cut
    zero = np.zeros(27, dtype=np.int8)
    then = zero
    for term in reversed(chain if cut else ()):
        then = extended(3, term, then[None, :], zero)[0]
    kinds = [("cut", width), ("list", 1)] if cut else [("list", width)]
    depths = tables(3, width, length, then, cut=cut)
    given = np.array([[not t or _falsified(t, r) for r in restrictions(3)] for t in _EVENTS])
    for p in _PS:
        mass = np.array(_weights(p), dtype=np.int64) * given
        whole = mass.sum(axis=1).tolist()
        bound = tails(kinds, p, 3)
        for s in (1, 2, 3):
            deep = ((depths >= s).astype(np.int64) @ mass.T).max(axis=0).tolist()
            if any(
                100 * d * ONE > percent * bound[s] * w for d, w in zip(deep, whole, strict=True)
            ):
                return False
    return True


def _cases() -> Iterator[Case | Bulk]:
    yield from (Bulk(1, 4, False), Bulk(2, 3, False), Bulk(3, 2, False), Bulk(2, 3, True))
    for m in range(1, 7):
        yield (("list", 1),), (tuple(((v, 1),) for v in range(m)),), m, ()
    terms: list[Term] = [
        tuple(zip(names, bits, strict=True))
        for names in combinations(range(3), 2)
        for bits in product((0, 1), repeat=2)
    ]
    leaf = Tree()
    tree = Tree(
        variable=0,
        branches=(Tree(variable=1, branches=(leaf, leaf)), Tree(variable=2, branches=(leaf, leaf))),
    )
    for term in terms:
        yield (("tree", 2), ("list", 2)), (tree, (term, ((1, 0), (2, 0)))), 3, ()


_SCOPE = (
    "all lists over 3 variables of four terms of width 1, three of width <= 2, two of width <= 3, and"
    " all lists of three terms of width <= 2 with any cuts before two literals, given nothing or any"
    " falsified term of width <= 2; chains of 1..6 literals; a tree before a list; p = 1/10, 1/3"
)

LEMMA_H = Claim(
    id="limits.conditional.bound",
    says=r"Lemma H: with independent stars of probability $p$, conditioned on any event that"
    r" survives extensions, $\Pr[\text{canonical depth} \ge s] \le P(s)$, where trees and lists obey"
    r" $P_{DM}(s) \le \sum_y \binom wy p^y(1-p)^{w-y} 2^y P_M(s-y)$ and, with $q = 2p/(1+p)$,"
    r" $P_{LM}(s) \le \sum_y \binom wy q^y(1-q)^{w-y}\min(1, (2^y-1)P_{LM}(s-y) + P_M(s-y))$.",
    source=OWN.at("explicit limits, Lemma H"),
    statement=ForAll("tails are at most P(s)", _SCOPE, _cases, lambda c: _below(c, 100)),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    assumes=("limits.conditional.harris",),
    twin=Twin(
        "the full constant: one percent less",
        ForAll("tails are at most 0.99 P(s)", _SCOPE, _cases, lambda c: _below(c, 99)),
    ),
    proof=r"""Trees: given a closed event the root is a star with probability at most $p$ (where a star
is allowed, so are both bits); a star spends one query and leaves two subtrees.

Lists, by induction on the number of terms.  Given that the first term is falsified, drop it.  Given
that it is not, each of its variables is a star or agrees.  Without the closed event the stars form
a product set of density $q$; the event reweights by a decreasing function, so by Harris' inequality
increasing functions of the star set only lose.  If no star is left the list ends.  Otherwise all
$y$ stars are queried: $2^y - 1$ answers leave a shorter list under closed conditioning, one answer
ends the list.

If the list may be cut at a place chosen with hindsight, either what follows is deep on its own,
or the first alive term has stars: the summand $y = 0$ becomes $P_M(s)$ without its weight.

A chain of literals attains $P(s)$ up to $(\tfrac{1+p}2)^m$, so one percent less is false for width 1;
two or three terms of width 2 stay well below the supremum over all numbers of variables.""",
)


def _monotone(size: int) -> list[frozenset[int]]:
    """All up-sets of subsets of {0..size-1}, as sets of bit masks."""
    masks = range(1 << size)
    found = []
    for chosen in product((False, True), repeat=1 << size):
        inside = frozenset(m for m in masks if chosen[m])
        if all(m | 1 << v in inside for m in inside for v in range(size)):
            found.append(inside)
    return found


def _events() -> Iterator[tuple[frozenset[int], frozenset[int], Fraction]]:
    ups = _monotone(3)
    whole = frozenset(range(8))
    return ((a, whole - b, q) for a in ups for b in ups for q in (Fraction(1, 5), Fraction(1, 2)))


def _any_events() -> Iterator[tuple[frozenset[int], frozenset[int], Fraction]]:
    ups = _monotone(3)
    return ((a, b, q) for a in ups for b in ups for q in (Fraction(1, 5), Fraction(1, 2)))


def _negative(case: tuple[frozenset[int], frozenset[int], Fraction]) -> bool:
    up, down, q = case

    def chance(masks: frozenset[int]) -> Fraction:
        return sum(
            (q ** m.bit_count() * (1 - q) ** (3 - m.bit_count()) for m in masks), Fraction(0)
        )

    return chance(up & down) <= chance(up) * chance(down)


HARRIS_INEQUALITY = Claim(
    id="limits.conditional.harris",
    says=r"Harris' inequality: for independent bits, an increasing event and a decreasing event are"
    r" negatively correlated.",
    source=HARRIS.at("Lemma 4.1"),
    statement=ForAll(
        "Pr[A and B] <= Pr[A] Pr[B]",
        "all increasing A, decreasing B of three independent bits; q = 1/5, 1/2",
        _events,
        _negative,
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.TEXTBOOK,
    twin=Twin(
        "that B is decreasing",
        ForAll("Pr[A and B] <= Pr[A] Pr[B]", "increasing A and B", _any_events, _negative),
    ),
)
