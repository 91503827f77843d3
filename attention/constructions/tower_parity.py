"""PARITY with one head on 9, 41 and 201 bits with two, three and four layers.

The machine has one core for every depth 2..L (7, 32 and 160 bits), one bit read in layer 1 and the
last position's own bit: 1 + 1 + 7 = 9, 9 + 32 = 41, 41 + 160 = 201.  In layer d the last position
reads the core of depth d at the position whose cell comes first in the closing order.

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


def tower_parity(layers: int) -> FunctionTransformer:
    """Return the machine with one head; it accepts the words with an even number of ones.

    Parameters
    ----------
    layers
        2, 3 or 4.

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
    if layers not in (2, 3, 4):
        raise ModelError(f"layers = {layers}: this machine is built for 2, 3 and 4")
    n = {2: 9, 3: 41, 4: 201}[layers]
    cores: dict[int, Core] = {}
    base = 0
    for depth in range(2, layers + 1):
        size = {2: 7, 3: 32, 4: 160}[depth]
        others = tuple(i for i in range(n - 1) if not base <= i < base + size)
        busy = {i for c in cores.values() for i in range(c.base, c.base + c.size)}
        spare = (n - 2,) if depth == 2 else tuple(i for i in others if i in busy or i == n - 2)
        cores[depth] = core(base, depth, spare)
        base += size
    last = n - 1

    def task(layer: int, i: int, value: Any) -> tuple[Core, int, int] | None:
        """Return (core, start of the group, list) that position i works for in this layer."""
        for depth, c in cores.items():
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
                return int(j == n - 2)
            rank = key[4]
            return -rank[1] if rank and rank[0] == layer else -(10**6)
        found = task(layer, i, query)
        if found is None or layer == layers:
            return 0
        c, start, row = found
        literals = c.systems[layer - 1][row].literals
        literal = literal_of(c, layer, start, key)
        return len(literals) - literals.index(literal) if literal in literals else 0

    def act(layer: int, i: int, own: tuple[Any, ...], attended: tuple[Any, ...]) -> Hashable:
        key = attended[0]
        if i == last:
            return (*own[:5], own[5] ^ (key[1] if layer == 1 else key[4][2]))
        found = task(layer, i, own) if layer < layers else None
        if found is None:
            return own
        c, start, row = found
        the_list = c.systems[layer - 1][row]
        literal = literal_of(c, layer, start, key)
        hit = literal in the_list.literals
        cell = the_list.literals.index(literal) if hit and literal else len(the_list.literals)
        if layer == len(c.sizes):  # the closing layer
            rank = c.ranks.get((row, cell))
            return (*own[:4], (layer + 1, *rank) if rank else None, 0)
        point = known_point(c.sizes[layer - 1], the_list, cell, own[3])
        return own if point is None else (*own[:2], layer, point.bit_count() & 1, None, 0)

    return FunctionTransformer(
        n=n,
        layers=layers,
        heads=1,
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
