"""PARITY with H heads on H^2 + 7H + 1, 10H^2 + 34H + 1, 60H^2 + 184H + 1 bits (2, 3, 4 layers).

For every head of the last position the machine has one bit read in layer 1 and one core for every
depth 2..L (7, 36 and 200 bits); every group of a core's first level has H - 1 further bits, which
all its members read exactly with their other heads.  They run lists of closing levels, so that
there are cores of 40 bits from three heads on and of 8 from eight on (`tower_core.shape`).  In
layer d head h of the last position reads core (d, h) at the position whose cell comes first in the
closing order, and adds its own bit.

Main definitions: :func:`tower_parity`, :func:`after`.

References
----------
Own construction; the tree of attention reaches 2^L bits.
"""

from collections.abc import Hashable
from typing import Any

from attention.constructions.edge_covers import known_point
from attention.constructions.tower_wiring import Task, wire
from attention.function import FunctionTransformer


def tower_parity(layers: int, heads: int = 1) -> FunctionTransformer:
    """Return the machine; it accepts the words with an even number of ones.

    Parameters
    ----------
    layers
        2, 3 or 4.
    heads
        At least 1.

    Raises
    ------
    ModelError
        For other numbers of layers.

    Examples
    --------
    >>> from attention.hard import evaluate
    >>> machine = tower_parity(3)
    >>> machine.n, evaluate(machine, "01" * 22 + "0"), evaluate(machine, "01" * 21 + "000")
    (45, True, False)
    """
    w = wire(layers, heads)
    last = w.n - 1

    def score(layer: int, head: int, i: int, j: int, query: Any, key: Any) -> int:
        if i == last:
            if layer == 1:
                return int(j == w.part * (head + 1) - 1)
            closed = key[4]
            mine = closed and closed[0] == layer and j // w.part == head
            return -closed[1] if mine else -(10**6)
        task = w.task(layer, i, query)
        if task is None or layer == layers or (head > 0 and layer > 1):
            return 0
        if head > 0:
            return int(j == w.exact[task.start] + head - 1)
        return len(task.literals.literals) - w.cell(layer, task, key)

    def act(layer: int, i: int, own: tuple[Any, ...], attended: tuple[Any, ...]) -> Hashable:
        if i == last:
            read = sum(a[1] if layer == 1 else a[4][2] for a in attended)
            return (*own[:5], own[5] ^ (read & 1))
        task = w.task(layer, i, own) if layer < layers else None
        if task is None:
            return own
        cell = w.cell(layer, task, attended[0])
        more = sum(a[1] for a in attended[1:]) & 1 if layer == 1 else 0
        return after(task, layer, own, cell, more)

    return FunctionTransformer(
        n=w.n,
        layers=layers,
        heads=heads,
        alphabet=("0", "1"),
        embedding=lambda i, symbol: (
            i,
            int(symbol == "1"),
            0,
            int(symbol == "1"),
            None,
            int(symbol == "1") if i == last else 0,
        ),
        scoring=score,
        activation=act,
        output=lambda value: value[5] == 0,
    )


def after(task: Task, layer: int, own: tuple[Any, ...], cell: int, more: int) -> tuple[Any, ...]:
    """Return the activation of a position whose head found a cell; ``more``: its exact bits."""
    c = task.core
    if layer == len(c.sizes):  # the closing layer
        if (task.row, cell) not in c.ranks:
            return (*own[:4], None, 0)
        rank, parity = c.ranks[(task.row, cell)]
        return (*own[:4], (layer + 1, rank, parity ^ more), 0)
    point = known_point(c.sizes[layer - 1], task.literals, cell, own[3])
    if point is None:
        return tuple(own)
    return (*own[:2], layer, point.bit_count() & 1 ^ more, None, 0)
