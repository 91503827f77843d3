"""What a model does on probe words: its rows at every stage, and where its heads look.

Main definitions: :class:`Probes`, :class:`Sight`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np

from rasp.decompile.selectors import Flags, Selection
from rasp.decompile.terms import DecompileError
from rasp.weights.exact import run_exact
from rasp.weights.model import CompiledModel
from rasp.weights.parts import Head

Row = tuple[Fraction, ...]


@final
@dataclass(frozen=True, eq=False)
class Sight:
    """How a head looked on the probe words.

    Attributes
    ----------
    selection
        Between distinct queries and distinct keys of the words, BOS left out.
    queries, keys
        What identifies them: coordinates and scalars, as asked for.
    tied
        Whether BOS always counts as selected too; else it is where nothing else is.
    """

    selection: Selection
    queries: list[tuple[Any, ...]]
    keys: list[tuple[Any, ...]]
    tied: bool


@final
class Probes:
    """The exact runs of a model on some words."""

    def __init__(self, model: CompiledModel, words: Sequence[Sequence[Any]]) -> None:
        self.model, self.words = model, words
        self.run = run_exact(model, words, returns=("outputs", "attention", "residuals"))

    def bos_value(self, stage: int, coordinate: int) -> Fraction:
        """Return a coordinate of the row of BOS, 0 without BOS.

        Raises
        ------
        DecompileError
            If it depends on the word.
        """
        if not self.model.bos:
            return Fraction(0)
        values = {rows[0, coordinate] for rows in self.run.residuals[stage]}
        if len(values) > 1:
            raise DecompileError(
                f"coordinate {coordinate} of the row of BOS depends on the word at stage {stage}: "
                "no s-op has a value there"
            )
        found: Fraction = values.pop()
        return found

    def sight(
        self,
        head: Head,
        stage: int,
        query: Callable[[int, int], tuple[Any, ...]],
        key: Callable[[int, int], tuple[Any, ...]],
    ) -> Sight:
        """Return the selection of a head between kinds of queries and keys.

        Parameters
        ----------
        head
            The head.
        stage
            Before its layer.
        query, key
            ``(word, position) -> kind``; positions count from 0, without BOS.

        Raises
        ------
        DecompileError
            If what is selected is no function of the two, as when keys are ranked.
        """
        queries: dict[tuple[Any, ...], int] = {}
        keys: dict[tuple[Any, ...], int] = {}
        places = []
        for number, word in enumerate(self.words):
            rows = [queries.setdefault(query(number, i), len(queries)) for i in range(len(word))]
            columns = [keys.setdefault(key(number, i), len(keys)) for i in range(len(word))]
            places.append((np.array(rows), np.array(columns)))
        hits = np.zeros((len(queries), len(keys)), dtype=bool)
        known = np.zeros_like(hits)
        first = int(self.model.bos)
        tied: set[bool] = set()
        patterns = self.run.attention[head.name]
        for (rows, columns), pattern in zip(places, patterns, strict=True):
            mine = pattern[first:, first:]
            seen = self._visible(len(mine))
            at = rows[:, None], columns[None, :]
            self._record(hits, known, at, mine, seen, head)
            some = mine.any(axis=1)
            if self.model.bos:
                tied.update(pattern[1:, 0][some].tolist())
        if len(tied) > 1:
            raise DecompileError(f"head {head.name} counts BOS in some rows only")
        return Sight(Selection(hits, known), list(queries), list(keys), tied == {True})

    def _visible(self, n: int) -> Flags:
        return np.tri(n, dtype=bool) if self.model.causal else np.ones((n, n), dtype=bool)

    @staticmethod
    def _record(hits: Flags, known: Flags, at: Any, mine: Flags, seen: Flags, head: Head) -> None:
        rows, columns = np.broadcast_arrays(*at)
        chosen, left = seen & mine, seen & ~mine
        clash = (known[at] & seen & (hits[at] != mine)).any()
        hits[rows[chosen], columns[chosen]] = True
        known[rows[seen], columns[seen]] = True
        if clash or hits[rows[left], columns[left]].any():
            raise DecompileError(
                f"head {head.name} does not select by comparing two s-ops: it ranks keys, as best "
                "does, or its pattern depends on more than its query and key"
            )
