"""Which attention layer each aggregate and width goes to: least depth, then least width.

The problem and its solver are those of the analysis; here a width is one operation, because BOS
counts with one head, and operations on the same selector share a head only if both average or
both count.

Main definitions: :func:`schedule`, :class:`Schedule`.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import final

from rasp.analysis.heads import Operation, Problem, problem_of
from rasp.analysis.optimal import narrowest
from rasp.graph import Aggregate, Elementwise, Node, SOpNode, Width, ancestors

SEARCHED = 60
"""Programs of up to this many operations get the narrowest schedule, others the earliest."""


@final
@dataclass(frozen=True)
class Schedule:
    """Attention layer of every aggregate and width, from 1, by digest."""

    layers: Mapping[int, int]

    @property
    def depth(self) -> int:
        """Number of attention layers."""
        return max(self.layers.values(), default=0)


def schedule(roots: Sequence[SOpNode]) -> Schedule:
    """Return the layers of all heads below some s-ops.

    Examples
    --------
    >>> from rasp import indices, length, select, aggregate, tokens
    >>> reverse = aggregate(select(indices, length - 1 - indices, "=="), tokens)
    >>> schedule([reverse.node]).depth
    2
    """
    operations: list[Operation] = []
    waits: dict[int, frozenset[int]] = {}
    for node in ancestors(tuple(roots)):
        below = frozenset[int]().union(*(waits[parent.digest] for parent in node.parents))
        if isinstance(node, (Aggregate, Width)):
            head: Hashable = (type(node), node.selector.digest)
            operations.append(Operation(node, node.selector, head, tuple(sorted(below))))
            below = frozenset({len(operations) - 1})
        waits[node.digest] = below
    problem = Problem(tuple(operations))
    layers = problem.earliest
    if len(operations) <= SEARCHED and operations:
        layers = narrowest(problem).layers
    return Schedule({o.node.digest: at for o, at in zip(operations, layers, strict=True)})


def predicted(roots: Sequence[SOpNode]) -> tuple[int, tuple[int, ...]]:
    """Return layers and heads per layer that the analysis finds best for a program.

    Examples
    --------
    >>> from rasp import select, selector_width, tokens
    >>> predicted([selector_width(select(tokens, tokens, "==")).node])
    (1, (2,))
    """
    root: Node = roots[0] if len(roots) == 1 else Elementwise("map", tuple(roots))
    problem = problem_of(root, "shared")
    if len(problem.operations) > SEARCHED:
        return problem.depth, problem.heads(problem.earliest)
    found = narrowest(problem)
    return len(found.heads), found.heads
