"""The "symmetric" encoding: the order encoding for one layer, with the first head's ranking tidied.

**Lemma.** Let one layer compute f, and let f not change when symbols other than the last one are
permuted (PARITY, MOD-m, MAJORITY).  For each last symbol, renaming the positions by any permutation
gives another transformer for f.  So the first head's ranking may be assumed to mention positions
for the first time in the order 0, 1, 2, ...: for every t some literal of position t is ranked
before all literals of later positions.

The clauses say just that, once for every own symbol; they cut the search by a factor of up to
(n-1)!.  The checker verifies on the listed words that the language is symmetric before it accepts.

Group: ``wlog``, beside those of `synthesis.order`.

Main definitions: `encode`, `is_symmetric`.
"""

from itertools import product

from synthesis import order
from synthesis.formula import Formula
from synthesis.spec import Labels, Spec, SpecError


def is_symmetric(labels: Labels) -> bool:
    """Return whether exchanging neighbours (the last symbol apart) keeps words and answers."""
    for word, answer in labels.items():
        for i in range(len(word) - 2):
            swapped = (*word[:i], word[i + 1], word[i], *word[i + 2 :])
            if labels.get(swapped) is not answer:
                return False
    return True


def encode(spec: Spec, labels: Labels | None = None) -> Formula:
    """Return clauses satisfiable iff a one-layer transformer gives these symmetric answers.

    Raises
    ------
    SpecError
        For more than one layer, or answers that are not symmetric.
    """
    answers = spec.labels() if labels is None else labels
    if spec.layers != 1 or spec.variant == "uniform" or not is_symmetric(answers):
        raise SpecError("the symmetric encoding needs one layer and a symmetric language")
    formula = order.encode(spec, labels)
    letters, last = range(len(spec.target.alphabet)), spec.n - 1
    pairs = list(product(range(last), letters))
    for own, t in product(letters, range(last - 1)):
        formula.add("wlog", *((True, ("wlog", own, t, v)) for v in letters))
        for v, later in product(letters, pairs):
            if later[0] > t:
                ahead = order.before(1, 0, last, own, (t, v), later)
                formula.add("wlog", (False, ("wlog", own, t, v)), ahead)
    return formula
