r"""Which positions are exchanged, and for which symbols.

Main definitions
----------------
target_symbols, chosen_positions, readout_matrix.
"""

from collections.abc import Hashable, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from attention.soft import SoftTransformer
from influence.result import InfluenceError

Array = NDArray[Any]
Positions = Literal["all"] | Sequence[int]


def target_symbols(
    model: SoftTransformer, to: Hashable, symbols: NDArray[np.int64]
) -> list[NDArray[np.int64]]:
    """Return, per exchange to be tried, the symbol number put at each position.

    Parameters
    ----------
    model
        Gives the alphabet.
    to
        A symbol, or ``"worst"`` for every other symbol (unless "worst" is a symbol itself).
    symbols
        The present symbol numbers, shape (m,).

    Returns
    -------
    list of ndarray
        One array of shape (m,) for a symbol; s - 1 of them, each different from ``symbols``
        everywhere, for the worst over an alphabet of s symbols.

    Raises
    ------
    InfluenceError
        If the symbol is unknown, or the alphabet has one symbol only.

    Examples
    --------
    >>> from attention.soft_random import aligned_transformer
    >>> [t.tolist() for t in target_symbols(aligned_transformer(1.0), "worst", np.array([0, 1]))]
    [[1, 0]]
    """
    if to in model.alphabet:
        return [np.full(len(symbols), model.alphabet.index(to))]
    if to != "worst":
        raise InfluenceError(f"unknown symbol {to!r}: the alphabet is {list(model.alphabet)!r}")
    size = len(model.alphabet)
    if size < 2:
        raise InfluenceError("the alphabet has one symbol: there is nothing to exchange it for")
    return [(symbols + step) % size for step in range(1, size)]


def chosen_positions(positions: Positions, n: int) -> NDArray[np.int64]:
    """Return the positions as an array.

    Raises
    ------
    InfluenceError
        If a position lies outside the word.
    """
    if isinstance(positions, str):
        if positions != "all":
            raise InfluenceError(f"positions {positions!r}: give 'all' or a list of positions")
        return np.arange(n)
    at = np.asarray(list(positions), dtype=np.int64)
    outside = at[(at < 0) | (at >= n)]
    if outside.size:
        raise InfluenceError(
            f"position {int(outside[0])} is outside the word of length {n} (0 to {n - 1})"
        )
    return at


def readout_matrix(model: SoftTransformer, readout: Array | None) -> Array:
    """Return the readout as a matrix of shape (d, r).

    ``None``: the model's own readout, or the identity if it has none.  A vector of shape (d,) is
    one direction.
    """
    if readout is None:
        return np.eye(model.width) if model.output is None else model.output
    matrix = np.asarray(readout, dtype=float)
    if matrix.ndim == 1:
        matrix = matrix[:, None]
    if matrix.ndim != 2 or matrix.shape[0] != model.width:
        raise InfluenceError(f"readout of shape {matrix.shape}: expected ({model.width}, r)")
    if not np.all(np.isfinite(matrix)):
        raise InfluenceError("the readout contains NaN or infinity")
    return matrix


def keep_worst(
    changes: list[Array], symbols: list[NDArray[np.int64]]
) -> tuple[Array, NDArray[np.int64]]:
    """Return for every position the change of largest norm over the exchanged symbols."""
    stacked, target = np.stack(changes), np.stack(symbols)
    best = np.linalg.norm(stacked.astype(float), axis=-1).argmax(0)
    columns = np.arange(stacked.shape[1])
    return stacked[best, columns], target[best, columns]
