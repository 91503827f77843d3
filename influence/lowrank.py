r"""The low-rank kernel: every sum over positions through skeletons, O(n r) instead of O(n^2).

All five products of the all-positions engine reduce to moments: sums over keys of skeleton
features times values, contracted with skeleton features of the queries.  The backward pass needs
moments with one more index (values times keys), of size r a^2.

Main definitions
----------------
LowRankBackend, LowRankKernel.

References
----------
Goreinov, Tyrtyshnikov and Zamarashkin (1997) [goreinov1997].
"""

from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from influence.kernels import AbstractBackend, AbstractKernel, contract
from influence.rows import Rows
from influence.skeleton import Skeleton, skeleton

Array = NDArray[Any]

_STEP = 4096


@final
@dataclass(frozen=True, slots=True)
class LowRankBackend(AbstractBackend):
    """Skeletons of exp(Q K^T), rebuilt from a larger sample while the residual is too large.

    Parameters
    ----------
    tolerance
        Relative tolerance of the skeleton, in (0, 1); 1e-12 is near the limit of float64.
    sample
        Rows and columns sampled at first.
    largest
        Largest sample; the residual then stands as it is and is reported.
    seed
        Of the sampling.
    """

    tolerance: float = 1e-8
    sample: int = 700
    largest: int = 1400
    seed: int = 0

    def kernel(self, rows: Rows) -> "LowRankKernel":
        """Return the low-rank kernel of one layer."""
        return LowRankKernel(rows, self)

    @property
    def name(self) -> str:
        """Return ``"lowrank"``."""
        return "lowrank"

    @property
    def masks(self) -> tuple[str, ...]:
        """Sums over all positions only."""
        return ("full",)

    @property
    def holds(self) -> bool:
        """Rows are turned into queries, keys and values chunk by chunk."""
        return False


