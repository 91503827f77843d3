r"""The reference forward pass of soft attention in NumPy, batched over words.

Everything is computed in the dtype of the input rows (float64 by default) with the maximum logit
subtracted before the exponential, so the pass is safe for any finite logits.

Main definitions
----------------
embed, apply_norm, relu_block, head_inputs, attend, forward, read_out, evaluate.

References
----------
Hahn (2020), Section 3 [hahn2020].
"""

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attention.soft import LayerNorm, SoftLayer, SoftModelError, SoftTransformer

Array = NDArray[Any]


def embed(model: SoftTransformer, symbols: NDArray[np.int64]) -> Array:
    """Return layer-0 activations of a batch of words of symbol numbers (b, n) as (b, n, d)."""
    n = symbols.shape[-1]
    rows = model.encoding.rows(np.arange(n), n, model.width)
    x = model.embedding[symbols] + rows
    return x if model.embedding_norm is None else apply_norm(model.embedding_norm, x)


def apply_norm(norm: LayerNorm, x: Array) -> Array:
    """Normalise the last axis.

    Raises
    ------
    SoftModelError
        If eps = 0 and a row is constant, where the map is undefined.
    """
    centred = x - x.mean(-1, keepdims=True)
    square = (centred * centred).mean(-1, keepdims=True) + norm.eps
    if norm.eps == 0 and not np.all(square > 0):
        raise SoftModelError("layer norm with eps = 0 meets a constant row: undefined (0/0)")
    return np.asarray(norm.gain * (centred / np.sqrt(square)) + norm.bias)


def relu_block(layer: SoftLayer, x: Array) -> Array:
    """Return ``relu(x w1 + b1) w2 + b2``."""
    return np.asarray(np.maximum(x @ layer.w1 + layer.b1, 0) @ layer.w2 + layer.b2)


def head_inputs(
    model: SoftTransformer, layer: SoftLayer, h: Array, n: int
) -> tuple[Array, Array, Array]:
    """Return queries, keys and values of shape (..., H, m, a) for rows h of shape (..., m, d).

    The logit is the plain product of a returned query and key: scale, normalisation and ln n are
    already inside the query.
    """
    h = h[..., None, :, :]
    q = h @ layer.wq + layer.bq[:, None, :]
    k = h @ layer.wk + layer.bk[:, None, :]
    v = h @ layer.wv + layer.bv[:, None, :]
    if model.logits.rule == "bounded":
        q, k = _unit(q), _unit(k)
    return q * model.logits.factor(n), k, v


def _unit(x: Array) -> Array:
    size = np.sqrt((x * x).sum(-1, keepdims=True))
    return np.asarray(x / np.where(size > 0, size, 1))  # a zero row keeps logit 0


def attend(q: Array, k: Array, v: Array, allowed: NDArray[np.bool_] | None) -> Array:
    """Return softmax attention of shape (..., H, m, a)."""
    return np.asarray(weights(q, k, allowed) @ v)


def weights(q: Array, k: Array, allowed: NDArray[np.bool_] | None) -> Array:
    """Return the softmax weights of shape (..., H, m, n)."""
    logits = q @ np.swapaxes(k, -1, -2)
    if allowed is not None:
        logits = np.where(allowed, logits, -np.inf)
    e = np.exp(logits - logits.max(-1, keepdims=True))
    return np.asarray(e / e.sum(-1, keepdims=True))


def before_attention(model: SoftTransformer, layer: SoftLayer, x: Array) -> Array:
    """Return the rows that queries, keys and values are made of."""
    if model.norms == "pre" and layer.norm1 is not None:
        return apply_norm(layer.norm1, x)
    return x


def after_attention(model: SoftTransformer, layer: SoftLayer, x: Array, heads: Array) -> Array:
    """Return the next activations from own rows x (..., m, d) and heads (..., H, m, a)."""
    x = x + (heads @ layer.wo).sum(-3) + layer.bo
    if model.norms == "post" and layer.norm1 is not None:
        x = apply_norm(layer.norm1, x)
    if layer.w1.shape[1]:
        inner = x
        if model.norms == "pre" and layer.norm2 is not None:
            inner = apply_norm(layer.norm2, x)
        x = x + relu_block(layer, inner)
    else:
        x = x + layer.b2
    if model.norms == "post" and layer.norm2 is not None:
        x = apply_norm(layer.norm2, x)
    return x


def forward(model: SoftTransformer, x: Array, *, at: int | None = None) -> list[Array]:
    """Return all activations [y^(0), ..., y^(L)], each of shape (b, n, d).

    Parameters
    ----------
    model
        The transformer.
    x
        Layer-0 activations, shape (b, n, d); see :func:`embed`.
    at
        Compute the last layer at this position only; its entry then has shape (b, 1, d).

    Returns
    -------
    list of ndarray
        The final norm, if any, is applied to the last entry.

    Notes
    -----
    Deterministic; O(L n^2 d) time, O(H n^2) memory per word.

    References
    ----------
    Hahn (2020), Section 3 [hahn2020].

    Examples
    --------
    >>> from attention.soft_random import aligned_transformer
    >>> m = aligned_transformer(0.0)
    >>> forward(m, embed(m, m.indices("0011")[None]))[-1][0, -1].tolist()
    [1.0, 0.0]
    """
    n = x.shape[-2]
    allowed = model.mask.allowed(n)
    out = [x]
    for number, layer in enumerate(model.layers, start=1):
        q, k, v = head_inputs(model, layer, before_attention(model, layer, x), n)
        if at is not None and number == model.depth:
            q, x = q[..., at : at + 1, :], x[..., at : at + 1, :]
            allowed = None if allowed is None else allowed[at : at + 1]
        x = after_attention(model, layer, x, attend(q, k, v, allowed))
        out.append(x)
    if model.final_norm is not None:
        out[-1] = apply_norm(model.final_norm, out[-1])
    return out


def read_out(model: SoftTransformer, row: Array) -> Array:
    """Return the readout of rows of shape (..., d)."""
    if model.output is None:
        return row
    out = row @ model.output
    return out if model.output_bias is None else out + model.output_bias


def evaluate(model: SoftTransformer, word: Sequence[Hashable]) -> Array:
    """Return the readout at the reading position for one word.

    Parameters
    ----------
    model
        The transformer.
    word
        Symbols of its alphabet, length n >= 1.

    Returns
    -------
    ndarray
        Shape (r,) with a readout matrix, else (d,).

    Raises
    ------
    SoftModelError
        If the word is empty or holds an unknown symbol.

    Notes
    -----
    Deterministic, float64.

    References
    ----------
    Hahn (2020), Section 3 [hahn2020].

    Examples
    --------
    >>> from attention.soft_random import aligned_transformer
    >>> float(evaluate(aligned_transformer(0.0), "0001")[0])
    -0.5
    """
    x = embed(model, model.indices(word)[None])
    return read_out(model, forward(model, x, at=model.reading_position(len(word)))[-1][0, 0])
