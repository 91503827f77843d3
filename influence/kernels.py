r"""What the all-positions engine needs of an attention matrix, and the dense reference.

The matrix has entries ``exp(q_j . k_i)`` where j may attend to i.  It is needed at most five times:
base queries on base keys, exchanged queries on base keys, the transposed product with adjoints at
exchanged keys, and either the backward pass (which yields the transposed product at base keys on
the way) or that product alone.  Three kernels provide them: dense in NumPy, fused in PyTorch, and
low rank.

Main definitions
----------------
AbstractKernel, AbstractBackend, DenseBackend.
"""

import abc
from collections.abc import Iterator
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
    def spread(self, u: Array, c: Array, lse: Array, *, changed: bool) -> Array:
        r"""Return what base or exchanged keys and values contribute to all rows, linearised.

        Entry i is ``sum_h sum_j w_ji (u_j . v_i - c_j)`` with ``w_ji = exp(q_j . k_i - lse_j)``,
        at the exchanged k_i and v_i if ``changed``; the own row j = i is included.  Shapes:
        u (H, n, a), c and lse (H, n), result (n,).
        """

    @abc.abstractmethod
    def backward(self, o: Array, lse: Array, g: Array) -> tuple[Array, Array, Array, Array]:
        """Return the adjoints of queries, keys and values for the adjoint g (H, n, a) of o.

        The fourth entry, shape (n,), is the sum of :meth:`spread` at the base keys.
        """

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

    @property
    @abc.abstractmethod
    def masks(self) -> tuple[str, ...]:
        """Kinds of masks the kernels take."""

    @property
    @abc.abstractmethod
    def holds(self) -> bool:
        """Whether queries, keys and values of all rows may be kept (six n d numbers a layer)."""


def with_log_column(x: Array, column: Array | float) -> Array:
    """Append one coordinate to vectors of shape (H, n, a)."""
    extra = np.broadcast_to(np.asarray(column, dtype=x.dtype), x.shape[:2])[..., None]
    return np.concatenate([x, extra], axis=-1)


def contract(sums: Array, v: Array) -> Array:
    """Contract collected sums (H, n, a + 1) with values (H, n, a) to one number per row."""
    a = v.shape[-1]
    return np.asarray(((sums[..., :a] * v).sum(-1) - sums[..., a]).sum(0))


@final
class DenseKernel(AbstractKernel):
    """All allowed entries, computed block by block and never stored; any mask."""

    def __init__(self, rows: Rows, block: int) -> None:
        """Hold the rows; ``block`` queries are handled at once."""
        self._mask = rows.model.mask
        self._block = block
        self._q, self._k, self._v = rows.base(0, rows.n)
        self._q2, self._k2, self._v2 = rows.changed(0, rows.n)

    def _blocks(self) -> Iterator[tuple[slice, slice, NDArray[np.bool_] | None]]:
        """Yield rows j, the columns they may see, and which of those pairs are allowed."""
        n = self._q.shape[1]
        for s in range(0, n, self._block):
            e = min(s + self._block, n)
            low, high = self._mask.reach(s, e, n)
            yield slice(s, e), slice(low, high), self._mask.allowed_block(s, e, low, high)

    def base(self) -> tuple[Array, Array]:
        """Return base outputs."""
        return self._attend(self._q)

    def changed(self) -> tuple[Array, Array]:
        """Return outputs of the exchanged queries."""
        return self._attend(self._q2)

    def _attend(self, q: Array) -> tuple[Array, Array]:
        out = np.empty((*q.shape[:2], self._v.shape[2]), dtype=q.dtype)
        lse = np.empty(q.shape[:2], dtype=q.dtype)
        for own, seen, allowed in self._blocks():
            for h in range(q.shape[0]):
                logits = q[h, own] @ self._k[h, seen].T
                if allowed is not None:
                    logits = np.where(allowed, logits, -np.inf)
                top = logits.max(-1, keepdims=True)
                e = np.exp(logits - top)
                total = e.sum(-1, keepdims=True)
                out[h, own] = (e @ self._v[h, seen]) / total
                lse[h, own] = (np.log(total) + top)[:, 0]
        return out, lse

    def _weights(self, h: int, own: slice, seen: slice, keys: Array, lse: Array) -> Array:
        return np.asarray(np.exp(self._q[h, own] @ keys[h, seen].T - lse[h, own, None]))

    def spread(self, u: Array, c: Array, lse: Array, *, changed: bool) -> Array:
        """Sum over rows j block by block."""
        keys, v = (self._k2, self._v2) if changed else (self._k, self._v)
        values = np.concatenate([u, c[..., None]], axis=-1)
        sums = np.zeros((*keys.shape[:2], values.shape[-1]), dtype=u.dtype)
        for own, seen, allowed in self._blocks():
            for h in range(len(keys)):
                w = self._weights(h, own, seen, keys, lse)
                w = w if allowed is None else np.where(allowed, w, 0)
                sums[h, seen] += w.T @ values[h, own]
        return contract(sums, v)

    def backward(self, o: Array, lse: Array, g: Array) -> tuple[Array, Array, Array, Array]:
        """Return adjoints, block by block over queries."""
        dq = np.empty_like(self._q)
        dk, dv = np.zeros_like(self._k), np.zeros_like(self._v)
        seen_sum = np.zeros(dq.shape[1], dtype=dq.dtype)
        c = (g * o).sum(-1)
        for own, seen, allowed in self._blocks():
            for h in range(len(dq)):
                w = self._weights(h, own, seen, self._k, lse)
                w = w if allowed is None else np.where(allowed, w, 0)
                ds = w * (g[h, own] @ self._v[h, seen].T - c[h, own, None])
                dq[h, own] = ds @ self._k[h, seen]
                dk[h, seen] += ds.T @ self._q[h, own]
                dv[h, seen] += w.T @ g[h, own]
                seen_sum[seen] += ds.sum(0)
        return dq, dk, dv, seen_sum

    @property
    def residual(self) -> float:
        """Exact up to rounding."""
        return 0.0


@final
@dataclass(frozen=True, slots=True)
class DenseBackend(AbstractBackend):
    """The reference: NumPy, blocks of rows, no residual.

    Parameters
    ----------
    budget
        Largest number of matrix entries held at once.
    """

    budget: int = 2**22

    def kernel(self, rows: Rows) -> DenseKernel:
        """Return a dense kernel."""
        width = rows.model.mask.width
        # a block of a window sees its own rows and one width on either side
        block = rows.n if width is None else max(64, 2 * width + 1)
        reach = rows.n if width is None else min(rows.n, block + 2 * width)
        return DenseKernel(rows, max(1, min(block, self.budget // reach)))

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
