"""Bit languages decided by the number of 1s: PARITY, MOD-m, MAJORITY, 1*.

Main definitions: :class:`Parity`, :class:`Modulus`, :class:`Majority`, :class:`Ones`.

References
----------
Hahn (2020), Section 3 (PARITY, 1*) [hahn2020].
"""

from dataclasses import dataclass
from typing import final

import numpy as np

from languages.language import AbstractLanguage, Batch, Flags, LanguageError, State

BITS = ("0", "1")


def _number(state: State) -> int:
    assert isinstance(state, int)
    return state


@final
@dataclass(frozen=True)
class Parity(AbstractLanguage):
    """Bit strings with an even number of 1s.

    Examples
    --------
    >>> Parity().contains("0110"), Parity().count(10)
    (True, 512)
    """

    name: str = "parity"
    alphabet: tuple[str, ...] = BITS

    def start(self, length: int) -> State:
        """Return 0, the parity of no symbols."""
        return 0

    def step(self, state: State, symbol: str) -> State:
        """Add the symbol modulo 2."""
        return _number(state) ^ (symbol == "1")

    def accepts(self, state: State) -> bool:
        """Accept an even number of 1s."""
        return state == 0

    def key(self, state: State) -> State:
        """Return the parity itself."""
        return state

    def members(self, batch: Batch) -> Flags:
        """Decide a batch of shape (b, n)."""
        return np.asarray(np.bitwise_xor.reduce(batch, axis=1) == 0)


@final
@dataclass(frozen=True)
class Modulus(AbstractLanguage):
    """MOD-m: bit strings whose number of 1s is divisible by ``m >= 2``.

    Examples
    --------
    >>> [Modulus(3).count(n) for n in range(5)]
    [1, 1, 1, 2, 5]
    """

    m: int
    alphabet: tuple[str, ...] = BITS

    def __post_init__(self) -> None:
        if self.m < 2:
            raise LanguageError(f"MOD-m needs a modulus m >= 2, not {self.m}")

    @property
    def name(self) -> str:  # type: ignore[override]
        """The name ``mod`` followed by m."""
        return f"mod{self.m}"

    def start(self, length: int) -> State:
        """Return the residue of no symbols."""
        return 0

    def step(self, state: State, symbol: str) -> State:
        """Add the symbol modulo m."""
        return (_number(state) + (symbol == "1")) % self.m

    def accepts(self, state: State) -> bool:
        """Accept residue 0."""
        return state == 0

    def key(self, state: State) -> State:
        """Return the residue itself."""
        return state

    def members(self, batch: Batch) -> Flags:
        """Decide a batch of shape (b, n)."""
        return np.asarray(batch.sum(axis=1, dtype=np.int64) % self.m == 0)


@final
@dataclass(frozen=True)
class Majority(AbstractLanguage):
    """Bit strings with strictly more 1s than 0s.

    Examples
    --------
    >>> Majority().contains("0110"), Majority().contains("110")
    (False, True)
    """

    name: str = "majority"
    alphabet: tuple[str, ...] = BITS

    def start(self, length: int) -> State:
        """Return the balance of no symbols."""
        return 0

    def step(self, state: State, symbol: str) -> State:
        """Add 1 for a 1, subtract 1 for a 0."""
        return _number(state) + (1 if symbol == "1" else -1)

    def accepts(self, state: State) -> bool:
        """Accept a positive balance."""
        return _number(state) > 0

    def key(self, state: State) -> State:
        """Return the balance itself."""
        return state

    def members(self, batch: Batch) -> Flags:
        """Decide a batch of shape (b, n)."""
        return np.asarray(2 * batch.sum(axis=1, dtype=np.int64) > batch.shape[1])


@final
@dataclass(frozen=True)
class Ones(AbstractLanguage):
    """The language 1*: no symbol is 0 (the empty word belongs to it).

    Examples
    --------
    >>> Ones().count(7), Ones().contains("1101")
    (1, False)
    """

    name: str = "ones"
    alphabet: tuple[str, ...] = BITS

    def start(self, length: int) -> State:
        """Return that no 0 was seen."""
        return True

    def step(self, state: State, symbol: str) -> State:
        """Remember whether a 0 was seen."""
        return bool(state) and symbol == "1"

    def accepts(self, state: State) -> bool:
        """Accept when no 0 was seen."""
        return bool(state)

    def key(self, state: State) -> State:
        """Return whether no 0 was seen."""
        return state

    def members(self, batch: Batch) -> Flags:
        """Decide a batch of shape (b, n)."""
        return np.asarray(batch.all(axis=1))
