"""A formal language as a deterministic machine that reads left to right, with exact counting.

Every language here is given by a start state, a step and an accepting test, plus a *key*: states
with equal keys have equally many accepting completions.  From these three the base class counts
members exactly, lists them in lexicographic order and samples members and non-members exactly
uniformly, in time O(length x keys x symbols) and integers of ``length`` bits.

Main definitions: :class:`AbstractLanguage`, :class:`LanguageError`.

References
----------
Hahn (2020), Section 3 [hahn2020].
"""

import abc
from collections.abc import Hashable, Iterator, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

State: TypeAlias = Hashable
Word: TypeAlias = tuple[str, ...]
Batch: TypeAlias = npt.NDArray[np.uint8]
Flags: TypeAlias = npt.NDArray[np.bool_]


class LanguageError(ValueError):
    """The caller named an unknown language, a foreign symbol or a length without such words."""


class AbstractLanguage(abc.ABC):
    """A set of words over a finite alphabet.

    Subclasses are final and give ``name``, ``alphabet``, the machine (``start``, ``step``,
    ``accepts``, ``key``) and a vectorised membership test ``members``.
    """

    name: str
    alphabet: tuple[str, ...]

    @abc.abstractmethod
    def start(self, length: int) -> State:
        """Return the state before the first symbol of a word of ``length`` symbols."""

    @abc.abstractmethod
    def step(self, state: State, symbol: str) -> State:
        """Return the state after reading ``symbol`` in ``state``."""

    @abc.abstractmethod
    def accepts(self, state: State) -> bool:
        """Return whether a word that ends in ``state`` belongs to the language."""

    @abc.abstractmethod
    def key(self, state: State) -> State:
        """Return what the number of accepting completions of ``state`` depends on."""

    @abc.abstractmethod
    def members(self, batch: Batch) -> Flags:
        """Decide a batch of words at once.

        Parameters
        ----------
        batch
            Symbol indices into ``alphabet``, shape (b, n), dtype uint8.

        Returns
        -------
        ndarray
            Shape (b,), bool.
        """

    def contains(self, word: Sequence[str]) -> bool:
        """Return whether ``word`` belongs to the language.

        Raises
        ------
        LanguageError
            If a symbol is not in the alphabet.
        """
        state = self.start(len(word))
        for symbol in word:
            if symbol not in self.alphabet:
                raise LanguageError(
                    f"symbol {symbol!r} is not in the alphabet of {self.name}: "
                    f"use one of {', '.join(map(repr, self.alphabet))}"
                )
            state = self.step(state, symbol)
        return self.accepts(state)

    def indices(self, word: Sequence[str]) -> Batch:
        """Return ``word`` as symbol indices, shape (1, n)."""
        lookup = {symbol: index for index, symbol in enumerate(self.alphabet)}
        try:
            return np.array([[lookup[symbol] for symbol in word]], dtype=np.uint8)
        except KeyError as missing:
            raise LanguageError(
                f"symbol {missing.args[0]!r} is not in the alphabet of {self.name}"
            ) from None

    def count(self, n: int) -> int:
        """Return the exact number of members of length ``n`` (``n >= 0``)."""
        tables = self._completions(n)
        return tables[n][self.key(self.start(n))]

    def words(self, n: int) -> Iterator[Word]:
        """Yield the members of length ``n`` in lexicographic order of the alphabet's order."""
        tables = self._completions(n)

        def extend(state: State, prefix: Word) -> Iterator[Word]:
            left = n - len(prefix)
            if tables[left][self.key(state)] == 0:
                return
            if left == 0:
                yield prefix
                return
            for symbol in self.alphabet:
                yield from extend(self.step(state, symbol), (*prefix, symbol))

        yield from extend(self.start(n), ())

    def sample(self, n: int, *, member: bool, rng: np.random.Generator) -> Word:
        """Draw one word of length ``n``, exactly uniformly among members or non-members.

        Raises
        ------
        LanguageError
            If there is no such word.
        """
        tables = self._completions(n)
        size = len(self.alphabet)

        def wanted(state: State, left: int) -> int:
            inside = tables[left][self.key(state)]
            return inside if member else size**left - inside

        state, drawn = self.start(n), []
        if wanted(state, n) == 0:
            kind = "member" if member else "non-member"
            raise LanguageError(f"{self.name} has no {kind} of length {n}: choose another length")
        for left in range(n - 1, -1, -1):
            successors = [self.step(state, symbol) for symbol in self.alphabet]
            weights = [wanted(successor, left) for successor in successors]
            ticket = random_below(sum(weights), rng)
            for symbol, successor, weight in zip(self.alphabet, successors, weights, strict=True):
                if ticket < weight:
                    drawn.append(symbol)
                    state = successor
                    break
                ticket -= weight
        return tuple(drawn)

    def _completions(self, n: int) -> list[dict[State, int]]:
        """Return, per number of symbols left, the accepting completions of each reachable key."""
        if n < 0:
            raise LanguageError(f"a word cannot have {n} symbols: use n >= 0")
        start = self.start(n)
        levels: list[dict[State, State]] = [{self.key(start): start}]
        for _ in range(n):
            level: dict[State, State] = {}
            for state in levels[-1].values():
                for symbol in self.alphabet:
                    successor = self.step(state, symbol)
                    level.setdefault(self.key(successor), successor)
            levels.append(level)
        tables = [{key: int(self.accepts(state)) for key, state in levels[n].items()}]
        for level in reversed(levels[:n]):
            below = tables[-1]
            tables.append(
                {
                    key: sum(below[self.key(self.step(state, s))] for s in self.alphabet)
                    for key, state in level.items()
                }
            )
        return tables


def random_below(bound: int, rng: np.random.Generator) -> int:
    """Return an exactly uniform integer in ``[0, bound)``, ``bound >= 1`` of any size."""
    bits = (bound - 1).bit_length()
    while True:
        draw = int.from_bytes(rng.bytes((bits + 7) // 8), "big") >> (-bits % 8)
        if draw < bound:
            return draw
