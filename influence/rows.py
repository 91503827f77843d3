r"""Activations of all positions, turned into queries, keys and values chunk by chunk.

Main definitions
----------------
Rows, local_step, changed_step.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from attention.soft import SoftLayer, SoftTransformer
from attention.soft_forward import after_attention, before_attention, head_inputs

Array = NDArray[Any]
Heads = tuple[Array, Array, Array]

CHUNK = 8192
"""Rows handled at once in pointwise work: large enough for BLAS, small enough for the cache."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """The rows that enter one layer: base activations and, by position, exchanged ones.

    Parameters
    ----------
    model, layer
        The transformer and the layer that reads the rows.
    x
        Base activations, shape (n, d).
    x2
        Row i: activation of position i when position i is exchanged, shape (n, d).
    held
        Base and exchanged queries, keys and values of all rows, if kept; see :meth:`hold`.
    """

    model: SoftTransformer
    layer: SoftLayer
    x: Array
    x2: Array
    held: tuple[Heads, Heads] | None = None

    @property
    def n(self) -> int:
        """Length of the word."""
        return len(self.x)

    def hold(self) -> "Rows":
        """Return the rows with their queries, keys and values kept: six n d numbers."""
        held = self._inputs(self.x), self._inputs(self.x2)
        return Rows(self.model, self.layer, self.x, self.x2, held)

    def base(self, start: int, stop: int) -> Heads:
        """Return base queries, keys, values of the rows, each (H, m, a)."""
        if self.held is not None:
            q, k, v = self.held[0]
            return q[:, start:stop], k[:, start:stop], v[:, start:stop]
        return self._inputs(self.x[start:stop])

    def changed(self, start: int, stop: int) -> Heads:
        """Return exchanged queries, keys, values of the rows, each (H, m, a)."""
        if self.held is not None:
            q, k, v = self.held[1]
            return q[:, start:stop], k[:, start:stop], v[:, start:stop]
        return self._inputs(self.x2[start:stop])

    def _inputs(self, x: Array) -> Heads:
        h = before_attention(self.model, self.layer, x)
        q, k, v = head_inputs(self.model, self.layer, h, self.n)
        return q.astype(x.dtype), k.astype(x.dtype), v.astype(x.dtype)

    def chunks(self, size: int = CHUNK) -> Iterator[tuple[int, int]]:
        """Yield (start, stop) over all rows."""
        for start in range(0, self.n, size):
            yield start, min(start + size, self.n)


def local_step(rows: Rows, o: Array) -> Array:
    """Return the next base activations (n, d) from head outputs (H, n, a)."""
    out = np.empty_like(rows.x)
    for s, e in rows.chunks():
        out[s:e] = after_attention(rows.model, rows.layer, rows.x[s:e], o[:, s:e])
    return out


def changed_step(rows: Rows, o: Array, lse: Array) -> Array:
    """Return the next exchanged activations (n, d).

    ``o`` and ``lse`` are those of the exchanged queries against all base keys; the own key and
    value are replaced here by the exchanged ones.
    """
    out = np.empty_like(rows.x2)
    for s, e in rows.chunks():
        _, k, v = rows.base(s, e)
        q2, k2, v2 = rows.changed(s, e)
        # shares of the own key, before and after, in units of the old normaliser
        old = np.exp((q2 * k).sum(-1) - lse[:, s:e])[..., None]
        new = np.exp((q2 * k2).sum(-1) - lse[:, s:e])[..., None]
        heads = (o[:, s:e] - old * v + new * v2) / (1 - old + new)
        out[s:e] = after_attention(rows.model, rows.layer, rows.x2[s:e], heads)
    return out
