"""Inverse questions about bounds: the least k or n for a condition, the parameters for a target.

Main definitions: :func:`invert`, :func:`invertible`.
"""

from collections.abc import Callable, Mapping
from typing import Any

from bounds.reduction import optimise
from bounds.reduction.least import Least, least_k, least_k_for_e11, least_n
from bounds.reduction.monotone import PUBLISHED, Weights, best_weights
from bounds.reduction.optimise import Step
from bounds.values import Exact

_QUESTIONS: Mapping[tuple[str, str], tuple[Callable[..., Least | Step], tuple[str, ...]]] = {
    ("stage3.e10", "k"): (least_k, ("C", "H", "c", "eta", "q")),
    ("stage3.e12", "k"): (least_k, ("C", "H", "c", "eta", "q")),
    ("stage3.e11", "k"): (least_k_for_e11, ("C", "H", "c", "delta", "eta", "q")),
    ("stage3.e11", "n"): (least_n, ("C", "H", "c", "delta", "eta", "k", "q")),
    ("final.reaches", "k"): (optimise.smallest_k, ("C", "Cprime", "H", "c")),
    ("final.reaches", "n"): (optimise.smallest_n, ("C", "Cprime", "H", "c")),
}
"""For (name of a condition, symbol): the function and the symbols whose values it needs."""


class InverseError(ValueError):
    """An inverse question that has no certified answer; names those that have."""


def invert(name: str, symbol: str, values: Mapping[str, Exact], *, best: bool) -> dict[str, Any]:
    """Return the least value of ``symbol`` for which the condition ``name`` holds.

    Parameters
    ----------
    name
        ``"stage3.e10"``, ``"stage3.e11"``, ``"stage3.e12"``, or ``"final.reaches"`` for the
        parameters eta, q, delta of one step that reaches the share C'.
    symbol
        ``"k"`` or ``"n"``.
    values
        Exact values of the other symbols.
    best
        Use the local lemma's best weights instead of the published ones.

    Returns
    -------
    dict
        For a condition: ``least`` with enclosures of the slack there and one below.  For
        ``final.reaches``: ``eta``, ``q``, ``delta``, ``k``, ``n`` and ``c_out``; k and n are
        certified for these parameters, not least over all parameters.

    Raises
    ------
    InverseError
        If there is no such question, or a value is missing or superfluous.
    BoundError
        If a value is outside its domain or nothing satisfies the condition.
    """
    question = _QUESTIONS.get((name, symbol))
    if question is None:
        raise InverseError(f"no least {symbol} for {name}; there are {', '.join(invertible())}")
    function, needed = question
    if set(values) != set(needed):
        raise InverseError(f"least {symbol} for {name} needs values of {', '.join(needed)}")
    weights: Weights = best_weights() if best else PUBLISHED
    found = function(**values, weights=weights)
    if isinstance(found, Least):
        below = found.slack_below
        return {
            "least": found.value,
            "slack": found.slack.str(12),
            "slack_below": None if below is None else below.str(12),
        }
    p = found.parameters
    return {
        "eta": p.eta,
        "q": p.q,
        "delta": p.delta,
        "k": found.k,
        "n": found.n0,
        "c_out": found.c_out,
    }


def invertible() -> list[str]:
    """Return the inverse questions as a person would type them.

    Examples
    --------
    >>> invertible()[0]
    'final.reaches --least k'
    """
    return sorted(f"{name} --least {symbol}" for name, symbol in _QUESTIONS)
