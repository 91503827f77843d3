"""The clauses of a uniform cell, written a second time and simply.

Main definitions: `uniform_clauses`.
"""

from collections.abc import Iterable, Iterator
from itertools import product

from synthesis.checker.regenerate import Clause, Word


def uniform_clauses(
    sizes: tuple[int, int, int, int, int],
    ties: str,
    answers: Iterable[tuple[Word, bool]],
) -> set[Clause]:
    """Return the clauses for ``sizes`` = (longest word, layers, heads, input letters, S)."""
    longest, layers, heads, inputs, symbols = sizes
    found: set[Clause] = set()
    letters = range(symbols)
    for i, x in product(range(longest), range(inputs)):
        found.update(_one_of([("letter", i, x, s) for s in letters]))
    for layer in range(1, layers + 1):
        for own, seen in product(letters, product(letters, repeat=heads)):
            found.update(_one_of([("table", layer, own, seen, s) for s in letters]))
        for h, own, u, v, w in product(range(heads), letters, letters, letters, letters):
            at = ("least", layer, h, own)
            found.add(frozenset({(True, (*at, u, v)), (True, (*at, v, u))}))
            u_v, v_w, u_w = (False, (*at, u, v)), (False, (*at, v, w)), (True, (*at, u, w))
            clause = frozenset({u_v, v_w, u_w})
            if not any((not sign, name) in clause for sign, name in clause):
                found.add(clause)
    for word, answer in answers:
        end = len(word) - 1
        for layer, i in product(range(1, layers + 1), range(len(word))):
            if layer < layers or i == end:
                found.update(_one_of([("value", layer, word, i, s) for s in letters]))
                found.update(_local(layer, heads, symbols, word, i, ties))
        for s in letters:
            ends = (False, ("value", layers, word, end, s))
            found.add(frozenset({ends, (answer, ("accept", s))}))
    return found


def _one_of(names: list[tuple[object, ...]]) -> Iterator[Clause]:
    yield frozenset((True, name) for name in names)
    for a, b in product(names, names):
        if a != b:
            yield frozenset({(False, a), (False, b)})


def _local(layer: int, heads: int, symbols: int, word: Word, i: int, ties: str) -> Iterator[Clause]:
    letters, places = range(symbols), range(len(word))
    is_not = {
        (k, s): (
            False,
            ("letter", k, word[k], s) if layer == 1 else ("value", layer - 1, word, k, s),
        )
        for k, s in product(places, letters)
    }
    for h in range(heads):
        yield frozenset((True, ("attend", layer, h, word, i, j)) for j in places)
        least = {key: ("least", layer, h, *key) for key in product(letters, repeat=3)}
        first = {key: (True, name) for key, name in least.items()}
        not_first = {key: (False, name) for key, name in least.items()}
        for j, v in product(places, letters):
            away, there = (False, ("attend", layer, h, word, i, j)), is_not[j, v]
            yield frozenset({away, there, (True, ("got", layer, h, word, i, v))})
            for k, w, own in product(places, letters, letters):
                if k == j:
                    continue
                if (j < k) == (ties == "leftmost"):
                    better = first[own, v, w]
                else:
                    better = not_first[own, w, v]
                yield frozenset((away, there, is_not[i, own], is_not[k, w], better))
    for own, seen, s in product(letters, product(letters, repeat=heads), letters):
        got = [(False, ("got", layer, h, word, i, v)) for h, v in enumerate(seen)]
        row = (False, ("table", layer, own, seen, s))
        yield frozenset((*got, is_not[i, own], row, (True, ("value", layer, word, i, s))))
