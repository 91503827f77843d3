"""The clauses of the blocks encoding, written a second time and simply, and their premises.

`synthesis.blocks` proves that the premises make the clauses necessary; here they are tested on
every word before any clause is dropped or added because of them.

Main definitions: `blocks_clauses`.
"""

from collections.abc import Callable
from itertools import product

from synthesis.checker.closed import OUTSIDE, ordered, system
from synthesis.checker.regenerate import Clause, Word

BLOCK = -2
"""The pseudo-list whose cells are pairs of words that differ in the last free symbol."""

Answers = dict[Word, bool]


def blocks_clauses(m: int, belongs: Callable[[Word], bool]) -> set[Clause]:
    """Return the clauses for ``m`` free symbols.

    Parameters
    ----------
    belongs
        Membership of a word of ``m + 2`` symbols, symmetric in all but the last (the caller has
        verified that).
    """
    cube = list(product((0, 1), repeat=m))
    zero, one = ({x: belongs((*x, v, 1)) for x in cube} for v in (0, 1))
    opposite = {x: one[tuple(1 - s for s in x)] for x in cube}
    halves = [zero] if _same_split(zero, one) or _same_split(zero, opposite) else [zero, one]
    words = [x for x in cube if any(h[(*x[:-1], 0)] != h[(*x[:-1], 1)] for h in halves)]
    unless = [frozenset({(False, ("first", v))}) for v in (0, 1)] if len(halves) > 1 else []
    cases = list(zip(unless or [frozenset()], [h.__getitem__ for h in halves], strict=True))
    found = system(m, True, (OUTSIDE, m - 1), words, cases)
    for x in words:
        found.add(frozenset((True, ("through", x, j)) for j in (BLOCK, OUTSIDE, m - 1)))
    for case, answer in cases:
        for x in words:
            y = (*x[:-1], 1 - x[-1])
            if answer(x) != answer(y):
                sooner = ordered(("earlier",), y, x)
                found.add(case | {(False, ("through", x, BLOCK)), sooner})
    if len(halves) > 1:
        found.add(frozenset((True, ("first", v)) for v in (0, 1)))
    return found | _tidy(m, all(_each_flip_keeps(h, m) for h in halves))


def _same_split(a: Answers, b: Answers) -> bool:
    """Return whether two words agree under ``a`` exactly when they agree under ``b``."""
    return len({a[x] == b[x] for x in a}) == 1


def _each_flip_keeps(answers: Answers, m: int) -> bool:
    return all(
        _same_split(answers, {x: answers[(*x[:t], 1 - x[t], *x[t + 1 :])] for x in answers})
        for t in range(m)
    )


def _tidy(m: int, flips: bool) -> set[Clause]:
    """Order the first mentions of the exchangeable positions, and each one's two literals."""

    def ahead(t: int, v: int, j: int, w: int) -> tuple[bool, tuple[object, ...]]:
        first = (t, v) < (j, w)
        return first, ("before", OUTSIDE, 0, *sorted([(t, v), (j, w)]))

    found: set[Clause] = set()
    for t in range(m - 2):
        found.add(frozenset((True, ("wlog", t, v)) for v in (0, 1)))
        for v, j, w in product((0, 1), range(t + 1, m - 1), (0, 1)):
            found.add(frozenset({(False, ("wlog", t, v)), ahead(t, v, j, w)}))
    if flips:
        found.update(frozenset({ahead(t, 1, t, 0)}) for t in range(m))
    return found
