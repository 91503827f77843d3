"""The "level" encoding: one head, one or two layers, lists as blocks with alternating labels.

With one head, what a position computes is a decision list over (position, value) literals: the
first literal present decides.  Inside a block of equal labels the order is irrelevant, so a list
is a level for every literal, and the lowest level that occurs in the word gives the label.  No
transitivity is needed.

**Enough levels.** A list over m positions with S values each has at most r = m(S-1)+1 reachable
entries.  If it has exactly r, the last two entries are two values of one position and may be
swapped.  With two labels this leaves at most m(S-1) blocks, or two blocks when r = 2, where the
swap can put label 0 first.  Levels are labelled 0, 1, 0, 1, ... and may be empty, so m(S-1)+1
levels always suffice.  With more labels every level chooses its own, and r levels suffice.
(Demanding non-empty levels would be wrong: short lists exist.)

Groups: ``levels`` (unary numbers grow), ``lowest`` (the lowest level that occurs), ``value``,
``present`` (level of the literal that is present), ``answer``.

Main definitions: `encode`, `level_count`.
"""

from synthesis.formula import Formula, Lit, Name
from synthesis.order import view_of
from synthesis.spec import Labels, Spec, SpecError, Word


def level_count(positions: int, symbols: int) -> int:
    """Return how many levels a list over ``positions`` with ``symbols`` values each needs.

    Examples
    --------
    >>> level_count(positions=5, symbols=2)
    6
    """
    return positions * (symbols - 1) + 1


def encode(spec: Spec, labels: Labels | None = None) -> Formula:
    """Return clauses satisfiable iff a transformer gives these answers.

    Parameters
    ----------
    spec
        One head, one or two layers, position-aware, finite alphabet.
    labels
        The words to get right with their answers (default: all words of the cell).

    Raises
    ------
    SpecError
        If the cell is outside this encoding; use `synthesis.order.encode` then.
    """
    deep = spec.layers > 1
    if (
        spec.heads != 1
        or spec.layers > 2
        or spec.variant == "uniform"
        or (deep and spec.alphabet is None)
    ):
        raise SpecError(f"the level encoding needs 1 head and 1 or 2 layers, got {spec}")
    formula = Formula()
    inputs = spec.labels() if labels is None else labels
    if spec.layers == 2:
        for i in range(spec.n):
            _first_layer(formula, spec, i, inputs)
    _last_layer(formula, spec, inputs)
    return formula


def _unary(formula: Formula, name: Name, levels: int) -> None:
    for d in range(levels - 2):
        formula.add("levels", (False, (*name, d)), (True, (*name, d + 1)))


def _value(spec: Spec, i: int, word: Word, symbol: int) -> Lit:
    """Return the literal "position ``i`` holds ``symbol`` after layer 1"."""
    view = view_of(spec, i, word)
    if spec.alphabet == 2:
        return symbol == 1, ("bit", i, view)
    return True, ("value", i, view, symbol)


def _first_layer(formula: Formula, spec: Spec, i: int, inputs: Labels) -> None:
    symbols, hidden = len(spec.target.alphabet), spec.alphabet or 0
    seen = spec.visible(i)
    levels = level_count(len(seen), symbols)
    for own in range(symbols):
        for j in seen:
            for v in range(symbols):
                _unary(formula, ("list", i, own, j, v), levels)
        if hidden > 2 or not seen:
            for d in range(levels):
                formula.exactly_one("value", [("label", i, own, d, s) for s in range(hidden)])
    for view, word in {view_of(spec, i, w): w for w in inputs}.items():
        if hidden > 2:
            formula.exactly_one("value", [("value", i, view, s) for s in range(hidden)])
        lowest = [("lowest", i, view, d) for d in range(levels - 1)]
        for d, name in enumerate(lowest):
            present = [("list", i, word[i], j, word[j], d) for j in seen]
            formula.add("lowest", (False, name), *((True, p) for p in present))
            for p in present:
                formula.add("lowest", (True, name), (False, p))
        for d in range(levels):
            here = [(False, lowest[d])] if d < levels - 1 else []
            here += [(True, lowest[d - 1])] if d > 0 else []
            if hidden == 2 and seen:
                formula.add("value", *here, _value(spec, i, word, d % 2))
                continue
            for s in range(hidden):
                label: Lit = (False, ("label", i, word[i], d, s))
                formula.add("value", *here, label, _value(spec, i, word, s))


def _last_layer(formula: Formula, spec: Spec, inputs: Labels) -> None:
    deep = spec.layers == 2
    symbols = (spec.alphabet or 0) if deep else len(spec.target.alphabet)
    i, seen = spec.n - 1, spec.visible(spec.n - 1)
    levels = level_count(len(seen), symbols)
    for own in range(symbols):
        for j in seen:
            for v in range(symbols):
                _unary(formula, ("rank", own, j, v), levels)
    for word, answer in inputs.items():
        for own in range(symbols):
            if deep:
                sign, name = _value(spec, i, word, own)
                other: list[Lit] = [(not sign, name)]
            elif word[i] == own:
                other = []
            else:
                continue
            _word(formula, spec, word, answer, own, other)


def _word(
    formula: Formula, spec: Spec, word: Word, answer: bool, own: int, other: list[Lit]
) -> None:
    """Demand the right answer on ``word`` unless the last position's value is not ``own``."""
    seen = spec.visible(spec.n - 1)
    deep = spec.layers == 2
    symbols = (spec.alphabet or 0) if deep else len(spec.target.alphabet)
    levels = level_count(len(seen), symbols)
    wrong = 0 if answer else 1  # parity of the levels that answer wrongly
    if not seen:
        formula.add("answer", *other, (answer, ("accept", own)))
        return
    at: dict[tuple[int, int], Name] = {}
    for j in seen:
        for d in range(levels - 1):
            if not deep:
                at[j, d] = ("rank", own, j, word[j], d)
                continue
            at[j, d] = ("present", own, j, view_of(spec, j, word), d)
            for v in range(symbols):
                sign, name = _value(spec, j, word, v)
                rank: Name = ("rank", own, j, v, d)
                formula.add("present", (not sign, name), (False, at[j, d]), (True, rank))
                formula.add("present", (not sign, name), (True, at[j, d]), (False, rank))
    for d in range(wrong, levels, 2):
        # a literal at wrong level d must be beaten by one at a lower level
        lower: list[Lit] = [(True, ("lower", word, own, d))] if d else []
        if d:
            formula.add("answer", (False, lower[0][1]), *((True, at[j, d - 1]) for j in seen))
        if d == levels - 1:
            formula.add("answer", *other, *lower)
        else:
            for j in seen:
                formula.add("answer", *other, *lower, (False, at[j, d]))
