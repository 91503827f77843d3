r"""Influence of every position at the cost of about one pair of forward passes.

"Finite at i, adjoint elsewhere": the exchanged position follows its own exact stream through the
layers, attending to the unchanged rest; what it does to the other positions is O(1/n) each and is
carried to the readout by one adjoint pass.  What is dropped is of second order, O(1/n^2).

Main definitions
----------------
Sweep, all_changes.

References
----------
Hahn (2020), Lemma 5: the same split into position i and the others [hahn2020].
"""

from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from attention.soft import SoftLayer, SoftTransformer
from attention.soft_forward import apply_norm
from influence.adjoint import inputs_adjoint, local_adjoint
from influence.early import early_effect, early_seen, early_streams
from influence.kernels import AbstractBackend, AbstractKernel
from influence.reading_row import entering_adjoint, read_row, seen_exchanges
from influence.result import InfluenceError
from influence.rows import Rows, changed_step, local_step

Array = NDArray[Any]


EARLY = 64
"""Causal words: exchanges among this many first positions run exactly through the prefix."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Sweep:
    """Changes of the readout for every position, shape (n, r), and the kernels' residual."""

    changes: Array
    residual: float


@final
@dataclass(frozen=True, slots=True, eq=False)
class _Layer:
    rows: Rows
    kernel: AbstractKernel
    o: Array
    lse: Array


def all_changes(
    model: SoftTransformer,
    symbols: NDArray[np.int64],
    target: NDArray[np.int64] | int,
    readout: Array,
    backend: AbstractBackend,
    *,
    dtype: Any = np.float64,
    early: int = EARLY,
) -> Sweep:
    """Return the change of the readout for the exchange of each position.

    Parameters
    ----------
    model
        A transformer; the mask must be one the backend takes.
    symbols
        Symbol numbers of the word, shape (n,).
    target
        Symbol number put in place: one for all, or shape (n,).
    readout
        Shape (d, r); cost grows with r (one adjoint pass per column).
    backend
        Provides the attention matrices.
    dtype
        ``float64`` or ``float32``.
    early
        Length of the exact prefix under a causal mask.

    Returns
    -------
    Sweep
        Relative error O(1/n) by construction (window: O(1/width); causal: O(1/i) at position i,
        O(1/early) within the exact prefix), plus the kernels' residual.

    Raises
    ------
    InfluenceError
        If the backend does not take the mask.

    Notes
    -----
    Deterministic.  O(L n^2 d) with dense or fused kernels, O(L n r a^2) with low rank ones;
    memory O(n d).

    References
    ----------
    Hahn (2020), Lemma 5 [hahn2020].
    """
    if model.mask.kind not in backend.masks:
        raise InfluenceError(
            f"the {backend.name} engine does not take a {model.mask.kind} mask: "
            "use engine='hybrid' or 'brute'"
        )
    n, d = len(symbols), model.width
    at = model.reading_position(n)
    places = model.encoding.rows(np.arange(n), n, d)
    x = (model.embedding[symbols] + places).astype(dtype)
    x2 = (model.embedding[target] + places).astype(dtype)
    if model.embedding_norm is not None:
        x, x2 = apply_norm(model.embedding_norm, x), apply_norm(model.embedding_norm, x2)
    # the reading row may itself lie in the prefix: then it is left to its own stream
    m = min(early, at) if model.mask.kind == "causal" else 0
    streams = early_streams(model, x, x2, m) if m else []
    done: list[_Layer] = []
    residual = 0.0
    for layer in model.layers[:-1]:
        rows = _rows(model, layer, x, x2, hold=backend.holds)
        kernel = backend.kernel(rows)
        residual = max(residual, kernel.residual)
        o, lse = kernel.base()
        x, x2 = local_step(rows, o).astype(dtype), changed_step(rows, *kernel.changed())
        done.append(_Layer(rows, kernel, o, lse))
    last = _rows(model, model.layers[-1], x, x2, hold=backend.holds)
    row = read_row(last, at)
    changes = seen_exchanges(row, readout.astype(dtype))
    if m:
        changes[:m] = early_seen(row, streams[-1], readout.astype(dtype))
    for column in range(readout.shape[1]):
        g = entering_adjoint(row, readout[:, column].astype(dtype))
        for number in range(len(done) - 1, -1, -1):
            stream = streams[number] if m else None
            effect, g = _through(done[number], g, stream, more=number > 0)
            effect[at] = 0  # the reading position's own stream is finite throughout
            changes[:, column] += effect
    return Sweep(changes, residual)


def _rows(model: SoftTransformer, layer: SoftLayer, x: Array, x2: Array, *, hold: bool) -> Rows:
    rows = Rows(model, layer, x, x2)
    return rows.hold() if hold else rows


def _through(done: _Layer, g: Array, stream: Array | None, *, more: bool) -> tuple[Array, Array]:
    """Return the effect (n,) of all exchanges within one layer, and the adjoint before it."""
    rows, o, lse = done.rows, done.o, done.lse
    model, layer = rows.model, rows.layer
    u, gx = np.empty_like(o), np.empty_like(g)
    for s, e in rows.chunks():
        gx[s:e], u[:, s:e] = local_adjoint(model, layer, rows.x[s:e], o[:, s:e], g[s:e])
    c = (u * o).sum(-1)
    effect = done.kernel.spread(u, c, lse, changed=True)
    if more:
        dq, dk, dv, unchanged = done.kernel.backward(o, lse, u)
        effect -= unchanged
        for s, e in rows.chunks():
            gx[s:e] += inputs_adjoint(
                model, layer, rows.x[s:e], rows.n, dq[:, s:e], dk[:, s:e], dv[:, s:e]
            )
    else:
        effect -= done.kernel.spread(u, c, lse, changed=False)
    for s, e in rows.chunks():  # the own row is finite already: take it out of the sum
        q, k, v = rows.base(s, e)
        _, k2, v2 = rows.changed(s, e)
        new = np.exp((q * k2).sum(-1) - lse[:, s:e]) * ((u[:, s:e] * v2).sum(-1) - c[:, s:e])
        old = np.exp((q * k).sum(-1) - lse[:, s:e]) * ((u[:, s:e] * v).sum(-1) - c[:, s:e])
        effect[s:e] -= (new - old).sum(0)
    if stream is not None:
        effect[: len(stream)] = early_effect(rows, stream, u, c, lse)
    return effect, gx
