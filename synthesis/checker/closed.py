"""The clauses of the closing system, written a second time and simply.

A system is m free bits with, for every bit ``j`` and own value, a ranking of the literals that
``j`` sees, and one outside ranking that sees all bits.  The clauses say that the rankings close
the m-cube; `synthesis.closing` and `synthesis.halves` prove what that means for transformers.

Main definitions: `closing_clauses`, `halves_clauses`, `system`.
"""

from collections.abc import Callable, Container, Iterator, Sequence
from itertools import permutations, product

from synthesis.checker.regenerate import Clause, Word

OUTSIDE = -1


def closing_clauses(m: int, causal: bool) -> set[Clause]:
    """Return the clauses of the system with ``m`` free bits that closes for PARITY."""
    words = list(product((0, 1), repeat=m))
    return system(m, causal, range(-1, m), words, [(frozenset(), lambda x: sum(x) % 2 == 0)]) | {
        frozenset((True, ("through", x, j)) for j in range(-1, m)) for x in words
    }


def halves_clauses(
    m: int, causal: bool, belongs: Callable[[Word], bool], chosen: Container[Word]
) -> set[Clause]:
    """Return the clauses of the system that closes for one of the two halves ending in 1.

    Parameters
    ----------
    belongs
        Membership of a word of ``m + 2`` symbols, symmetric in all but the last.
    chosen
        Words of ``m + 2`` symbols; a word of the cube counts if both its halves are chosen.
    """
    cube = product((0, 1), repeat=m)
    words = [x for x in cube if (*x, 0, 1) in chosen and (*x, 1, 1) in chosen]
    halves: list[tuple[Clause, Callable[[Word], bool]]] = [
        (frozenset({(False, ("first", 0))}), lambda x: belongs((*x, 0, 1))),
        (frozenset({(False, ("first", 1))}), lambda x: belongs((*x, 1, 1))),
    ]
    found = system(m, causal, range(-1, m), words, halves)
    found.update(frozenset((True, ("through", x, j)) for j in range(-1, m)) for x in words)
    return found | {frozenset({(True, ("first", 0)), (True, ("first", 1))})}


def system(
    m: int,
    causal: bool,
    lists: Sequence[int],
    words: Sequence[Word],
    cases: Sequence[tuple[Clause, Callable[[Word], bool]]],
) -> set[Clause]:
    """Return the clauses for rankings and one order of words that respects every case's answers.

    That each word is closed through something is left to the caller.
    """
    found: set[Clause] = set(_order_of_words(words))
    for unless, answer in cases:
        told = {x: answer(x) for x in words}
        for j, x, y in product(lists, words, words):
            if told[x] != told[y] and (j == OUTSIDE or x[j] == y[j]):
                found.update(c | unless for c in _after(j, _seen(m, causal, j), x, y))
    for j in lists:
        found.update(_ranking(j, _seen(m, causal, j)))
        for x in words:
            found.update(_attention(j, _seen(m, causal, j), x))
    return found


def _seen(m: int, causal: bool, j: int) -> list[int]:
    return [i for i in range(m) if j == OUTSIDE or (i < j if causal else i != j)]


def ordered(kind: tuple[object, ...], a: object, b: object) -> tuple[bool, tuple[object, ...]]:
    """Say that ``a`` comes before ``b``; the variable names the smaller one first."""
    first, second = sorted([a, b])  # type: ignore[type-var]
    return a is first, (*kind, first, second)


def denied(literal: tuple[bool, tuple[object, ...]]) -> tuple[bool, tuple[object, ...]]:
    """Return the opposite literal."""
    return not literal[0], literal[1]


def _order_of_words(words: Sequence[Word]) -> Iterator[Clause]:
    for x, y, z in permutations(words, 3):
        cycle = ((x, y), (y, z), (z, x))
        yield frozenset(denied(ordered(("earlier",), a, b)) for a, b in cycle)


def _ranking(j: int, seen: list[int]) -> Iterator[Clause]:
    literals = list(product(seen, (0, 1)))
    for own in (0,) if j == OUTSIDE else (0, 1):
        for p, q, r in permutations(literals, 3):
            cycle = ((p, q), (q, r), (r, p))
            yield frozenset(denied(ordered(("before", j, own), a, b)) for a, b in cycle)


def _at(j: int, seen: list[int], word: tuple[int, ...], i: int) -> tuple[object, ...]:
    own = 0 if j == OUTSIDE else word[j]
    return "attend", j, own, tuple(word[k] for k in seen), i


def _attention(j: int, seen: list[int], word: tuple[int, ...]) -> Iterator[Clause]:
    own = 0 if j == OUTSIDE else word[j]
    if seen:
        yield frozenset((True, _at(j, seen, word, i)) for i in seen)
    for i, k in permutations(seen, 2):
        wins = ordered(("before", j, own), (i, word[i]), (k, word[k]))
        yield frozenset({(False, _at(j, seen, word, i)), wins})


def _after(j: int, seen: list[int], x: tuple[int, ...], y: tuple[int, ...]) -> Iterator[Clause]:
    base = {(False, ("through", x, j)), ordered(("earlier",), y, x)}
    if not seen:
        yield frozenset(base)
    for i in seen:
        if x[i] == y[i]:
            cell = {(False, _at(j, seen, w, i)) for w in (x, y)}
            yield frozenset(base | cell)
