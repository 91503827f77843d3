"""The clauses of the apart encoding, written a second time and simply.

Main definitions: `apart_clauses`.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise, permutations, product

from synthesis.checker.closed import ordered
from synthesis.checker.regenerate import Cell, Clause, Word

Pair = tuple[int, int]


def apart_clauses(cell: Cell, answers: Iterable[tuple[Word, bool]]) -> set[Clause]:
    """Return the clauses for words of at least two symbols, for one layer."""
    told = dict(answers)
    found: set[Clause] = set()
    for own in cell.values(0):
        words = [w for w in told if w[-1] == own]
        pairs = {(j, w[j]) for w in words for j in range(cell.n - 1)}
        for head in range(cell.heads):
            if words:
                found.update(_list(cell, head, own, pairs))
            for word in words:
                found.update(_attend(cell, head, word))
        for x, y in product(words, words):
            if told[x] and not told[y]:
                found.update(_apart(cell, x, y))
        if words:
            found.update(_firsts(cell, own, pairs))
    return found


def _ahead(cell: Cell, head: int, own: int, p: Pair, q: Pair) -> tuple[bool, tuple[object, ...]]:
    return ordered(("before", 1, head, cell.n - 1, own), p, q)


def _list(cell: Cell, head: int, own: int, pairs: set[Pair]) -> Iterator[Clause]:
    def not_ahead(p: Pair, q: Pair) -> tuple[bool, tuple[object, ...]]:
        return _ahead(cell, head, own, q, p)  # of two pairs one is ahead

    for p, q, r in permutations(pairs, 3):
        yield frozenset({not_ahead(p, q), not_ahead(q, r), not_ahead(r, p)})
    yield frozenset((True, ("top", head, own, p)) for p in pairs)


def _attend(cell: Cell, head: int, word: Word) -> Iterator[Clause]:
    yield frozenset((True, ("attend", head, word, j)) for j in range(cell.n - 1))
    for j in range(cell.n - 1):
        top = ("top", head, word[-1], (j, word[j]))
        yield frozenset({(False, top), (True, ("attend", head, word, j))})
    for j, k in permutations(range(cell.n - 1), 2):
        wins = _ahead(cell, head, word[-1], (j, word[j]), (k, word[k]))
        yield frozenset({(False, ("attend", head, word, j)), wins})


def _apart(cell: Cell, x: Word, y: Word) -> Iterator[Clause]:
    """Demand a head that attends to different pairs in ``x`` (accepted) and ``y`` (rejected)."""
    heads = range(cell.heads)
    yield frozenset((True, ("apart", head, x, y)) for head in heads)
    for head, j in product(heads, range(cell.n - 1)):
        if x[j] == y[j]:
            same = {(False, ("attend", head, x, j)), (False, ("attend", head, y, j))}
            yield frozenset({(False, ("apart", head, x, y))} | same)


def _firsts(cell: Cell, own: int, pairs: set[Pair]) -> Iterator[Clause]:
    """Let the heads' first pairs fall, from head to head, and name every choice of them."""
    for chosen in product(pairs, repeat=cell.heads):
        tops = [("top", head, own, p) for head, p in enumerate(chosen)]
        if all(p >= q for p, q in pairwise(chosen)):
            name = ("start", own, chosen)
            yield frozenset({(True, name), *((False, top) for top in tops)})
            yield from (frozenset({(False, name), (True, top)}) for top in tops)
    for head, p, q in product(range(cell.heads - 1), pairs, pairs):
        if p < q:
            yield frozenset({(False, ("top", head, own, p)), (False, ("top", head + 1, own, q))})
