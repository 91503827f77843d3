"""Evaluate a node on one input with the engine that suits its length.

Main definitions: :func:`evaluate`, :func:`matrix`.

References
----------
Weiss, Goldberg & Yahav (2021), section 3 [weiss2021].
"""

from collections.abc import Sequence
from typing import Any, Protocol

from rasp.evaluate.direct import DirectEvaluation
from rasp.graph import SelectorNode, SOpNode


class Evaluation(Protocol):
    """All values of one input; what a node needs is computed once and kept."""

    n: int

    def sequence(self, node: SOpNode) -> list[Any]:
        """Return the ``n`` values of an s-op; do not change the list."""

    def rows(self, node: SelectorNode) -> list[int]:
        """Return one bit mask of keys per query."""


def evaluation(values: Sequence[Any], *, exact: bool = True) -> Evaluation:
    """Return an evaluation of ``values`` by the engine that suits its length."""
    return DirectEvaluation(values, exact=exact)


def evaluate(node: SOpNode, values: Sequence[Any], *, exact: bool = True) -> list[Any]:
    """Return the ``n`` values of ``node`` on ``values``.

    Parameters
    ----------
    node
        An s-op.
    values
        Non-empty; a string is read character by character.
    exact
        Means as fractions (default) or as the floats of the authors' interpreter.

    Raises
    ------
    RaspError
        If types or arithmetic fail on this input.

    Examples
    --------
    >>> from rasp.graph import Indices
    >>> evaluate(Indices(), "abc")
    [0, 1, 2]
    """
    return list(DirectEvaluation(values, exact=exact).sequence(node))


def matrix(node: SelectorNode, values: Sequence[Any], *, exact: bool = True) -> list[list[bool]]:
    """Return the Boolean matrix of a selector, rows are queries."""
    evaluation = DirectEvaluation(values, exact=exact)
    return [
        [bool(mask >> key & 1) for key in range(evaluation.n)] for mask in evaluation.rows(node)
    ]
