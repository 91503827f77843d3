"""A solver-free refutation for one layer: an adversary that makes every head constant.

Fix the last symbol.  Each head of the last position ranks literals (position, symbol).  Going
through the heads, set the first literal that the symbols fixed so far allow: the head now attends
to it whatever the free symbols are.  After H steps the transformer is constant on the words that
are left, so it fails if membership is not.  The adversary may fix further symbols at any time; the
transformer chooses its rankings, so a win must hold against every choice of the next literal.

The order of the heads does not matter and the same literal may serve several heads.  A win refutes
the cell for every alphabet and every activation.  A loss proves nothing.

Main definitions: `adversary_wins`.
"""

from functools import cache
from itertools import product

from synthesis.spec import Spec, SpecError

MAX_PARTIAL = 3**10
"""Most partial words that are enumerated."""

Partial = tuple[int | None, ...]


def adversary_wins(spec: Spec) -> bool:
    """Return whether the adversary beats every one-layer transformer of the cell.

    Parameters
    ----------
    spec
        A one-layer position-aware cell with at most ``MAX_PARTIAL`` partial words.

    Raises
    ------
    SpecError
        For more than one layer, the uniform variant, or a cell that is too large to enumerate.

    Examples
    --------
    >>> [adversary_wins(Spec("parity", n, 1, 2)) for n in (3, 4)]
    [False, True]
    """
    letters, n = len(spec.target.alphabet), spec.n
    if spec.layers != 1 or spec.variant == "uniform":
        raise SpecError("the adversary argument is for one layer, causal or full")
    if (letters + 1) ** n > MAX_PARTIAL:
        raise SpecError(f"n={n}: too many partial words to enumerate")
    labels = spec.labels()

    @cache
    def constant(word: Partial) -> bool:
        for i, symbol in enumerate(word):
            if symbol is None:
                halves = [(*word[:i], a, *word[i + 1 :]) for a in range(letters)]
                return all(constant(h) for h in halves) and len({answer(h) for h in halves}) == 1
        return True

    def answer(word: Partial) -> bool:
        return labels[tuple(0 if symbol is None else symbol for symbol in word)]

    @cache
    def wins(word: Partial, heads: int) -> bool:
        if constant(word):
            return False
        if heads == 0:
            return True
        return beats_next(word, heads) or any(
            wins((*word[:i], a, *word[i + 1 :]), heads)
            for i, a in product(range(n - 1), range(letters))
            if word[i] is None
        )

    def beats_next(word: Partial, heads: int) -> bool:
        """Whether each literal that the next head may rank first leaves a winning rest."""
        return all(
            wins((*word[:i], a, *word[i + 1 :]), heads - 1)
            for i, a in product(range(n - 1), range(letters))
            if word[i] is None or word[i] == a
        )

    free: Partial = (None,) * (n - 1)
    return any(wins((*free, last), spec.heads) for last in range(letters))
