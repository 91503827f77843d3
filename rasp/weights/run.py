"""Run a compiled model on a batch of words, in the runtime of choice.

Main definitions: :func:`run`.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from rasp.errors import MalformedModelError, WordError
from rasp.weights.exact import run_exact
from rasp.weights.floating import DTYPES, FloatModel
from rasp.weights.model import CompiledModel
from rasp.weights.runs import Run

RUNTIMES = ("exact", *DTYPES)


def run(
    model: CompiledModel,
    words: Sequence[Sequence[Any]],
    *,
    runtime: str = "exact",
    returns: Sequence[str] = ("outputs",),
) -> Run:
    """Return the outputs of a model on words of any lengths.

    Parameters
    ----------
    model
        Any compiled model.
    words
        Non-empty sequences of symbols of the vocabulary, up to ``model.length`` long.
    runtime
        ``exact`` (average-hard attention in rationals), ``float32`` or ``float64`` (softmax).
    returns
        Which of ``outputs``, ``attention``, ``residuals`` to keep.

    Raises
    ------
    WordError
        If the model cannot read a word.
    MalformedModelError
        For another runtime or another thing to return.

    Examples
    --------
    >>> from rasp.weights.examples import reverse_model
    >>> model = reverse_model("ab", length=9)
    >>> run(model, ["aab"]).output() == run(model, ["aab"], runtime="float32").output()
    True
    """
    if not isinstance(words, Iterable):
        raise WordError(f"words {words!r}: use a list of words")
    if runtime == "exact":
        return run_exact(model, words, returns=returns)
    if runtime not in DTYPES:
        raise MalformedModelError(f"runtime {runtime!r}: use {', '.join(RUNTIMES)}")
    return FloatModel(model, runtime).run(words, returns=returns)
