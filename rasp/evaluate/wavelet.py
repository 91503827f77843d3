"""Sums of weights over a range of positions and of values, for many ranges at once.

A wavelet matrix sorts the values bit by bit, highest bit first and stably; at each bit a range of
positions splits into two ranges, so a query takes one step per bit, and all queries take their
steps together.

Main definitions: :func:`range_sums`.

References
----------
Claude, Navarro & Ordóñez (2015), the wavelet matrix [claude2015].
"""

import numpy as np
import numpy.typing as npt

from rasp.evaluate.columns import Ints


def range_sums(
    values: Ints,
    weights: npt.NDArray[np.int64],
    low: Ints,
    high: Ints,
    below: Ints,
) -> npt.NDArray[np.int64]:
    """Return, per query, the sums of weights at ``low <= t < high`` with ``values[t] < below``.

    Parameters
    ----------
    values
        Shape (n,), in ``0 .. top``.
    weights
        Shape (n, m).
    low, high, below
        Shape (q,); ``below`` in ``0 .. top + 1``.

    Returns
    -------
    ndarray
        Shape (q, m).

    Notes
    -----
    O((n + q) m log top).

    Examples
    --------
    >>> one = np.ones((4, 1), np.int64)
    >>> at = lambda *numbers: np.array(numbers)
    >>> range_sums(at(3, 0, 2, 1), one, at(0, 1), at(4, 3), at(2, 3)).tolist()
    [[2], [2]]
    """
    top = int(values.max(initial=0))
    bits = max(1, top.bit_length())
    low, high = low.copy(), high.copy()
    everything = below > top
    limit = np.minimum(below, top)
    total = np.zeros((len(low), weights.shape[1]), np.int64)
    prefix = _prefix(weights)
    total[everything] = prefix[high[everything]] - prefix[low[everything]]
    for bit in reversed(range(bits)):
        ones = (values >> bit) & 1
        rank = np.concatenate([[0], np.cumsum(ones)])
        order = np.argsort(ones, kind="stable")
        zeros = len(values) - int(rank[-1])
        values, weights = values[order], weights[order]
        prefix = _prefix(weights)
        low_one, high_one = zeros + rank[low], zeros + rank[high]
        low_zero, high_zero = low - rank[low], high - rank[high]
        goes_up = ((limit >> bit) & 1).astype(bool)
        gained = prefix[high_zero] - prefix[low_zero]
        total += np.where((goes_up & ~everything)[:, None], gained, 0)
        low = np.where(goes_up, low_one, low_zero)
        high = np.where(goes_up, high_one, high_zero)
    return total


def _prefix(weights: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    out = np.zeros((len(weights) + 1, weights.shape[1]), np.int64)
    np.cumsum(weights, axis=0, out=out[1:])
    return out
