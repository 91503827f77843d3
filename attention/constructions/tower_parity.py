"""PARITY with H heads on H^2 + 7H + 1, 9H^2 + 31H + 1 and 54H^2 + 166H + 1 bits (2, 3, 4 layers).

For every head of the last position the machine has one bit read in layer 1 and one core for every
depth 2..L (7, 32 and 180 bits); every group of a core's first level has H - 1 further bits, which
all its members read exactly with their other heads.  In layer d head h of the last position reads
core (d, h) at the position whose cell comes first in the closing order, and adds its own bit.

Main definitions: :func:`tower_parity`.

References
----------
Own construction; the tree of attention reaches 2^L bits.
"""

from collections.abc import Hashable
from typing import Any

from attention.constructions.edge_covers import known_point
from attention.constructions.tower_core import Core, core
from attention.function import FunctionTransformer
from attention.transformer import ModelError

# An activation is (position, bit, level, parity, rank, sum): the last level at which the position
# fired (0: it only knows its bit) with that group's parity; (core depth, rank, parity) or None; the
# parity that the last position has collected.


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
    >>> machine.n, evaluate(machine, "01" * 20 + "0"), evaluate(machine, "01" * 19 + "000")
    (41, True, False)
    """
    if layers not in (2, 3, 4) or heads < 1:
        raise ModelError(
            f"layers = {layers}, heads = {heads}: use 2, 3 or 4 layers, 1 head or more"
        )
    bits = heads - 1  # exact bits of every group of the first level
    part = 1 + sum({2: 7 + bits, 3: 32 + 8 * bits, 4: 180 + 45 * bits}[d] for d in _depths(layers))
    n = part * heads + 1
    cores: dict[tuple[int, int], Core] = {}
    exact: dict[int, int] = {}  # first position of a core's first group -> its exact bits
    for head in range(heads):
        base, end = part * head, part * (head + 1) - 1
        idle: tuple[int, ...] = (end,)
        for depth in _depths(layers):
            built = core(base, depth, idle)
            cores[(depth, head)] = built
            idle += tuple(range(base, base + built.size))  # free again one layer later
            base += built.size
        for depth in _depths(layers):
            c = cores[(depth, head)]
            for start in range(c.base, c.base + c.size, c.sizes[0]):
                exact[start], base = base, base + bits
    last = n - 1

    def task(layer: int, i: int, value: Any) -> tuple[Core, int, int] | None:
        """Return (core, start of the group, list) that position i works for in this layer."""
        for (depth, _), c in cores.items():
            levels = len(c.sizes)
            if layer > levels:
                continue
            if c.inside(i):
                group, sub = c.group(i, layer)
                width = c.size // _groups(c, layer)
                start = c.base + group * width
                if value[2] == layer - 1:
                    row = c.owned[layer - 1].get((sub, value[3]))
                    return None if row is None else (c, start, row)
                row = c.held[layer - 1].get(i)
                return None if row is None else (c, start, row)
            if layer == depth - 1 and i in c.held[layer - 1]:
                return (c, c.base, c.held[layer - 1][i])
        return None

    def literal_of(c: Core, layer: int, start: int, key: Any) -> tuple[int, int] | None:
        j, _, level, parity = key[:4]
        if not c.inside(j) or level != layer - 1:
            return None
        width = c.size // _groups(c, layer)
        if not start <= j < start + width:
            return None
        return (c.group(j, layer)[1], parity)

    def score(layer: int, head: int, i: int, j: int, query: Any, key: Any) -> int:
        if i == last:
            if layer == 1:
                return int(j == part * (head + 1) - 1)
            rank = key[4]
            mine = rank and rank[0] == layer and j // part == head
            return -rank[1] if mine else -(10**6)
        found = task(layer, i, query)
        if found is None or layer == layers or (head > 0 and layer > 1):
            return 0
        c, start, row = found
        if head > 0:
            return int(j == exact[start] + head - 1)
        literals = c.systems[layer - 1][row].literals
        literal = literal_of(c, layer, start, key)
        return len(literals) - literals.index(literal) if literal in literals else 0

    def act(layer: int, i: int, own: tuple[Any, ...], attended: tuple[Any, ...]) -> Hashable:
        key = attended[0]
        if i == last:
            read = sum(a[1] if layer == 1 else a[4][2] for a in attended)
            return (*own[:5], own[5] ^ (read & 1))
        found = task(layer, i, own) if layer < layers else None
        if found is None:
            return own
        c, start, row = found
        the_list = c.systems[layer - 1][row]
        literal = literal_of(c, layer, start, key)
        hit = literal in the_list.literals
        cell = the_list.literals.index(literal) if hit and literal else len(the_list.literals)
        more = sum(a[1] for a in attended[1:]) & 1 if layer == 1 else 0
        if layer == len(c.sizes):  # the closing layer
            if (row, cell) not in c.ranks:
                return (*own[:4], None, 0)
            rank, parity = c.ranks[(row, cell)]
            return (*own[:4], (layer + 1, rank, parity ^ more), 0)
        point = known_point(c.sizes[layer - 1], the_list, cell, own[3])
        if point is None:
            return own
        return (*own[:2], layer, point.bit_count() & 1 ^ more, None, 0)

    return FunctionTransformer(
        n=n,
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


def _groups(c: Core, level: int) -> int:
    """Return the number of groups of a core at a level."""
    size = c.size
    for k in c.sizes[:level]:
        size //= k
    return size


def _depths(layers: int) -> range:
    """Return the depths of the cores of a machine."""
    return range(2, layers + 1)
