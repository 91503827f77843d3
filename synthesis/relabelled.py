"""The "relabelled" encoding: the uniform encoding with letters named in order of first use.

**Lemma.** Renaming the letters that a layer puts out, by any permutation, gives another uniform
transformer for the same language: the next layer's scores and tables are renamed along.  Go up
the layers from the embedding.  List what puts letters out in a fixed order: the embedding by
position and symbol, a layer's table by own letter and attended letters.  Rename so that letter s
is used for the first time after letter s - 1.  This leaves the layers below as they are.  The
last layer's letters matter only through acceptance, so every accepting letter may be replaced by
1 and every other one by 0.

The clauses say just that: every letter but 0 has its predecessor earlier in the list, and the
last table gives 0 (reject) or 1 (accept) only.

Group: ``wlog``, beside those of `synthesis.uniform`.

Main definitions: `encode`.
"""

from itertools import product

from synthesis import uniform
from synthesis.formula import Formula, Name
from synthesis.spec import Labels, Spec


def encode(spec: Spec, labels: Labels | None = None) -> Formula:
    """Return clauses satisfiable iff a uniform transformer gives these answers.

    Raises
    ------
    SpecError
        If the cell is not of the uniform variant.
    """
    formula = uniform.encode(spec, labels)
    letters = range(spec.alphabet or 0)
    _in_order(
        formula,
        [("letter", i, x) for i, x in product(range(spec.n), range(len(spec.target.alphabet)))],
        letters,
    )
    rows = list(product(letters, product(letters, repeat=spec.heads)))
    for layer in range(1, spec.layers):
        _in_order(formula, [("table", layer, own, seen) for own, seen in rows], letters)
    for own, seen in rows:
        for s in letters[2:]:
            formula.add("wlog", (False, ("table", spec.layers, own, seen, s)))
    formula.add("wlog", (True, ("accept", 1)))
    formula.add("wlog", (False, ("accept", 0)))
    return formula


def _in_order(formula: Formula, places: list[Name], letters: range) -> None:
    """Demand that at the first place with letter ``s`` letter ``s - 1`` was used before."""
    for s in letters[1:]:
        for k, place in enumerate(places):
            before = (((True, (*earlier, s - 1))) for earlier in places[:k])
            formula.add("wlog", (False, (*place, s)), *before)
