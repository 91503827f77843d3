r"""How far the float runtime can be from the exact one on given words: a bound, not an estimate.

The exact run gives every value; next to it an error bound is carried through the layers.

*Attention.*  The rows that average-hard attention does not select weigh at most ``e^-gap`` each,
so the leak is at most ``n e^-gap``, and none where ``exp`` underflows.  Errors of the scores make
selected rows unequal by a factor ``e^(2 scale error)``; both move a mean by at most that share
of the range of the values.

*Feed-forward.*  An error of the input passes through the units that are certainly active with
their joint slope (neighbouring units of a step cancel), through dead units not at all, and
through the few whose sign is uncertain with the sum of their slopes.

The bound assumes IEEE arithmetic with round to nearest and ``exp`` right to 8 units in the last
place; sums may be made in any order, with or without fused operations, so it holds for NumPy,
PyTorch and ONNX Runtime alike.

Main definitions: :func:`error_bounds`, :class:`ErrorBounds`.

References
----------
Higham (2002), Sections 3.1 and 3.3 [higham2002].
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
import numpy.typing as npt

from rasp.weights.exact import Table, stage_tables, words_of_equal_length
from rasp.weights.floating import default_gap, head_scale, require_dtype, require_gap
from rasp.weights.model import CompiledModel
from rasp.weights.padded import TOLERANCE
from rasp.weights.parts import FeedForward, Head
from rasp.weights.rounding import (
    FINEST,
    PRECISIONS,
    SLACK,
    Array,
    Bounded,
    BoundedProduct,
    Precision,
    add,
    rounding,
)
from rasp.weights.rows import Rows
from rasp.weights.softness import attention_error

CELLS = 2**20


@final
@dataclass(frozen=True, eq=False)
class ErrorBounds:
    """Bounds on a batch.

    Attributes
    ----------
    residuals
        Per word, shape (rows, width): how far the last residual rows can be from the exact ones.
    outputs
        Readout name to the greatest error of a coordinate it reads (times its scale).
    """

    residuals: Sequence[Array]
    outputs: Mapping[str, float]

    @property
    def safe(self) -> bool:
        """Whether every output that is no fraction or float is certainly read as the exact one."""
        return all(error < TOLERANCE for error in self.outputs.values())


def error_bounds(
    model: CompiledModel,
    words: Sequence[Sequence[Any]],
    dtype: str = "float32",
    *,
    gap: float | None = None,
) -> ErrorBounds:
    """Bound the deviation of the float runtime from the exact one.

    Parameters
    ----------
    model
        Any compiled model.
    words
        As for the runtimes.
    dtype
        ``float32`` or ``float64``.
    gap
        As for :class:`rasp.weights.floating.FloatModel`.

    Raises
    ------
    WordError, MalformedModelError
        As the runtimes do.

    Notes
    -----
    Deterministic; about ten times the cost of running.

    Examples
    --------
    >>> from rasp.weights.examples import reverse_model
    >>> error_bounds(reverse_model("abc", length=5), ["abcab", "b"]).safe
    True
    """
    precision = PRECISIONS[require_dtype(dtype)]
    rows = model.length + model.bos
    gap = require_gap(default_gap(dtype, rows) if gap is None else gap)
    layers = [
        (
            [_Head(head, precision, head_scale(head, gap)) for head in layer.heads],
            layer.feed_forward and _Network(layer.feed_forward, precision),
        )
        for layer in model.layers
    ]
    hidden = max([1, *(x.feed_forward.hidden for x in model.layers if x.feed_forward)])
    ids = [model.encode(word) for word in words]
    residuals: list[Any] = [None] * len(words)
    for members in words_of_equal_length(ids, cells=CELLS, width=hidden):
        batch = np.array([ids[word] for word in members])
        stages = stage_tables(model, batch)
        error = _embedding_error(model, batch, stages[0], precision)
        for number, (heads, network) in enumerate(layers):
            before, middle = stages[2 * number], stages[2 * number + 1]
            error = _after_heads(heads, before, error, model.causal, precision)
            if network is not None:
                error = network.error(middle, error, precision)
        last = error.reshape(*batch.shape, model.width)
        for place, word in enumerate(members):
            residuals[word] = last[place]
    outputs = {}
    for readout in model.readouts:
        used = [*readout.directions]
        used += [] if readout.none_direction is None else [readout.none_direction]
        scale = float(abs(readout.scale)) if readout.kind == "numeric" else 1.0
        worst = max((float(e[model.bos :, used].max()) for e in residuals), default=0.0)
        outputs[readout.name] = worst * scale
    return ErrorBounds(residuals, outputs)


def _bounded(table: Table, error: Array, precision: Precision) -> Bounded:
    return Bounded.of(table.distinct, table.at.reshape(-1), error, precision)


def _embedding_error(model: CompiledModel, ids: Any, table: Table, precision: Precision) -> Array:
    """Return the errors of the two embeddings and of their sum."""
    flat = ids.reshape(-1)
    places = np.broadcast_to(np.arange(ids.shape[1]), ids.shape).reshape(-1)
    terms = []
    for matrix, at in ((model.token_embedding, flat), (model.position_embedding, places)):
        made = BoundedProduct(matrix, precision)
        rounded, value = np.zeros(matrix.shape), np.zeros(matrix.shape)
        rounded[np.ix_(made.rows, made.columns)] = made.rounded
        value[np.ix_(made.rows, made.columns)] = made.signed
        grid = np.ones(matrix.shape)
        grid[np.ix_(made.rows, made.columns)] = np.where(made.rounded == 0, made.grids, FINEST)
        terms.append(Bounded(value[at], rounded[at], grid[at]))
    return add(terms, precision)


@final
class _Head:
    def __init__(self, head: Head, precision: Precision, scale: float) -> None:
        parts = head.matrices.items()
        self.products = {name: BoundedProduct(matrix, precision) for name, matrix in parts}
        self.scale = scale

    def added(self, table: Table, x: Bounded, causal: bool, precision: Precision) -> Bounded:
        """Return what the head adds to the rows, with its error."""
        return attention_error(self.products, self.scale, table, x, causal, precision)


def _after_heads(
    heads: Sequence[_Head], table: Table, error: Array, causal: bool, precision: Precision
) -> Array:
    x = _bounded(table, error, precision)
    return add([x, *(head.added(table, x, causal, precision) for head in heads)], precision)


@final
class _Network:
    def __init__(self, network: FeedForward, precision: Precision) -> None:
        self.w1 = BoundedProduct(network.inner, precision)
        self.w2 = BoundedProduct(network.w2, precision)

    def error(self, table: Table, error: Array, precision: Precision) -> Array:
        """Return the errors of the rows after the network."""
        rows, at = table.distinct, table.at.reshape(-1)
        one = rows.with_one()
        x = Bounded.of(one, at, np.hstack([error, np.zeros((len(error), 1))]), precision)
        inner = self.w1.product.of(one)
        local = np.zeros((len(at), self.w1.shape[1]))
        local[:, self.w1.columns], _ = self.w1.local(x)
        z = self._inner(inner, at, x, precision)
        active, dead = z.value > z.error, z.value <= -z.error
        active |= (z.error == 0) & (z.value > 0)
        doubtful = ~active & ~dead
        h = Bounded.of(
            inner.positive(),
            at,
            np.where(dead, 0.0, z.error),
            precision,
            np.where(dead, 1.0, z.grid),
        )
        local = np.where(z.error == 0, 0.0, local)
        stray = self._through(np.where(active, local, 0.0) + np.where(doubtful, z.error, 0.0))
        moved, kept, gone = self._moved(x.error, active)
        moved = np.minimum(moved + stray, self._through(h.error))
        written, grid, left = np.zeros_like(error), np.ones_like(error), np.full_like(error, np.inf)
        added, grid[:, self.w2.columns] = self.w2.local(h)
        written[:, self.w2.columns] = moved + added
        left[:, self.w2.columns] = np.where(gone, kept + stray + added, np.inf)
        out = Bounded.of(self.w2.product.of(inner.positive()), at, written, precision, grid)
        terms = [_bounded(table, error, precision), out]
        return np.minimum(add(terms, precision), (left + rounding(terms, precision)) * SLACK)

    def _inner(
        self, inner: Rows, at: npt.NDArray[np.int64], x: Bounded, precision: Precision
    ) -> Bounded:
        error, grid = self.w1.error(x)
        return Bounded.of(inner, at, error, precision, grid)

    def _through(self, error: Array) -> Array:
        """Return what errors of the hidden units do, without cancellation."""
        return np.asarray(error[:, self.w2.rows] @ self.w2.sizes * (1 + 1e-9))

    def _moved(self, error: Array, active: Any) -> tuple[Array, Array, Any]:
        """Return what errors of the input do through the active units, which act together.

        And what is left of it, and where, when a coordinate is taken away by a unit that holds
        its negative: then its own error goes with it.
        """
        total = np.zeros((len(error), len(self.w2.columns)))
        left, gone = np.zeros_like(total), np.zeros(total.shape, bool)
        slopes = np.zeros((len(self.w1.rows), self.w1.shape[1]))
        slopes[:, self.w1.columns] = self.w1.signed
        for place, row in enumerate(self.w1.rows):
            if (error[:, row] > 0).any():
                reached = (active * slopes[place])[:, self.w2.rows]
                joint, sizes = reached @ self.w2.signed, np.abs(reached) @ self.w2.sizes
                moved = error[:, row, None] * (np.abs(joint) + sizes * 1e-13) * (1 + 1e-9)
                own = self.w2.columns == row
                erased = own & (joint == -1) & (sizes == 1)
                total += moved
                left += np.where(erased, 0.0, moved)
                gone |= erased
        return total, left, gone
