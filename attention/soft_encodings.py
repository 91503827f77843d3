r"""Position encodings: what is added to the embedding of the symbol at position i of n.

An encoding that repeats with a period lets equal (symbol, residue) pairs be treated as one type,
and its rows must then be computed from ``i mod period``: evaluated in floating point,
``sin(i pi / 4)`` takes many more than eight values.

Main definitions
----------------
AbstractEncoding; NoEncoding, PeriodicEncoding, LearnedEncoding, SinusoidalEncoding,
FractionEncoding, FirstEncoding, UnboundedEncoding.

References
----------
Vaswani et al. (2017), Section 3.5 [vaswani2017]; Chiang and Cholak (2022) [chiang2022].
"""

import abc
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


class EncodingError(ValueError):
    """A position encoding cannot be built or evaluated."""


class AbstractEncoding(abc.ABC):
    """Adds a row of width d to every position."""

    @abc.abstractmethod
    def rows(self, positions: NDArray[np.int64], n: int, d: int) -> Array:
        """Return the encodings of ``positions`` (from 0) in a word of length n, shape (m, d)."""

    @property
    @abc.abstractmethod
    def period(self) -> int | None:
        """Period of the rows in the position, or ``None``."""

    @property
    @abc.abstractmethod
    def bounded(self) -> bool:
        """Whether all rows at all n have norms below one constant (needed by Lemma 5)."""


@final
@dataclass(frozen=True, slots=True)
class NoEncoding(AbstractEncoding):
    """No position information."""

    def rows(self, positions: NDArray[np.int64], n: int, d: int) -> Array:
        """Return zeros."""
        return np.zeros((len(positions), d))

    @property
    def period(self) -> int | None:
        """All positions are alike."""
        return 1

    @property
    def bounded(self) -> bool:
        """Zero is bounded."""
        return True


@final
@dataclass(frozen=True, slots=True, eq=False)
class PeriodicEncoding(AbstractEncoding):
    """Row ``i mod P`` of a table of shape (P, d)."""

    table: Array

    def __post_init__(self) -> None:
        if self.table.ndim != 2 or not len(self.table) or not np.all(np.isfinite(self.table)):
            raise EncodingError("a periodic encoding needs a finite table of shape (P >= 1, d)")

    def rows(self, positions: NDArray[np.int64], n: int, d: int) -> Array:
        """Return table rows by residue."""
        if self.table.shape[1] != d:
            raise EncodingError(f"the table has width {self.table.shape[1]}, the model {d}")
        return np.asarray(self.table[positions % len(self.table)])

    @property
    def period(self) -> int | None:
        """Number of table rows."""
        return len(self.table)

    @property
    def bounded(self) -> bool:
        """A finite table is bounded."""
        return True


@final
@dataclass(frozen=True, slots=True, eq=False)
class LearnedEncoding(AbstractEncoding):
    """Row i of a table of shape (n_max, d)."""

    table: Array

    def __post_init__(self) -> None:
        if self.table.ndim != 2 or not np.all(np.isfinite(self.table)):
            raise EncodingError("a learned encoding needs a finite table of shape (n_max, d)")

    def rows(self, positions: NDArray[np.int64], n: int, d: int) -> Array:
        """Return table rows; positions beyond the table are an error."""
        if n > len(self.table):
            raise EncodingError(f"length {n} exceeds the learned encoding of {len(self.table)}")
        return np.asarray(self.table[positions])

    @property
    def period(self) -> int | None:
        """A learned table does not repeat."""
        return None

    @property
    def bounded(self) -> bool:
        """A finite table is bounded."""
        return True


@final
@dataclass(frozen=True, slots=True)
class SinusoidalEncoding(AbstractEncoding):
    """Sines and cosines of geometrically spaced frequencies, ``base`` as published 10 000."""

    base: float = 10000.0

    def rows(self, positions: NDArray[np.int64], n: int, d: int) -> Array:
        """Return ``sin, cos`` of ``i / base**(2k/d)`` in alternating columns."""
        half = (d + 1) // 2
        angle = positions[:, None] / self.base ** (2 * np.arange(half)[None, :] / d)
        out = np.empty((len(positions), 2 * half))
        out[:, 0::2], out[:, 1::2] = np.sin(angle), np.cos(angle)
        return out[:, :d]

    @property
    def period(self) -> int | None:
        """The frequencies are incommensurable."""
        return None

    @property
    def bounded(self) -> bool:
        """Sines are bounded."""
        return True


@final
@dataclass(frozen=True, slots=True, eq=False)
class FractionEncoding(AbstractEncoding):
    r"""``i/n`` times one row plus ``cos(pi i)`` times another; positions count from ``start``.

    The cosine is computed from the parity of i, exactly.
    """

    fraction: Array
    alternating: Array
    start: int = 0

    def rows(self, positions: NDArray[np.int64], n: int, d: int) -> Array:
        """Return ``((i + start) / n) * fraction + (-1)**(i + start) * alternating``."""
        at = positions + self.start
        sign = np.where(at % 2 == 0, 1.0, -1.0)
        return np.asarray((at / n)[:, None] * self.fraction + sign[:, None] * self.alternating)

    @property
    def period(self) -> int | None:
        """The fraction does not repeat, unless it is switched off."""
        return 2 if not np.any(self.fraction) else None

    @property
    def bounded(self) -> bool:
        """Both parts are bounded."""
        return True


@final
@dataclass(frozen=True, slots=True, eq=False)
class FirstEncoding(AbstractEncoding):
    """One row at one position, zero elsewhere: the indicator ``I[i = at]``."""

    row: Array
    at: int = 0

    def rows(self, positions: NDArray[np.int64], n: int, d: int) -> Array:
        """Return ``row`` where the position equals ``at``."""
        return np.where((positions == self.at)[:, None], self.row[None, :], 0.0)

    @property
    def period(self) -> int | None:
        """An indicator does not repeat."""
        return None

    @property
    def bounded(self) -> bool:
        """One row is bounded."""
        return True


@final
@dataclass(frozen=True, slots=True, eq=False)
class UnboundedEncoding(AbstractEncoding):
    """``i`` times one row: norms grow with n, so Lemma 5 does not apply."""

    direction: Array

    def rows(self, positions: NDArray[np.int64], n: int, d: int) -> Array:
        """Return ``i * direction``."""
        return np.asarray(positions[:, None] * self.direction[None, :])

    @property
    def period(self) -> int | None:
        """The positions themselves do not repeat."""
        return None

    @property
    def bounded(self) -> bool:
        """The norms grow without bound."""
        return False
