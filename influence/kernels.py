r"""What the all-positions engine needs of an attention matrix, and the dense reference.

The matrix has entries ``exp(q_j . k_i)``.  It is needed five times: base queries on base keys,
exchanged queries on base keys, the transposed product with adjoints at base and at exchanged
keys, and the usual backward pass.  Three kernels provide them: dense in NumPy, fused in PyTorch,
and low rank.

Main definitions
----------------
AbstractKernel, AbstractBackend, DenseBackend.
"""

import abc
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from influence.rows import Rows

Array = NDArray[Any]


class AbstractKernel(abc.ABC):
    """The attention matrix of one layer."""

    @abc.abstractmethod
    def base(self) -> tuple[Array, Array]:
        """Return head outputs (H, n, a) and log normalisers (H, n) of the base rows."""

    @abc.abstractmethod
    def changed(self) -> tuple[Array, Array]:
        """Return the same for exchanged queries against base keys and values."""

    @abc.abstractmethod
    def spread(self, u: Array, c: Array, lse: Array) -> Array:
        r"""Return the first-order effect of every exchanged key and value on all rows.

        Entry i is ``sum_h sum_j w'_ji (u_j . v'_i - c_j) - w_ji (u_j . v_i - c_j)`` with
        ``w_ji = exp(q_j . k_i - lse_j)`` and ``w'_ji`` the same at the exchanged key; the own
        row j = i is included.  Shapes: u (H, n, a), c and lse (H, n), result (n,).
        """

    @abc.abstractmethod
    def backward(self, o: Array, lse: Array, g: Array) -> tuple[Array, Array, Array]:
        """Return the adjoints of queries, keys and values for the adjoint g (H, n, a) of o."""

    @property
    @abc.abstractmethod
    def residual(self) -> float:
        """Measured relative error of the matrix entries; 0 for exact kernels."""


class AbstractBackend(abc.ABC):
    """Makes one kernel per layer."""

    @abc.abstractmethod
    def kernel(self, rows: Rows) -> AbstractKernel:
        """Return the kernel of the layer that reads ``rows``."""

    @property
    @abc.abstractmethod
    def name(self) -> str:
        """Engine name reported with results."""


@final
@dataclass(frozen=True, slots=True)
class DenseBackend(AbstractBackend):
    """NumPy, block by block: the reference.

    Parameters
    ----------
    budget
        Largest number of matrix entries held at once.
    """

    budget: int = 2**22

    def kernel(self, rows: Rows) -> "DenseKernel":
        """Return a dense kernel."""
        return DenseKernel(rows, max(1, self.budget // rows.n))

    @property
    def name(self) -> str:
        """Return ``"hybrid"``."""
        return "hybrid"


def block_attend(q: Array, k: Array, v: Array, rows: int) -> tuple[Array, Array]:
    """Return softmax attention (H, m, c) and log normalisers (H, m), ``rows`` queries at once."""
    out = np.empty((*q.shape[:2], v.shape[2]), dtype=q.dtype)
    lse = np.empty(q.shape[:2], dtype=q.dtype)
    for h in range(q.shape[0]):
        for s in range(0, q.shape[1], rows):
            logits = q[h, s : s + rows] @ k[h].T
            top = logits.max(-1, keepdims=True)
            e = np.exp(logits - top)
            total = e.sum(-1, keepdims=True)
            out[h, s : s + rows] = (e @ v[h]) / total
            lse[h, s : s + rows] = (np.log(total) + top)[:, 0]
    return out, lse


def with_log_column(x: Array, column: Array | float) -> Array:
    """Append one coordinate to vectors of shape (H, n, a)."""
    extra = np.broadcast_to(np.asarray(column, dtype=x.dtype), x.shape[:2])[..., None]
    return np.concatenate([x, extra], axis=-1)


def reduce_spread(s2: Array, s: Array, v2: Array, v: Array) -> Array:
    """Contract collected sums (H, n, a + 1) with exchanged and base values (H, n, a)."""
    a = v.shape[-1]
    new = (s2[..., :a] * v2).sum(-1) - s2[..., a]
    old = (s[..., :a] * v).sum(-1) - s[..., a]
    return np.asarray((new - old).sum(0))


@final
class DenseKernel(AbstractKernel):
    """All entries, computed block by block and never stored."""

    def __init__(self, rows: Rows, block: int) -> None:
        """Hold the rows; ``block`` queries are handled at once."""
        self._block = block
        self._q, self._k, self._v = rows.base(0, rows.n)
        self._q2, self._k2, self._v2 = rows.changed(0, rows.n)

    def base(self) -> tuple[Array, Array]:
        """Return base outputs."""
        return block_attend(self._q, self._k, self._v, self._block)

    def changed(self) -> tuple[Array, Array]:
        """Return outputs of the exchanged queries."""
        return block_attend(self._q2, self._k, self._v, self._block)

    def spread(self, u: Array, c: Array, lse: Array) -> Array:
        """Sum over rows j block by block."""
        values = np.concatenate([u, c[..., None]], axis=-1)
        qt = with_log_column(self._q, -lse)
        both = []
        for keys in (self._k2, self._k):
            kt = with_log_column(keys, 1.0)
            got = np.empty((*keys.shape[:2], values.shape[-1]), dtype=u.dtype)
            for h in range(len(keys)):
                for s in range(0, keys.shape[1], self._block):
                    got[h, s : s + self._block] = (
                        np.exp(kt[h, s : s + self._block] @ qt[h].T) @ values[h]
                    )
            both.append(got)
        return reduce_spread(both[0], both[1], self._v2, self._v)

    def backward(self, o: Array, lse: Array, g: Array) -> tuple[Array, Array, Array]:
        """Return adjoints, block by block over queries."""
        dq = np.empty_like(self._q)
        dk, dv = np.zeros_like(self._k), np.zeros_like(self._v)
        c = (g * o).sum(-1)
        for h in range(len(dq)):
            for s in range(0, dq.shape[1], self._block):
                e = s + self._block
                w = np.exp(self._q[h, s:e] @ self._k[h].T - lse[h, s:e, None])
                ds = w * (g[h, s:e] @ self._v[h].T - c[h, s:e, None])
                dq[h, s:e] = ds @ self._k[h]
                dk[h] += ds.T @ self._q[h, s:e]
                dv[h] += w.T @ g[h, s:e]
        return dq, dk, dv

    @property
    def residual(self) -> float:
        """Exact up to rounding."""
        return 0.0
