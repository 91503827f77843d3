r"""Influence of every position at the cost of about one pair of forward passes.

"Finite at i, adjoint elsewhere": the exchanged position follows its own exact stream through the
layers, attending to the unchanged rest; what it does to the other positions is O(1/n) each and is
carried to the readout by one adjoint pass.  What is dropped is of second order, O(1/n^2).

Main definitions
----------------
Sweep, all_changes.

References
----------
Hahn (2020), Lemma 5: the same split into position i and the others [hahn2020].
"""

from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from attention.soft import SoftTransformer
from attention.soft_forward import after_attention, apply_norm
from influence.adjoint import inputs_adjoint, local_adjoint, norm_adjoint
from influence.difference import local_difference, norm_difference
from influence.kernels import AbstractBackend, AbstractKernel
from influence.result import InfluenceError
from influence.rows import Rows, changed_step, local_step

Array = NDArray[Any]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Sweep:
    """Changes of the readout for every position, shape (n, r), and the kernels' residual."""

    changes: Array
    residual: float


@final
@dataclass(frozen=True, slots=True, eq=False)
class _Layer:
    rows: Rows
    kernel: AbstractKernel
    o: Array
    lse: Array


def all_changes(
    model: SoftTransformer,
    symbols: NDArray[np.int64],
    target: NDArray[np.int64] | int,
    readout: Array,
    backend: AbstractBackend,
    *,
    dtype: Any = np.float64,
) -> Sweep:
    """Return the change of the readout for the exchange of each position.

    Parameters
    ----------
    model
        A transformer with full attention.
    symbols
        Symbol numbers of the word, shape (n,).
    target
        Symbol number put in place: one for all, or shape (n,).
    readout
        Shape (d, r); cost grows with r (one adjoint pass per column).
    backend
        Provides the attention matrices.
    dtype
        ``float64`` or ``float32``.

    Returns
    -------
    Sweep
        Relative error O(1/n) by construction, plus the kernels' residual.

    Raises
    ------
    InfluenceError
        If the mask is not full.

    Notes
    -----
    Deterministic.  O(L n^2 d) with dense or fused kernels, O(L n r a^2) with low rank ones;
    memory O(n d).

    References
    ----------
    Hahn (2020), Lemma 5 [hahn2020].
    """
    if model.mask.kind != "full":
        raise InfluenceError(
            f"the all-positions engines need full attention, not a {model.mask.kind} mask: "
            "use engine='brute'"
        )
    n, d = len(symbols), model.width
    at = model.reading_position(n)
    places = model.encoding.rows(np.arange(n), n, d)
    x = (model.embedding[symbols] + places).astype(dtype)
    x2 = (model.embedding[target] + places).astype(dtype)
    if model.embedding_norm is not None:
        x, x2 = apply_norm(model.embedding_norm, x), apply_norm(model.embedding_norm, x2)
    done: list[_Layer] = []
    residual = 0.0
    for layer in model.layers[:-1]:
        rows = Rows(model, layer, x, x2)
        kernel = backend.kernel(rows)
        residual = max(residual, kernel.residual)
        o, lse = kernel.base()
        x, x2 = local_step(rows, o).astype(dtype), changed_step(rows, *kernel.changed())
        done.append(_Layer(rows, kernel, o, lse))
    last = Rows(model, model.layers[-1], x, x2)
    row = _read_row(last, at)
    changes = _finite_at_last_layer(row, readout.astype(dtype))
    for column in range(readout.shape[1]):
        g = _adjoint_of_last_layer(row, readout[:, column].astype(dtype))
        for number in range(len(done) - 1, -1, -1):
            effect, g = _through(done[number], g, more=number > 0)
            effect[at] = 0  # the reading position's own stream is finite throughout
            changes[:, column] += effect
    return Sweep(changes, residual)


@final
@dataclass(frozen=True, slots=True, eq=False)
class _Row:
    """The reading row of the last layer: weights (H, n), output (H, 1, a), base activation."""

    rows: Rows
    at: int
    q: Array
    w: Array
    o: Array


def _read_row(rows: Rows, at: int) -> _Row:
    q, _, _ = rows.base(at, at + 1)
    logits = np.concatenate(
        [(q @ np.swapaxes(rows.base(s, e)[1], -1, -2))[:, 0] for s, e in rows.chunks()], axis=1
    )
    w = np.exp(logits - logits.max(-1, keepdims=True))
    w /= w.sum(-1, keepdims=True)
    o = sum(w[:, None, s:e] @ rows.base(s, e)[2] for s, e in rows.chunks())
    return _Row(rows, at, q, w, np.asarray(o))


