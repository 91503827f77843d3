r"""Influence over all strings of a small length: every exchange from one table of outputs.

A table of s^n outputs holds every exchange of one symbol as a difference of two entries, so the
worst case over all strings and positions costs s^n passes, not n s^n.

Main definitions
----------------
StringInfluence, all_strings.

References
----------
Hahn (2020), Lemma 5 [hahn2020].
"""

from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from attention.soft import SoftTransformer
from attention.soft_forward import embed, forward
from influence.exchange import readout_matrix
from influence.result import InfluenceError

Array = NDArray[Any]

LARGEST = 2**20
"""Largest number of strings that are tabulated."""


@final
@dataclass(frozen=True, slots=True)
class StringInfluence:
    """Worst and mean influence over all strings and all positions but the reading one.

    Parameters
    ----------
    n
        Length.
    worst, mean
        Euclidean norm of the change of the readout.
    word, position, symbol
        Where the worst case is attained: word, position from 0, symbol put there.
    """

    n: int
    worst: float
    mean: float
    word: tuple[Any, ...]
    position: int
    symbol: Any


def all_strings(
    model: SoftTransformer, n: int, *, readout: Array | None = None, budget: int = 2**20
) -> StringInfluence:
    """Return the worst and the mean influence over all strings of length n.

    Parameters
    ----------
    model
        Any mask and encoding.
    n
        Length, at least 2; the alphabet's size to the power n is at most 2^20.
    readout
        As for :func:`influence.measure.influence`.
    budget
        Largest number of logits held at once.

    Returns
    -------
    StringInfluence
        With the string, position and symbol of the worst case (the first in lexicographic order).

    Raises
    ------
    InfluenceError
        If n is below 2, there are too many strings, or the alphabet has one symbol.

    Notes
    -----
    Deterministic; differences of float64 outputs.

    References
    ----------
    Hahn (2020), Lemma 5 [hahn2020].

    Examples
    --------
    >>> from attention.soft_random import aligned_transformer
    >>> found = all_strings(aligned_transformer(0.0), 4)
    >>> found.worst, found.mean
    (0.5, 0.5)
    """
    size = len(model.alphabet)
    if n < 2 or size < 2:
        raise InfluenceError(f"n = {n}, {size} symbols: need n >= 2 and two symbols")
    if size**n > LARGEST:
        raise InfluenceError(f"{size}^{n} strings are too many: at most {LARGEST}")
    matrix, at = readout_matrix(model, readout), model.reading_position(n)
    index = np.arange(size**n)
    places = size ** np.arange(n - 1, -1, -1)
    heads = max(layer.heads for layer in model.layers)
    step = max(1, budget // (heads * n * n))
    table = np.concatenate(
        [
            forward(model, embed(model, (part[:, None] // places) % size), at=at)[-1][:, 0] @ matrix
            for part in (index[s : s + step] for s in range(0, len(index), step))
        ]
    )
    worst, where, total, number = -1.0, (0, 0, 0), 0.0, 0
    for position in range(n):
        if position == at:
            continue
        digit = (index // places[position]) % size
        for rise in range(1, size):
            other = (digit + rise) % size
            moved = index + (other - digit) * places[position]
            gap = np.linalg.norm(table[moved] - table, axis=1)
            total, number = total + float(gap.sum()), number + len(gap)
            best = int(gap.argmax())
            if gap[best] > worst:
                worst, where = float(gap[best]), (best, position, int(other[best]))
    word = tuple(model.alphabet[d] for d in (where[0] // places) % size)
    return StringInfluence(n, worst, total / number, word, where[1], model.alphabet[where[2]])
