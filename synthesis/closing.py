r"""The "closing" encoding: two layers, one head, any number of hidden symbols.

With unbounded hidden symbols nothing is lost when layer 1 keeps its own symbol and the attended
literal: position ``j`` then tells in which *cell* (own symbol, attended literal) the word lies.
The last layer ranks cells.  It answers rightly iff the words can be *closed*: repeatedly take a
cell in which all words not yet taken have the same answer, and take them.

**Reduction for PARITY.** Let a transformer recognise PARITY on n positions.  Fix the last symbol,
and let (a, v) be what the last position's list ranks first.  Fix x_a = v.  Now the last position
holds one value, so one ranking of cells decides the parity of the m = n - 2 free bits.  A fixed
position other than ``a`` does not exist; ``a`` itself keeps one list, which sees at most all m
free bits.  A list that meets a fixed literal stops there; letting it go on only makes cells
smaller, and smaller cells close whatever larger ones close.  So the m free positions with their
lists, plus **one outside list that sees all of them**, must close the m-cube.  Conversely such a
system gives a transformer: put the outside list at position n - 2, let the last position attend
to it always, and the last layer has one ranking for every pair of its symbols.  Hence

    PARITY_n is recognised  <=>  Q(n - 2) closes        (causal and full, n >= 2),

where in Q(m) list j sees the free positions before it (causal) or all others (full).

The encoding orders words: ``x`` is closed through position ``j`` only after every word of the
other answer in the same cell of ``j``.

Main definitions: `encode`, `free_bits`, `OUTSIDE`; `synthesis.halves` reuses the clauses.
"""

from itertools import permutations, product

from synthesis.formula import Formula, Lit
from synthesis.spec import Spec, SpecError, Word

OUTSIDE = -1
"""Stands for the outside list, which has no bit of its own."""


def free_bits(spec: Spec) -> int:
    """Return m, the number of free bits that the reduction leaves.

    Raises
    ------
    SpecError
        If the reduction was not proved for this cell.
    """
    sized = (spec.layers, spec.heads, spec.alphabet) == (2, 1, None)
    if not sized or spec.variant == "uniform" or spec.n < 2:
        raise SpecError(
            "the closing encoding is proved for 2 layers, 1 head, unbounded alphabet, "
            f"n >= 2, causal or full; got {spec}"
        )
    return spec.n - 2


def seen_by(spec: Spec, j: int) -> tuple[int, ...]:
    """Return the free positions that list ``j`` ranks, in increasing order."""
    m = free_bits(spec)
    if j == OUTSIDE:
        return tuple(range(m))
    return tuple(i for i in range(m) if (i < j if spec.variant == "causal" else i != j))


def encode(spec: Spec) -> Formula:
    """Return clauses satisfiable iff the reduced system Q(n - 2) closes.

    Notes
    -----
    Deterministic.  ``4^m`` word comparisons and ``8^m / 3`` transitivity clauses: m <= 7.
    """
    m = free_bits(spec)
    if spec.language != "parity":
        raise SpecError(f"the closing encoding is proved for parity; got {spec}")
    formula = Formula()
    words = tuple(product(range(2), repeat=m))
    lists = (OUTSIDE, *range(m))
    for j in lists:
        list_clauses(formula, spec, j, words)
    for x, y, z in permutations(words, 3):
        if x < y and x < z:  # the rotations of a cycle forbid the same thing
            (s, a), (t, b) = earlier(x, y), earlier(y, z)
            formula.add("order", (not s, a), (not t, b), earlier(x, z))
    for x in words:
        formula.add("close", *((True, ("through", x, j)) for j in lists))
        for y in words:
            if sum(x) % 2 == sum(y) % 2:
                continue
            for j in lists:
                if j == OUTSIDE or x[j] == y[j]:
                    close_after(formula, spec, j, x, y)
    return formula


def _view(spec: Spec, j: int, word: Word) -> Word:
    return tuple(word[i] for i in seen_by(spec, j))


def _own(j: int, word: Word) -> int:
    return 0 if j == OUTSIDE else word[j]


def earlier(x: Word, y: Word) -> Lit:
    """Return the literal "``x`` is closed before ``y``"."""
    return (True, ("earlier", x, y)) if x < y else (False, ("earlier", y, x))


def before(j: int, own: int, p: tuple[int, int], q: tuple[int, int]) -> Lit:
    """Return the literal "list ``j`` ranks ``p`` before ``q`` when its own symbol is ``own``"."""
    return (True, ("before", j, own, p, q)) if p < q else (False, ("before", j, own, q, p))


def list_clauses(formula: Formula, spec: Spec, j: int, words: tuple[Word, ...]) -> None:
    """Define what list ``j`` attends to in every word, by a strict order of literals."""
    seen = seen_by(spec, j)
    if not seen:
        return
    for own in (0,) if j == OUTSIDE else (0, 1):
        for p, q, r in permutations(tuple(product(seen, range(2))), 3):
            (s, a), (t, b) = before(j, own, p, q), before(j, own, q, r)
            formula.add("list", (not s, a), (not t, b), before(j, own, p, r))
    for word in words:
        own, view = _own(j, word), _view(spec, j, word)
        formula.add("attend", *((True, ("attend", j, own, view, i)) for i in seen))
        for i, k in permutations(seen, 2):
            attends: Lit = (False, ("attend", j, own, view, i))
            formula.add("attend", attends, before(j, own, (i, word[i]), (k, word[k])))


def close_after(formula: Formula, spec: Spec, j: int, x: Word, y: Word, *unless: Lit) -> None:
    """Let ``x`` be closed through ``j`` only after ``y`` if both lie in one cell of ``j``."""
    through: Lit = (False, ("through", x, j))
    seen = seen_by(spec, j)
    if not seen:
        formula.add("close", *unless, through, earlier(y, x))
    for i in seen:
        if x[i] == y[i]:
            both = [(False, ("attend", j, _own(j, w), _view(spec, j, w), i)) for w in (x, y)]
            formula.add("close", *unless, through, *both, earlier(y, x))
