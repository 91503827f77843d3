"""The definition of hard attention for z3, as one would write it down: ranks and tables.

Every pair (position, value) has an integer score for every own value, all different; a head
attends to the visible pair with the largest score; the table maps own value and attended pairs to
the next value.  Scores and tables are uninterpreted functions, positions and values integers.
Nothing is optimised: this is the text to read, and the oracle for cells of a few words.  The CNF
encodings say the same and are hundreds of times faster.

Main definitions: `decide_readably`, `statement`.
"""

from itertools import combinations
from typing import Any

from synthesis.spec import Labels, Spec, SpecError, Word


def decide_readably(spec: Spec, *, seconds: float, labels: Labels | None = None) -> bool | None:
    """Return whether a transformer of the cell exists, ``None`` if z3 gives no answer in time.

    Parameters
    ----------
    spec
        A position-aware cell with a finite alphabet.
    seconds
        z3's own time limit.
    labels
        The words to get right with their answers (default: all words of the cell).

    Examples
    --------
    >>> [decide_readably(Spec("parity", n, 1, 1), seconds=20) for n in (2, 3)]
    [True, False]
    """
    import z3

    solver = z3.Solver()
    solver.set("timeout", max(1, int(1000 * seconds)))
    solver.add(statement(spec, spec.labels() if labels is None else labels))
    verdict = solver.check()
    return None if verdict == z3.unknown else bool(verdict == z3.sat)


def statement(spec: Spec, labels: Labels) -> list[Any]:
    """Return the z3 constraints "some transformer of the cell gives these answers"."""
    import z3

    if spec.variant == "uniform" or (spec.alphabet is None and spec.layers > 1):
        raise SpecError("the readable encoding needs a position-aware cell, finite alphabet")
    integer = z3.IntSort()
    # score(layer, head, i, own, j, value) and table(layer, i, own, j_1, v_1, .., j_H, v_H)
    score = z3.Function("score", *[integer] * 7)
    table = z3.Function("table", *[integer] * (4 + 2 * spec.heads))
    said: list[Any] = []
    for layer in range(1, spec.layers + 1):
        size = len(spec.target.alphabet) if layer == 1 else spec.alphabet or 2
        for i in range(spec.n) if layer < spec.layers else (spec.n - 1,):
            pairs = [(j, v) for j in spec.visible(i) for v in range(size)]
            for head in range(spec.heads):
                for own in range(size):
                    for p, q in combinations(pairs, 2):
                        a, b = (score(layer, head, i, own, *pair) for pair in (p, q))
                        said.append(a != b)
    for word, answer in labels.items():
        said += _run(spec, word, answer, score, table)
    return said


def _run(spec: Spec, word: Word, answer: bool, score: Any, table: Any) -> list[Any]:
    """Return the constraints that the transformer answers ``answer`` on ``word``."""
    import z3

    said: list[Any] = []
    values: list[Any] = [z3.IntVal(symbol) for symbol in word]
    for layer in range(1, spec.layers + 1):
        last = layer == spec.layers
        above: list[Any] = []
        for i in range(spec.n):
            if last and i < spec.n - 1:
                above.append(None)
                continue
            seen = list(spec.visible(i))
            attended: list[Any] = []
            for head in range(spec.heads):
                where = z3.Int(f"where_{layer}_{head}_{i}_{word}")
                what = z3.Int(f"what_{layer}_{head}_{i}_{word}")
                attended += [where, what]
                mine = (layer, head, i, values[i])
                if not seen:
                    said += [where == -1, what == 0]
                    continue
                said.append(z3.Or([z3.And(where == j, what == values[j]) for j in seen]))
                said += [
                    z3.Or(where == j, score(*mine, where, what) > score(*mine, j, values[j]))
                    for j in seen
                ]
            result = table(layer, i, values[i], *attended)
            if last:
                said.append(result == int(answer))
            else:
                said += [result >= 0, result < (spec.alphabet or 2)]
            above.append(result)
        values = above
    return said
