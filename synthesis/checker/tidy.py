"""Clauses that only choose among equals, and when they may be added.

"The first head mentions positions in order" needs a symmetric language (`synthesis.symmetric`);
"letters are named in order of first use" needs nothing (`synthesis.relabelled`).

Main definitions: `tidy_clauses`, `symmetric`, `naming_clauses`.
"""

from collections.abc import Mapping
from itertools import product

from synthesis.checker.regenerate import Cell, Clause, Word


def symmetric(answers: Mapping[Word, bool]) -> bool:
    """Return whether permuting all symbols but the last keeps the words and their answers."""
    classes: dict[tuple[int, ...], set[bool]] = {}
    sizes: dict[tuple[int, ...], int] = {}
    for word, answer in answers.items():
        key = (*sorted(word[:-1]), word[-1])
        classes.setdefault(key, set()).add(answer)
        sizes[key] = sizes.get(key, 0) + 1
    return all(
        len(found) == 1 and sizes[key] == _arrangements(key[:-1]) for key, found in classes.items()
    )


def _arrangements(symbols: tuple[int, ...]) -> int:
    """Return the number of different words with these symbols."""
    count = 1
    for k, symbol in enumerate(symbols, start=1):
        count = count * k // symbols[:k].count(symbol)
    return count


def tidy_clauses(cell: Cell) -> set[Clause]:
    """Return the clauses for the first head of the only layer."""
    found: set[Clause] = set()
    last = cell.n - 1
    for own in cell.values(0):
        for t in range(last - 1):
            found.add(frozenset((True, ("wlog", own, t, v)) for v in cell.values(0)))
            for v in cell.values(0):
                for j in range(t + 1, last):
                    for w in cell.values(0):
                        ahead = (True, ("before", 1, 0, last, own, (t, v), (j, w)))
                        found.add(frozenset({(False, ("wlog", own, t, v)), ahead}))
    return found


def naming_clauses(longest: int, layers: int, heads: int, inputs: int, symbols: int) -> set[Clause]:
    """Return the clauses for the letters of a uniform transformer."""
    rows = sorted(product(range(symbols), product(range(symbols), repeat=heads)))
    lists: list[list[tuple[object, ...]]] = [
        [("letter", i, x) for i in range(longest) for x in range(inputs)],
    ]
    for layer in range(1, layers):
        lists.append([("table", layer, *row) for row in rows])
    found: set[Clause] = {frozenset({(True, ("accept", 1))}), frozenset({(False, ("accept", 0))})}
    for row in rows:
        for s in range(2, symbols):
            found.add(frozenset({(False, ("table", layers, *row, s))}))
    for places in lists:
        for k in range(len(places)):
            for s in range(1, symbols):
                used = {(True, (*places[j], s - 1)) for j in range(k)}
                found.add(frozenset({(False, (*places[k], s))} | used))
    return found
