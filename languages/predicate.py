"""Any set of words, given as a Python predicate.

Main definitions: :class:`PredicateLanguage`.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import final

import numpy as np

from languages.language import AbstractLanguage, Batch, Flags, LanguageError, State, Word

ENUMERABLE = 2**20
"""Up to this many words of a length, members are counted and listed one by one."""


@final
@dataclass(frozen=True)
class PredicateLanguage(AbstractLanguage):
    """The words for which ``predicate`` is true.

    Parameters
    ----------
    name, alphabet
        As in :class:`AbstractLanguage`.
    predicate
        Tuple of symbols -> bool; deterministic.
    examples
        Known members, for lengths at which random words would hardly ever be members.
    tries
        Random words drawn in search of one.

    Notes
    -----
    Samples are uniform unless they are taken from the examples.

    Examples
    --------
    >>> palindromes = PredicateLanguage("palindromes", ("0", "1"), lambda w: w == w[::-1])
    >>> palindromes.contains("0110"), palindromes.count(4)
    (True, 4)
    """

    name: str
    alphabet: tuple[str, ...]
    predicate: Callable[[Word], bool]
    examples: tuple[Word, ...] = ()
    tries: int = 20_000

    def start(self, length: int) -> State:
        """Return the empty prefix."""
        return ()

    def step(self, state: State, symbol: str) -> State:
        """Return the longer prefix."""
        assert isinstance(state, tuple)
        return (*state, symbol)

    def accepts(self, state: State) -> bool:
        """Ask the predicate."""
        assert isinstance(state, tuple)
        return bool(self.predicate(state))

    def key(self, state: State) -> State:
        """Return the prefix itself: nothing is known about its completions."""
        return state

    def members(self, batch: Batch) -> Flags:
        """Ask the predicate word by word."""
        words = (tuple(self.alphabet[s] for s in row) for row in batch.tolist())
        return np.array([bool(self.predicate(word)) for word in words], dtype=np.bool_)

    def contains(self, word: Sequence[str]) -> bool:
        """Return whether ``word`` belongs to the language."""
        self.indices(word)  # refuses symbols that are not in the alphabet
        return bool(self.predicate(tuple(word)))

    def count(self, n: int) -> int:
        """Return the exact number of members of length ``n``, by enumeration."""
        return sum(1 for _ in self.words(n))

    def words(self, n: int) -> Iterator[Word]:
        """Yield the members of length ``n`` in lexicographic order.

        Raises
        ------
        LanguageError
            If there are more than ``ENUMERABLE`` words of that length.
        """
        if n < 0 or len(self.alphabet) ** n > ENUMERABLE:
            raise LanguageError(
                f"{self.name} is a predicate: the words of length {n} cannot be enumerated"
            )
        return (word for word in product(self.alphabet, repeat=n) if self.predicate(word))

    def sample(self, n: int, *, member: bool, rng: np.random.Generator) -> Word:
        """Draw words until the predicate says what is wanted; members first from the examples."""
        known = [word for word in self.examples if len(word) == n and self.predicate(word)]
        if member and known:
            return known[int(rng.integers(len(known)))]
        for _ in range(self.tries):
            word = tuple(self.alphabet[s] for s in rng.integers(len(self.alphabet), size=n))
            if bool(self.predicate(word)) == member:
                return word
        kind = "member" if member else "non-member"
        raise LanguageError(
            f"{self.tries} random words of length {n} gave no {kind} of {self.name}: give examples"
        )
