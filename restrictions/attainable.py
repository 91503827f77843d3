"""Greatest attainable scores of a layer, and which (head, value) pairs are satisfied.

For a head (h, i) and a value z of its own activation, order the positions by the greatest score
that any of their still attainable values has.  The first position of that order whose activation
is constant is a *witness*: whatever the input, the head attends inside the prefix that ends there.
The pair is satisfied when at most c k free inputs feed into that prefix.  Restricting further only
lowers the scores of other positions, so a satisfied pair stays satisfied (which the paper's
wording, tied to the currently selected activations, does not give).

Main definitions: :class:`ScoreTable`, :class:`Pair`.

References
----------
Hahn (2020), Section 5.1, Stage 2, eq. (7) [hahn2020]; the notion of a witness is our repair.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, final

import numpy as np
import numpy.typing as npt

from attention.scoring import pack, score_rows
from restrictions.ctransformer import CTransformer
from restrictions.probe import Fixing
from restrictions.rows import BlowUp

LARGEST = 1 << 25
"""Greatest number of entries of one head's score table."""


@final
@dataclass(frozen=True)
class Pair:
    """A head and a value of its own activation, as seen under a restriction.

    Attributes
    ----------
    head, position, leaf
        Head, query position, number of the leaf that is the own activation.
    prefix
        Positions before the witness, best first, as far as they were looked at.
    best
        For each of these, the number of the item that attains the greatest score.
    feeding
        How many free inputs feed into the prefix, counted up to the limit plus one.
    witness
        The witness position.
    """

    head: int
    position: int
    leaf: int
    prefix: tuple[int, ...]
    best: tuple[int, ...]
    feeding: int
    witness: int


@final
class ScoreTable:
    """Scores of every activation value of one layer for every other.

    Parameters
    ----------
    transformer
        A c-transformer; its next layer is meant.

    Raises
    ------
    BlowUp
        If a head's table would exceed ``LARGEST`` entries.
    """

    def __init__(self, transformer: CTransformer) -> None:
        self.transformer = transformer
        model = transformer.model
        self.items = [
            (j, pos, neg)
            for j, leaves in enumerate(transformer.activations)
            for _, pos, neg in leaves
        ]
        if len(self.items) ** 2 > LARGEST:
            raise BlowUp(f"a score table of {len(self.items)}^2 entries: restrict more first")
        values = pack(model, [leaf[0] for leaves in transformer.activations for leaf in leaves])
        self.where = np.array([j for j, _, _ in self.items])
        sizes = [len(leaves) for leaves in transformer.activations]
        self.starts = np.concatenate(([0], np.cumsum(sizes)))[:-1]
        columns = self.where.tolist()
        layer = transformer.removed + 1
        self.scores = []
        for head in range(model.heads):
            table = score_rows(model, layer, head, columns, values, columns, values)
            if model.mask == "causal":
                hidden = self.where[None, :] > self.where[:, None]
                table = np.where(hidden, table.min() - 1, table)
            self.scores.append(table)

    def pairs(self, fixing: Fixing, limit: int) -> Iterator[Pair]:
        """Yield all pairs that can still occur, with their witnesses under ``fixing``.

        Parameters
        ----------
        fixing
            The current restriction.
        limit
            ``c k``: how many free inputs a satisfied pair's prefix may have.
        """
        alive = np.array(
            [not (pos & fixing.false or neg & fixing.true) for _, pos, neg in self.items]
        )
        held = fixing.true | fixing.false
        sources = [0] * len(self.starts)
        for (j, pos, neg), living in zip(self.items, alive.tolist(), strict=True):
            if living:
                sources[j] |= (pos | neg) & ~held
        constant = np.array([mask == 0 for mask in sources])
        order_sign = -1 if self.transformer.model.ties == "rightmost" else 1
        for head, table in enumerate(self.scores):
            floor = np.int64(table.min()) - 1
            masked = np.where(alive[None, :], table, floor)
            for row in np.flatnonzero(alive).tolist():
                yield self._pair(
                    head, row, masked[row], floor, constant, sources, limit, order_sign
                )

    def _pair(
        self,
        head: int,
        row: int,
        scores: npt.NDArray[Any],
        floor: Any,
        constant: npt.NDArray[np.bool_],
        sources: list[int],
        limit: int,
        sign: int,
    ) -> Pair:
        i = int(self.where[row])
        begin = int(self.starts[i])
        end = int(self.starts[i + 1]) if i + 1 < len(self.starts) else len(self.where)
        scores = scores.copy()
        own = scores[row]
        scores[begin:end] = floor
        scores[row] = own
        best = np.maximum.reduceat(scores, self.starts)
        settled = constant.copy()
        settled[i] = True  # its value is z by assumption
        level = best[settled].max()
        ties = np.flatnonzero(settled & (best == level))
        witness = int(ties[0] if sign > 0 else ties[-1])
        places = np.arange(len(best))
        before = sign * places < sign * witness
        ahead = np.flatnonzero((best > level) | ((best == level) & before))
        ahead = ahead[np.lexsort((sign * ahead, -best[ahead]))]
        prefix, tops, feeding = [], [], 0
        for j in ahead.tolist():
            feeding |= sources[j]
            prefix.append(j)
            low = int(self.starts[j])
            high = int(self.starts[j + 1]) if j + 1 < len(self.starts) else len(self.where)
            tops.append(low + int(scores[low:high].argmax()))
            if feeding.bit_count() > limit:
                break
        return Pair(head, i, row - begin, tuple(prefix), tuple(tops), feeding.bit_count(), witness)
