r"""What the two constructions that overcome Lemma 5 share: doubling, and their hand-set layers.

Soft attention recognises PARITY and FIRST at every length with layer norm: the norm divides the
O(1/n) signal by its own size.  To pass through layer norms every vector x is carried as (x, -x),
which has mean 0; the last ReLU block clears all but the output coordinate.

Main definitions
----------------
CLS, doubled, layer, clearing_block, cross_entropy_bits.

References
----------
Chiang and Cholak (2022) [chiang2022].
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attention.soft import LayerNorm, SoftLayer, SoftModelError

Array = NDArray[Any]

CLS = "$"
"""The symbol that marks the reading position."""


def doubled(x: Array, *, on: bool) -> Array:
    """Return (x, -x) along the last axis, or x itself."""
    return np.concatenate([x, -x], axis=-1) if on else x


def layer(
    *,
    queries: Array,
    keys: Array,
    values: Array,
    outputs: Array,
    inner: Array,
    inner_bias: Array,
    outer: Array,
    eps: float | None,
) -> SoftLayer:
    """Build a layer from maps between d plain coordinates.

    Parameters
    ----------
    queries, keys, values
        Shape (H, d, a).  A constant query is written as a weight on a coordinate that is 1.
    outputs
        Shape (H, a, d).
    inner, inner_bias, outer
        ReLU block, shapes (D, m), (m,), (m, D) with D = 2 d if eps is given, else d.
    eps
        Layer norm eps; ``None`` for no layer norm (and no doubling).
    """
    heads, d, a = queries.shape
    on = eps is not None
    width = 2 * d if on else d

    def reading(w: Array) -> Array:
        return np.concatenate([w, np.zeros_like(w)], axis=1) if on else w

    norm = None if eps is None else LayerNorm(np.ones(width), np.zeros(width), eps)
    zero = np.zeros((heads, a))
    return SoftLayer(
        wq=reading(queries), bq=zero, wk=reading(keys), bk=zero, wv=reading(values), bv=zero,
        wo=doubled(outputs, on=on), bo=np.zeros(width),
        w1=inner, b1=inner_bias, w2=outer, b2=np.zeros(width), norm1=norm, norm2=norm,
    )  # fmt: skip


def clearing_block(d: int, keep: int) -> tuple[Array, Array, Array]:
    """Return the ReLU block on 2 d doubled coordinates that clears all but ``keep``.

    ``-relu(x) + relu(-x) = -x`` is added to every other coordinate.
    """
    others = [j for j in range(d) if j != keep]
    inner, outer = np.zeros((2 * d, 2 * len(others))), np.zeros((2 * len(others), 2 * d))
    for unit, j in enumerate(others):
        inner[j, 2 * unit] = inner[j + d, 2 * unit + 1] = 1
        outer[2 * unit, j], outer[2 * unit + 1, j] = -1, 1
        outer[2 * unit, j + d], outer[2 * unit + 1, j + d] = 1, -1
    return inner, np.zeros(2 * len(others)), outer


def cross_entropy_bits(logit: float) -> float:
    """Return the cross-entropy ``log2(1 + exp(-z))`` of a right decision with logit z >= 0.

    Raises
    ------
    SoftModelError
        If the logit is negative or not a number.

    Examples
    --------
    >>> cross_entropy_bits(0.0)
    1.0
    """
    if not logit >= 0:
        raise SoftModelError(f"logit {logit}: the size of a right decision is at least 0")
    return math.log1p(math.exp(-logit)) / math.log(2)


def checked_eps(eps: float | None) -> None:
    """Raise unless eps is ``None`` or a finite number >= 0."""
    if eps is not None and not (math.isfinite(eps) and eps >= 0):
        raise SoftModelError(f"layer norm eps = {eps} must be a finite number >= 0, or None")


def normed(t: float, half_width: int, eps: float | None) -> float:
    """Return the output after the last layer norm, given t before it (all else cleared)."""
    if eps is None:
        return t
    if t == 0:
        raise SoftModelError("the output is exactly 0 before the last layer norm")
    # written through |t| so that tiny t and eps = 0 do not underflow
    return math.copysign(1 / math.sqrt(1 / half_width + eps / t / t), t)
