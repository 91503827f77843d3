"""The clauses "the first head mentions positions in order", and when they may be added.

Main definitions: `tidy_clauses`, `symmetric`.
"""

from collections.abc import Mapping

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
