"""What a model does on probe words: its rows at every stage, and where its heads look.

Main definitions: :class:`Probes`, :class:`Sight`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np

from rasp.decompile.selectors import Flags, Selection
from rasp.errors import DecompileError
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
    least
        Fewest keys that a row selects.
    """

    selection: Selection
    queries: list[tuple[Any, ...]]
    keys: list[tuple[Any, ...]]
    tied: bool
    least: int


class RankingError(DecompileError):
    """A head selects among the keys of a word, so that two kinds do not say whether."""


@final
class Probes:
    """The exact runs of a model on some words."""

    def __init__(self, model: CompiledModel, words: Sequence[Sequence[Any]]) -> None:
        self.model, self.words = model, words
        self.run = run_exact(model, words, returns=("outputs", "attention", "residuals"))

    def pairs(self, stage: int, before: int, after: int) -> set[tuple[Fraction, Fraction]]:
        """Return which values of two coordinates occur together, one a stage after the other."""
        first = int(self.model.bos)
        found: set[tuple[Fraction, Fraction]] = set()
        stages = zip(self.run.residuals[stage], self.run.residuals[stage + 1], strict=True)
        for rows, later in stages:
            found.update(zip(rows[first:, before], later[first:, after], strict=True))
        return found

    def held(self, stage: int, coordinates: Sequence[int]) -> list[int]:
        """Return which of some coordinates are 1 in some row of a word."""
        first = int(self.model.bos)
        return [
            c
            for c in coordinates
            if any((rows[first:, c] == 1).any() for rows in self.run.residuals[stage])
        ]

    def holds_one(self, stage: int, coordinates: Sequence[int]) -> bool:
        """Return whether every row of a word has one 1, and else 0, at some coordinates."""
        first, places = int(self.model.bos), list(coordinates)
        for rows in self.run.residuals[stage]:
            held = rows[first:, places]
            if not ((held == 1).sum(axis=1) == 1).all() or (held != 0).sum() != len(held):
                return False
        return True

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
        query: Callable[[int, int], tuple[Any, ...]],
        key: Callable[[int, int], tuple[Any, ...]],
    ) -> Sight:
        """Return the selection of a head between kinds of queries and keys.

        Parameters
        ----------
        head
            The head.
        query, key
            ``(word, position) -> kind``; positions count from 0, without BOS.

        Raises
        ------
        RankingError
            If what is selected is no function of the two, as when keys are ranked.
        DecompileError
            If BOS counts in some rows only.
        """
        queries: dict[tuple[Any, ...], int] = {}
        keys: dict[tuple[Any, ...], int] = {}
        places = []
        for number, word in enumerate(self.words):
            left = [queries.setdefault(query(number, i), len(queries)) for i in range(len(word))]
            top = [keys.setdefault(key(number, i), len(keys)) for i in range(len(word))]
            places.append((np.array(left), np.array(top)))
        hits = np.zeros((len(queries), len(keys)), dtype=bool)
        known = np.zeros_like(hits)
        first = int(self.model.bos)
        tied: set[bool] = set()
        least = max(map(len, self.words))
        patterns = self.run.attention[head.name]
        for (rows, columns), pattern in zip(places, patterns, strict=True):
            mine = pattern[first:, first:]
            seen = self.visible(len(mine))
            at = rows[:, None], columns[None, :]
            self._record(hits, known, at, mine, seen, head)
            some = mine.any(axis=1)
            least = min(least, int(mine.sum(axis=1).min()))
            if self.model.bos:
                tied.update(pattern[1:, 0][some].tolist())
        if len(tied) > 1:
            raise DecompileError(f"head {head.name} counts BOS in some rows only")
        return Sight(Selection(hits, known), list(queries), list(keys), tied == {True}, least)

    def visible(self, n: int) -> Flags:
        """Return which of ``n`` rows see which, BOS left out."""
        return np.tri(n, dtype=bool) if self.model.causal else np.ones((n, n), dtype=bool)

    @staticmethod
    def _record(hits: Flags, known: Flags, at: Any, mine: Flags, seen: Flags, head: Head) -> None:
        rows, columns = np.broadcast_arrays(*at)
        chosen, left = seen & mine, seen & ~mine
        clash = (known[at] & seen & (hits[at] != mine)).any()
        hits[rows[chosen], columns[chosen]] = True
        known[rows[seen], columns[seen]] = True
        if clash or hits[rows[left], columns[left]].any():
            raise RankingError(
                f"head {head.name} does not select by comparing two s-ops: it ranks keys, as best "
                "does, or its pattern depends on more than its query and key"
            )
