"""The clauses of the cells encoding, written a second time and simply.

Main definitions: `cells_clauses`.
"""

from collections.abc import Iterable, Iterator
from itertools import permutations, product

from synthesis.checker.closed import denied, ordered
from synthesis.checker.regenerate import Cell, Clause, Word


def cells_clauses(cell: Cell, answers: Iterable[tuple[Word, bool]]) -> set[Clause]:
    """Return the clauses: lists of pairs, an order of words, and what the order has to respect."""
    pairs = list(answers)
    found: set[Clause] = set()
    for i in range(cell.n):
        found.update(_rankings(cell, i))
        for word, _ in pairs:
            found.update(_attention(cell, i, word))
    for x, y, z in permutations([word for word, _ in pairs], 3):
        if x[-1] == y[-1] == z[-1]:
            cycle = ((x, y), (y, z), (z, x))
            found.add(frozenset(denied(ordered(("earlier",), a, b)) for a, b in cycle))
    for x, answer in pairs:
        found.add(frozenset((True, ("through", x, j)) for j in range(cell.n - 1)))
        for y, other in pairs:
            if x[-1] == y[-1] and answer != other:
                found.update(_respect(cell, x, y))
    return found


def _rankings(cell: Cell, i: int) -> Iterator[Clause]:
    literals = list(product(cell.sees(i), cell.values(0)))
    for own in cell.values(0):
        for p, q, r in permutations(literals, 3):
            cycle = ((p, q), (q, r), (r, p))
            yield frozenset(denied(ordered(("before", i, own), a, b)) for a, b in cycle)


def _attends(cell: Cell, i: int, word: Word, j: int) -> tuple[object, ...]:
    return "attend", i, cell.knows(i, word), j


def _attention(cell: Cell, i: int, word: Word) -> Iterator[Clause]:
    if cell.sees(i):
        yield frozenset((True, _attends(cell, i, word, j)) for j in cell.sees(i))
    for j, k in permutations(cell.sees(i), 2):
        wins = ordered(("before", i, word[i]), (j, word[j]), (k, word[k]))
        yield frozenset({(False, _attends(cell, i, word, j)), wins})


def _same(cell: Cell, i: int, x: Word, y: Word) -> list[Clause]:
    """Return, for each way in which position ``i`` gets the same value, what denies that way."""
    if not cell.sees(i):
        return [frozenset()]
    return [
        frozenset((False, _attends(cell, i, word, j)) for word in (x, y))
        for j in cell.sees(i)
        if x[j] == y[j]
    ]


def _respect(cell: Cell, x: Word, y: Word) -> Iterator[Clause]:
    alike = ("alike", *sorted([x, y]))
    for way in _same(cell, cell.n - 1, x, y):
        yield way | {(True, alike)}
    for j in range(cell.n - 1):
        if x[j] == y[j]:
            for way in _same(cell, j, x, y):
                taken = {(False, ("through", x, j)), (False, alike)}
                yield way | taken | {ordered(("earlier",), y, x)}
