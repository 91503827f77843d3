"""A program as a scheduling problem: attention operations, what they wait for, which head.

Every aggregate is an operation; it needs one layer more than the values, keys and queries it
reads, and operations with the same selector in the same layer share one head.  Elementwise
operations are free, even before the first layer, which is the paper's assumption.  A width is
two operations.

Main definitions: :class:`Operation`, :class:`Problem`, :func:`problem_of`.

References
----------
Weiss, Goldberg & Yahav (2021), section 3.4 [weiss2021].
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Literal, TypeAlias, final

from rasp.expand import width_parts
from rasp.graph import Aggregate, Node, SelectorNode, Width, ancestors

Sharing: TypeAlias = Literal["written", "shared"]
"""Whether heads are one per selector the text writes, or one per selector that differs."""


@final
@dataclass(frozen=True, slots=True)
class Operation:
    """One aggregate.

    Attributes
    ----------
    node
        The aggregate, or the width that it is a part of.
    selector
        The attention pattern.
    head
        What operations must have in common to share a head.
    after
        Indices of the operations it waits for, ascending.
    """

    node: Node
    selector: SelectorNode
    head: Hashable
    after: tuple[int, ...]


@final
@dataclass(frozen=True)
class Problem:
    """All operations of a program, those waited for first."""

    operations: tuple[Operation, ...]

    @cached_property
    def earliest(self) -> tuple[int, ...]:
        """Earliest layer of each operation, from 1."""
        layers: list[int] = []
        for operation in self.operations:
            layers.append(1 + max((layers[i] for i in operation.after), default=0))
        return tuple(layers)

    @property
    def depth(self) -> int:
        """Least number of layers: the longest chain of operations."""
        return max(self.earliest, default=0)

    @cached_property
    def latest(self) -> tuple[int, ...]:
        """Latest layer of each operation in a schedule of least depth."""
        layers = [self.depth] * len(self.operations)
        for index in reversed(range(len(self.operations))):
            for before in self.operations[index].after:
                layers[before] = min(layers[before], layers[index] - 1)
        return tuple(layers)

    def heads(self, layers: tuple[int, ...]) -> tuple[int, ...]:
        """Return the number of heads in each layer under a schedule.

        Raises
        ------
        ValueError
            If an operation does not come after what it waits for.
        """
        used: list[set[Hashable]] = [set() for _ in range(max(layers, default=0))]
        for operation, layer in zip(self.operations, layers, strict=True):
            if layer < 1 or any(layers[before] >= layer for before in operation.after):
                raise ValueError(f"not a schedule: {operation.node!r} is too early in {layer}")
            used[layer - 1].add(operation.head)
        return tuple(map(len, used))

    def critical_path(self) -> tuple[int, ...]:
        """Return a chain of :attr:`depth` operations, each waiting for the one before it."""
        if not self.operations:
            return ()
        here = self.earliest.index(self.depth)
        chain = [here]
        while self.operations[here].after:
            here = next(
                i
                for i in self.operations[here].after
                if self.earliest[i] == self.earliest[here] - 1
            )
            chain.append(here)
        return tuple(reversed(chain))


def problem_of(root: Node, sharing: Sharing) -> Problem:
    """Return the scheduling problem of the program below ``root``.

    Parameters
    ----------
    root
        An s-op or a selector; a selector's own head is not counted.
    sharing
        ``written``: two selectors written separately are two heads even if they are the same
        pattern, as the paper's implementation counts.  ``shared``: equal structures are one.

    Notes
    -----
    Deterministic; linear in the graph times the width of dependencies.

    Examples
    --------
    >>> from rasp import select, selector_width, tokens
    >>> problem = problem_of(selector_width(select(tokens, tokens, "==")).node, "shared")
    >>> problem.depth, problem.heads(problem.earliest)
    (1, (2,))
    """
    key: Callable[[Node], Hashable] = id if sharing == "written" else attrgetter("digest")
    waits: dict[Hashable, frozenset[int]] = {}
    operations: list[Operation] = []
    for node in ancestors((root,), key=key):
        below = frozenset[int]().union(*(waits[key(parent)] for parent in node.parents))
        if isinstance(node, Aggregate):
            patterns: tuple[SelectorNode, ...] = (node.selector,)
        elif isinstance(node, Width):
            patterns = width_parts(node.selector)
        else:
            waits[key(node)] = below
            continue
        made = []
        for part, pattern in enumerate(patterns):
            head: Hashable = key(pattern)
            if sharing == "written" and isinstance(node, Width):
                head = (key(node), part)  # each call of selector_width writes its selectors anew
            made.append(len(operations))
            operations.append(Operation(node, pattern, head, tuple(sorted(below))))
        # what waits for this node waits for all below it; the direct edges imply the rest
        waits[key(node)] = frozenset(made)
    return Problem(tuple(operations))
