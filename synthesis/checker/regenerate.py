"""The clauses of a cell, written a second time and simply: what a stored proof refutes.

Nothing is imported from the encoders that the solver saw.  Every word is treated on its own, no
sharing is thought about (equal clauses coincide in the set), and the result must agree with the
searched formula name by name and clause by clause, which the certificate's digest confirms.

Main definitions: `Cell`, `order_clauses`, `level_clauses`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import permutations, product

Clause = frozenset[tuple[bool, tuple[object, ...]]]
Word = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """The numbers a certificate is about: length, layers, heads, letters, symbols and the mask."""

    n: int
    layers: int
    heads: int
    letters: int
    symbols: int
    causal: bool

    def values(self, layer: int) -> range:
        """Return the values after ``layer`` layers."""
        return range(self.letters if layer == 0 else self.symbols)

    def sees(self, i: int) -> list[int]:
        """Return the positions that ``i`` may attend to."""
        return [j for j in range(self.n) if (j < i if self.causal else j != i)]

    def knows(self, i: int, word: Word) -> Word:
        """Return what position ``i`` can depend on."""
        return word[: i + 1] if self.causal else word


def order_clauses(cell: Cell, answers: Iterable[tuple[Word, bool]]) -> set[Clause]:
    """Return the clauses of the order encoding."""
    answers = list(answers)
    return set(_orders(cell)) | {c for w, a in answers for c in _order_word(cell, w, a)}


def _not_before(key: tuple[int, ...], p: object, q: object) -> tuple[bool, tuple[object, ...]]:
    """Deny that ``p`` ranks before ``q``: the variable is named with the smaller pair first."""
    first, second = sorted([p, q])  # type: ignore[type-var]
    return (p is not first), ("before", *key, first, second)


def _orders(cell: Cell) -> Iterator[Clause]:
    for layer, head, i in product(range(1, cell.layers + 1), range(cell.heads), range(cell.n)):
        if layer == cell.layers and i != cell.n - 1:
            continue
        pairs = list(product(cell.sees(i), cell.values(layer - 1)))
        for own in cell.values(layer - 1):
            key = (layer, head, i, own)
            for p, q, r in permutations(pairs, 3):  # no cycle p < q < r < p
                yield frozenset(
                    {_not_before(key, p, q), _not_before(key, q, r), _not_before(key, r, p)}
                )


def _order_word(cell: Cell, word: Word, answer: bool) -> Iterator[Clause]:
    def holds(layer: int, i: int, v: int) -> tuple[bool, set[tuple[bool, tuple[object, ...]]]]:
        """Can position ``i`` hold ``v``?  With the literals that deny it."""
        if layer == 0:
            return word[i] == v, set()
        return True, {(False, ("value", layer, i, cell.knows(i, word), v))}

    for layer, i in product(range(1, cell.layers + 1), range(cell.n)):
        last = layer == cell.layers
        if last and i != cell.n - 1:
            continue
        view = cell.knows(i, word)
        if not last:
            names = [("value", layer, i, view, s) for s in cell.values(layer)]
            yield frozenset((True, name) for name in names)
            yield from (
                frozenset({(False, a), (False, b)}) for a, b in product(names, names) if a != b
            )
        here = [
            (j, v, holds(layer - 1, j, v)[1])
            for j, v in product(cell.sees(i), cell.values(layer - 1))
            if holds(layer - 1, j, v)[0]
        ]
        for head in range(cell.heads if here else 0):
            yield frozenset((True, ("attend", layer, head, i, view, j)) for j in cell.sees(i))
        for own in cell.values(layer - 1):
            possible, own_denied = holds(layer - 1, i, own)
            if not possible:
                continue
            for head, (j, v, a), (k, w, b) in product(range(cell.heads), here, here):
                if j != k:
                    loses = _not_before((layer, head, i, own), (k, w), (j, v))
                    attends = (False, ("attend", layer, head, i, view, j))
                    yield frozenset({attends, loses} | a | b | own_denied)
            for choice in product(here, repeat=cell.heads if here else 0):
                at = {j: v for j, v, _ in choice}
                if any(at[j] != v for j, v, _ in choice):
                    continue
                row = (layer, i, own, tuple((j, v) for j, v, _ in choice))
                denied = set(own_denied).union(*(d for _, _, d in choice))
                denied |= {
                    (False, ("attend", layer, head, i, view, j))
                    for head, (j, _, _) in enumerate(choice)
                }
                if last:
                    yield frozenset(denied | {(answer, ("accept", *row))})
                    continue
                yield frozenset((True, ("table", *row, s)) for s in cell.values(layer))
                for s in cell.values(layer):
                    value = (True, ("value", layer, i, view, s))
                    yield frozenset(denied | {(False, ("table", *row, s)), value})


def level_clauses(cell: Cell, answers: Iterable[tuple[Word, bool]]) -> set[Clause]:
    """Return the clauses of the level encoding (one head, one or two layers)."""
    found: set[Clause] = set()
    for word, answer in answers:
        if cell.layers == 2:
            for i in range(cell.n):
                found.update(_level_value(cell, i, word))
        found.update(_level_answer(cell, word, answer))
    for kind, i in [*(("list", i) for i in range(cell.n if cell.layers == 2 else 0)), ("rank", -1)]:
        found.update(_level_numbers(cell, kind, i))
    return found


def _level_numbers(cell: Cell, kind: str, i: int) -> Iterator[Clause]:
    values = cell.values(0 if kind == "list" or cell.layers == 1 else 1)
    seen = cell.sees(i % cell.n)
    top = len(seen) * (len(values) - 1)  # the highest level; "at most top" is not a variable
    for own, j, v, d in product(values, seen, values, range(1, top)):
        at = (own, j, v) if kind == "rank" else (i, own, j, v)
        yield frozenset({(False, (kind, *at, d - 1)), (True, (kind, *at, d))})
    if kind == "list" and (len(cell.values(1)) > 2 or not seen):
        for own, d in product(values, range(top + 1)):
            yield from _one_of([("label", i, own, d, s) for s in cell.values(1)])


def _one_of(names: list[tuple[object, ...]]) -> Iterator[Clause]:
    yield frozenset((True, name) for name in names)
    for a, b in product(names, names):
        if a != b:
            yield frozenset({(False, a), (False, b)})


def _holds(cell: Cell, i: int, word: Word, v: int) -> tuple[bool, tuple[object, ...]]:
    view = cell.knows(i, word)
    if cell.symbols == 2:
        return v == 1, ("bit", i, view)
    return True, ("value", i, view, v)


def _level_value(cell: Cell, i: int, word: Word) -> Iterator[Clause]:
    view, own, seen = cell.knows(i, word), word[i], cell.sees(i)
    top = len(seen) * (cell.letters - 1)
    free_labels = cell.symbols > 2 or not seen
    if cell.symbols > 2:
        yield from _one_of([("value", i, view, s) for s in cell.values(1)])
    for d in range(top + 1):
        some_at_most_d = ("lowest", i, view, d)
        if d < top:
            at_most_d = [("list", i, own, j, word[j], d) for j in seen]
            yield frozenset({(False, some_at_most_d)} | {(True, a) for a in at_most_d})
            yield from (frozenset({(True, some_at_most_d), (False, a)}) for a in at_most_d)
        premise = {(False, some_at_most_d)} if d < top else set()
        if d > 0:
            premise |= {(True, ("lowest", i, view, d - 1))}
        for s in cell.values(1):
            if free_labels:
                label = {(False, ("label", i, own, d, s))}
                yield frozenset(premise | label | {_holds(cell, i, word, s)})
            elif s == d % 2:
                yield frozenset(premise | {_holds(cell, i, word, s)})


def _level_answer(cell: Cell, word: Word, answer: bool) -> Iterator[Clause]:
    values, seen = cell.values(cell.layers - 1), cell.sees(cell.n - 1)
    top = len(seen) * (len(values) - 1)
    for own in values:
        if cell.layers == 1:
            if word[-1] != own:
                continue
            otherwise: set[tuple[bool, tuple[object, ...]]] = set()
        else:
            sign, name = _holds(cell, cell.n - 1, word, own)
            otherwise = {(not sign, name)}
        if not seen:
            yield frozenset(otherwise | {(answer, ("accept", own))})
            continue

        def at_most(j: int, d: int, own: int = own) -> tuple[object, ...]:
            if cell.layers == 1:
                return ("rank", own, j, word[j], d)
            return ("present", own, j, cell.knows(j, word), d)

        for j, d, v in product(seen, range(top), values if cell.layers == 2 else ()):
            sign, name = _holds(cell, j, word, v)
            for a, b in ((True, False), (False, True)):
                yield frozenset({(not sign, name), (a, at_most(j, d)), (b, ("rank", own, j, v, d))})
        for d in range(top + 1):
            if d % 2 == answer:  # level d answers d % 2, which is right
                continue
            lower = {(True, ("lower", word, own, d))} if d > 0 else set()
            if d > 0:
                some = {(True, at_most(j, d - 1)) for j in seen}
                yield frozenset({(False, ("lower", word, own, d))} | some)
            if d == top:
                yield frozenset(otherwise | lower)
            else:
                for j in seen:
                    yield frozenset(otherwise | lower | {(False, at_most(j, d))})
