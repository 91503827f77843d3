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
from collections.abc import Iterator, Sequence
from typing import Any, Literal, final

import numpy as np
import numpy.typing as npt

from rasp.errors import MalformedModelError
from rasp.weights.exact import require_returns
from rasp.weights.matrix import Floats, Indexes, Matrix
from rasp.weights.model import CompiledModel
from rasp.weights.parts import FeedForward, Head
from rasp.weights.runs import RETURNS, Run

Dtype = Literal["float32", "float64"]
DTYPES: tuple[Dtype, ...] = ("float32", "float64")

UNDERFLOW: dict[str, float] = {"float32": 104.0, "float64": 746.0}
"""``exp`` of minus this is rounded to 0."""

TOLERANCE = 0.25
"""How far a coordinate may be from the 0, 1 or integer that it stands for."""

CELLS = 2**21
"""Words are run together as long as their attention matrices have no more cells than this."""


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
        require_returns(returns, RETURNS)
        model, count = self.model, len(words)
        ids = [model.encode(word) for word in words]
        outputs: dict[str, list[Any]] = {r.name: [None] * count for r in model.readouts}
        attention: dict[str, list[Any]] = {h.name: [None] * count for _, h in model.heads()}
        residuals: list[list[Any]] = [[None] * count for _ in range(2 * model.depth + 1)]
        for members in _batches(ids):
            lengths = [len(ids[w]) for w in members]
            padded = np.full((len(members), max(lengths)), model.vocabulary.pad)
            for row, word in enumerate(members):
                padded[row, : lengths[row]] = ids[word]
            patterns: dict[str, Floats] | None = {} if "attention" in returns else None
            stages: list[Floats] | None = [] if "residuals" in returns else None
            last = self._forward(padded, patterns, stages)
            for row, (word, n) in enumerate(zip(members, lengths, strict=True)):
                for name, weights in (patterns or {}).items():
                    attention[name][word] = weights[row, :n, :n]
                for stage, x in enumerate(stages or ()):
                    residuals[stage][word] = x[row, :n]
            if "outputs" in returns:
                self._read(last, members, lengths, outputs)
        return Run(
            model=model,
            outputs=outputs if "outputs" in returns else {},
            attention=attention if "attention" in returns else {},
            residuals=residuals if "residuals" in returns else (),
        )

    def _read(
        self, last: Floats, members: list[int], lengths: list[int], outputs: dict[str, list[Any]]
    ) -> None:
        for readout in self.model.readouts:
            flat = readout.read_rows(last.reshape(-1, self.model.width), tolerance=TOLERANCE)
            for row, (word, n) in enumerate(zip(members, lengths, strict=True)):
                start = row * last.shape[1]
                outputs[readout.name][word] = flat[start + self.model.bos : start + n]

    def _forward(
        self, ids: Indexes, patterns: dict[str, Floats] | None, stages: list[Floats] | None
    ) -> Floats:
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


def _batches(ids: list[list[int]]) -> Iterator[list[int]]:
    """Yield words of similar length together, whose attention is not too large."""
    order = sorted(range(len(ids)), key=lambda word: len(ids[word]))
    members: list[int] = []
    for word in order:
        if members and (len(members) + 1) * len(ids[word]) ** 2 > CELLS:
            yield members
            members = []
        members.append(word)
    if members:
        yield members
