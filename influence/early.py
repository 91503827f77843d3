r"""Exchanges near the start of a causal word, where no weight is small: exact within a prefix.

Under a causal mask position j spreads its attention over j positions only, so an exchange at
position i moves the next ones by O(1/i) and a first-order effect is no good there.  But a prefix
sees nothing outside itself: all exchanges within the first m positions run exactly through the
prefix, O(m^3) per layer, and every position behind it, whose weights are of order 1/m and less,
sees the whole exchanged prefix.

Main definitions
----------------
early_streams, early_effect, early_seen.

References
----------
Hahn (2020), Lemma 5, without the causal mask [hahn2020]; the split is our own.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from attention.soft import SoftTransformer
from attention.soft_forward import after_attention, attend, before_attention, head_inputs
from influence.difference import local_difference, norm_difference
from influence.kernels import contract
from influence.reading_row import ReadingRow
from influence.rows import Rows

Array = NDArray[Any]

_BLOCK = 2048


def early_streams(model: SoftTransformer, x: Array, x2: Array, m: int) -> list[Array]:
    """Return the prefix under each exchange within it, as it enters every layer.

    Parameters
    ----------
    model
        A transformer with a causal mask.
    x, x2
        Base and exchanged layer-0 activations of the whole word, shape (n, d).
    m
        Length of the prefix, at most n.

    Returns
    -------
    list of ndarray
        One array (m, m, d) per layer; entry (i, l) is position l when position i is exchanged.
    """
    own = np.arange(m)
    rows = np.repeat(x[None, :m], m, axis=0)
    rows[own, own] = x2[:m]
    allowed = model.mask.allowed_block(0, m, 0, m)
    out = [rows]
    for layer in model.layers[:-1]:
        q, k, v = head_inputs(model, layer, before_attention(model, layer, rows), len(x))
        rows = after_attention(model, layer, rows, attend(q, k, v, allowed)).astype(x.dtype)
        out.append(rows)
    return out


def early_effect(rows: Rows, stream: Array, u: Array, c: Array, lse: Array) -> Array:
    """Return the linearised effect (m,) of each exchanged prefix on all rows behind the prefix.

    ``u`` (H, n, a) are adjoints of head outputs, ``c`` (H, n) their products with the outputs.
    """
    m = len(stream)
    i, at = np.triu_indices(m)  # position at >= i differs from the base run
    values = np.concatenate([u, c[..., None]], axis=-1)
    _, k2, v2 = _inputs(rows, stream[i, at])
    _, k, v = rows.base(0, m)
    sums2 = np.zeros((*k2.shape[:2], values.shape[-1]), dtype=u.dtype)
    sums = np.zeros((*k.shape[:2], values.shape[-1]), dtype=u.dtype)
    for s in range(m, rows.n, _BLOCK):
        e = min(s + _BLOCK, rows.n)
        q, _, _ = rows.base(s, e)
        for h in range(len(k)):
            shift = lse[h, s:e, None]
            sums2[h] += np.exp(q[h] @ k2[h].T - shift).T @ values[h, s:e]
            sums[h] += np.exp(q[h] @ k[h].T - shift).T @ values[h, s:e]
    change = contract(sums2, v2) - contract(sums, v)[at]
    return np.bincount(i, weights=change, minlength=m)


def early_seen(row: ReadingRow, stream: Array, readout: Array) -> Array:
    """Return the change (m, r) of the readout as the reading row sees each exchanged prefix."""
    rows, model, m = row.rows, row.rows.model, len(stream)
    own = rows.x[row.at : row.at + 1]
    _, k, v = rows.base(0, m)
    _, k2, v2 = _inputs(rows, stream)
    w = row.w[:, :m, None]
    jump = np.expm1((row.q * (k2 - k)).sum(-1))[..., None]
    moved = (w * ((1 + jump) * (v2 - v) + jump * (v - row.o))).sum(-2)
    db = np.swapaxes(moved / (1 + (w * jump).sum(-2)), 0, 1)
    x = np.broadcast_to(own, (m, model.width))
    b = np.broadcast_to(row.o, db.shape)
    y, dy = local_difference(model, rows.layer, x, np.zeros_like(x), b, db)
    if model.final_norm is not None:
        _, dy = norm_difference(model.final_norm, y, dy)
    return np.asarray(dy @ readout)


def _inputs(rows: Rows, x: Array) -> tuple[Array, Array, Array]:
    h = before_attention(rows.model, rows.layer, x)
    return head_inputs(rows.model, rows.layer, h, rows.n)
