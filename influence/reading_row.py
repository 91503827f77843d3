r"""The last layer as the reading position sees it: one row of attention.

Every other position enters the readout only through its key and value in this row, so exchanges
are carried through it exactly.

Main definitions
----------------
ReadingRow, read_row, seen_exchanges, entering_adjoint.

References
----------
Hahn (2020), Lemma 5 [hahn2020].
"""

from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from attention.soft_forward import after_attention, apply_norm
from influence.adjoint import inputs_adjoint, local_adjoint, norm_adjoint
from influence.difference import local_difference, norm_difference
from influence.rows import Rows

Array = NDArray[Any]


@final
@dataclass(frozen=True, slots=True, eq=False)
class ReadingRow:
    """The reading row of the last layer: weights (H, n), output (H, 1, a), base activation."""

    rows: Rows
    at: int
    q: Array
    w: Array
    o: Array


def read_row(rows: Rows, at: int) -> ReadingRow:
    """Return the row of position ``at`` with its softmax weights, 0 where the mask hides."""
    q, _, _ = rows.base(at, at + 1)
    logits = _logits(rows, at, q)
    w = np.exp(logits - logits.max(-1, keepdims=True))
    w /= w.sum(-1, keepdims=True)
    o = sum(w[:, None, s:e] @ rows.base(s, e)[2] for s, e in rows.chunks())
    return ReadingRow(rows, at, q, w, np.asarray(o))


def _logits(rows: Rows, at: int, q: Array) -> Array:
    logits = np.concatenate(
        [(q @ np.swapaxes(rows.base(s, e)[1], -1, -2))[:, 0] for s, e in rows.chunks()], axis=1
    )
    allowed = rows.model.mask.allowed_block(at, at + 1, 0, rows.n)
    return logits if allowed is None else np.where(allowed, logits, -np.inf)


def seen_exchanges(row: ReadingRow, readout: Array) -> Array:
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


def _own_change(row: ReadingRow, readout: Array) -> Array:
    """Return the change if the reading position itself is exchanged (others at base)."""
    rows, model, at = row.rows, row.rows.model, row.at
    q2, k2, v2 = rows.changed(at, at + 1)
    logits = _logits(rows, at, q2)
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


def entering_adjoint(row: ReadingRow, direction: Array) -> Array:
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
