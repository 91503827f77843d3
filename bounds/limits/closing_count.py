r"""How many literal lists a cube needs to be closed: a count over the squares of the cube.

Let lists close the k-cube (`attention.constructions.list_systems`).  Orient every edge from the
point removed first to the other one; neighbours have different parity, so they never go together.
Let L(x) be the number of later neighbours of x.  The edges give sum L(x) = k 2^(k-1).  Orders have
no cycles, so every square has one source or two: sum C(L(x), 2) = C(k, 2) 2^(k-2) + D, where D
counts the squares with two sources, hence two sinks.  For every number t

    sum_x L(x) (L(x) - 1 - t) - 2 D  =  k 2^(k-2) (k - 1 - 2t).                               (*)

A cell with c free variables removes r <= 2^(c-1) points of one parity (one point if c = 0), and
all c neighbours of such a point inside the cell went before: L(x) <= k - c.  Two of its points at
distance 2 are the sinks of a square, so D is at least the number of such pairs.  A list has one
cell for every c >= 1 and two neighbouring points with c = 0; one loses an edge to the other.
Hence the left side of (*) is at most the number of lists times `per_list`.

Main definitions: `pairs`, `per_list`, `lists_needed`, `needed`.

References
----------
Own derivation.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import comb

from bounds.limits.plan import LimitError


@lru_cache(maxsize=4096)
def pairs(c: int, r: int) -> int:
    """Return a lower bound for the pairs at distance 2 among r points of one parity of a c-cube.

    Each of the 2^(c-1) points of the other parity has some of them as neighbours, c r in total, and
    every pair has two common neighbours; equal shares give the fewest pairs.

    Parameters
    ----------
    c
        Dimension, at least 1.
    r
        Number of points, 0..2^(c-1).

    Examples
    --------
    >>> [pairs(3, r) for r in range(5)], pairs(4, 8)
    ([0, 0, 1, 3, 6], 24)
    """
    others = 2 ** (c - 1) if c >= 1 else 0
    if c < 1 or not 0 <= r <= others:
        raise LimitError(f"c = {c}, r = {r}: use c >= 1 and 0 <= r <= 2^(c-1)")
    share, more = divmod(c * r, others)
    twice = (others - more) * comb(share, 2) + more * comb(share + 1, 2)
    return (twice + 1) // 2


def weight(later: int, t: Fraction) -> Fraction:
    """Return L (L - 1 - t), what a point with L later neighbours adds to the left side of (*)."""
    return later * (later - 1 - t)


def needed(k: int, t: Fraction) -> Fraction:
    """Return the right side of (*).

    Examples
    --------
    >>> needed(10, Fraction(1))
    Fraction(17920, 1)
    """
    return Fraction(k * 2**k, 4) * (k - 1 - 2 * t)


def per_list(k: int, t: Fraction) -> Fraction:
    """Return the most that the points removed by one list add to the left side of (*).

    Parameters
    ----------
    k
        Number of variables, at least 2.
    t
        Price of an edge, at least 0: the bound holds for every value.

    Raises
    ------
    LimitError
        For other arguments.

    Examples
    --------
    >>> per_list(10, Fraction(1)) * 21 < needed(10, Fraction(1))
    True
    """
    if k < 2 or t < 0:
        raise LimitError(f"k = {k}, t = {t}: use k >= 2 and t >= 0")

    def most(depth: int) -> Fraction:
        return max(weight(later, t) for later in range(depth + 1))

    total = most(k) + most(k - 1)
    for c in range(1, k):
        each = most(k - c)
        total += max(r * each - 2 * pairs(c, r) for r in range(2 ** (c - 1) + 1))
    return total


def lists_needed(k: int) -> int:
    """Return a number of lists below which no system closes the k-cube.

    Notes
    -----
    The best t among 0, 1/2, ..., 2; every t gives a valid bound.

    Examples
    --------
    >>> [(k, lists_needed(k)) for k in (7, 8, 9, 10)]
    [(7, 7), (8, 11), (9, 16), (10, 25)]
    """
    best = 1
    for halves in range(5):
        t = Fraction(halves, 2)
        if per_list(k, t) > 0:
            best = max(best, -(-needed(k, t) // per_list(k, t)))
    return best
