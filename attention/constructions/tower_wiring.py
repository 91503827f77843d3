"""Who runs which list in a tower machine: bits, cores, idle positions, exact bits.

An activation is ``(position, bit, level, parity, closed, sum)``: the last level at which the
position fired (0: it only knows its bit) with that group's parity; ``(depth, rank, parity)`` or
None once it has run a list of a core's closing level; the parity that the last position collected.

In a layer a position runs at most one list, chosen by its own activation; every other activation
is for it a literal of the list or no literal.  A head looks for the first literal that is there.

Main definitions: `Task`, `Wiring`, `wire`.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

from attention.constructions.list_systems import LiteralList
from attention.constructions.tower_core import Core, core, part_size, shape
from attention.transformer import ModelError


@dataclass(frozen=True, slots=True)
class Task:
    """One list run by one position in one layer.

    Attributes
    ----------
    core
        The core it works for.
    start, width
        The positions ``start .. start + width - 1`` are the group whose subgroups it looks at.
    row, literals
        Index of the list in the layer's system, and the list.
    """

    core: Core
    start: int
    width: int
    row: int
    literals: LiteralList


@dataclass(frozen=True, eq=False)
class Wiring:
    """The positions of a machine and the lists they run.

    Attributes
    ----------
    layers, heads
        Size of the machine.
    part
        Positions of one head; the last one of a part is read by the last position in layer 1.
    cores
        (depth, head) -> core.
    exact
        First position of a first-level group -> first of its ``heads - 1`` exact bits.
    tasks
        (layer, position, parity fired with one level below, or None) -> task.
    """

    layers: int
    heads: int
    part: int
    cores: dict[tuple[int, int], Core]
    exact: dict[int, int]
    tasks: dict[tuple[int, int, int | None], Task]

    @property
    def n(self) -> int:
        """Number of bits."""
        return self.part * self.heads + 1

    def task(self, layer: int, i: int, own: Any) -> Task | None:
        """Return what position i with this activation runs in this layer."""
        return self.tasks.get((layer, i, own[3] if own[2] == layer - 1 else None))

    def cell(self, layer: int, task: Task, key: Any) -> int:
        """Return the cell that an activation stands for; the last one if it is no literal."""
        j, _, level, parity = key[:4]
        literals = task.literals.literals
        if level == layer - 1 and task.start <= j < task.start + task.width:
            literal = (task.core.group(j, layer)[1], parity)
            if literal in literals:
                return literals.index(literal)
        return len(literals)


def wire(layers: int, heads: int) -> Wiring:
    """Lay out the machine.

    Raises
    ------
    ModelError
        Unless ``layers`` is 2, 3 or 4 and ``heads`` at least 1.

    Examples
    --------
    >>> wire(3, 1).n, wire(4, 2).n
    (45, 609)
    """
    if layers not in (2, 3, 4) or heads < 1:
        raise ModelError(
            f"layers = {layers}, heads = {heads}: use 2, 3 or 4 layers, 1 head or more"
        )
    bits, part = heads - 1, part_size(layers, heads)
    shapes = {depth: shape(depth, heads) for depth in range(2, layers + 1)}
    cores: dict[tuple[int, int], Core] = {}
    exact: dict[int, int] = {}
    for head in range(heads):
        base, end = part * head, part * (head + 1) - 1
        free = base + sum(prod(sizes) for sizes in shapes.values())  # the first exact bit
        idle: tuple[int, ...] = (end,)
        for depth, sizes in shapes.items():
            starts = range(base, base + prod(sizes), sizes[0])
            exact |= {start: free + g * bits for g, start in enumerate(starts)}
            idle += tuple(range(free, free + len(starts) * bits))
            free += len(starts) * bits
            cores[(depth, head)] = core(base, sizes, idle)
            idle += tuple(range(base, base + prod(sizes)))  # free again one layer later
            base += prod(sizes)
    tasks = {}
    for c in cores.values():
        for layer in range(1, len(c.sizes) + 1):
            width = prod(c.sizes[:layer])
            system = c.systems[layer - 1]
            for i in range(c.base, c.base + c.size):
                start = c.base + (i - c.base) // width * width
                sub = c.group(i, layer)[1]
                choices: dict[int | None, int | None] = {None: c.held[layer - 1].get(i)}
                for parity in (0, 1):
                    choices[parity] = c.owned[layer - 1].get((sub, parity))
                for fired, row in choices.items():
                    if row is not None:
                        tasks[(layer, i, fired)] = Task(c, start, width, row, system[row])
            for i, row in c.held[layer - 1].items():
                if not c.inside(i):  # idle: whatever it fired with
                    for fired in (None, 0, 1):
                        tasks[(layer, i, fired)] = Task(c, c.base, width, row, system[row])
    return Wiring(layers, heads, part, cores, exact, tasks)
