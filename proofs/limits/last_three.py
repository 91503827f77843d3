"""Theorem F3: three last layers at once, after giving up restrictions with wide terms."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from math import comb

import numpy as np

from bounds.limits.all_lists import extended, restrictions, stars
from bounds.limits.all_lists import terms as all_terms
from bounds.limits.verifier import code
from claims import Claim, ForAll, Kind, Twin, Verdict
from claims.source import OWN
from proofs.checkers import exhaustive
from proofs.limits.final_stages import Drawn, drawn, used_up

Bulk = tuple[tuple[int, ...], int]  # widths allowed with 1, 2, ... stars; the first term's index


def _three() -> Iterator[Drawn | Bulk]:
    yield from drawn(3, 1, (3, 5, 6))
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
        lambda c: _few_deep(c) if len(c) == 2 else used_up(c),
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
