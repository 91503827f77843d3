"""Evaluate with the engine that suits: direct for a short input, columnar for long or many.

Main definitions: :func:`evaluate`, :func:`evaluate_batch`, :func:`matrix`, :func:`evaluation`.

References
----------
Weiss, Goldberg & Yahav (2021), section 3 [weiss2021].
"""

from collections.abc import Sequence
from typing import Any, Protocol

from rasp.errors import RaspError
from rasp.evaluate.direct import DirectEvaluation
from rasp.graph import SelectorNode, SOpNode

SHORT = 150
"""Inputs up to this length are evaluated directly."""


class Evaluation(Protocol):
    """All values of one input; what a node needs is computed once and kept."""

    @property
    def n(self) -> int:
        """Length of the input."""

    def sequence(self, node: SOpNode) -> list[Any]:
        """Return the ``n`` values of an s-op; do not change the list."""

    def rows(self, node: SelectorNode) -> list[int]:
        """Return one bit mask of keys per query."""


def evaluation(values: Sequence[Any], *, exact: bool = True) -> Evaluation:
    """Return an evaluation of ``values`` by the engine that suits its length."""
    if len(values) <= SHORT:
        return DirectEvaluation(values, exact=exact)
    from rasp.evaluate.columnar import ColumnarEvaluation  # NumPy only where it pays

    return ColumnarEvaluation([values], exact=exact)


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
    return list(evaluation(values, exact=exact).sequence(node))


def evaluate_batch(
    node: SOpNode, inputs: Sequence[Sequence[Any]], *, exact: bool = True
) -> list[list[Any] | RaspError]:
    """Return the values of ``node`` on many inputs of any lengths.

    Parameters
    ----------
    node
        An s-op.
    inputs
        Non-empty inputs.
    exact
        As for :func:`evaluate`.

    Returns
    -------
    list
        Per input its values, or the error that evaluating it alone raises.

    Notes
    -----
    One vectorised pass; if something fails in it, halves of the batch are tried until the
    failing inputs are alone, so ``f`` failing inputs cost about ``f log(len(inputs))`` passes.

    Examples
    --------
    >>> from rasp import tokens_int
    >>> evaluate_batch((10 / tokens_int).node, ["25", "0"])
    [[Fraction(5, 1), Fraction(2, 1)], EvaluationError('division by zero')]
    """
    if not inputs:
        return []
    if len(inputs) <= 2:
        return [_alone(node, values, exact) for values in inputs]
    from rasp.evaluate.columnar import ColumnarEvaluation

    try:
        return list(ColumnarEvaluation(inputs, exact=exact).batch(node))
    except RaspError:
        half = len(inputs) // 2
        return [
            *evaluate_batch(node, inputs[:half], exact=exact),
            *evaluate_batch(node, inputs[half:], exact=exact),
        ]


def _alone(node: SOpNode, values: Sequence[Any], exact: bool) -> list[Any] | RaspError:
    try:
        return evaluate(node, values, exact=exact)
    except RaspError as error:
        return error


def matrix(node: SelectorNode, values: Sequence[Any], *, exact: bool = True) -> list[list[bool]]:
    """Return the Boolean matrix of a selector, rows are queries."""
    found = evaluation(values, exact=exact)
    return [[bool(mask >> key & 1) for key in range(found.n)] for mask in found.rows(node)]
