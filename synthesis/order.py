"""The "order" encoding: any number of layers, heads and hidden symbols.

Every head at position ``i`` with own value ``z`` ranks the pairs (position, value) by a strict
total order and attends to the first pair present.  Leftmost or rightmost ties need no clause:
two pairs of one position never occur together, so every preorder with such a rule is a strict
order.  What position ``i`` computes is shared between words that it sees alike (its *view*):
the first ``i + 1`` symbols when causal, the whole word otherwise.

Groups: ``order`` (totality is built into the naming, transitivity is written out), ``attend``
(the attended pair beats every present pair), ``table`` (equal local situations give equal
values), ``answer`` (the last value is membership).

Main definitions: `encode`, `attend_name`.
"""

from itertools import permutations, product

from synthesis.formula import Formula, Lit, Name
from synthesis.spec import Labels, Spec, Word

Pair = tuple[int, int]


def encode(spec: Spec, labels: Labels | None = None) -> Formula:
    """Return clauses satisfiable iff a transformer gives these answers.

    Parameters
    ----------
    spec
        A position-aware cell with a finite alphabet (or one layer, where none is needed).
    labels
        The words to get right with their answers (default: all words of the language's cell);
        leaving words out only makes the formula weaker.

    Notes
    -----
    Deterministic.  About ``(n S)^3`` order clauses a list and ``(n S)^(H+1)`` a word.
    """
    inputs = spec.labels() if labels is None else labels
    formula = Formula()
    for layer in range(1, spec.layers + 1):
        last = layer == spec.layers
        for i in (spec.n - 1,) if last else range(spec.n):
            for own, head in product(range(_symbols(spec, layer - 1)), range(spec.heads)):
                _ranking(formula, spec, (layer, head, i, own))
            for view, word in {view_of(spec, i, w): w for w in inputs}.items():
                _position(formula, spec, layer, i, word, inputs[word])
                if not last:
                    symbols = range(_symbols(spec, layer))
                    formula.exactly_one("table", [("value", layer, i, view, s) for s in symbols])
    return formula


def view_of(spec: Spec, i: int, word: Word) -> Word:
    """Return the part of the word that position ``i`` can ever learn about."""
    return word[: i + 1] if spec.variant == "causal" else word


def before(layer: int, head: int, i: int, own: int, p: Pair, q: Pair) -> Lit:
    """Return the literal "this head ranks pair ``p`` before pair ``q``"."""
    if p < q:
        return True, ("before", layer, head, i, own, p, q)
    return False, ("before", layer, head, i, own, q, p)


def _symbols(spec: Spec, layer: int) -> int:
    if layer == 0:
        return len(spec.target.alphabet)
    if spec.alphabet is None:
        raise ValueError("the order encoding needs a finite alphabet above layer 0")
    return spec.alphabet


def _pairs(spec: Spec, layer: int, i: int) -> list[Pair]:
    return [(j, v) for j in spec.visible(i) for v in range(_symbols(spec, layer - 1))]


def _ranking(formula: Formula, spec: Spec, key: tuple[int, int, int, int]) -> None:
    for p, q, r in permutations(_pairs(spec, key[0], key[2]), 3):
        (s, a), (t, b) = before(*key, p, q), before(*key, q, r)
        formula.add("order", (not s, a), (not t, b), before(*key, p, r))


def _is(spec: Spec, layer: int, i: int, word: Word, value: int) -> list[Lit] | None:
    """Return literals that deny "position ``i`` holds ``value``", ``None`` if it cannot."""
    if layer == 0:
        return [] if word[i] == value else None
    return [(False, ("value", layer, i, view_of(spec, i, word), value))]


def _situations(spec: Spec, layer: int, i: int, word: Word) -> list[tuple[Pair, list[Lit]]]:
    found = []
    for j, v in _pairs(spec, layer, i):
        denial = _is(spec, layer - 1, j, word, v)
        if denial is not None:
            found.append(((j, v), denial))
    return found


def _position(formula: Formula, spec: Spec, layer: int, i: int, word: Word, answer: bool) -> None:
    view = view_of(spec, i, word)
    present = _situations(spec, layer, i, word)
    for own in range(_symbols(spec, layer - 1)):
        here = _is(spec, layer - 1, i, word, own)
        if here is None:
            continue
        for head in range(spec.heads):
            for (p, there), (q, other) in product(present, repeat=2):
                if p[0] != q[0]:
                    attends: Lit = (False, ("attend", layer, head, i, view, p[0]))
                    better = before(layer, head, i, own, p, q)
                    formula.add("attend", attends, *here, *there, *other, better)
        choices = product(present, repeat=spec.heads) if present else [()]
        for choice in choices:
            if len({p for p, _ in choice}) > len({p[0] for p, _ in choice}):
                continue  # one position cannot hold two values
            denials = [lit for _, denial in choice for lit in denial] + here
            denials += [
                (False, ("attend", layer, head, i, view, p[0]))
                for head, (p, _) in enumerate(choice)
            ]
            row = (layer, i, own, tuple(p for p, _ in choice))
            _answer(formula, spec, word, answer, row, denials)
    if present:
        for head in range(spec.heads):
            seen = [("attend", layer, head, i, view, j) for j in spec.visible(i)]
            formula.add("attend", *((True, name) for name in seen))


def _answer(
    formula: Formula, spec: Spec, word: Word, answer: bool, row: Name, denials: list[Lit]
) -> None:
    layer, i = row[0], row[1]
    if layer == spec.layers:
        formula.add("answer", *denials, (answer, ("accept", *row)))
        return
    assert isinstance(layer, int)
    assert isinstance(i, int)
    symbols = range(_symbols(spec, layer))
    formula.add("table", *((True, ("table", *row, s)) for s in symbols))
    for s in symbols:
        value: Lit = (True, ("value", layer, i, view_of(spec, i, word), s))
        formula.add("table", *denials, (False, ("table", *row, s)), value)
