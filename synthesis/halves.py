r"""The "halves" encoding: refutes symmetric languages for two layers, one head, any alphabet.

**Reduction.** Let the language have two letters, and let membership not change when all symbols
but the last are permuted.  Fix the last symbol to 1, and let (a, v) be what the last position's
list for that symbol ranks first.  Fix x_a = v.  The last position now holds one value, so one
ranking of cells decides what is left: for the m = n - 2 free symbols x, whether x with v and the
final 1 belongs to the language, wherever ``a`` stands, by symmetry.  Each free position keeps a
list that sees the free positions before it (causal) or all others (full); ``a`` keeps one list,
which sees at most all free positions.  A list that meets a fixed literal stops there; letting it
go on only makes cells smaller, and smaller cells close whatever larger ones close (see
`synthesis.closing`).  Hence, if a transformer exists, then for v = 0 or for v = 1 there are lists
that close the m-cube for these answers.

The clauses say that.  If they are unsatisfiable, no transformer exists.  If they are satisfiable,
nothing follows: the other half of the words, and the other last symbol, were left out.

Groups: those of `synthesis.closing`, and ``first`` (the choice of v).

Main definitions: `encode`.
"""

from itertools import permutations, product

from synthesis.closing import OUTSIDE, close_after, earlier, free_bits, list_clauses
from synthesis.formula import Formula
from synthesis.spec import Labels, Spec, SpecError
from synthesis.symmetric import is_symmetric

LAST = 1
"""The last symbol that is fixed."""


def encode(spec: Spec, labels: Labels | None = None) -> Formula:
    """Return clauses that are satisfiable if a transformer of the cell exists.

    Parameters
    ----------
    labels
        Words of the cell with their answers: only those x are spoken about of which both x 0 1
        and x 1 1 are among them (default: all).  Lists that close the cube close every part.

    Raises
    ------
    SpecError
        For another size, or a language that is not binary and symmetric at this length.

    Notes
    -----
    Deterministic.  ``8^m / 3`` transitivity clauses: m <= 7.
    """
    m = free_bits(spec)
    answers = {**spec.labels(), **(labels or {})}
    if len(spec.target.alphabet) != 2 or not is_symmetric(answers):
        raise SpecError(f"the halves encoding needs a symmetric language of two letters: {spec}")
    formula = Formula()
    chosen = answers if labels is None else labels
    cube = product(range(2), repeat=m)
    words = tuple(x for x in cube if all((*x, v, LAST) in chosen for v in range(2)))
    lists = (OUTSIDE, *range(m))
    for j in lists:
        list_clauses(formula, spec, j, words)
    for x, y, z in permutations(words, 3):
        if x < y and x < z:  # the rotations of a cycle forbid the same thing
            (s, a), (t, b) = earlier(x, y), earlier(y, z)
            formula.add("order", (not s, a), (not t, b), earlier(x, z))
    formula.add("first", *((True, ("first", v)) for v in range(2)))
    for x in words:
        formula.add("close", *((True, ("through", x, j)) for j in lists))
        for y, v in product(words, range(2)):
            if answers[*x, v, LAST] != answers[*y, v, LAST]:
                for j in lists:
                    if j == OUTSIDE or x[j] == y[j]:
                        close_after(formula, spec, j, x, y, (False, ("first", v)))
    return formula
