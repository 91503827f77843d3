r"""The fused kernel: PyTorch's streaming attention on the CPU, forward, transposed and backward.

The operator returns the log normaliser beside the output, which turns a normalised average into
the plain sum that the transposed product needs.  It is not public, so its absence is detected
once and the dense NumPy kernel is used instead.

Main definitions
----------------
FusedBackend, fused_available.

References
----------
Dao et al. (2022), streaming softmax attention [dao2022].
"""

from dataclasses import dataclass, field
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from influence.kernels import (
    AbstractBackend,
    AbstractKernel,
    DenseBackend,
    reduce_spread,
    with_log_column,
)
from influence.rows import Rows

Array = NDArray[Any]


def fused_available() -> bool:
    """Return whether PyTorch with the streaming CPU operator can be imported."""
    try:
        import torch
    except ImportError:
        return False
    aten = torch.ops.aten
    return hasattr(aten, "_scaled_dot_product_flash_attention_for_cpu") and hasattr(
        aten, "_scaled_dot_product_flash_attention_for_cpu_backward"
    )


@final
@dataclass(frozen=True, slots=True)
class FusedBackend(AbstractBackend):
    """PyTorch's fused operator, or ``fallback`` where it does not exist."""

    fallback: DenseBackend = field(default_factory=DenseBackend)

    def kernel(self, rows: Rows) -> AbstractKernel:
        """Return a fused kernel, or the fallback's."""
        return FusedKernel(rows) if fused_available() else self.fallback.kernel(rows)

    @property
    def name(self) -> str:
        """Return ``"hybrid"``."""
        return "hybrid"


def _padded(x: Array, width: int) -> Any:
    import torch

    extra = width - x.shape[-1]
    if extra:
        x = np.concatenate([x, np.zeros((*x.shape[:2], extra), dtype=x.dtype)], axis=-1)
    return torch.from_numpy(np.ascontiguousarray(x))[None]


def _flash(q: Array, k: Array, v: Array) -> tuple[Array, Array]:
    import torch

    width = -(-max(q.shape[-1], v.shape[-1]) // 8) * 8  # equal widths, whole vector registers
    with torch.no_grad():
        out, lse = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu(
            _padded(q, width), _padded(k, width), _padded(v, width), 0.0, False, scale=1.0
        )
    return out[0, ..., : v.shape[-1]].numpy(), lse[0].numpy().astype(q.dtype)


@final
class FusedKernel(AbstractKernel):
    """Streaming attention; nothing of size n^2 is stored."""

    def __init__(self, rows: Rows) -> None:
        """Hold queries, keys and values."""
        self._q, self._k, self._v = rows.base(0, rows.n)
        self._q2, self._k2, self._v2 = rows.changed(0, rows.n)

    def base(self) -> tuple[Array, Array]:
        """Return base outputs."""
        return _flash(self._q, self._k, self._v)

    def changed(self) -> tuple[Array, Array]:
        """Return outputs of the exchanged queries."""
        return _flash(self._q2, self._k, self._v)

    def spread(self, u: Array, c: Array, lse: Array) -> Array:
        """Sum over rows j with keys as queries, queries as keys and adjoints as values."""
        values = np.concatenate([u, c[..., None]], axis=-1)
        qt = with_log_column(self._q, -lse)
        sums = []
        for keys in (self._k2, self._k):
            out, log_total = _flash(with_log_column(keys, 1.0), qt, values)
            sums.append(out * np.exp(log_total)[..., None])
        return reduce_spread(sums[0], sums[1], self._v2, self._v)

    def backward(self, o: Array, lse: Array, g: Array) -> tuple[Array, Array, Array]:
        """Return adjoints through the operator's own backward pass."""
        import torch

        width = -(-o.shape[-1] // 8) * 8
        a = o.shape[-1]
        with torch.no_grad():
            got = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu_backward(
                _padded(g, width), _padded(self._q, width), _padded(self._k, width),
                _padded(self._v, width), _padded(o, width), torch.from_numpy(lse)[None],
                0.0, False, scale=1.0,
            )  # fmt: skip
        dq, dk, dv = (x[0, ..., :a].numpy() for x in got)
        return dq, dk, dv

    @property
    def residual(self) -> float:
        """Exact up to rounding."""
        return 0.0
