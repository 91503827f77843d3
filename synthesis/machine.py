"""A found transformer as rankings and tables, its own evaluator, and its conversion.

A machine lists, for every head and own value, the pairs (position, value) best first, and what a
position answers in each local situation.  `run_all` evaluates it on many words at once and knows
nothing of the encodings; `as_tables` gives the same transformer to every other tool.

Main definitions: `Machine`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np
import numpy.typing as npt

from attention.hard import TableTransformer
from synthesis.spec import Spec, Word

Pair = tuple[int, int]
ListKey = tuple[int, int, int, int]
"""Layer (from 1), head (from 0), position (from 0), own value."""
RowKey = tuple[int, int, int, tuple[Pair, ...]]
"""Layer, position, own value, attended pair of every head (empty if nothing is visible)."""


@final
@dataclass(frozen=True, slots=True)
class Machine:
    """A position-aware transformer.

    Parameters
    ----------
    spec
        The cell it was found for (``causal`` or ``full``).
    symbols
        Number of hidden values after each layer but the last.
    ranks
        Best pair first.  Pairs left out never win against listed ones; if no listed pair is
        present the row ``()`` applies.
    rows
        Hidden value, or 0 / 1 in the last layer; a row left out means 0.

    Examples
    --------
    >>> always = Machine(Spec("first", 2, 1, 1), 2, {(1, 0, 1, 0): ((0, 1), (0, 0))},
    ...                  {(1, 1, 0, ((0, 1),)): 1})
    >>> always.run_all(np.array([[1, 0], [0, 0]], dtype=np.uint8)).tolist()
    [True, False]
    """

    spec: Spec
    symbols: int
    ranks: Mapping[ListKey, tuple[Pair, ...]]
    rows: Mapping[RowKey, int]

    def values(self, layer: int) -> int:
        """Return the number of values after ``layer`` layers, below the last."""
        return len(self.spec.target.alphabet) if layer == 0 else self.symbols

    def run_all(self, words: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
        """Evaluate words of symbol indices, shape (b, n); return acceptance, shape (b,)."""
        spec, below = self.spec, words.astype(np.int64)
        for layer in range(1, spec.layers + 1):
            last = layer == spec.layers
            above = np.zeros_like(below)
            for i in (spec.n - 1,) if last else range(spec.n):
                above[:, i] = self._position(layer, i, below)
            below = above
        return np.asarray(below[:, -1] == 1)

    def _position(self, layer: int, i: int, below: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        result = np.zeros(len(below), dtype=np.int64)
        for own in range(self.values(layer - 1)):
            mine = np.flatnonzero(below[:, i] == own)
            groups: list[tuple[npt.NDArray[np.intp], tuple[Pair, ...]]] = [(mine, ())]
            for head in range(self.spec.heads):
                ranked = self.ranks.get((layer, head, i, own), ())
                groups = [
                    (part, (*seen, *pair))
                    for members, seen in groups
                    for part, pair in _attend(below, members, ranked)
                ]
            for members, seen in groups:
                result[members] = self.rows.get((layer, i, own, seen), 0)
        return result

    def mistakes(self, limit: int | None = None) -> list[Word]:
        """Return the words of the cell that the machine gets wrong, at most ``limit`` of them."""
        words = np.array(list(self.spec.inputs()), dtype=np.uint8)
        wrong = np.flatnonzero(self.run_all(words) != self.spec.target.members(words))
        return [tuple(int(s) for s in words[k]) for k in wrong[:limit]]

    def as_json(self) -> dict[str, Any]:
        """Return the machine as plain sorted data."""
        return {
            "symbols": self.symbols,
            "ranks": [
                [*key, [list(p) for p in pairs]] for key, pairs in sorted(self.ranks.items())
            ],
            "rows": [
                [k, i, z, [list(p) for p in seen], value]
                for (k, i, z, seen), value in sorted(self.rows.items())
                if value
            ],
        }

    @staticmethod
    def from_json(spec: Spec, data: Mapping[str, Any]) -> "Machine":
        """Read a machine written by `as_json`."""
        return Machine(
            spec,
            data["symbols"],
            {(k, h, i, z): _pairs(pairs) for k, h, i, z, pairs in data["ranks"]},
            {(k, i, z, _pairs(seen)): value for k, i, z, seen, value in data["rows"]},
        )

    def as_tables(self) -> TableTransformer:
        """Return the same transformer with values that carry their position.

        Value ``i * S + s`` stands for symbol ``s`` at position ``i``, so tables need no position
        axis.  A position never attends to itself unless it sees nothing else.
        """
        spec, n = self.spec, self.spec.n
        letters = len(spec.target.alphabet)
        scores, acts = [], []
        for layer in range(1, spec.layers + 1):
            size = self.values(layer - 1)
            above = 2 if layer == spec.layers else self.symbols
            table = np.zeros((spec.heads, 1, n * size, 1, n * size), dtype=np.int64)
            act = np.zeros((1, *(n * size,) * (1 + spec.heads)), dtype=np.int64)
            for i in range(n):
                act[:, i * size : (i + 1) * size] = i * above
            for (k, head, i, own), ranked in self.ranks.items():
                if k == layer:
                    for place, (j, v) in enumerate(ranked):
                        table[head, 0, i * size + own, 0, j * size + v] = len(ranked) - place
            for (k, i, own, seen), value in self.rows.items():
                if k == layer:
                    me = i * size + own
                    attended = [j * size + v for j, v in seen] or [me] * spec.heads
                    act[(0, me, *attended)] = i * above + value
            for i in range(n):
                for own in range(size):  # never itself, if anything else is visible
                    if spec.visible(i):
                        table[:, 0, i * size + own, 0, i * size + own] = -1
            scores.append(list(table))
            acts.append(act)
        return TableTransformer(
            n=n,
            alphabet=spec.target.alphabet,
            embedding=np.arange(n * letters).reshape(n, letters),
            scores=scores,
            acts=acts,
            outputs=tuple(bool(v % 2) for v in range(2 * n)),
            mask="causal" if spec.variant == "causal" else "full",
        )


def _pairs(rows: list[list[int]]) -> tuple[Pair, ...]:
    return tuple((j, v) for j, v in rows)


def _attend(
    below: npt.NDArray[np.int64], members: npt.NDArray[np.intp], ranked: tuple[Pair, ...]
) -> list[tuple[npt.NDArray[np.intp], tuple[Pair, ...]]]:
    """Split ``members`` by the first ranked pair present in each word."""
    parts: list[tuple[npt.NDArray[np.intp], tuple[Pair, ...]]] = []
    for j, v in ranked:
        if not len(members):
            break
        hit = below[members, j] == v
        if hit.any():
            parts.append((members[hit], ((j, v),)))
            members = members[~hit]
    if len(members):
        parts.append((members, ()))
    return parts
