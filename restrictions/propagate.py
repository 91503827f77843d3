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
from typing import Any, final

from attention.scoring import act_rows, readout_rows, take
from attention.transformer import AbstractHardTransformer
from restrictions.literals import LiteralLayer, Setting
from restrictions.orders import BLOCK, Layer, Orders, attendable
from restrictions.rows import BlowUp, Row, merged
from restrictions.walk import Branches, best_case, condensed, contained, walk

MANY = 48
"""With more cases than this, those that attend to equal values are merged if that halves them."""


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
    last
        Cases of the last layer; ``None``: 4000 + 16 n, and no more than ``layer``.
    """

    position: int
    layer: int
    last: int | None = None

    def top(self, n: int) -> int:
        """Return the bound on the cases of the last layer of a model with n positions."""
        return min(self.layer, 4000 + 16 * n) if self.last is None else self.last


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
        self.first = LiteralLayer(model, self.ground, stop)
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
            n = self.model.n
            below = self.layer(setting, last - 1, caps)
            row = self._rows(last, range(n - 1, n), below, caps.top(n))[0]
        outputs = readout_rows(self.model, row.values)
        n, low = self.model.n, (1 << self.model.n) - 1
        return Final(
            tuple(
                (output, cube & low, cube >> n)
                for output, cube in zip(outputs, row.cubes, strict=True)
            )
        )

    def constant(self, setting: Setting, caps: Caps) -> tuple[Hashable] | None:
        """Return the only attainable output in a tuple, or ``None`` if there are several.

        The same answer as :meth:`final` gives, but cases of the last layer are only looked at until
        two outputs differ.

        Raises
        ------
        BlowUp
            If a cap is exceeded.
        """
        last, n = self.model.layers, self.model.n
        seen: set[Hashable] = set()
        if last == 1:
            seen.update(self.final(setting, caps).outputs)
            return (seen.pop(),) if len(seen) == 1 else None
        below = self.layer(setting, last - 1, caps)
        heads, end = range(self.model.heads), range(n - 1, n)
        orders = attendable(self.model, last, end, below, heads, self.stop)
        owns = range(below.begins[n - 1], below.begins[n])
        waiting = [best_case(own, heads, orders, below) for own in owns]
        seen.update(self._outputs(waiting, below))
        cap, waiting = caps.top(n), []
        for own in owns:
            if len(seen) > 1:
                return None
            for branch in self._branches(own, heads[:-1], orders, below, cap):
                before = len(waiting)
                waiting = walk(branch, orders[heads[-1], own], below, waiting, cap)
                cap -= max(0, len(waiting) - before)  # whoever checks this walks all cases again
                if len(waiting) >= 256:
                    seen.update(self._outputs(waiting, below))
                    waiting = []
                    if len(seen) > 1:
                        return None
        seen.update(self._outputs(waiting, below))
        return (seen.pop(),) if len(seen) == 1 else None

    def _outputs(self, cases: Branches, below: Layer) -> list[Hashable]:
        """Return the outputs of cases of the last layer."""
        if not cases:
            return []
        return readout_rows(self.model, self._values(self.model.layers, cases, below))

    def layer(self, setting: Setting, k: int, caps: Caps) -> Layer:
        """Return all items of layer ``k >= 1`` on the subcube."""
        layer = self._first_layer(setting, caps)
        for number in range(2, k + 1):
            layer = self._next_layer(number, layer, caps)
        return layer

    def _first_layer(self, setting: Setting, caps: Caps) -> Layer:
        rows = self.first.rows(setting, self.everyone, caps.position)
        _require(sum(len(row.cubes) for row in rows), caps)
        return Layer(rows, self.model.n)

    def _next_layer(self, k: int, below: Layer, caps: Caps) -> Layer:
        rows: list[Row] = []
        total = 0
        for block in self._blocks(below):
            for row in self._rows(k, block, below, caps.position, caps.layer - total):
                rows.append(merged(row))
                total += len(rows[-1].cubes)
            _require(total, caps)
        return Layer(rows, self.model.n)

    def _blocks(self, below: Layer) -> Iterator[range]:
        """Yield ranges of positions whose items have at most ``BLOCK`` scores together."""
        first = 0
        for i in self.everyone:
            items = below.begins[i + 1] - below.begins[first]
            if i > first and items * len(below.cubes) > BLOCK:
                yield range(first, i)
                first = i
        yield range(first, self.model.n)

    def _rows(
        self, k: int, block: range, below: Layer, cap: int, room: int | None = None
    ) -> list[Row]:
        """Return the items of some positions at layer ``k``, given those of layer k - 1."""
        heads = range(self.model.heads)
        orders = attendable(self.model, k, block, below, heads, self.stop)
        sizes, cases = [], []
        for i in block:
            found: Branches = []
            for own in range(below.begins[i], below.begins[i + 1]):
                found.extend(self._branches(own, heads, orders, below, cap))
                if len(found) > cap:
                    found = contained(found, below, cap)
            sizes.append(len(found))
            cases.extend(found)
            if room is not None and len(cases) > 8 * room:
                raise BlowUp(f"layer {k} has too many cases")
        values = self._values(k, cases, below)
        rows, begin = [], 0
        for size in sizes:
            part = cases[begin : begin + size]
            rows.append(Row(values[begin : begin + size], [cube for cube, _ in part], 0, True))
            begin += size
        return rows

    def _values(self, k: int, cases: Branches, below: Layer) -> Any:
        """Return the activations of layer ``k`` in the given cases, packed."""
        columns = list(zip(*(attended for _, attended in cases), strict=True))
        return act_rows(
            self.model,
            k,
            [below.at[own] for own in columns[0]],
            take(below.values, columns[0]),
            [take(below.values, column) for column in columns[1:]],
        )

    def _branches(self, own: int, heads: range, orders: Orders, below: Layer, cap: int) -> Branches:
        if self.stop is not None and self.stop():
            raise BlowUp("the time is spent")
        branches: Branches = [(below.cubes[own], (own,))]
        for head in heads:
            order = orders[head, own]
            grown: Branches = []
            for branch in branches:
                grown = walk(branch, order, below, grown, cap)
            branches = condensed(grown, below) if len(grown) > MANY else grown
        return branches


def _require(total: int, caps: Caps) -> None:
    if total > caps.layer:
        raise BlowUp(f"a layer has more than {caps.layer} items")
