"""The clauses of the closing system, written a second time and simply.

A system is m free bits with, for every bit ``j`` and own value, a ranking of the literals that
``j`` sees, and one outside ranking that sees all bits.  The clauses say that the rankings close
the m-cube for PARITY; `synthesis.closing` proves what that means for transformers.

Main definitions: `closing_clauses`.
"""

from collections.abc import Iterator
from itertools import permutations, product

from synthesis.checker.regenerate import Clause

OUTSIDE = -1


def closing_clauses(m: int, causal: bool) -> set[Clause]:
    """Return the clauses of the system with ``m`` free bits."""
    words = list(product((0, 1), repeat=m))
    found: set[Clause] = set(_order_of_words(words))
    for j in range(-1, m):
        seen = [i for i in range(m) if j == OUTSIDE or (i < j if causal else i != j)]
        found.update(_ranking(j, seen))
        for x in words:
            found.update(_attention(j, seen, x))
            for y in words:
                if sum(x) % 2 != sum(y) % 2 and (j == OUTSIDE or x[j] == y[j]):
                    found.update(_after(j, seen, x, y))
    for x in words:
        found.add(frozenset((True, ("through", x, j)) for j in range(-1, m)))
    return found


def _ordered(kind: tuple[object, ...], a: object, b: object) -> tuple[bool, tuple[object, ...]]:
    """Say that ``a`` comes before ``b``; the variable names the smaller one first."""
    first, second = sorted([a, b])  # type: ignore[type-var]
    return a is first, (*kind, first, second)


def _denied(literal: tuple[bool, tuple[object, ...]]) -> tuple[bool, tuple[object, ...]]:
    return not literal[0], literal[1]


def _order_of_words(words: list[tuple[int, ...]]) -> Iterator[Clause]:
    for x, y, z in permutations(words, 3):
        cycle = ((x, y), (y, z), (z, x))
        yield frozenset(_denied(_ordered(("earlier",), a, b)) for a, b in cycle)


def _ranking(j: int, seen: list[int]) -> Iterator[Clause]:
    literals = list(product(seen, (0, 1)))
    for own in (0,) if j == OUTSIDE else (0, 1):
        for p, q, r in permutations(literals, 3):
            cycle = ((p, q), (q, r), (r, p))
            yield frozenset(_denied(_ordered(("before", j, own), a, b)) for a, b in cycle)


def _at(j: int, seen: list[int], word: tuple[int, ...], i: int) -> tuple[object, ...]:
    own = 0 if j == OUTSIDE else word[j]
    return "attend", j, own, tuple(word[k] for k in seen), i


def _attention(j: int, seen: list[int], word: tuple[int, ...]) -> Iterator[Clause]:
    own = 0 if j == OUTSIDE else word[j]
    if seen:
        yield frozenset((True, _at(j, seen, word, i)) for i in seen)
    for i, k in permutations(seen, 2):
        wins = _ordered(("before", j, own), (i, word[i]), (k, word[k]))
        yield frozenset({(False, _at(j, seen, word, i)), wins})


def _after(j: int, seen: list[int], x: tuple[int, ...], y: tuple[int, ...]) -> Iterator[Clause]:
    base = {(False, ("through", x, j)), _ordered(("earlier",), y, x)}
    if not seen:
        yield frozenset(base)
    for i in seen:
        if x[i] == y[i]:
            cell = {(False, _at(j, seen, w, i)) for w in (x, y)}
            yield frozenset(base | cell)