def _finite_at_last_layer(row: _Row, readout: Array) -> Array:
    """Exchange the key and value of each position as the reading row sees it, exactly."""
    rows, model = row.rows, row.rows.model
    own = rows.x[row.at : row.at + 1]
    out = np.empty((rows.n, readout.shape[1]), dtype=own.dtype)
    for s, e in rows.chunks():
        _, k, v = rows.base(s, e)
        _, k2, v2 = rows.changed(s, e)
        w = row.w[:, s:e, None]
        jump = np.expm1((row.q * (k2 - k)).sum(-1))[..., None]
        db = w * ((1 + jump) * (v2 - v) + jump * (v - row.o)) / (1 + w * jump)
        b = np.broadcast_to(row.o, db.shape)
        x = np.broadcast_to(own, (e - s, model.width))
        y, dy = local_difference(model, rows.layer, x, np.zeros_like(x), b, db)
        if model.final_norm is not None:
            _, dy = norm_difference(model.final_norm, y, dy)
        out[s:e] = dy @ readout
    out[row.at] = _own_change(row, readout)
    return out


def _own_change(row: _Row, readout: Array) -> Array:
    """Return the change if the reading position itself is exchanged (others at base)."""
    rows, model, at = row.rows, row.rows.model, row.at
    q2, k2, v2 = rows.changed(at, at + 1)
    logits = np.concatenate(
        [(q2 @ np.swapaxes(rows.base(s, e)[1], -1, -2))[:, 0] for s, e in rows.chunks()], axis=1
    )
    logits[:, at] = (q2 * k2).sum(-1)[:, 0]
    w = np.exp(logits - logits.max(-1, keepdims=True))
    w /= w.sum(-1, keepdims=True)
    own = w[:, None, at : at + 1] @ v2
    w[:, at] = 0
    o = own + sum(w[:, None, s:e] @ rows.base(s, e)[2] for s, e in rows.chunks())
    ends = []
    for x, heads in ((rows.x[at : at + 1], row.o), (rows.x2[at : at + 1], o)):
        y = after_attention(model, rows.layer, x, heads)
        ends.append(y if model.final_norm is None else apply_norm(model.final_norm, y))
    return np.asarray(((ends[1] - ends[0]) @ readout)[0])


def _adjoint_of_last_layer(row: _Row, direction: Array) -> Array:
    """Return the adjoint (n, d) of the rows that enter the last layer."""
    rows, model, layer, at = row.rows, row.rows.model, row.rows.layer, row.at
    own = rows.x[at : at + 1]
    g = direction[None]
    if model.final_norm is not None:
        g = norm_adjoint(model.final_norm, after_attention(model, layer, own, row.o), g)
    gx, go = local_adjoint(model, layer, own, row.o, g)
    c = (go * row.o).sum(-1)
    dq = np.zeros_like(row.q)
    out = np.empty_like(rows.x)
    for s, e in rows.chunks():
        _, k, v = rows.base(s, e)
        w = row.w[:, s:e]
        ds = w * ((go @ np.swapaxes(v, -1, -2))[:, 0] - c)
        dq += ds[:, None] @ k
        dk, dv = ds[..., None] * row.q, w[..., None] * go
        out[s:e] = inputs_adjoint(model, layer, rows.x[s:e], rows.n, np.zeros_like(k), dk, dv)
    zero = np.zeros_like(dq)
    out[at] += (gx + inputs_adjoint(model, layer, own, rows.n, dq, zero, zero))[0]
    return out


def _through(done: _Layer, g: Array, *, more: bool) -> tuple[Array, Array]:
    """Return the effect (n,) of all exchanges within one layer, and the adjoint before it."""
    rows, o, lse = done.rows, done.o, done.lse
    model, layer = rows.model, rows.layer
    u, gx = np.empty_like(o), np.empty_like(g)
    for s, e in rows.chunks():
        gx[s:e], u[:, s:e] = local_adjoint(model, layer, rows.x[s:e], o[:, s:e], g[s:e])
    c = (u * o).sum(-1)
    effect = done.kernel.spread(u, c, lse)
    for s, e in rows.chunks():  # the own row is finite already: take it out of the sum
        q, k, v = rows.base(s, e)
        _, k2, v2 = rows.changed(s, e)
        new = np.exp((q * k2).sum(-1) - lse[:, s:e]) * ((u[:, s:e] * v2).sum(-1) - c[:, s:e])
        old = np.exp((q * k).sum(-1) - lse[:, s:e]) * ((u[:, s:e] * v).sum(-1) - c[:, s:e])
        effect[s:e] -= (new - old).sum(0)
    if more:
        dq, dk, dv = done.kernel.backward(o, lse, u)
        for s, e in rows.chunks():
            gx[s:e] += inputs_adjoint(
                model, layer, rows.x[s:e], rows.n, dq[:, s:e], dk[:, s:e], dv[:, s:e]
            )
    return effect, gx
