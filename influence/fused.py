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
    contract,
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
        """Return a fused kernel, or the fallback's, which a window needs too."""
        fused = fused_available() and rows.model.mask.kind != "window"
        return FusedKernel(rows) if fused else self.fallback.kernel(rows)

    @property
    def name(self) -> str:
        """Return ``"hybrid"``."""
        return "hybrid"

    @property
    def masks(self) -> tuple[str, ...]:
        """All kinds."""
        return ("full", "causal", "window")

    @property
    def holds(self) -> bool:
        """The kernels hold all rows anyway."""
        return True


def _padded(x: Array, width: int) -> Any:
    import torch

    extra = width - x.shape[-1]
    if extra:
        x = np.concatenate([x, np.zeros((*x.shape[:2], extra), dtype=x.dtype)], axis=-1)
    return torch.from_numpy(np.ascontiguousarray(x))[None]


def _flash(q: Array, k: Array, v: Array, *, causal: bool) -> tuple[Array, Array]:
    import torch

    width = max(q.shape[-1], v.shape[-1])  # the operator wants equal widths
    with torch.no_grad():
        out, lse = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu(
            _padded(q, width), _padded(k, width), _padded(v, width), 0.0, causal, scale=1.0
        )
    return out[0, ..., : v.shape[-1]].numpy(), lse[0].numpy().astype(q.dtype)


@final
class FusedKernel(AbstractKernel):
    """Streaming attention, full or causal; nothing of size n^2 is stored."""

    def __init__(self, rows: Rows) -> None:
        """Hold queries, keys and values."""
        self._causal = rows.model.mask.kind == "causal"
        self._q, self._k, self._v = rows.base(0, rows.n)
        self._q2, self._k2, self._v2 = rows.changed(0, rows.n)

    def base(self) -> tuple[Array, Array]:
        """Return base outputs."""
        return _flash(self._q, self._k, self._v, causal=self._causal)

    def changed(self) -> tuple[Array, Array]:
        """Return outputs of the exchanged queries."""
        return _flash(self._q2, self._k, self._v, causal=self._causal)

    def spread(self, u: Array, c: Array, lse: Array, *, changed: bool) -> Array:
        """Sum over rows j with keys as queries, queries as keys and adjoints as values."""
        keys, v = (self._k2, self._v2) if changed else (self._k, self._v)
        parts = (
            with_log_column(keys, 1.0),
            with_log_column(self._q, -lse),
            np.concatenate([u, c[..., None]], axis=-1),
        )
        # who may be seen by j <= i sees j >= i: causal again in the reversed order
        turn = slice(None, None, -1 if self._causal else 1)
        # copied, for PyTorch takes no negative strides, not even of an axis of length 1
        out, log_total = _flash(*(part[:, turn].copy() for part in parts), causal=self._causal)
        return contract((out * np.exp(log_total)[..., None])[:, turn], v)

    def backward(self, o: Array, lse: Array, g: Array) -> tuple[Array, Array, Array, Array]:
        """Return adjoints through the operator's own backward pass.

        A constant coordinate of the queries, which no key answers to, collects in the adjoint of
        the keys what :meth:`spread` would need a pass of its own for.
        """
        import torch

        a = o.shape[-1]
        width = a + 1
        with torch.no_grad():
            got = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu_backward(
                _padded(g, width), _padded(with_log_column(self._q, 1.0), width),
                _padded(self._k, width), _padded(self._v, width), _padded(o, width),
                torch.from_numpy(lse)[None], 0.0, self._causal, scale=1.0,
            )  # fmt: skip
        dq, dk, dv = (x[0].numpy() for x in got)
        return dq[..., :a], dk[..., :a], dv[..., :a], dk[..., a].sum(0)

    @property
    def residual(self) -> float:
        """Exact up to rounding."""
        return 0.0
