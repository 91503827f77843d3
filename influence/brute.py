r"""The oracle: one forward pass for every exchanged word, subtracted.

Works for every mask, encoding and norm.  Subtraction loses about ``log10(n)`` of the sixteen
digits of float64, which is the reason for the other engines.

Main definitions
----------------
brute_changes.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from attention.soft import SoftTransformer
from attention.soft_forward import embed, forward

Array = NDArray[Any]


def brute_changes(
    model: SoftTransformer,
    symbols: NDArray[np.int64],
    positions: NDArray[np.int64],
    target: NDArray[np.int64] | int,
    readout: Array,
    *,
    dtype: Any = np.float64,
    budget: int = 2**20,
) -> Array:
    """Return the change of the readout for each exchanged position.

    Parameters
    ----------
    model
        The transformer.
    symbols
        Symbol numbers of the word, shape (n,).
    positions
        Exchanged positions, shape (m,).
    target
        Symbol number put there: one for all, or shape (m,).
    readout
        Shape (d, r).
    dtype
        Of the activations: ``float64``, ``float32`` or ``longdouble``.
    budget
        Largest number of logits held at once.

    Returns
    -------
    ndarray
        Shape (m, r).

    Notes
    -----
    Deterministic.  (m + 1) forward passes, O(m L n^2 d).

    References
    ----------
    Hahn (2020), Lemma 5: the quantity bounded there [hahn2020].

    Examples
    --------
    >>> from attention.soft_random import aligned_transformer
    >>> model = aligned_transformer(0.0)
    >>> word = model.indices("0000")
    >>> brute_changes(model, word, np.array([1]), 1, np.array([[0.0], [1.0]])).tolist()
    [[0.5]]
    """
    n = len(symbols)
    at = model.reading_position(n)
    base = forward(model, embed(model, symbols[None]).astype(dtype), at=at)[-1][0, 0] @ readout
    heads = max(layer.heads for layer in model.layers)
    rows = max(1, budget // (heads * n * n))
    put = np.broadcast_to(np.asarray(target), positions.shape)
    out = np.empty((len(positions), readout.shape[1]), dtype=dtype)
    for start in range(0, len(positions), rows):
        chunk = positions[start : start + rows]
        words = np.repeat(symbols[None], len(chunk), axis=0)
        words[np.arange(len(chunk)), chunk] = put[start : start + rows]
        last = forward(model, embed(model, words).astype(dtype), at=at)[-1][:, 0]
        out[start : start + rows] = last @ readout - base
    return out
