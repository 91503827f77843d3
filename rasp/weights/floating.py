r"""The float runtime: softmax attention in float32 or float64, batched, padded and masked.

A head computes ``exp(scale (s - max s))`` for the scores ``s`` of a row, multiplies the values by
it, and divides once by the sum.  ``scale = gap / separation``, so every row that average-hard
attention does not select has at most the weight ``e^-gap``; with the default gap that is less
than the least positive float, hence exactly 0.  Where scores are computed exactly (integers below
2^24 or 2^53), the attention is then hard up to one division.  :mod:`rasp.weights.bounds` bounds
all other deviations from the exact runtime, for any input.

Main definitions: :class:`FloatModel`, :func:`default_gap`.

References
----------
Vaswani et al. (2017), Section 3 [vaswani2017].
"""

import math
from collections.abc import Sequence
from typing import Any, Literal, final

import numpy as np
import numpy.typing as npt

from rasp.errors import MalformedModelError
from rasp.weights.matrix import Floats, Indexes, Matrix
from rasp.weights.model import CompiledModel
from rasp.weights.padded import Patterns, Stages, run_padded
from rasp.weights.parts import FeedForward, Head
from rasp.weights.runs import Run

Dtype = Literal["float32", "float64"]
DTYPES: tuple[Dtype, ...] = ("float32", "float64")

UNDERFLOW: dict[str, float] = {"float32": 104.0, "float64": 746.0}
"""``exp`` of minus this is rounded to 0."""


def require_dtype(dtype: str) -> Dtype:
    """Return the name of a float type that models run in.

    Raises
    ------
    MalformedModelError
        If it is another.
    """
    for known in DTYPES:
        if dtype == known:
            return known
    raise MalformedModelError(f"dtype {dtype!r}: use float32 or float64")


def default_gap(dtype: str, rows: int) -> float:
    """Return the gap with which all unselected rows together weigh less than any float.

    Examples
    --------
    >>> default_gap("float32", 1)
    104.0
    """
    return UNDERFLOW[require_dtype(dtype)] + math.log(rows)


def head_scale(head: Head, gap: float) -> float:
    """Return the factor of a head's scores."""
    return gap / float(head.separation)


@final
class _Block:
    """The part of a matrix that is not zero: ``x[:, rows] @ dense`` goes to ``columns``."""

    def __init__(self, matrix: Matrix, dtype: Dtype, *, all_columns: bool = False) -> None:
        self.rows = np.unique(matrix.rows)
        self.columns = np.arange(matrix.shape[1]) if all_columns else np.unique(matrix.columns)
        self.dense = np.zeros((len(self.rows), len(self.columns)), dtype=dtype)
        self.dense[
            np.searchsorted(self.rows, matrix.rows), np.searchsorted(self.columns, matrix.columns)
        ] = matrix.floats(dtype)

    def of(self, x: Floats) -> Floats:
        """Return the product, at the block's columns only."""
        return np.asarray(x[..., self.rows] @ self.dense)


@final
class _Head:
    def __init__(self, head: Head, dtype: Dtype, gap: float) -> None:
        self.name = head.name
        self.query, self.key, self.value = (
            _Block(m, dtype, all_columns=True) for m in (head.query, head.key, head.value)
        )
        self.output = _Block(head.output, dtype, all_columns=False)
        self.scale = np.dtype(dtype).type(head_scale(head, gap))

    def pattern(self, x: Floats, hidden: npt.NDArray[np.bool_]) -> Floats:
        """Return the weights before division by their sum; the greatest of a row is 1."""
        scores = self.query.of(x) @ np.swapaxes(self.key.of(x), 1, 2)
        scores[np.broadcast_to(hidden, scores.shape)] = -np.inf
        scores -= scores.max(axis=2, keepdims=True)
        scores *= self.scale
        return np.asarray(np.exp(scores, out=scores))


@final
class _Network:
    def __init__(self, network: FeedForward, dtype: Dtype) -> None:
        self.w1 = _Block(network.w1, dtype, all_columns=True)
        self.b1 = network.b1.dense(dtype)[0]
        self.w2 = _Block(network.w2, dtype)

    def add_to(self, x: Floats) -> None:
        """Add to the rows what the network makes of them."""
        inner = self.w1.of(x)
        inner += self.b1
        np.maximum(inner, 0, out=inner)
        x[..., self.w2.columns] += self.w2.of(inner)


@final
class FloatModel:
    """A compiled model with its weights rounded to floats, ready to run.

    Parameters
    ----------
    model
        Any compiled model.
    dtype
        ``float32`` or ``float64``.
    gap
        Least difference of the scaled scores between selected and other rows, at least 0,
        dimensionless; by default :func:`default_gap`.

    Raises
    ------
    MalformedModelError
        For another dtype, a gap that is not a positive number, or a weight too large.

    Examples
    --------
    >>> from rasp.weights.examples import reverse_model
    >>> FloatModel(reverse_model("abc", length=5)).run(["abc", "a"]).output()
    [['c', 'b', 'a'], ['a']]
    """

    def __init__(
        self, model: CompiledModel, dtype: str = "float32", *, gap: float | None = None
    ) -> None:
        self.model, self.dtype = model, require_dtype(dtype)
        rows = model.length + model.bos
        self.gap = require_gap(default_gap(self.dtype, rows) if gap is None else gap)
        self._tokens = model.token_embedding.dense(self.dtype)
        self._positions = model.position_embedding.dense(self.dtype)
        self._layers = [
            (
                [_Head(head, self.dtype, self.gap) for head in layer.heads],
                layer.feed_forward and _Network(layer.feed_forward, self.dtype),
            )
            for layer in model.layers
        ]

    def run(self, words: Sequence[Sequence[Any]], *, returns: Sequence[str] = ("outputs",)) -> Run:
        """Run the model; see :func:`rasp.weights.exact.run_exact`, without ``gaps``."""
        return run_padded(self.model, self._forward, words, returns=returns)

    def _forward(self, ids: Indexes, patterns: Patterns, stages: Stages) -> Floats:
        x = self._tokens[ids] + self._positions[: ids.shape[1]]
        hidden = (ids == self.model.vocabulary.pad)[:, None, :]
        if self.model.causal:
            hidden = hidden | ~np.tri(ids.shape[1], dtype=bool)
        if stages is not None:
            stages.append(x.copy())
        for heads, network in self._layers:
            added = x.copy()
            for head in heads:
                weights = head.pattern(x, hidden)
                total = weights.sum(axis=2, keepdims=True)
                means = (weights @ head.value.of(x)) / total
                added[..., head.output.columns] += head.output.of(means)
                if patterns is not None:
                    patterns[head.name] = weights / total
            x = added
            if stages is not None:
                stages.append(x.copy())
            if network is not None:
                network.add_to(x)
            if stages is not None:
                stages.append(x.copy())
        return x


def require_gap(gap: float) -> float:
    """Return the gap, if it is one."""
    if not (math.isfinite(gap) and gap > 0):
        raise MalformedModelError(f"gap {gap!r}: use a positive number")
    return float(gap)
