r"""Propagation of value sets with cubes: what a model can still compute on a subcube.

An *item* at (position i, layer k) is a value with a cube.  Invariant, by induction on k: for every
input x of the subcube and every (i, k) some item (v, cube) at (i, k) has y_i^(k)(x) = v and x in
the cube.  Step: let the item of position i be the true one.  Some position certainly scores at
least T = max_j min_w score(j, w), so the attended item scores at least T (and at equality lies on
the winning side of the first such j).  Walk these items downwards: when the walk reaches the
attended item, all items struck before it are false for x, hence the join of the cubes that remain
at their positions contains x.  Heads are walked one after the other from the cubes already
gathered.  Values that are equal at a position are merged (the cubes joined), except at the last
layer, whose separate cubes drive the search.

Main definitions: :class:`Propagator`, :class:`Caps`, :class:`Final`.

References
----------
Hahn (2020), Section 5.1 [hahn2020], of which this is an executable, exact-score refinement.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias, final

import numpy as np

from attention.scoring import act_rows, join, readout_rows, score_rows, take
from attention.transformer import AbstractHardTransformer
from restrictions.literals import LiteralLayer, Setting
from restrictions.rows import BlowUp, Row, merged

Branches: TypeAlias = list[tuple[int, int, tuple[int, ...]]]
"""Cases of a walk: choice-1 mask, choice-0 mask, the own and the attended items so far."""


@final
@dataclass(frozen=True)
class Caps:
    """Bounds on the number of cases; exceeding one is inconclusive, never wrong.

    Attributes
    ----------
    position
        Items at one position of one layer.
    layer
        Items of one layer in total.
    """

    position: int
    layer: int


@final
@dataclass(frozen=True)
class Final:
    """The attainable outputs with the cubes they need: (output, choice-1 mask, choice-0 mask)."""

    items: tuple[tuple[Hashable, int, int], ...]

    @property
    def outputs(self) -> frozenset[Hashable]:
        """The outputs that may occur on the subcube; one only means constant."""
        return frozenset(item[0] for item in self.items)


@final
class Layer:
    """All items of one layer, concatenated by position."""

    __slots__ = ("neg", "pos", "starts", "values", "where")

    def __init__(self, rows: Sequence[Row]) -> None:
        self.values = join([row.values for row in rows])
        self.pos = [mask for row in rows for mask in row.pos]
        self.neg = [mask for row in rows for mask in row.neg]
        sizes = [len(row.pos) for row in rows]
        self.starts = np.concatenate(([0], np.cumsum(sizes)))
        self.where = np.repeat(np.arange(len(rows)), sizes)


@final
class Propagator:
    """Propagates subcubes of one model over one ground.

    Parameters
    ----------
    model
        Any hard-attention transformer.
    ground
        Per position one or two symbols: choice 0 and choice 1.
    stop
        Asked often; once it answers true, the running propagation is abandoned as a blow-up.
    """

    BLOCK = 1 << 21

    def __init__(
        self,
        model: AbstractHardTransformer,
        ground: Sequence[tuple[Hashable, ...]],
        *,
        stop: Callable[[], bool] | None = None,
    ) -> None:
        self.model = model
        self.stop = stop
        self.ground = tuple(tuple(choices) for choices in ground)
        self.first = LiteralLayer(model, self.ground)
        self.everyone = list(range(model.n))

    def setting(self, true: int, false: int, base: Setting | None = None) -> Setting:
        """Return the restriction given by masks, reusing what ``base`` has computed."""
        return Setting(self.first, true, false, base)

    def final(self, setting: Setting, caps: Caps) -> Final:
        """Return the attainable outputs on the subcube.

        Raises
        ------
        BlowUp
            If a cap is exceeded.
        """
        last = self.model.layers
        if last == 1:
            row = self.first.rows(setting, [self.model.n - 1], caps.position)[0]
        else:
            layer = self._first_layer(setting, caps)
            for k in range(2, last):
                layer = self._next_layer(k, layer, caps)
            end = self.model.n - 1
            orders = self._orders(last, range(end, end + 1), layer)
            row = self._row(last, end, layer, orders, min(caps.layer, 4000 + 16 * self.model.n))
        outputs = readout_rows(self.model, row.values)
        return Final(tuple(zip(outputs, row.pos, row.neg, strict=True)))

    def layer(self, setting: Setting, k: int, caps: Caps) -> Layer:
        """Return all items of layer ``k >= 1`` on the subcube."""
        layer = self._first_layer(setting, caps)
        for number in range(2, k + 1):
            layer = self._next_layer(number, layer, caps)
        return layer

    def _first_layer(self, setting: Setting, caps: Caps) -> Layer:
        rows = self.first.rows(setting, self.everyone, caps.position)
        _require(sum(len(row.pos) for row in rows), caps)
        return Layer(rows)

    def _next_layer(self, k: int, below: Layer, caps: Caps) -> Layer:
        rows, total = [], 0
        for block in self._blocks(below):
            orders = self._orders(k, block, below)
            for i in block:
                row = merged(self._row(k, i, below, orders, caps.position))
                total += len(row.pos)
                _require(total, caps)
                rows.append(row)
        return Layer(rows)

    def _blocks(self, below: Layer) -> Iterator[range]:
        """Yield ranges of positions whose items have at most ``BLOCK`` scores together."""
        first = 0
        for i in self.everyone:
            items = int(below.starts[i + 1] - below.starts[first])
            if i > first and items * len(below.pos) > self.BLOCK:
                yield range(first, i)
                first = i
        yield range(first, self.model.n)

    def _row(
        self, k: int, i: int, below: Layer, orders: dict[tuple[int, int], list[int]], cap: int
    ) -> Row:
        """Return the items of position ``i`` at layer ``k``, given those of layer k - 1."""
        begin, end = int(below.starts[i]), int(below.starts[i + 1])
        cases: Branches = []
        for own in range(begin, end):
            if self.stop is not None and self.stop():
                raise BlowUp("the time is spent")
            branches: Branches = [(below.pos[own], below.neg[own], (own,))]
            for head in self._heads():
                order = orders[head, own]
                grown: Branches = []
                for branch in branches:
                    _walk(branch, order, below, grown, cap)
                branches = grown
            cases.extend(branches)
            if len(cases) > cap:
                raise BlowUp(f"position {i} has more than {cap} activations at layer {k}")
        columns = list(zip(*(case[2] for case in cases), strict=True))
        values = act_rows(
            self.model,
            k,
            [i] * len(cases),
            take(below.values, columns[0]),
            [take(below.values, column) for column in columns[1:]],
        )
        return Row(values, [c[0] for c in cases], [c[1] for c in cases], 0, True)

    def _heads(self) -> range:
        return range(self.model.heads)

    def _orders(self, k: int, positions: range, below: Layer) -> dict[tuple[int, int], list[int]]:
        """Return, per head and own item, the attendable items of the layer below, best first."""
        begin, end = int(below.starts[positions[0]]), int(below.starts[positions[-1] + 1])
        causal, rightmost = self.model.mask == "causal", self.model.ties == "rightmost"
        seen = end if causal else len(below.pos)
        where = below.where[:seen]
        columns = where.tolist()
        starts = below.starts[: columns[-1] + 1]
        keys = take(below.values, range(seen)) if seen < len(below.pos) else below.values
        found: dict[tuple[int, int], list[int]] = {}
        step = max(1, self.BLOCK // seen)
        for head in self._heads():
            for low in range(begin, end, step):
                if self.stop is not None and self.stop():
                    raise BlowUp("the time is spent")
                own = range(low, min(end, low + step))
                at = columns[low : own[-1] + 1]
                scores = score_rows(
                    self.model, k, head, at, take(below.values, own), columns, keys
                ).copy()
                for row, i, mine in zip(scores, at, own, strict=True):
                    # the own item is the true one of its position: its rivals there cannot occur
                    first, last = int(below.starts[i]), int(below.starts[i + 1])
                    row[first:last] = row[mine]
                    if causal:
                        row[last:] = row.min() - 1
                least = np.minimum.reduceat(scores, starts, axis=1)
                if rightmost:
                    pivots = least.shape[1] - 1 - least[:, ::-1].argmax(axis=1)
                else:
                    pivots = least.argmax(axis=1)
                for row, floors, pivot, i, mine in zip(
                    scores, least, pivots.tolist(), at, own, strict=True
                ):
                    level = floors[pivot]
                    near = np.flatnonzero(row >= level)
                    wins = where[near] >= pivot if rightmost else where[near] <= pivot
                    allowed = (where[near] != i) | (near == mine)
                    near = near[((row[near] > level) | wins) & allowed]
                    if rightmost:
                        near = near[::-1]
                    found[head, mine] = near[np.argsort(-row[near], kind="stable")].tolist()
        return found


def _walk(
    branch: tuple[int, int, tuple[int, ...]],
    order: Sequence[int],
    below: Layer,
    grown: Branches,
    cap: int,
) -> None:
    """Walk attendable items downwards from one branch; append the cases to ``grown``."""
    pos, neg, attended = branch
    all_pos, all_neg, starts, where = below.pos, below.neg, below.starts, below.where
    remaining: dict[int, Sequence[int]] = {int(where[attended[0]]): [attended[0]]}
    for item in order:
        item_pos, item_neg = all_pos[item], all_neg[item]
        if pos & item_neg or neg & item_pos:
            continue
        grown.append((pos | item_pos, neg | item_neg, (*attended, item)))
        if len(grown) > cap:
            raise BlowUp(f"more than {cap} activations at one position")
        j = int(where[item])
        left = remaining.get(j) or range(int(starts[j]), int(starts[j + 1]))
        left = [u for u in left if u != item and not (pos & all_neg[u] or neg & all_pos[u])]
        if not left:
            return
        remaining[j] = left
        join_pos, join_neg = all_pos[left[0]], all_neg[left[0]]
        for u in left[1:]:
            join_pos &= all_pos[u]
            join_neg &= all_neg[u]
        pos |= join_pos
        neg |= join_neg


def _require(total: int, caps: Caps) -> None:
    if total > caps.layer:
        raise BlowUp(f"a layer has more than {caps.layer} items")
