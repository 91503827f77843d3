r"""Words as the influence engines see them: positions grouped into types.

Under full attention two positions with the same symbol and the same encoding row carry the same
activations in every layer, so a word is a table of T rows with counts.  A word that repeats a
pattern under a periodic encoding has few types at any length, 2^50 included.

Main definitions
----------------
RepeatedWord, TypeTable, type_table.
"""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from attention.soft import SoftTransformer
from influence.result import InfluenceError

Array = NDArray[Any]


@final
@dataclass(frozen=True, slots=True)
class RepeatedWord:
    """The word of length n whose symbol at position i is ``pattern[i mod len(pattern)]``.

    Parameters
    ----------
    pattern
        At least one symbol.
    n
        Length, at least 1; may be 2^50.
    """

    pattern: tuple[Hashable, ...]
    n: int

    def __post_init__(self) -> None:
        if not self.pattern or self.n < 1:
            raise InfluenceError(f"a repeated word needs a pattern and n >= 1, got n = {self.n}")

    def __len__(self) -> int:
        return self.n

    def spelled(self) -> tuple[Hashable, ...]:
        """Return the word symbol by symbol (only sensible for small n)."""
        times = -(-self.n // len(self.pattern))
        return (self.pattern * times)[: self.n]


Word = Sequence[Hashable] | RepeatedWord


@final
@dataclass(frozen=True, slots=True, eq=False)
class TypeTable:
    """A word grouped by (symbol, encoding row).

    Parameters
    ----------
    n
        Length of the word.
    symbols
        Symbol number of each type, shape (T,).
    places
        Encoding row of each type, shape (T, d).
    counts
        Positions of each type, shape (T,), float64 (exact below 2^53), sum n.
    first
        The least position of each type, shape (T,).
    type_of
        Type of each position, shape (n,), or ``None`` for a word that is not spelled out.
    read
        Type of the reading position.
    """

    n: int
    symbols: NDArray[np.int64]
    places: Array
    counts: Array
    first: NDArray[np.int64]
    type_of: NDArray[np.int64] | None
    read: int


def type_table(model: SoftTransformer, word: Word) -> TypeTable:
    """Group the positions of a word by (symbol, encoding row).

    Parameters
    ----------
    model
        Gives the alphabet, the encoding and the reading position.
    word
        Symbols, or a :class:`RepeatedWord`.

    Returns
    -------
    TypeTable
        Types in order of their first position.

    Raises
    ------
    InfluenceError
        If a repeated word of more than 10^6 positions meets an encoding without period.

    Notes
    -----
    Deterministic.  O(n) for a spelled word, O(period * pattern) for a repeated one.

    Examples
    --------
    >>> from attention.soft_random import random_transformer
    >>> model = random_transformer(np.random.default_rng(0), layers=1, heads=1, width=4)
    >>> type_table(model, RepeatedWord(("0",), 2**50)).counts.tolist() == [2.0**47] * 8
    True
    """
    n = len(word)
    period = model.encoding.period
    if isinstance(word, RepeatedWord) and period is not None:
        cycle = math.lcm(len(word.pattern), period)
        if cycle < n:
            return _table_of_cycle(model, word, cycle)
    if isinstance(word, RepeatedWord):
        if n > 10**6:
            raise InfluenceError(
                f"n = {n}: a word this long needs an encoding with a period, so that positions "
                "collapse to types"
            )
        word = word.spelled()
    symbols = model.indices(word)
    places = model.encoding.rows(np.arange(n), n, model.width)
    keys = np.concatenate([symbols[:, None].astype(float), places + 0.0], axis=1)
    _, first, inverse, counts = np.unique(
        keys, axis=0, return_index=True, return_inverse=True, return_counts=True
    )
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    type_of = rank[inverse.reshape(-1)]
    first = first[order]
    return TypeTable(
        n=n,
        symbols=symbols[first],
        places=places[first],
        counts=counts[order].astype(float),
        first=first,
        type_of=type_of,
        read=int(type_of[model.reading_position(n)]),
    )


def _table_of_cycle(model: SoftTransformer, word: RepeatedWord, cycle: int) -> TypeTable:
    n = word.n
    period = model.encoding.period
    assert period is not None
    pattern = model.indices(word.pattern)
    residues = np.arange(cycle)
    keys = np.stack([pattern[residues % len(pattern)], residues % period], axis=1)
    each = n // cycle + (residues < n % cycle)
    _, first, inverse = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    inverse = inverse.reshape(-1)
    counts = np.bincount(inverse, weights=each.astype(float))
    order = np.argsort(first)
    first = first[order]
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return TypeTable(
        n=n,
        symbols=pattern[first % len(pattern)],
        places=model.encoding.rows(first, n, model.width),
        counts=counts[order],
        first=first,
        type_of=None,
        read=int(rank[inverse[model.reading_position(n) % cycle]]),
    )
