"""All 2^n inputs of a hard-attention model as reduced ordered binary decision diagrams.

A set of inputs is the number of a node; equal sets have equal numbers.  Position j is tested
before position j + 1.  Parity, counting and single words have small diagrams at any length, random
functions do not: beyond ``limit`` nodes the work is given up.

Main definitions: :class:`Diagrams`.

References
----------
Bryant (1986) [bryant1986].
"""

from collections.abc import Hashable, Sequence
from typing import final

from attention.inputsets import AbstractInputSets
from attention.transformer import ModelError

LONGEST = 512
"""Greatest number of positions; operations recurse once a position."""


@final
class Diagrams(AbstractInputSets[int]):
    """A store of diagrams over ``n <= 512`` positions.

    Parameters
    ----------
    n
        Number of positions.
    limit
        Greatest number of nodes; about 300 bytes each with the memory of operations.

    Raises
    ------
    ModelError
        For more positions, or when an operation exceeds the limit.

    Examples
    --------
    >>> sets = Diagrams(3)
    >>> a, b = sets.position(0), sets.position(2)
    >>> sets.minus(sets.either(a, b), b) == sets.minus(a, b)
    True
    >>> sets.word(sets.minus(a, b))
    (1, 0, 0)
    """

    def __init__(self, n: int, *, limit: int = 200_000) -> None:
        if n > LONGEST:
            raise ModelError(f"diagrams of {n} positions are out of reach: use n <= {LONGEST}")
        self.n, self.limit = n, limit
        # node: (position, diagram without the symbol, diagram with it); 0 is empty, 1 everything
        self._nodes = [(n, 0, 0), (n, 1, 1)]
        self._number: dict[tuple[int, int, int], int] = {}
        self._memory: dict[tuple[int, int, int], int] = {}

    def everything(self) -> int:
        """Return the set of all inputs."""
        return 1

    def position(self, j: int) -> int:
        """Return the inputs whose position ``j`` has the second symbol."""
        return self._node(j, 0, 1)

    def both(self, a: int, b: int) -> int:
        """Return the intersection."""
        return self._choose(a, b, 0) if a <= b else self._choose(b, a, 0)

    def either(self, a: int, b: int) -> int:
        """Return the union."""
        return self._choose(a, 1, b) if a <= b else self._choose(b, 1, a)

    def minus(self, a: int, b: int) -> int:
        """Return the inputs of ``a`` that are not in ``b``."""
        return self._choose(b, 0, a)

    def empty(self, a: int) -> bool:
        """Return whether there is no input in ``a``."""
        return a == 0

    def require_room(self, layer: int, sets: Sequence[dict[Hashable, int]]) -> None:
        """Do nothing: every new node is counted when it is made."""

    def cofactor(self, a: int, j: int, symbol: int) -> int:
        """Return the inputs that are in ``a`` once position ``j`` is set to ``symbol``."""
        known: dict[int, int] = {}

        def visit(node: int) -> int:
            position, low, high = self._nodes[node]
            if position > j:
                return node
            if position == j:
                return high if symbol else low
            if node not in known:
                known[node] = self._node(position, visit(low), visit(high))
            return known[node]

        return visit(a)

    def word(self, a: int) -> tuple[int, ...]:
        """Return one input of a non-empty set, as symbol numbers."""
        symbols = [0] * self.n
        while a > 1:
            position, low, high = self._nodes[a]
            symbols[position] = int(low == 0)
            a = low or high
        return tuple(symbols)

    def _node(self, position: int, low: int, high: int) -> int:
        if low == high:
            return low
        key = (position, low, high)
        number = self._number.get(key)
        if number is None:
            number = self._number[key] = len(self._nodes)
            self._nodes.append(key)
            if number > self.limit:
                raise ModelError(f"the diagrams have more than {self.limit} nodes: raise the limit")
        return number

    def _choose(self, test: int, yes: int, no: int) -> int:
        """Return the inputs of ``yes`` where ``test`` holds, and those of ``no`` elsewhere."""
        if test == 1 or yes == no:
            return yes
        if test == 0:
            return no
        if yes == 1 and no == 0:
            return test
        key = (test, yes, no)
        known = self._memory.get(key)
        if known is not None:
            return known
        nodes = self._nodes
        parts = (nodes[test], nodes[yes], nodes[no])
        position = min(part[0] for part in parts)
        low, high = (
            self._choose(
                *(
                    part[side] if part[0] == position else whole
                    for part, whole in zip(parts, key, strict=True)
                )
            )
            for side in (1, 2)
        )
        if len(self._memory) > 4 * self.limit:
            self._memory.clear()
        found = self._memory[key] = self._node(position, low, high)
        return found