@final
class LowRankKernel(AbstractKernel):
    """One skeleton per head, valid for base and exchanged queries and keys alike."""

    def __init__(self, rows: Rows, backend: LowRankBackend) -> None:
        """Build the skeletons."""
        rng = np.random.default_rng(backend.seed)
        n = rows.n
        size = min(n, 4 * backend.largest)
        # random, never evenly spaced: a stride would miss classes of a periodic encoding
        some = np.union1d(rng.choice(n, size, replace=False), [0, n - 1])
        size = len(some)
        picked = Rows(rows.model, rows.layer, rows.x[some], rows.x2[some])
        # ln n scaling must use the word's own length
        scale = rows.model.logits.factor(n) / (rows.model.logits.factor(size) or 1.0)
        q, k, _ = picked.base(0, size)
        q2, k2, _ = picked.changed(0, size)
        self._rows = rows
        self._parts: list[Skeleton] = []
        for h in range(rows.layer.heads):
            queries = np.concatenate([q[h], q2[h]]) * scale
            keys = np.concatenate([k[h], k2[h]])
            sample = backend.sample
            part = skeleton(queries, keys, tolerance=backend.tolerance, sample=sample, rng=rng)
            while part.residual > 10 * backend.tolerance and sample < backend.largest:
                sample = min(2 * sample, backend.largest)
                part = skeleton(queries, keys, tolerance=backend.tolerance, sample=sample, rng=rng)
            self._parts.append(part)

    @property
    def residual(self) -> float:
        """Largest measured residual of the heads."""
        return max(part.residual for part in self._parts)

    @property
    def ranks(self) -> list[int]:
        """Rank of each head's skeleton."""
        return [len(part.keys) for part in self._parts]

    def base(self) -> tuple[Array, Array]:
        """Return base outputs."""
        return self._attend(changed=False)

    def changed(self) -> tuple[Array, Array]:
        """Return outputs of the exchanged queries."""
        return self._attend(changed=True)

    def _moments(self) -> list[Array]:
        """Return per head ``C^+ sum_l right(k_l) [v_l, 1]``, shape (r, a + 1)."""
        totals: list[Array] = []
        for s, e in self._rows.chunks(_STEP):
            _, k, v = self._rows.base(s, e)
            ones = np.ones((e - s, 1))
            for h, part in enumerate(self._parts):
                add = part.right(k[h]).T @ np.concatenate([v[h], ones], axis=1)
                if s == 0:
                    totals.append(add)
                else:
                    totals[h] += add
        return [part.solve(t) for part, t in zip(self._parts, totals, strict=True)]

    def _attend(self, *, changed: bool) -> tuple[Array, Array]:
        rows = self._rows
        moments = self._moments()
        a = moments[0].shape[1] - 1
        o = np.empty((len(self._parts), rows.n, a), dtype=rows.x.dtype)
        lse = np.empty((len(self._parts), rows.n), dtype=rows.x.dtype)
        for s, e in rows.chunks(_STEP):
            q = (rows.changed(s, e) if changed else rows.base(s, e))[0]
            for h, part in enumerate(self._parts):
                sums = part.left(q[h]) @ moments[h]
                o[h, s:e] = sums[:, :a] / sums[:, a:]
                lse[h, s:e] = np.log(sums[:, a]) + part.shift
        return o, lse

    def spread(self, u: Array, c: Array, lse: Array, *, changed: bool) -> Array:
        """Collect adjoints over queries, then read them at every key."""
        rows = self._rows
        totals: list[Array] = []
        for s, e in rows.chunks(_STEP):
            q, _, _ = rows.base(s, e)
            for h, part in enumerate(self._parts):
                values = np.concatenate([u[h, s:e], c[h, s:e, None]], axis=1)
                values = values * np.exp(part.shift - lse[h, s:e, None])
                add = part.left(q[h]).T @ values
                if s == 0:
                    totals.append(add)
                else:
                    totals[h] += add
        moments = [p.solve_transposed(t) for p, t in zip(self._parts, totals, strict=True)]
        out = np.empty(rows.n, dtype=u.dtype)
        for s, e in rows.chunks(_STEP):
            _, k, v = rows.changed(s, e) if changed else rows.base(s, e)
            sums = np.stack([p.right(k[h]) @ moments[h] for h, p in enumerate(self._parts)])
            out[s:e] = contract(sums, v)
        return out

    def backward(self, o: Array, lse: Array, g: Array) -> tuple[Array, Array, Array, Array]:
        """Return adjoints through moments of size r a^2."""
        rows = self._rows
        a = o.shape[-1]
        c = (g * o).sum(-1)
        key_moments = [np.zeros((len(p.queries), a * a + a)) for p in self._parts]
        query_moments = [np.zeros((len(p.keys), a * a + 2 * a + 1)) for p in self._parts]
        for s, e in rows.chunks(_STEP):
            q, k, v = rows.base(s, e)
            for h, p in enumerate(self._parts):
                key_moments[h] += p.right(k[h]).T @ _joined(v[h], k[h], k[h])
                w = np.exp(p.shift - lse[h, s:e])[:, None]
                ch, gh = c[h, s:e, None], g[h, s:e]
                query_moments[h] += p.left(q[h]).T @ (w * _joined(gh, q[h], ch * q[h], gh, ch))
        key_moments = [p.solve(m) for p, m in zip(self._parts, key_moments, strict=True)]
        query_moments = [
            p.solve_transposed(m) for p, m in zip(self._parts, query_moments, strict=True)
        ]
        dq, dk, dv = np.empty_like(o), np.empty_like(o), np.empty_like(o)
        seen = np.zeros(rows.n, dtype=o.dtype)
        for s, e in rows.chunks(_STEP):
            q, k, v = rows.base(s, e)
            for h, p in enumerate(self._parts):
                w = np.exp(p.shift - lse[h, s:e])[:, None]
                sums = (p.left(q[h]) @ key_moments[h]) * w
                vk = sums[:, : a * a].reshape(-1, a, a)
                dq[h, s:e] = (
                    np.einsum("mi,mij->mj", g[h, s:e], vk) - c[h, s:e, None] * sums[:, a * a :]
                )
                sums = p.right(k[h]) @ query_moments[h]
                gq = sums[:, : a * a].reshape(-1, a, a)
                dk[h, s:e] = np.einsum("mi,mij->mj", v[h], gq) - sums[:, a * a : a * a + a]
                dv[h, s:e] = sums[:, a * a + a : -1]
                seen[s:e] += contract(sums[None, :, a * a + a :], v[h : h + 1])
        return dq, dk, dv, seen


def _joined(x: Array, y: Array, *more: Array) -> Array:
    """Return the rows' outer products x y^T, flattened, with more columns appended."""
    outer = (x[:, :, None] * y[:, None, :]).reshape(len(x), -1)
    return np.concatenate([outer, *more], axis=1)
