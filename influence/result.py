r"""What an influence run returns, with its error estimate and its cost.

Main definitions
----------------
Influence, InfluenceError, InfluenceWarning.
"""

from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


class InfluenceError(ValueError):
    """An influence was asked for that cannot be computed as asked."""


class InfluenceWarning(UserWarning):
    """A result is right but outside the conditions of Lemma 5, or of limited accuracy."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Influence:
    """Influence of single positions on the readout of one word.

    Parameters
    ----------
    n
        Length of the word.
    positions
        The exchanged positions (from 0), shape (m,).  For a word that is not spelled out: the
        first position of each type.
    multiplicity
        How many positions each entry stands for, shape (m,), float64.
    changes
        Readout after minus before, shape (m, r).
    values
        Euclidean norm of each change, shape (m,).
    symbols
        Symbol number each position was exchanged for, shape (m,).
    at_read
        Whether the entry is the reading position itself (Lemma 5 excludes it), shape (m,).
    error
        Estimate, never a bound, of ``|values - true| / |true|`` in the l2 norm over the positions
        other than the reading one.  Brute: the rounding of a subtraction of two passes.  Types: a
        few units in the last place per layer.  Hybrid and low rank: the miss against brute force
        at up to 24 positions of a subword of at most 256 symbols (scaled by 256/n under full
        attention, where the dropped second order falls like 1/n), plus the measured residual of
        the skeletons, plus rounding.  For a rigorous enclosure use
        :func:`influence.enclosure.enclose_change`.
    engine
        ``"brute"``, ``"types"``, ``"hybrid"`` or ``"lowrank"``.
    cost
        CPU seconds.
    """

    n: int
    positions: NDArray[np.int64]
    multiplicity: Array
    changes: Array
    values: Array
    symbols: NDArray[np.int64]
    at_read: NDArray[np.bool_]
    error: float
    engine: str
    cost: float

    def others(self) -> NDArray[np.bool_]:
        """Return the mask of entries other than the reading position."""
        return np.asarray(~self.at_read)

    def mean(self) -> float:
        """Return the mean influence over all positions but the reading one."""
        keep = self.others()
        if not keep.any():
            raise InfluenceError("the only position is the reading position: Lemma 5 needs i < n")
        w = self.multiplicity[keep]
        return float((self.values[keep] * w).sum() / w.sum())

    def worst(self) -> float:
        """Return the largest influence over all positions but the reading one."""
        keep = self.others()
        if not keep.any():
            raise InfluenceError("the only position is the reading position: Lemma 5 needs i < n")
        return float(self.values[keep].max())


def assembled(
    *,
    n: int,
    positions: NDArray[np.int64],
    multiplicity: Array,
    changes: Array,
    symbols: NDArray[np.int64],
    read: int,
    error: float,
    engine: str,
    cost: float,
) -> Influence:
    """Build the result from the changes; ``read`` is the reading position."""
    return Influence(
        n=n,
        positions=positions,
        multiplicity=multiplicity,
        changes=changes,
        values=np.sqrt((changes.astype(float) ** 2).sum(-1)),
        symbols=symbols,
        at_read=np.asarray(positions == read),
        error=error,
        engine=engine,
        cost=cost,
    )
