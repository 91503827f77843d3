"""Languages decided by the order of symbols: FIRST and aⁿbⁿ.

Main definitions: :class:`First`, :class:`EqualBlocks`.

References
----------
Hahn (2020), Section 5 (aⁿbⁿ) [hahn2020]; Chiang and Cholak (2022), Section 1 (FIRST)
[chiang2022].
"""

from dataclasses import dataclass
from typing import final

import numpy as np

from languages.language import AbstractLanguage, Batch, Flags, State


@final
@dataclass(frozen=True)
class First(AbstractLanguage):
    """Bit strings whose first symbol is 1 (the empty word does not belong to it).

    Examples
    --------
    >>> First().contains("100"), First().contains("011"), First().count(5)
    (True, False, 16)
    """

    name: str = "first"
    alphabet: tuple[str, ...] = ("0", "1")

    def start(self, length: int) -> State:
        """Return the state before the first symbol."""
        return ""

    def step(self, state: State, symbol: str) -> State:
        """Keep the first symbol."""
        return state or symbol

    def accepts(self, state: State) -> bool:
        """Accept when the first symbol is 1."""
        return state == "1"

    def key(self, state: State) -> State:
        """Return the first symbol."""
        return state

    def members(self, batch: Batch) -> Flags:
        """Decide a batch of shape (b, n)."""
        if batch.shape[1] == 0:
            return np.zeros(batch.shape[0], dtype=np.bool_)
        return np.asarray(batch[:, 0] == 1)


@final
@dataclass(frozen=True)
class EqualBlocks(AbstractLanguage):
    """aⁿbⁿ: a block of a followed by an equally long block of b (the empty word belongs to it).

    Examples
    --------
    >>> EqualBlocks().contains("aabb"), EqualBlocks().contains("abab"), EqualBlocks().count(6)
    (True, False, 1)
    """

    name: str = "anbn"
    alphabet: tuple[str, ...] = ("a", "b")

    def start(self, length: int) -> State:
        """Return (a-block still open, surplus of a)."""
        return (True, 0)

    def step(self, state: State, symbol: str) -> State:
        """Count up in the a-block, down in the b-block; ``None`` once no completion is left."""
        if state is None:
            return None
        assert isinstance(state, tuple)
        rising, surplus = state
        if symbol == "a":
            return (True, surplus + 1) if rising else None
        return (False, surplus - 1) if surplus else None

    def accepts(self, state: State) -> bool:
        """Accept when both blocks are equally long."""
        return isinstance(state, tuple) and state[1] == 0

    def key(self, state: State) -> State:
        """Return the state itself."""
        return state

    def members(self, batch: Batch) -> Flags:
        """Decide a batch of shape (b, n)."""
        n = batch.shape[1]
        if n % 2:
            return np.zeros(batch.shape[0], dtype=np.bool_)
        return np.asarray((batch == (np.arange(n) >= n // 2)).all(axis=1))
