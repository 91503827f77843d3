r"""Carry a difference through a layer instead of subtracting two passes.

Every function takes a base value and the difference of the changed value to it, and returns the
same pair for its output, with no cancellation: softmax by ``expm1``, square roots by their
conjugate, ReLU by cases.  A difference of 2^-50 keeps full relative precision.

Main definitions
----------------
norm_difference, unit_difference, relu_difference, softmax_difference, layer_difference.

References
----------
Hahn (2020), Section 6 [hahn2020].
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from attention.soft import LayerNorm, SoftLayer, SoftModelError, SoftTransformer

Array = NDArray[Any]


def norm_difference(norm: LayerNorm, x: Array, dx: Array) -> tuple[Array, Array]:
    """Carry (x, dx) through a layer norm over the last axis."""
    c, dc = x - x.mean(-1, keepdims=True), dx - dx.mean(-1, keepdims=True)
    base = (c * c).mean(-1, keepdims=True) + norm.eps
    shift = ((2 * c + dc) * dc).mean(-1, keepdims=True)
    new = ((c + dc) * (c + dc)).mean(-1, keepdims=True) + norm.eps
    if norm.eps == 0 and not (np.all(base > 0) and np.all(new > 0)):
        raise SoftModelError("layer norm with eps = 0 meets a constant row: undefined (0/0)")
    s, t = np.sqrt(base), np.sqrt(new)
    # 1/t - 1/s = (s^2 - t^2) / (s t (s + t)): exact conjugate, no cancellation
    inverse = -shift / (s * t * (s + t))
    return norm.gain * (c / s) + norm.bias, norm.gain * (dc / t + c * inverse)


def unit_difference(x: Array, dx: Array) -> tuple[Array, Array]:
    """Carry (x, dx) through x -> x / |x| (zero stays zero)."""
    base = (x * x).sum(-1, keepdims=True)
    shift = ((2 * x + dx) * dx).sum(-1, keepdims=True)
    new = ((x + dx) ** 2).sum(-1, keepdims=True)
    s = np.sqrt(np.where(base > 0, base, 1))
    t = np.sqrt(np.where(new > 0, new, 1))
    regular = (base > 0) & (new > 0)
    inverse = np.where(regular, -shift / (s * t * (s + t)), 0)
    unit = x / s
    moved = np.where(regular, dx / t + x * inverse, (x + dx) / t - unit)
    return unit, moved


def relu_difference(z: Array, dz: Array) -> tuple[Array, Array]:
    """Carry (z, dz) through max(z, 0), by the four cases of signs."""
    on, after = z > 0, z + dz > 0
    moved = np.where(on, np.where(after, dz, -z), np.where(after, z + dz, 0))
    return np.where(on, z, 0), moved


_STEEP = 300.0
"""Logit change up to which ``expm1`` and its weighted sums stay far from overflow."""


_LEAST = 1e-3
"""Share of the old weight that must stay for ``1 + total`` not to cancel."""


def _weights(logits: Array, counts: Array) -> Array:
    top = np.where(counts > 0, logits, -np.inf).max(-1, keepdims=True)
    w = counts * np.exp(np.minimum(logits - top, 0))
    return np.asarray(w / w.sum(-1, keepdims=True))


def softmax_difference(
    logits: Array, dlogits: Array, counts: Array, v: Array, dv: Array
) -> tuple[Array, Array]:
    """Carry attention through changed logits and values.

    Parameters
    ----------
    logits, dlogits
        Shape (..., m, t).
    counts
        How many positions each column stands for, shape (..., 1, t), nonnegative.
    v, dv
        Shape (..., t, a).

    Returns
    -------
    tuple
        Attention output and its difference, shape (..., m, a).
    """
    w = _weights(logits, counts)
    b = w @ v
    small = np.minimum(dlogits, _STEEP)
    grow = np.expm1(small)
    total = (w * grow).sum(-1, keepdims=True)
    kept = 1 + total
    steep = (dlogits > _STEEP).any(-1, keepdims=True) | (kept < _LEAST)
    kept = np.where(steep, 1, kept)
    moved = w * ((grow - total) / kept)
    after = w * ((1 + grow) / kept)
    if steep.any():  # such a jump decides the softmax by itself: nothing small to protect
        jumped = _weights(logits + dlogits, counts)
        moved, after = np.where(steep, jumped - w, moved), np.where(steep, jumped, after)
    # sum of moved is 0, so values may be taken relative to any point: the own output b keeps
    # the terms small; b depends on the row, hence the correction outside the product
    drift = moved @ v - moved.sum(-1, keepdims=True) * b
    return b, drift + after @ dv


def layer_difference(
    model: SoftTransformer,
    layer: SoftLayer,
    x: Array,
    dx: Array,
    counts: Array,
    n: int,
    only: NDArray[np.int64] | None = None,
) -> tuple[Array, Array]:
    """Carry (x, dx), shape (b, t, d), through one layer of full attention over types.

    Parameters
    ----------
    model, layer
        The transformer and its layer.
    x, dx
        Base rows and differences, shape (b, t, d).
    counts
        Positions per row, shape (b, t).
    n
        Length of the word (for logits scaled by ln n).
    only
        Per batch entry the one row to compute, shape (b,); the result then has t = 1.

    Returns
    -------
    tuple
        Next rows and differences.

    Notes
    -----
    O(b t^2 d) time.
    """
    h, dh = x, dx
    if model.norms == "pre" and layer.norm1 is not None:
        h, dh = norm_difference(layer.norm1, x, dx)
    h, dh = h[:, None], dh[:, None]
    q, dq = h @ layer.wq + layer.bq[:, None, :], dh @ layer.wq
    k, dk = h @ layer.wk + layer.bk[:, None, :], dh @ layer.wk
    v, dv = h @ layer.wv + layer.bv[:, None, :], dh @ layer.wv
    if model.logits.rule == "bounded":
        (q, dq), (k, dk) = unit_difference(q, dq), unit_difference(k, dk)
    if only is not None:
        pick = np.arange(len(x)), only
        x, dx = x[pick][:, None], dx[pick][:, None]
        q, dq = q[pick[0], :, only][:, :, None], dq[pick[0], :, only][:, :, None]
    factor = model.logits.factor(n)
    kt, dkt = np.swapaxes(k, -1, -2), np.swapaxes(dk, -1, -2)
    logits = factor * (q @ kt)
    dlogits = factor * (dq @ kt + (q + dq) @ dkt)
    b, db = softmax_difference(logits, dlogits, counts[:, None, None, :], v, dv)
    return local_difference(model, layer, x, dx, b, db)


def local_difference(
    model: SoftTransformer, layer: SoftLayer, x: Array, dx: Array, b: Array, db: Array
) -> tuple[Array, Array]:
    """Carry own rows and attention outputs through residuals, norms and the ReLU block.

    ``b`` and ``db`` have shape (..., H, m, a).
    """
    x = x + (b @ layer.wo).sum(-3) + layer.bo
    dx = dx + (db @ layer.wo).sum(-3)
    if model.norms == "post" and layer.norm1 is not None:
        x, dx = norm_difference(layer.norm1, x, dx)
    inner, dinner = x, dx
    if model.norms == "pre" and layer.norm2 is not None:
        inner, dinner = norm_difference(layer.norm2, x, dx)
    z, dz = relu_difference(inner @ layer.w1 + layer.b1, dinner @ layer.w1)
    x, dx = x + z @ layer.w2 + layer.b2, dx + dz @ layer.w2
    if model.norms == "post" and layer.norm2 is not None:
        x, dx = norm_difference(layer.norm2, x, dx)
    return x, dx
