r"""Sensitivity: how often the output changes with one bit, and what that costs a transformer.

Average sensitivity is counted over neighbours (one array operation per bit) instead of through the
2^n by 2^n matrix of characters.  Sharpness and layer-norm blow-up are measured on any of our
models, converted PyTorch models included.

Main definitions
----------------
average_sensitivity, sharpness, norm_blow_up.

References
----------
Hahn and Rofin (2024) [hahn2024].
"""

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attention.soft import LayerNorm, SoftLayer, SoftTransformer
from attention.soft_forward import (
    after_attention,
    apply_norm,
    attend,
    before_attention,
    embed,
    forward,
    head_inputs,
    read_out,
    relu_block,
)
from influence.result import InfluenceError

Array = NDArray[Any]


def average_sensitivity(values: Array) -> float:
    r"""Return the mean over all strings of ``sum_i ((f(x) - f(x with bit i flipped)) / 2)^2``.

    Parameters
    ----------
    values
        f at all 2^n bit strings, index read as a binary number, shape (2^n,); values in [-1, 1]
        by convention (a Boolean function as -1 and 1).

    Returns
    -------
    float
        Between 0 and n; PARITY has n.

    Raises
    ------
    InfluenceError
        If the length is not a power of two.

    Notes
    -----
    Deterministic; O(n 2^n), no matrix.

    References
    ----------
    Hahn and Rofin (2024), Section 2 [hahn2024]; O'Donnell (2014), Section 2.3 [odonnell2014].

    Examples
    --------
    >>> average_sensitivity(np.array([1.0, -1.0, -1.0, 1.0]))
    2.0
    """
    size = len(values)
    n = size.bit_length() - 1
    if size != 1 << n:
        raise InfluenceError(f"{size} values: a function of n bits has 2^n of them")
    total = 0.0
    for bit in range(n):
        pairs = values.reshape(-1, 2, 1 << bit).astype(float)
        gap = (pairs[:, 0] - pairs[:, 1]) / 2
        total += 2 * float(np.vdot(gap, gap))
    return total / size


def truth_table(accepts: Callable[[NDArray[np.uint8]], NDArray[np.bool_]], n: int) -> Array:
    """Return a Boolean function of n bits at all strings, as -1 and 1, shape (2^n,).

    ``accepts`` decides a batch of shape (b, n); bit i of the index is column n - 1 - i.

    Examples
    --------
    >>> truth_table(lambda words: words.sum(1) % 2 == 0, 2).tolist()
    [1.0, -1.0, -1.0, 1.0]
    """
    if not 0 < n <= 26:
        raise InfluenceError(f"n = {n}: a truth table is feasible for 1 to 26 bits")
    out = np.empty(1 << n)
    step = 1 << 18
    for start in range(0, len(out), step):
        index = np.arange(start, min(start + step, len(out)))
        words = (index[:, None] >> np.arange(n - 1, -1, -1)[None, :]) & 1
        out[start : start + step] = np.where(accepts(words.astype(np.uint8)), 1.0, -1.0)
    return out


def _noisy(part: Any, scale: float, rng: np.random.Generator) -> Any:
    """Return a layer or layer norm with Gaussian noise on every weight."""
    changed: dict[str, Any] = {}
    for field in fields(part):
        value = getattr(part, field.name)
        if isinstance(value, np.ndarray):
            changed[field.name] = value + scale * rng.standard_normal(value.shape)
        elif isinstance(value, LayerNorm):
            changed[field.name] = _noisy(value, scale, rng)
    return replace(part, **changed)


def sharpness(
    model: SoftTransformer,
    loss: Callable[[Array], float],
    words: NDArray[np.int64],
    *,
    scale: float = 0.02,
    draws: int = 10,
    rng: np.random.Generator,
) -> float:
    """Return the mean rise of a loss under Gaussian noise on all non-positional weights.

    Parameters
    ----------
    model
        The transformer.
    loss
        Maps readouts of shape (b, r) to a number.
    words
        Symbol numbers, shape (b, n).
    scale
        Standard deviation of the noise, 0.02 as published.
    draws
        Number of draws.
    rng
        Source of randomness.

    Returns
    -------
    float
        Can be negative where noise helps.

    Raises
    ------
    InfluenceError
        If ``scale`` is negative or ``draws`` below 1.

    References
    ----------
    Hahn and Rofin (2024), Section 5 [hahn2024].
    """
    if scale < 0 or draws < 1:
        raise InfluenceError(f"scale = {scale}, draws = {draws}: need scale >= 0 and a draw")

    def value(m: SoftTransformer) -> float:
        at = m.reading_position(words.shape[1])
        return loss(read_out(m, forward(m, embed(m, words), at=at)[-1][:, 0]))

    start, total = value(model), 0.0
    for _ in range(draws):
        layers: tuple[SoftLayer, ...] = tuple(_noisy(x, scale, rng) for x in model.layers)
        noisy = replace(
            model,
            layers=layers,
            embedding=model.embedding + scale * rng.standard_normal(model.embedding.shape),
            output=None
            if model.output is None
            else model.output + scale * rng.standard_normal(model.output.shape),
        )
        total += value(noisy) - start
    return total / draws


def norm_blow_up(model: SoftTransformer, words: NDArray[np.int64]) -> float:
    """Return the mean over words of the product of the layer norms' largest gains 1/std.

    Parameters
    ----------
    model
        With layer norms.
    words
        Symbol numbers, shape (b, n).

    Returns
    -------
    float
        Product over layers and both norms of the maximum over positions of 1/std of the norm's
        input (last layer: reading position only); infinite where std is 0.

    Raises
    ------
    InfluenceError
        If the model has no layer norms.

    References
    ----------
    Hahn and Rofin (2024), Section 4 [hahn2024].
    """
    if model.norms == "none":
        raise InfluenceError("the model has no layer norm: there is nothing to blow up")
    x = embed(model, words)
    n = words.shape[1]
    at, allowed = model.reading_position(n), model.mask.allowed(n)
    product = np.ones(len(words))
    for number, layer in enumerate(model.layers, start=1):
        only = slice(at, at + 1) if number == model.depth else slice(None)
        h = before_attention(model, layer, x)
        q, k, v = head_inputs(model, layer, h, n)
        heads = attend(q, k, v, allowed)
        mid = x + (heads @ layer.wo).sum(-3) + layer.bo
        if model.norms == "post":
            inputs = [mid]
            if layer.norm1 is not None:
                normed = apply_norm(layer.norm1, mid)
                inputs.append(normed + relu_block(layer, normed))
        else:
            inputs = [x, mid]
        for value in inputs:
            std = value[:, only].std(-1)
            with np.errstate(divide="ignore"):
                product = product * (1 / std).max(-1)
        x = after_attention(model, layer, x, heads)
    return float(product.mean())
