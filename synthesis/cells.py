r"""The "cells" encoding: two layers, one head, any number of hidden symbols, any language.

With unbounded hidden symbols nothing is lost when layer 1 keeps its own symbol and the attended
pair.  So position ``j`` tells in which *cell* (own symbol, attended pair) the word lies, and the
last position has one ranking of cells for each cell of its own.  A ranking answers rightly on a
set of words iff they can be *closed*: repeatedly take a cell in which all words not yet taken have
the same answer, and take them.

The encoding orders the words of each last symbol: ``x`` is closed through a position ``j`` only
after every word of the other answer that lies in the same cell of ``j`` and of the last position.
Conversely such an order gives the ranking.  Nothing is reduced or assumed about the language;
`synthesis.closing` has less to say about PARITY, by symmetry.

Groups: ``list`` (strict orders of pairs), ``attend`` (the attended pair beats every present one),
``alike`` (two words in one cell of the last position), ``order`` (of words), ``close``.

Main definitions: `encode`, `decode`.
"""

from itertools import permutations, product

from synthesis.formula import Formula, Lit, Name
from synthesis.machine import ListKey, Machine, Pair, RowKey
from synthesis.order import view_of
from synthesis.spec import Labels, Spec, SpecError, Word


def encode(spec: Spec, labels: Labels | None = None) -> Formula:
    """Return clauses satisfiable iff a transformer gives these answers.

    Parameters
    ----------
    spec
        Two layers, one head, unbounded alphabet, causal or full, n >= 2.
    labels
        The words to get right with their answers (default: all words of the cell).

    Raises
    ------
    SpecError
        For other cells.

    Notes
    -----
    Deterministic.  For ``w`` words of one last symbol, ``w^3 / 3`` clauses order them.
    """
    sized = (spec.layers, spec.heads, spec.alphabet) == (2, 1, None)
    if not sized or spec.variant == "uniform" or spec.n < 2:
        raise SpecError(
            "the cells encoding needs 2 layers, 1 head, unbounded alphabet, n >= 2, causal or "
            f"full; got {spec}"
        )
    answers = spec.labels() if labels is None else labels
    formula = Formula()
    for i in range(spec.n):
        pairs = tuple(product(spec.visible(i), range(len(spec.target.alphabet))))
        for own in range(len(spec.target.alphabet)):
            for p, q, r in permutations(pairs, 3):
                (s, a), (t, b) = _before(i, own, p, q), _before(i, own, q, r)
                formula.add("list", (not s, a), (not t, b), _before(i, own, p, r))
        for word in answers:
            _attention(formula, spec, i, word)
    for last in range(len(spec.target.alphabet)):
        words = sorted(w for w in answers if w[-1] == last)
        for x, y, z in permutations(words, 3):
            if x < y and x < z:  # the rotations of a cycle forbid the same thing
                (s, a), (t, b) = _earlier(x, y), _earlier(y, z)
                formula.add("order", (not s, a), (not t, b), _earlier(x, z))
        for x in words:
            formula.add("close", *((True, ("through", x, j)) for j in range(spec.n - 1)))
            for y in words:
                if answers[x] != answers[y]:
                    _after(formula, spec, x, y)
    return formula


def _before(i: int, own: int, p: Pair, q: Pair) -> Lit:
    return (True, ("before", i, own, p, q)) if p < q else (False, ("before", i, own, q, p))


def _earlier(x: Word, y: Word) -> Lit:
    return (True, ("earlier", x, y)) if x < y else (False, ("earlier", y, x))


def _attends(spec: Spec, i: int, word: Word, j: int) -> Name:
    return "attend", i, view_of(spec, i, word), j


def _attention(formula: Formula, spec: Spec, i: int, word: Word) -> None:
    seen = tuple(spec.visible(i))
    if seen:
        formula.add("attend", *((True, _attends(spec, i, word, j)) for j in seen))
    for j, k in permutations(seen, 2):
        better = _before(i, word[i], (j, word[j]), (k, word[k]))
        formula.add("attend", (False, _attends(spec, i, word, j)), better)


def _common(spec: Spec, i: int, x: Word, y: Word) -> list[list[Lit]]:
    """Return what denies each way of two words with equal symbols at ``i`` to share its cell."""
    seen = spec.visible(i)
    if not seen:
        return [[]]
    return [[(False, _attends(spec, i, w, j)) for w in (x, y)] for j in seen if x[j] == y[j]]


def _after(formula: Formula, spec: Spec, x: Word, y: Word) -> None:
    """Let ``x`` be closed only after ``y``, of the other answer, in their common cells."""
    alike: Name = ("alike", min(x, y), max(x, y))
    for denied in _common(spec, spec.n - 1, x, y):
        formula.add("alike", *denied, (True, alike))
    for j in range(spec.n - 1):
        if x[j] == y[j]:
            for denied in _common(spec, j, x, y):
                through: Lit = (False, ("through", x, j))
                formula.add("close", through, (False, alike), *denied, _earlier(y, x))


def decode(spec: Spec, true: frozenset[Name], labels: Labels | None = None) -> Machine:
    """Build the transformer of the true variables' lists; its last layer closes greedily.

    Parameters
    ----------
    labels
        The words that were encoded (default: all).
    """
    letters = len(spec.target.alphabet)
    ranks: dict[ListKey, tuple[Pair, ...]] = {}
    rows: dict[RowKey, int] = {}
    for i, own in product(range(spec.n), range(letters)):
        pairs = list(product(spec.visible(i), range(letters)))
        wins = {
            p: sum(
                _before(i, own, p, q)[0] is ((_before(i, own, p, q)[1]) in true)
                for q in pairs
                if q != p
            )
            for p in pairs
        }
        ranks[1, 0, i, own] = tuple(sorted(pairs, key=lambda p: (-wins[p], p)))
        rows[1, i, own, ()] = own
        for j, v in pairs:
            rows[1, i, own, ((j, v),)] = own + letters * (1 + letters * j + v)
    answers = spec.labels() if labels is None else labels
    values = {w: _values(spec, ranks, rows, w) for w in answers}
    last = spec.n - 1
    for z in sorted({held[last] for held in values.values()}):
        mine = {w: held for w, held in values.items() if held[last] == z}
        order = _closed(spec, mine, answers)
        ranks[2, 0, last, z] = tuple(cell for cell, _ in order)
        for cell, answer in order:
            rows[2, last, z, (cell,)] = int(answer)
    return Machine(spec, letters * (1 + letters * spec.n), ranks, rows)


def _values(
    spec: Spec, ranks: dict[ListKey, tuple[Pair, ...]], rows: dict[RowKey, int], word: Word
) -> tuple[int, ...]:
    held = []
    for i, own in enumerate(word):
        seen = next(((p,) for p in ranks[1, 0, i, own] if word[p[0]] == p[1]), ())
        held.append(rows[1, i, own, seen])
    return tuple(held)


def _closed(
    spec: Spec, values: dict[Word, tuple[int, ...]], answers: Labels
) -> list[tuple[Pair, bool]]:
    """Return cells (position, hidden value) with their answer in an order that closes."""
    left = dict(values)
    order: list[tuple[Pair, bool]] = []
    progress = True
    while left and progress:
        progress = False
        cells: dict[Pair, set[Word]] = {}
        for w, held in left.items():
            for j in range(spec.n - 1):
                cells.setdefault((j, held[j]), set()).add(w)
        for cell in sorted(cells):
            here = {answers[w] for w in cells[cell] if w in left}
            if len(here) == 1:
                order.append((cell, here.pop()))
                for w in cells[cell]:
                    left.pop(w, None)
                progress = True
    return order
