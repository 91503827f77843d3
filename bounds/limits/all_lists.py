"""Canonical depths of every list of a few short terms, under every restriction, at once.

The depth of a list under a restriction is decided by its first term: falsified, go on with the
rest; satisfied, stop; otherwise ask its stars, and go on with the rest for every answer that does
not satisfy it.  The restriction with the answers is again one of the 3^m restrictions, so all lists
that extend a table of shorter lists come from a few gathers of that table.

Main definitions: `terms`, `restrictions`, `extended`, `tables`, `stars`.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from bounds.limits.process import Restriction, Term

Depths = NDArray[np.int8]  # shape (lists, 3^m), or (3^m,) for one module


def terms(m: int, width: int) -> tuple[Term, ...]:
    """Return all terms of width 1..``width`` over ``m`` variables.

    Examples
    --------
    >>> len(terms(4, 2))
    32
    """
    return tuple(
        tuple(zip(names, bits, strict=True))
        for w in range(1, width + 1)
        for names in combinations(range(m), w)
        for bits in product((0, 1), repeat=w)
    )


@lru_cache(maxsize=8)
def restrictions(m: int) -> tuple[Restriction, ...]:
    """Return all 3^m restrictions in the order of the tables' columns."""
    return tuple(product((0, 1, None), repeat=m))


@lru_cache(maxsize=256)
def _moves(m: int, term: Term) -> tuple[tuple[int, int, int, tuple[int, ...]], ...]:
    """Return, where the term is alive: column, stars, column if satisfied, columns if not."""
    column = {rho: i for i, rho in enumerate(restrictions(m))}
    moves = []
    for rho, i in column.items():
        if any(rho[v] not in (None, b) for v, b in term):
            continue
        free = [(v, b) for v, b in term if rho[v] is None]
        wanted, others = i, []
        for answers in product((0, 1), repeat=len(free)):
            told = list(rho)
            for a, (v, _) in zip(answers, free, strict=True):
                told[v] = a
            if all(a == b for a, (_, b) in zip(answers, free, strict=True)):
                wanted = column[tuple(told)]
            else:
                others.append(column[tuple(told)])
        moves.append((i, len(free), wanted, tuple(others)))
    return tuple(moves)


def extended(m: int, term: Term, rest: Depths, then: Depths, *, cut: bool = False) -> Depths:
    """Return the depths of ``term`` followed by each list of a table.

    Parameters
    ----------
    rest
        Depths of the lists that follow, shape (lists, 3^m).
    then
        Depths of the module that runs when a list has ended, shape (3^m,).
    cut
        Whether every list may end before any of its terms, wherever that gives most queries.
    """
    out = rest.copy()  # falsified terms are skipped
    for i, free, wanted, others in _moves(m, term):
        out[:, i] = then[wanted] + free
        if others:
            out[:, i] = np.maximum(out[:, i], free + rest[:, others].max(axis=1))
    return np.maximum(out, then) if cut else out


def tables(
    m: int, width: int, length: int, then: Depths | None = None, *, cut: bool = False
) -> Depths:
    """Return the depths of all lists of ``length`` terms, equal terms allowed.

    A repeated term never changes a list, so shorter lists are among them.

    Examples
    --------
    >>> tables(4, 2, 2).shape
    (1024, 81)
    """
    last: Depths = np.zeros(3**m, dtype=np.int8) if then is None else then
    rest = last[None, :]
    for _ in range(length):
        rest = np.concatenate([extended(m, t, rest, last, cut=cut) for t in terms(m, width)])
    return rest


def stars(m: int) -> NDArray[np.int64]:
    """Return the number of stars of every restriction, shape (3^m,)."""
    return np.array([rho.count(None) for rho in restrictions(m)])
