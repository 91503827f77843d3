"""Which items of the layer below a head may attend to, best first.

Some position certainly scores T = max_j min_w score(j, w) or more, so only items above T can be
attended to, and those equal to T on the tie-winning side of the first position that reaches T.

Main definitions: :class:`Layer`, :func:`attendable`.

References
----------
Hahn (2020), Section 5.1, Stage 2, eq. (7) [hahn2020].
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias, final

import numpy as np

from attention.scoring import join, score_rows, take
from attention.transformer import AbstractHardTransformer
from restrictions.rows import BlowUp, Row, keys

Orders: TypeAlias = dict[tuple[int, int], list[int]]
"""Per head and own item, the attendable items of the layer below, best first."""

BLOCK = 1 << 21
"""Greatest number of scores held at once."""


@final
class Layer:
    """All items of one layer, concatenated by position.

    Attributes
    ----------
    values
        Packed values.
    cubes
        Per item, the literals it needs (:mod:`restrictions.rows`).
    starts
        Number of the first item of each position, and the number of items.
    where
        Per item, its position.
    begins, at
        ``starts`` and ``where`` as lists.
    n
        Number of positions of the model.
    """

    __slots__ = ("_names", "at", "begins", "cubes", "n", "starts", "values", "where")

    def __init__(self, rows: Sequence[Row], n: int) -> None:
        self.values = join([row.values for row in rows])
        self.cubes = [cube for row in rows for cube in row.cubes]
        sizes = [len(row.cubes) for row in rows]
        self.starts = np.concatenate(([0], np.cumsum(sizes)))
        self.where = np.repeat(np.arange(len(rows)), sizes)
        self.begins: list[int] = self.starts.tolist()
        self.at: list[int] = self.where.tolist()
        self.n = n
        self._names: list[int] | None = None

    def names(self) -> list[int]:
        """Return a number per item, equal for equal values (whatever their positions)."""
        if self._names is None:
            numbers: dict[Any, int] = {}
            self._names = [numbers.setdefault(key, len(numbers)) for key in keys(self.values)]
        return self._names


def attendable(
    model: AbstractHardTransformer,
    k: int,
    positions: range,
    below: Layer,
    heads: Iterable[int],
    stop: Callable[[], bool] | None = None,
) -> Orders:
    """Return the attendable items for each head and each item of the given positions.

    Parameters
    ----------
    model
        Any hard-attention transformer.
    k
        The layer whose heads are meant; ``below`` is layer k - 1.
    positions
        Consecutive positions whose items are the queries.
    below
        The items of layer k - 1.
    heads
        Which heads.
    stop
        Asked once a block; true abandons the work.

    Raises
    ------
    BlowUp
        If ``stop`` answered true.
    """
    begin, end = below.begins[positions[0]], below.begins[positions[-1] + 1]
    causal, rightmost = model.mask == "causal", model.ties == "rightmost"
    seen = end if causal else len(below.cubes)
    where, columns = below.where[:seen], below.at[:seen]
    starts = below.starts[: columns[-1] + 1]
    known = take(below.values, range(seen)) if seen < len(below.cubes) else below.values
    found: Orders = {}
    step = max(1, BLOCK // seen)
    for head in heads:
        for low in range(begin, end, step):
            if stop is not None and stop():
                raise BlowUp("the time is spent")
            own = np.arange(low, min(end, low + step))
            at, rows = where[own][:, None], np.arange(len(own))
            scores = score_rows(
                model, k, head, columns[low : low + step][: len(own)],
                take(below.values, own.tolist()), columns, known,
            ).copy()  # fmt: skip
            # the own item is the true one of its position: its rivals there cannot occur
            rivals = where[None, :] == at
            mine = scores[rows, own]
            np.copyto(scores, mine[:, None], where=rivals)
            if causal:
                np.copyto(scores, scores.min(axis=1)[:, None] - 1, where=where[None, :] > at)
            least = np.minimum.reduceat(scores, starts, axis=1)
            if rightmost:
                pivots = least.shape[1] - 1 - least[:, ::-1].argmax(axis=1)
            else:
                pivots = least.argmax(axis=1)
            level = least[rows, pivots][:, None]
            pivot = pivots[:, None]
            near = scores > level
            near |= (scores == level) & (where >= pivot if rightmost else where <= pivot)
            own_near = near[rows, own]
            near &= ~rivals
            near[rows, own] = own_near
            queries, items = np.nonzero(near)
            order = np.lexsort((-items if rightmost else items, -scores[queries, items], queries))
            sizes = np.cumsum(near.sum(axis=1)).tolist()
            chosen = items[order].tolist()
            for number, first, last in zip(own.tolist(), [0, *sizes], sizes, strict=False):
                found[head, number] = chosen[first:last]
    return found
