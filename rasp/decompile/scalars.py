"""Which s-ops the queries and keys of a head can have come from, with their values on probes.

Main definitions: :func:`look`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias, final

from rasp.decompile.probes import RankingError, Sight
from rasp.decompile.ranked import ranked
from rasp.decompile.selectors import Scalar
from rasp.decompile.state import Form, State, columns
from rasp.decompile.wording import combination, is_whole
from rasp.weights.matrix import Matrix
from rasp.weights.parts import Head
from rasp.weights.readout import Mark

ValueAt: TypeAlias = Callable[[int, int, Any], Any]
"""``(word, position, residual row) -> value``."""


@final
@dataclass(frozen=True, eq=False)
class _Candidate:
    text: str
    value: ValueAt
    derived: bool = False


def look(state: State, head: Head) -> tuple[Sight, list[Scalar], list[Scalar], str]:
    """Return what a head selects between which s-ops, simplest first, and what ranks the keys.

    Raises
    ------
    DecompileError
        As :func:`rasp.decompile.ranked.ranked`.
    """
    first, rows = int(state.model.bos), state.probes.run.residuals[state.stage]
    sides = []
    for matrix in (head.query, head.key):
        read = sorted(set(matrix.rows.tolist()))
        sides.append((read, _candidates(state, read, matrix)))

    def kind(side: tuple[list[int], list[_Candidate]]) -> Callable[[int, int], tuple[Any, ...]]:
        read, candidates = side

        def found(word: int, place: int) -> tuple[Any, ...]:
            row = rows[word][first + place]
            seen = [candidate.value(word, place, row) for candidate in candidates]
            return (*seen, *(row[c] for c in read))

        return found

    rank = ""
    try:
        sight = state.probes.sight(head, kind(sides[0]), kind(sides[1]))
    except RankingError:
        sight, rank = ranked(state, head, kind(sides[0]), kind(sides[1]))
    queries, keys = (
        [
            Scalar(candidate.text, values, candidate.derived)
            for candidate, values in zip(side[1], zip(*kinds, strict=True), strict=False)
        ]
        for side, kinds in zip(sides, (sight.queries, sight.keys), strict=True)
    )
    return sight, queries, keys, rank


def _candidates(state: State, read: Sequence[int], matrix: Matrix) -> list[_Candidate]:
    words, found = state.probes.words, {}
    bases = {base.text for c in read for base in state.term(c).bases}
    if "tokens" in bases:
        found["tokens"] = _Candidate("tokens", lambda word, place, row: str(words[word][place]))
        if all(is_whole(str(symbol)) for symbol in state.model.vocabulary.symbols):
            found["tokens_int"] = _Candidate(
                "tokens_int", lambda word, place, row: int(str(words[word][place]))
            )
    if "indices" in bases:
        found["indices"] = _Candidate("indices", lambda word, place, row: place)
    for d in state.model.basis:
        if d.index not in read or not d.born <= state.stage <= d.dies:
            continue
        if d.label in state.groups:
            text = state.groups[d.label]
            found.setdefault(text, _Candidate(text, _atom(state, d.label)))
        elif state.term(d.index).value is None:
            text = state.short(d.index).text
            found.setdefault(text, _Candidate(text, _form([(d.index, Fraction(1))])))
    for form in columns(matrix).values():
        kept = [(c, f) for c, f in form if state.term(c).value is None]
        for sign in (1, -1) if len(kept) > 1 else ():
            scaled = [(c, sign * f / abs(kept[0][1])) for c, f in kept]
            text = combination([(f, state.short(c).text) for c, f in scaled], Fraction(0))
            found.setdefault(text, _Candidate(text, _form(scaled), derived=True))
    return sorted(found.values(), key=lambda candidate: candidate.derived)


def _form(parts: Form) -> ValueAt:
    return lambda word, place, row: sum((f * row[c] for c, f in parts), Fraction(0))


def _atom(state: State, label: str) -> ValueAt:
    held = [
        d
        for d in state.model.coordinates(label)
        if not isinstance(d.value, Mark) and d.born <= state.stage <= d.dies
    ]

    def value(word: int, place: int, row: Any) -> Any:
        atoms = [d.value for d in held if row[d.index] == 1]
        return atoms[0] if len(atoms) == 1 else ""

    return value
