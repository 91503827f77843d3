"""Restrictions: which symbols each input position may still take.

The paper's restriction maps positions to {*, 0, 1}; here each position keeps a non-empty tuple of
allowed symbols, so that brackets of several types can be restricted too.  Position counts from 0.

Main definitions: :class:`Restriction`, :class:`RestrictionError`.

References
----------
Hahn (2020), Section 5 [hahn2020].
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, final

import numpy as np


class RestrictionError(ValueError):
    """A restriction is impossible or does not fit; the message names position and fix."""


@final
@dataclass(frozen=True)
class Restriction:
    """A subcube of inputs: position i may take the symbols ``choices[i]``.

    Examples
    --------
    >>> rho = Restriction.free("01", 4).fix({0: "1"})
    >>> rho.dimension, rho.density, rho.size, str(rho)
    (3, Fraction(3, 4), 8, '1***')
    """

    choices: tuple[tuple[Hashable, ...], ...]

    def __post_init__(self) -> None:
        for i, allowed in enumerate(self.choices):
            if not allowed:
                raise RestrictionError(f"position {i} has no allowed symbol: give at least one")
            if len(set(allowed)) != len(allowed):
                raise RestrictionError(f"position {i} repeats a symbol: {allowed!r}")

    @classmethod
    def free(cls, alphabet: Sequence[Hashable], n: int) -> "Restriction":
        """Return the restriction that fixes nothing."""
        return cls((tuple(alphabet),) * n)

    @classmethod
    def of_word(
        cls, alphabet: Sequence[Hashable], word: Sequence[Hashable], fixed: Sequence[int]
    ) -> "Restriction":
        """Return the subcube around ``word`` in which only the positions ``fixed`` are fixed."""
        return cls.free(alphabet, len(word)).fix({i: word[i] for i in fixed})

    def fix(self, values: Mapping[int, Hashable]) -> "Restriction":
        """Return the restriction that also fixes position i to ``values[i]``.

        Raises
        ------
        RestrictionError
            If a position does not exist or does not allow the symbol.
        """
        choices = list(self.choices)
        for i, symbol in sorted(values.items()):
            if not 0 <= i < len(choices):
                raise RestrictionError(f"position {i}: use 0 .. {len(choices) - 1}")
            if symbol not in choices[i]:
                raise RestrictionError(
                    f"position {i} allows {choices[i]!r}, not {symbol!r}: it is fixed otherwise"
                )
            choices[i] = (symbol,)
        return Restriction(tuple(choices))

    def compose(self, other: "Restriction") -> "Restriction":
        """Return the intersection of both restrictions.

        Raises
        ------
        RestrictionError
            If the lengths differ or some position is left without a symbol.
        """
        if len(self.choices) != len(other.choices):
            raise RestrictionError(
                f"lengths {len(self.choices)} and {len(other.choices)} differ: use equal lengths"
            )
        return Restriction(
            tuple(
                tuple(s for s in mine if s in theirs)
                for mine, theirs in zip(self.choices, other.choices, strict=True)
            )
        )

    def apply(self, word: Sequence[Hashable]) -> tuple[Hashable, ...]:
        """Return ``word`` with the fixed positions overwritten (the restricted function's input).

        A free position keeps its symbol, which must be allowed there.
        """
        if len(word) != len(self.choices):
            raise RestrictionError(
                f"the word has {len(word)} symbols: this restriction has {len(self.choices)}"
            )
        applied = []
        for i, (symbol, allowed) in enumerate(zip(word, self.choices, strict=True)):
            if len(allowed) > 1 and symbol not in allowed:
                raise RestrictionError(f"position {i} allows {allowed!r}, not {symbol!r}")
            applied.append(allowed[0] if len(allowed) == 1 else symbol)
        return tuple(applied)

    def contains(self, word: Sequence[Hashable]) -> bool:
        """Return whether ``word`` lies in the subcube."""
        return len(word) == len(self.choices) and all(
            symbol in allowed for symbol, allowed in zip(word, self.choices, strict=True)
        )

    def completions(self) -> Iterator[tuple[Hashable, ...]]:
        """Yield every word of the subcube, the last position fastest."""
        yield from product(*self.choices)

    def draw(self, rng: np.random.Generator) -> tuple[Hashable, ...]:
        """Return a uniformly drawn word of the subcube."""
        return tuple(allowed[int(rng.integers(len(allowed)))] for allowed in self.choices)

    @property
    def n(self) -> int:
        """Number of positions."""
        return len(self.choices)

    @property
    def stars(self) -> tuple[int, ...]:
        """Free positions, in order."""
        return tuple(i for i, allowed in enumerate(self.choices) if len(allowed) > 1)

    @property
    def fixed(self) -> dict[int, Any]:
        """The fixed positions and their symbols."""
        return {i: allowed[0] for i, allowed in enumerate(self.choices) if len(allowed) == 1}

    @property
    def dimension(self) -> int:
        """Number of free positions."""
        return len(self.stars)

    @property
    def density(self) -> Fraction:
        """Share of free positions, dimensionless, in [0, 1]."""
        return Fraction(self.dimension, max(1, self.n))

    @property
    def size(self) -> int:
        """Number of words in the subcube."""
        return prod(len(allowed) for allowed in self.choices)

    def __str__(self) -> str:
        return "".join(str(c[0]) if len(c) == 1 else "*" for c in self.choices)
