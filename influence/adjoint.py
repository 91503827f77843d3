r"""Adjoints of the pointwise parts of a layer: norms, ReLU block, projections.

For a readout direction, the adjoint of an activation is the derivative of the readout by it.
Only the base run is differentiated; the exchanged position itself is never linearised.

Main definitions
----------------
norm_adjoint, local_adjoint, inputs_adjoint.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from attention.soft import LayerNorm, SoftLayer, SoftTransformer
from attention.soft_forward import apply_norm, before_attention

Array = NDArray[Any]


def norm_adjoint(norm: LayerNorm, x: Array, g: Array) -> Array:
    """Return the adjoint of x given the adjoint g of its layer norm."""
    c = x - x.mean(-1, keepdims=True)
    std = np.sqrt((c * c).mean(-1, keepdims=True) + norm.eps)
    unit = c / std
    g = g * norm.gain
    return np.asarray(
        (g - g.mean(-1, keepdims=True) - unit * (g * unit).mean(-1, keepdims=True)) / std
    )


def local_adjoint(
    model: SoftTransformer, layer: SoftLayer, x: Array, o: Array, g: Array
) -> tuple[Array, Array]:
    """Return the adjoints of own rows x (m, d) and head outputs o (H, m, a), given that of y.

    The dependence of o on x is not included.
    """
    mid = x + (o @ layer.wo).sum(-3) + layer.bo
    post, pre = model.norms == "post", model.norms == "pre"
    raw = mid
    if post and layer.norm1 is not None:
        mid = apply_norm(layer.norm1, raw)
    inner = apply_norm(layer.norm2, mid) if pre and layer.norm2 is not None else mid
    z = inner @ layer.w1 + layer.b1
    if post and layer.norm2 is not None:
        g = norm_adjoint(layer.norm2, mid + np.maximum(z, 0) @ layer.w2 + layer.b2, g)
    dinner = ((g @ layer.w2.T) * (z > 0)) @ layer.w1.T
    if pre and layer.norm2 is not None:
        dinner = norm_adjoint(layer.norm2, mid, dinner)
    g = g + dinner
    if post and layer.norm1 is not None:
        g = norm_adjoint(layer.norm1, raw, g)
    return g, g @ np.swapaxes(layer.wo, -1, -2)


def _unit_adjoint(x: Array, g: Array) -> Array:
    size = np.sqrt((x * x).sum(-1, keepdims=True))
    size = np.where(size > 0, size, 1)
    unit = x / size
    return np.asarray((g - unit * (g * unit).sum(-1, keepdims=True)) / size)


def inputs_adjoint(
    model: SoftTransformer, layer: SoftLayer, x: Array, n: int, dq: Array, dk: Array, dv: Array
) -> Array:
    """Return the adjoint of rows x (m, d) through their queries, keys and values (H, m, a)."""
    h = before_attention(model, layer, x)
    dq = dq * model.logits.factor(n)
    if model.logits.rule == "bounded":
        dq = _unit_adjoint(h @ layer.wq + layer.bq[:, None, :], dq)
        dk = _unit_adjoint(h @ layer.wk + layer.bk[:, None, :], dk)
    g = sum(
        (d @ np.swapaxes(w, -1, -2)).sum(0)
        for d, w in ((dq, layer.wq), (dk, layer.wk), (dv, layer.wv))
    )
    if model.norms == "pre" and layer.norm1 is not None:
        g = norm_adjoint(layer.norm1, x, g)
    return np.asarray(g)
