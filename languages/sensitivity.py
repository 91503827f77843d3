"""Sensitivity, average sensitivity and certificate complexity of bit functions, exactly.

A function on n bits is a packed truth table: input x is the integer whose bit j is position j, and
word x // 64, bit x % 64 of a uint64 array holds f(x).  Flipping position j swaps bits at distance
2^j, so all 2^n neighbours are compared by a few word operations.

Main definitions: :class:`TruthTable`, :func:`truth_table`.

References
----------
Hahn (2020), Section 5 (sensitivity remark) [hahn2020]; Buhrman and de Wolf (2002), Section 2
[buhrman2002].
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias, final

import numpy as np
import numpy.typing as npt

from languages.language import AbstractLanguage, LanguageError

Words: TypeAlias = npt.NDArray[np.uint64]

_MASKS = tuple(sum(1 << x for x in range(64) if x >> j & 1 == 0) for j in range(6))
"""For j < 6: the bits of a word whose position j is 0."""


@final
@dataclass(frozen=True, eq=False)
class TruthTable:
    """A Boolean function of ``n`` bits, 0 <= n <= 24, as packed words.

    Examples
    --------
    >>> from languages import language
    >>> parity = truth_table(language("parity"), 8)
    >>> parity.sensitivity(), parity.average_sensitivity(), parity.certificate_complexity()
    (8, Fraction(8, 1), 8)
    """

    n: int
    words: Words

    def __post_init__(self) -> None:
        if not 0 <= self.n <= 24:
            raise LanguageError(f"a truth table of {self.n} bits is out of reach: use n <= 24")

    @classmethod
    def of_values(cls, n: int, values: npt.NDArray[np.bool_]) -> "TruthTable":
        """Pack ``2^n`` truth values, indexed by the input's integer."""
        padded = np.zeros(max(64, 2**n), dtype=np.bool_)
        padded[: 2**n] = values
        return cls(n, np.packbits(padded, bitorder="little").view(np.uint64))

    def flipped(self, words: Words, j: int) -> Words:
        """Return the table x -> words(x with position j flipped)."""
        if j >= 6:
            step = 1 << (j - 6)
            return words.reshape(-1, 2, step)[:, ::-1, :].reshape(-1)
        low, shift = np.uint64(_MASKS[j]), np.uint64(1 << j)
        return ((words & low) << shift) | ((words >> shift) & low)

    def differences(self) -> Iterator[Words]:
        """Yield, per position, the inputs whose output changes when it is flipped."""
        for j in range(self.n):
            yield self.words ^ self.flipped(self.words, j)

    def average_sensitivity(self) -> Fraction:
        """Return the mean number of positions whose flip changes the output, dimensionless."""
        total = sum(self._count(changed) for changed in self.differences())
        return Fraction(total, 2**self.n)

    def sensitivity(self) -> int:
        """Return the greatest number of positions whose flip changes the output of one input."""
        planes: list[Words] = []
        for changed in self.differences():
            carry = changed
            for index, plane in enumerate(planes):
                planes[index], carry = plane ^ carry, plane & carry
            if carry.any():
                planes.append(carry)
        found, among = 0, self._everything()
        for index in range(len(planes) - 1, -1, -1):
            hit = planes[index] & among
            if hit.any():
                found, among = found + (1 << index), hit
        return found

    def certificate_complexity(self, *, steps: int = 100_000) -> int:
        """Return the least c such that every input has c positions that force its output.

        Parameters
        ----------
        steps
            Greatest number of set operations of the search, each on 2^n bits.

        Raises
        ------
        LanguageError
            If the search would need more steps.

        Notes
        -----
        Between the sensitivity and the number r of relevant positions.  Where these are equal, and
        for symmetric functions, nothing is searched: this covers every two-symbol language here up
        to n = 24.  Else, for c from the sensitivity on, positions are declared fixed (at most c) or
        free one after the other, with the inputs around which the function is constant along the
        free ones; a branch ends when all of these have been covered.  At most the binomial sum
        C(r + 1, <= c + 1) steps for each c.
        """
        changed = list(self.differences())
        relevant = [j for j in range(self.n) if self._count(changed[j])]
        least = self.sensitivity()
        if least == len(relevant):
            return least
        weights = self._by_weight()
        if weights is not None:
            return _symmetric_complexity(weights)
        left, visited = self._everything(), 0
        for most in range(least, len(relevant)):
            stack = [(0, most, self._everything())]
            while stack:
                place, budget, alive = stack.pop()
                if not (alive & left).any():
                    continue
                if budget >= len(relevant) - place:
                    left &= ~alive  # fix all the rest
                    continue
                visited += 1
                if visited > steps:
                    raise LanguageError(
                        f"certificate complexity needs more than {steps} steps: use a smaller n"
                    )
                if budget:
                    stack.append((place + 1, budget - 1, alive))
                j = relevant[place]
                free = alive & ~changed[j] & self.flipped(alive, j)
                stack.append((place + 1, budget, free))
            if not left.any():
                return most
        return len(relevant)

    def _by_weight(self) -> list[bool] | None:
        """Return the value for each number of 1s if the function depends on nothing else."""
        for j in range(self.n - 1):
            # swapping positions j and j + 1 changes inputs where they differ: flip both there
            both = self.flipped(self.flipped(self.words, j), j + 1)
            differ = self._position(j) ^ self._position(j + 1)
            if ((self.words ^ both) & differ).any():
                return None
        firsts = [(1 << w) - 1 for w in range(self.n + 1)]
        return [bool(int(self.words[x // 64]) >> (x % 64) & 1) for x in firsts]

    def _position(self, j: int) -> Words:
        """Return the inputs whose position ``j`` is 1."""
        if j < 6:
            return np.full(len(self.words), 2**64 - 1 ^ _MASKS[j], dtype=np.uint64)
        numbers = np.arange(len(self.words), dtype=np.uint64) >> np.uint64(j - 6)
        return np.asarray(np.uint64(0) - (numbers & np.uint64(1)))

    def _everything(self) -> Words:
        words = np.full(len(self.words), 2**64 - 1, dtype=np.uint64)
        if self.n < 6:
            words[0] = np.uint64(2 ** (2**self.n) - 1)
        return words

    def _count(self, words: Words) -> int:
        return int(np.bitwise_count(words & self._everything()).sum())


def _symmetric_complexity(weights: list[bool]) -> int:
    """Return the certificate complexity of the function with these values by number of 1s.

    Fixing a 1s and b 0s leaves the weights a .. n - b; an input of weight w is forced by the
    longest run of equal values around w.
    """
    n, longest, begin = len(weights) - 1, [], 0
    for w in range(1, n + 2):
        if w > n or weights[w] != weights[begin]:
            longest.append(w - 1 - begin)
            begin = w
    return n - min(longest)


def all_inputs(n: int, begin: int, end: int) -> npt.NDArray[np.uint8]:
    """Return the inputs ``begin .. end - 1`` as bits, shape (end - begin, n)."""
    numbers = np.arange(begin, end, dtype=np.uint32)[:, None]
    return ((numbers >> np.arange(n, dtype=np.uint32)[None, :]) & 1).astype(np.uint8)


def truth_table(language: AbstractLanguage, n: int) -> TruthTable:
    """Return the membership table of a two-symbol language at length ``n <= 24``.

    Notes
    -----
    2^n words in blocks of 2^18; 2 MB of result at n = 24.
    """
    if len(language.alphabet) != 2:
        raise LanguageError(f"{language.name} has {len(language.alphabet)} symbols: use two")
    if not 0 <= n <= 24:
        raise LanguageError(f"a truth table of {n} bits is out of reach: use n <= 24")
    values = np.empty(2**n, dtype=np.bool_)
    for begin in range(0, 2**n, 2**18):
        end = min(2**n, begin + 2**18)
        values[begin:end] = language.members(all_inputs(n, begin, end))
    return TruthTable.of_values(n, values)
