r"""The "blocks" encoding: small refutations for symmetric languages, causal, any alphabet.

**Reduction.** As in `synthesis.halves`: if a transformer with two layers and one head exists,
then for v = 0 or for v = 1 there are lists that close the cube of the m = n - 2 free symbols x for
the answers of x v 1.  List j sees the free positions before it, one outside list sees all.

**Forgetting the early positions.** Call two words that differ in the last free symbol only a
*block*.  A cell of any free position but the last one is a union of blocks.  It can be taken only
if the words left in it have one answer, so each of its blocks can be taken by itself, and taking
more words never hinders.  Hence blocks may replace all cells of the early positions.  A block of
one answer can be taken at once, so its two words need not be spoken of.

**Choosing among equals.** Now the first m - 1 free symbols can be exchanged, so the outside list
may be assumed to mention them for the first time in their order.  If flipping any free symbol
keeps which words agree (PARITY), the outside list may be assumed to look for 1 before it looks
for 0 at each position.  If keeping or flipping all free symbols turns the answers for v = 1, or
their opposites, into those for v = 0, then v = 0 suffices.  The checker verifies each premise.

If the clauses are unsatisfiable, no transformer exists.  If not, nothing follows.

Groups: those of `synthesis.closing`, ``first`` (the choice of v), ``wlog``.

Main definitions: `encode`, `halves_of`, `BLOCK`.
"""

from itertools import permutations, product

from synthesis.closing import (
    OUTSIDE,
    before,
    close_after,
    earlier,
    free_bits,
    list_clauses,
)
from synthesis.formula import Formula, Lit
from synthesis.spec import Labels, Spec, SpecError, Word
from synthesis.symmetric import is_symmetric

BLOCK = -2
"""Stands for the blocks, beside the lists."""

LAST = 1
"""The last symbol that is fixed."""


def halves_of(labels: Labels, m: int) -> list[dict[Word, bool]]:
    """Return the answers of x v 1 for v = 0 and v = 1, without v = 1 where v = 0 suffices.

    Examples
    --------
    >>> [len(halves_of(Spec(name, 6, 2, 1, None).labels(), 4)) for name in ("parity", "mod3")]
    [1, 2]
    """
    cube = list(product(range(2), repeat=m))
    zero, one = ({x: labels[*x, v, LAST] for x in cube} for v in range(2))
    for image in (one, {x: one[_flipped(x, range(m))] for x in cube}):
        if len({image[x] is zero[x] for x in cube}) == 1:
            return [zero]
    return [zero, one]


def encode(spec: Spec, labels: Labels | None = None) -> Formula:
    """Return clauses that are satisfiable if a transformer of the cell exists.

    Parameters
    ----------
    labels
        Answers for every word of the cell (default: those of its language).

    Raises
    ------
    SpecError
        For another size than two layers, one head, any alphabet, causal, n >= 3, or a language
        that is not binary and symmetric at this length.

    Notes
    -----
    Deterministic.  ``w^3 / 3`` clauses order the w words that lie in blocks of two answers.
    """
    m = free_bits(spec)
    labels = spec.labels() if labels is None else labels
    fits = spec.variant == "causal" and m >= 1 and len(spec.target.alphabet) == 2
    if not fits or not is_symmetric(labels):
        raise SpecError(
            "the blocks encoding needs causal attention, n >= 3 and a symmetric language of two "
            f"letters: {spec}"
        )
    halves = halves_of(labels, m)
    cube = product(range(2), repeat=m)
    words = tuple(x for x in cube if any(h[x] is not h[_flipped(x, (m - 1,))] for h in halves))
    lists = (OUTSIDE, m - 1)
    formula = Formula()
    for j in lists:
        list_clauses(formula, spec, j, words)
    for x, y, z in permutations(words, 3):
        if x < y and x < z:  # the rotations of a cycle forbid the same thing
            (s, a), (t, b) = earlier(x, y), earlier(y, z)
            formula.add("order", (not s, a), (not t, b), earlier(x, z))
    if len(halves) > 1:
        formula.add("first", *((True, ("first", v)) for v in range(2)))
    for x in words:
        formula.add("close", *((True, ("through", x, j)) for j in (BLOCK, *lists)))
    for v, answers in enumerate(halves):
        unless: tuple[Lit, ...] = ((False, ("first", v)),) if len(halves) > 1 else ()
        for x, y in permutations(words, 2):
            if answers[x] is not answers[y]:
                _after(formula, spec, x, y, *unless)
    _tidy(formula, m, flips=all(_flips(h, m) for h in halves))
    return formula


def _after(formula: Formula, spec: Spec, x: Word, y: Word, *unless: Lit) -> None:
    close_after(formula, spec, OUTSIDE, x, y, *unless)
    if x[-1] == y[-1]:
        close_after(formula, spec, len(x) - 1, x, y, *unless)
    if x[:-1] == y[:-1]:
        formula.add("close", *unless, (False, ("through", x, BLOCK)), earlier(y, x))


def _tidy(formula: Formula, m: int, *, flips: bool) -> None:
    for t in range(m - 2):
        formula.add("wlog", *((True, ("wlog", t, v)) for v in range(2)))
        for v, later in product(range(2), product(range(t + 1, m - 1), range(2))):
            formula.add("wlog", (False, ("wlog", t, v)), before(OUTSIDE, 0, (t, v), later))
    for t in range(m if flips else 0):
        formula.add("wlog", before(OUTSIDE, 0, (t, 1), (t, 0)))


def _flips(answers: dict[Word, bool], m: int) -> bool:
    """Return whether flipping any one symbol keeps which words agree."""
    return all(
        len({answers[x] is answers[_flipped(x, (t,))] for x in answers}) == 1 for t in range(m)
    )


def _flipped(word: Word, places: range | tuple[int, ...]) -> Word:
    return tuple(1 - s if i in places else s for i, s in enumerate(word))
