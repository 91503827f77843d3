"""The "uniform" encoding: position-free scores and tables, letters ``f(x_i, i)``, all lengths.

Hidden values are letters 0..S-1.  A head with own letter ``z`` scores letters by a total preorder
(ties allowed) that all positions share; of several positions with the best letter the leftmost
(or rightmost) one is attended.  One transformer has to be right on every length up to ``n``.

Groups: ``letters`` (the embedding f), ``preorder``, ``attend``, ``table``, ``answer``.

Main definitions: `encode`.
"""

from itertools import product

from synthesis.formula import Formula, Lit, Name
from synthesis.spec import Labels, Spec, SpecError, Word


def encode(spec: Spec, labels: Labels | None = None) -> Formula:
    """Return clauses satisfiable iff a uniform transformer gives these answers.

    Parameters
    ----------
    spec
        A cell of the uniform variant.
    labels
        Words of any lengths up to ``spec.n`` with their answers (default: all of them).
    """
    if spec.variant != "uniform":
        raise SpecError(f"the uniform encoding needs variant=uniform, got {spec.variant}")
    formula = Formula()
    inputs = spec.labels() if labels is None else labels
    letters = range(spec.alphabet or 0)
    for i, symbol in product(range(spec.n), range(len(spec.target.alphabet))):
        formula.exactly_one("letters", [("letter", i, symbol, s) for s in letters])
    for layer, head, own in product(range(1, spec.layers + 1), range(spec.heads), letters):
        key = (layer, head, own)
        for v, w in product(letters, repeat=2):
            formula.add("preorder", (True, ("least", *key, v, w)), (True, ("least", *key, w, v)))
        for u, v, w in product(letters, repeat=3):
            chain = ((False, ("least", *key, u, v)), (False, ("least", *key, v, w)))
            formula.add("preorder", *chain, (True, ("least", *key, u, w)))
    for layer in range(1, spec.layers + 1):
        for own, *seen in product(letters, repeat=1 + spec.heads):
            row = ("table", layer, own, tuple(seen))
            formula.exactly_one("table", [(*row, s) for s in letters])
    for word, answer in inputs.items():
        for layer in range(1, spec.layers + 1):
            last = layer == spec.layers
            for i in range(len(word)) if not last else (len(word) - 1,):
                formula.exactly_one("table", [("value", layer, word, i, s) for s in letters])
                _position(formula, spec, layer, word, i)
        for s in letters:
            reached: Lit = (False, ("value", spec.layers, word, len(word) - 1, s))
            formula.add("answer", reached, (answer, ("accept", s)))
    return formula


def _holds(layer: int, word: Word, i: int, s: int) -> Name:
    if layer == 0:
        return "letter", i, word[i], s
    return "value", layer, word, i, s


def _position(formula: Formula, spec: Spec, layer: int, word: Word, i: int) -> None:
    letters, places = range(spec.alphabet or 0), range(len(word))
    for head in range(spec.heads):
        attend = [("attend", layer, head, word, i, j) for j in places]
        formula.add("attend", *((True, name) for name in attend))
        for own, v in product(letters, repeat=2):
            got: Lit = (True, ("got", layer, head, word, i, v))
            for j in places:
                here: Lit = (False, _holds(layer - 1, word, j, v))
                formula.add("attend", (False, attend[j]), here, got)
                for k, w in product(places, letters):
                    premise = [
                        (False, attend[j]),
                        here,
                        (False, _holds(layer - 1, word, i, own)),
                        (False, _holds(layer - 1, word, k, w)),
                    ]
                    wins_ties = j < k if spec.ties == "leftmost" else j > k
                    if j != k and wins_ties:
                        formula.add("attend", *premise, (True, ("least", layer, head, own, v, w)))
                    elif j != k:
                        formula.add("attend", *premise, (False, ("least", layer, head, own, w, v)))
    for own, *seen in product(letters, repeat=1 + spec.heads):
        premise = [(False, _holds(layer - 1, word, i, own))]
        premise += [(False, ("got", layer, h, word, i, v)) for h, v in enumerate(seen)]
        for s in letters:
            row = ("table", layer, own, tuple(seen), s)
            formula.add("table", *premise, (False, row), (True, ("value", layer, word, i, s)))
