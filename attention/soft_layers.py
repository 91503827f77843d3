"""The parts of a soft-attention transformer: layer norms and layers, checked when built.

Main definitions
----------------
SoftModelError, LayerNorm, SoftLayer.

References
----------
Hahn (2020), Section 3 [hahn2020]; Vaswani et al. (2017) [vaswani2017].
"""

from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


class SoftModelError(ValueError):
    """A soft-attention model cannot be built from, or applied to, what was given."""


def require_finite(name: str, value: Array) -> None:
    """Raise if a weight is NaN or infinite, naming it."""
    if not np.all(np.isfinite(value)):
        raise SoftModelError(f"{name} contains NaN or infinity: repair the weights first")


@final
@dataclass(frozen=True, slots=True, eq=False)
class LayerNorm:
    """``gain * (x - mean) / sqrt(var + eps) + bias`` over the last axis.

    Parameters
    ----------
    gain, bias
        Shape (d,).
    eps
        At least 0.  With 0 the map is not Lipschitz and Lemma 5 does not apply.
    """

    gain: Array
    bias: Array
    eps: float

    def __post_init__(self) -> None:
        require_finite("layer norm gain", self.gain)
        require_finite("layer norm bias", self.bias)
        if not self.eps >= 0:
            raise SoftModelError(f"layer norm eps = {self.eps} must be a number >= 0")


@final
@dataclass(frozen=True, slots=True, eq=False)
class SoftLayer:
    """One layer: attention (H heads of width a), residual, norm, ReLU block, residual, norm.

    Parameters
    ----------
    wq, wk, wv
        Shape (H, d, a); ``q = x @ wq[h] + bq[h]``.
    bq, bk, bv
        Shape (H, a).
    wo
        Shape (H, a, d); the head outputs are summed: ``sum_h o_h @ wo[h] + bo``.
    bo
        Shape (d,).
    w1, b1, w2, b2
        ReLU block, shapes (d, m), (m,), (m, d), (d,); m = 0 leaves it out.
    norm1, norm2
        After (post) or before (pre) attention and ReLU block; ``None`` for none.
    """

    wq: Array
    bq: Array
    wk: Array
    bk: Array
    wv: Array
    bv: Array
    wo: Array
    bo: Array
    w1: Array
    b1: Array
    w2: Array
    b2: Array
    norm1: LayerNorm | None = None
    norm2: LayerNorm | None = None

    def __post_init__(self) -> None:
        heads, d, a = self.wq.shape
        m = self.w1.shape[1]
        want = {
            "wk": (heads, d, a), "wv": (heads, d, a), "wo": (heads, a, d),
            "bq": (heads, a), "bk": (heads, a), "bv": (heads, a), "bo": (d,),
            "w1": (d, m), "b1": (m,), "w2": (m, d), "b2": (d,), "wq": (heads, d, a),
        }  # fmt: skip
        for name, shape in want.items():
            value = getattr(self, name)
            if value.shape != shape:
                raise SoftModelError(f"{name} has shape {value.shape}, expected {shape}")
            require_finite(name, value)

    @property
    def heads(self) -> int:
        """Number of heads H."""
        return int(self.wq.shape[0])

    @property
    def width(self) -> int:
        """Width d of the activations."""
        return int(self.wq.shape[1])
