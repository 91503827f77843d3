r"""The "apart" encoding: one layer, any heads, any language, by pairs of words to be told apart.

With one layer the last position's table is free.  So rankings of its heads are good iff for any
two words with the same last symbol and different answers some head attends to different pairs.

**Lemma.** The heads of one layer can be exchanged, for each last symbol on its own.  So the pairs
that they rank first, one a head, may be assumed to come in a fixed order.

The clauses say just that, with a variable for each choice of first pairs, by which the solver is
led through the cases (see `synthesis.solving`).  Pairs that occur in no word are left out.

`unsettled` drops the words that a head settles at no cost: if all words that have symbol ``a`` at
``j`` have one answer, some head may rank (j, a) first, and nothing else changes.

Groups: ``order``, ``attend`` (as in `synthesis.order`), ``apart``, ``top``, ``start`` (choices of
first pairs), ``wlog``.

Main definitions: `encode`, `decode`, `unsettled`.
"""

from itertools import combinations_with_replacement, permutations, product

from synthesis.formula import Formula, Lit, Name
from synthesis.machine import ListKey, Machine, Pair, RowKey
from synthesis.order import before
from synthesis.spec import Labels, Spec, SpecError, Word


def encode(spec: Spec, labels: Labels | None = None) -> Formula:
    """Return clauses satisfiable iff a one-layer transformer gives these answers.

    Parameters
    ----------
    labels
        The words to get right with their answers (default: all words of the cell).

    Raises
    ------
    SpecError
        For more than one layer, one position, or the uniform variant.

    Notes
    -----
    Deterministic.  One clause for each head, position and two words of different answers.
    """
    if spec.layers != 1 or spec.variant == "uniform" or spec.n < 2:
        raise SpecError(f"the apart encoding needs one layer, n >= 2, causal or full: {spec}")
    answers = spec.labels() if labels is None else labels
    formula = Formula()
    for own in sorted({w[-1] for w in answers}):
        words = {w: a for w, a in answers.items() if w[-1] == own}
        pairs = sorted({(j, w[j]) for w in words for j in range(spec.n - 1)}, reverse=True)
        for head in range(spec.heads):
            _ranking(formula, spec, head, own, pairs)
            for word in words:
                _attention(formula, spec, head, word)
        for x, y in product(words, words):
            if words[x] and not words[y]:
                _tell_apart(formula, spec, x, y)
        _choices(formula, spec, own, pairs)
    return formula


def _before(spec: Spec, head: int, own: int, p: Pair, q: Pair) -> Lit:
    return before(1, head, spec.n - 1, own, p, q)


def _ranking(formula: Formula, spec: Spec, head: int, own: int, pairs: list[Pair]) -> None:
    for p, q, r in permutations(pairs, 3):
        (s, a), (t, b) = _before(spec, head, own, p, q), _before(spec, head, own, q, r)
        formula.add("order", (not s, a), (not t, b), _before(spec, head, own, p, r))
    formula.add("top", *((True, ("top", head, own, p)) for p in pairs))


def _attention(formula: Formula, spec: Spec, head: int, word: Word) -> None:
    positions = range(spec.n - 1)
    formula.add("attend", *((True, ("attend", head, word, j)) for j in positions))
    for j in positions:
        top: Name = ("top", head, word[-1], (j, word[j]))
        formula.add("top", (False, top), (True, ("attend", head, word, j)))
    for j, k in permutations(positions, 2):
        better = _before(spec, head, word[-1], (j, word[j]), (k, word[k]))
        formula.add("attend", (False, ("attend", head, word, j)), better)


def _tell_apart(formula: Formula, spec: Spec, x: Word, y: Word) -> None:
    formula.add("apart", *((True, ("apart", head, x, y)) for head in range(spec.heads)))
    for head, j in product(range(spec.heads), range(spec.n - 1)):
        if x[j] == y[j]:
            both: list[Lit] = [(False, ("attend", head, w, j)) for w in (x, y)]
            formula.add("apart", (False, ("apart", head, x, y)), *both)


def _choices(formula: Formula, spec: Spec, own: int, pairs: list[Pair]) -> None:
    """Sort the heads by their first pairs and name each choice of them."""
    for head in range(spec.heads - 1):
        for (a, p), (b, q) in product(enumerate(pairs), repeat=2):
            if b < a:
                tops: list[Lit] = [(False, ("top", head + k, own, r)) for k, r in enumerate((p, q))]
                formula.add("wlog", *tops)
    for chosen in combinations_with_replacement(pairs, spec.heads):
        start: Name = ("start", own, chosen)
        each: list[Name] = [("top", head, own, p) for head, p in enumerate(chosen)]
        formula.add("start", (True, start), *((False, name) for name in each))
        for name in each:
            formula.add("start", (False, start), (True, name))


def unsettled(labels: Labels) -> dict[Word, bool]:
    """Return the words left when pairs all of whose words have one answer are taken in turn.

    Examples
    --------
    >>> [len(unsettled(Spec(name, 4, 1, 1).labels())) for name in ("dyck2", "ones")]
    [48, 0]
    """
    left = dict(labels)
    while True:
        told: dict[tuple[int, int, int], set[bool]] = {}
        for word, answer in left.items():
            for j, symbol in enumerate(word):
                told.setdefault((word[-1], j, symbol), set()).add(answer)
        kept = {
            w: a
            for w, a in left.items()
            if all(len(told[w[-1], j, s]) > 1 for j, s in enumerate(w))
        }
        if len(kept) == len(left):
            return kept
        left = kept


def decode(spec: Spec, true: frozenset[Name], labels: Labels | None = None) -> Machine:
    """Read the machine off the true variables; situations that no word meets reject."""
    answers = spec.labels() if labels is None else labels
    ranks: dict[ListKey, tuple[Pair, ...]] = {}
    rows: dict[RowKey, int] = {}
    for own in sorted({w[-1] for w in answers}):
        pairs = sorted({(j, w[j]) for w in answers if w[-1] == own for j in range(spec.n - 1)})
        for head in range(spec.heads):
            wins = {
                p: sum(
                    sign is (name in true)
                    for sign, name in (_before(spec, head, own, p, q) for q in pairs if q != p)
                )
                for p in pairs
            }
            ranks[1, head, spec.n - 1, own] = tuple(sorted(pairs, key=lambda p: (-wins[p], p)))
    for word, answer in answers.items():
        seen = tuple(
            next(p for p in ranks[1, head, spec.n - 1, word[-1]] if word[p[0]] == p[1])
            for head in range(spec.heads)
        )
        rows[1, spec.n - 1, word[-1], seen] = int(answer)
    return Machine(spec, 2, ranks, rows)
