r"""A low-rank skeleton of exp(Q K^T): a few sampled rows and columns represent all of it.

With bounded logits and queries and keys near a low-dimensional set, the matrix has small
numerical rank.  Columns and rows are chosen by pivoted orthogonalisation of a sampled block;
the core is never inverted, only solved through its orthogonal factorisation, which stays accurate
down to tolerances where an explicit inverse fails.

Main definitions
----------------
Skeleton, skeleton, pivots.

References
----------
Goreinov, Tyrtyshnikov and Zamarashkin (1997) [goreinov1997].
"""

from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def pivots(block: Array, tolerance: float, limit: int) -> NDArray[np.int64]:
    """Return columns that span ``block`` up to a relative tolerance, most important first.

    Parameters
    ----------
    block
        Shape (s, t).
    tolerance
        Stop when every column's remainder is below this share of the largest column.
    limit
        Largest number of columns.

    Returns
    -------
    ndarray
        Column numbers, greedy by remaining length, each remainder orthogonalised twice.

    Notes
    -----
    Deterministic; O(s t r).

    Examples
    --------
    >>> pivots(np.array([[1.0, 2.0, 0.0], [0.0, 0.0, 1.0]]), 1e-8, 3).tolist()
    [1, 2]
    """
    rest = block.copy()
    left = np.einsum("ij,ij->j", rest, rest)
    stop = tolerance * tolerance * left.max()
    basis = np.empty((min(limit, *block.shape), block.shape[0]))
    chosen: list[int] = []
    while len(chosen) < len(basis):
        j = int(left.argmax())
        column = rest[:, j].copy()
        have = basis[: len(chosen)]
        column -= have.T @ (have @ column)
        size = np.linalg.norm(column)
        if size * size <= stop or j in chosen:
            break
        basis[len(chosen)] = column / size
        # the remainders themselves are updated: updating only their lengths goes blind at 1e-8
        rest -= np.outer(basis[len(chosen)], basis[len(chosen)] @ rest)
        left = np.einsum("ij,ij->j", rest, rest)
        left[chosen] = 0
        left[j] = 0
        chosen.append(j)
    return np.array(chosen, dtype=np.int64)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Skeleton:
    """``exp(q . k) ~ exp(q . K_J) C^+ exp(Q_I . k)`` with core ``C = exp(Q_I K_J^T)``.

    Parameters
    ----------
    keys
        K_J, shape (r, a).
    queries
        Q_I, shape (s, a), s >= r.
    shift
        Subtracted from every logit before the exponential.
    ortho, upper
        QR factors of the core.
    residual
        Largest relative error over fresh sampled rows (each relative to its row's length).
    """

    keys: Array
    queries: Array
    shift: float
    ortho: Array
    upper: Array
    residual: float

    def left(self, q: Array) -> Array:
        """Return ``exp(q . K_J)``, shape (m, r)."""
        return _exp(q @ self.keys.T)

    def right(self, k: Array) -> Array:
        """Return ``exp(Q_I . k - shift)``, shape (m, s)."""
        z = k @ self.queries.T
        z -= self.shift
        return _exp(z)

    def solve(self, moments: Array) -> Array:
        """Return ``C^+ moments`` for moments of shape (s, ...)."""
        flat = moments.reshape(len(moments), -1)
        return np.asarray(np.linalg.solve(self.upper, self.ortho.T @ flat)).reshape(
            -1, *moments.shape[1:]
        )

    def solve_transposed(self, moments: Array) -> Array:
        """Return ``(C^+)^T moments`` for moments of shape (r, ...)."""
        flat = moments.reshape(len(moments), -1)
        return np.asarray(self.ortho @ np.linalg.solve(self.upper.T, flat)).reshape(
            -1, *moments.shape[1:]
        )


def _exp(z: Array) -> Array:
    np.exp(z, out=z)
    return z


def skeleton(
    q: Array, k: Array, *, tolerance: float, sample: int, rng: np.random.Generator
) -> Skeleton:
    """Build a skeleton of exp(q k^T) for one head and measure its residual.

    Parameters
    ----------
    q, k
        All queries (n, a) and keys (m, a) that will be used.
    tolerance
        Relative tolerance of the pivoting, in (0, 1).
    sample
        Rows and columns sampled for the choice.
    rng
        Chooses the samples.

    Returns
    -------
    Skeleton
        Its ``residual`` is measured on rows and columns not used for the choice.

    Notes
    -----
    Deterministic given ``rng``.  Rows are oversampled by a quarter, so that the core is
    well conditioned as a least-squares problem.
    """
    qs, ks = _spanning(q, sample, rng), _spanning(k, sample, rng)
    logits = qs @ ks.T
    shift = float(logits.max())
    block = np.exp(logits - shift)
    columns = pivots(block, tolerance, len(ks))
    core = block[:, columns]
    rows = pivots(core.T.copy(), 0.0, len(columns))
    free = np.setdiff1d(np.arange(len(qs)), rows)
    more = rng.permutation(free)[: len(columns) // 4 + 4]
    rows = np.concatenate([rows, more])
    keys, queries = ks[columns], qs[rows]
    # the left factor carries no shift, the core none either: shift sits in the right factor
    ortho, upper = np.linalg.qr(np.exp(queries @ keys.T))
    found = Skeleton(keys, queries, shift, ortho, upper, 0.0)
    residual = _residual(found, q, k, rng)
    return Skeleton(keys, queries, shift, ortho, upper, residual)


def _spanning(x: Array, sample: int, rng: np.random.Generator) -> Array:
    """Return random rows together with the extreme ones: inside is interpolated, outside not."""
    if sample >= len(x):
        return x.astype(float)
    directions = rng.standard_normal((x.shape[1], sample // 8))
    along = x @ directions
    ends = np.union1d(along.argmin(0), along.argmax(0))
    rest = np.setdiff1d(rng.choice(len(x), sample, replace=False), ends)
    return np.asarray(x[np.concatenate([ends, rest])[:sample]], dtype=float)


def _residual(found: Skeleton, q: Array, k: Array, rng: np.random.Generator) -> float:
    qs = q[rng.choice(len(q), min(200, len(q)), replace=False)].astype(float)
    ks = k[rng.choice(len(k), min(200, len(k)), replace=False)].astype(float)
    exact = np.exp(qs @ ks.T - found.shift)
    near = found.left(qs) @ found.solve(np.ascontiguousarray(found.right(ks).T))
    miss = np.linalg.norm(near - exact, axis=1) / np.linalg.norm(exact, axis=1)
    return float(miss.max())
