"""Where the program's selectors belong in a model: which layer, which head.

The narrowest schedule of the program says which layer each selector is used in; within a layer,
selectors are numbered in the order of the program.  A head that no selector claims stays free.

Main definitions: :class:`Placed`, :func:`placement`.

References
----------
Weiss, Goldberg & Yahav (2021), section 5, on attention supervision [weiss2021].
"""

from dataclasses import dataclass
from typing import final

from rasp.graph import SelectorNode
from rasp.trainer.tasks import Task


@final
@dataclass(frozen=True, slots=True)
class Placed:
    """A selector in a head; layers and heads count from 0."""

    layer: int
    head: int
    selector: SelectorNode


def placement(task: Task) -> tuple[Placed, ...]:
    """Return the selectors of the task's program, by layer and head.

    Examples
    --------
    >>> from rasp.trainer.tasks import task
    >>> [(placed.layer, placed.head) for placed in placement(task("double-hist"))]
    [(0, 0), (0, 1), (1, 0)]
    """
    heads: list[dict[int, SelectorNode]] = [{} for _ in task.optimum.heads]
    for operation, layer in zip(task.problem.operations, task.optimum.layers, strict=True):
        heads[layer - 1].setdefault(operation.selector.digest, operation.selector)
    return tuple(
        Placed(layer, head, selector)
        for layer, found in enumerate(heads)
        for head, selector in enumerate(found.values())
    )
