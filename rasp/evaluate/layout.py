"""Many inputs of different lengths laid end to end.

Main definitions: :class:`Layout`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from rasp.errors import SequenceTypeError
from rasp.evaluate.columns import Ints


@final
@dataclass(frozen=True)
class Layout:
    """Where each input of a batch lies in the columns.

    Attributes
    ----------
    lengths
        Length of each input, positive.
    """

    lengths: tuple[int, ...]

    @classmethod
    def of(cls, inputs: Sequence[Sequence[Any]]) -> "Layout":
        """Return the layout of ``inputs``.

        Raises
        ------
        SequenceTypeError
            If there is none, or one is empty.
        """
        lengths = tuple(map(len, inputs))
        if not lengths or 0 in lengths:
            raise SequenceTypeError("RASP sequences/selectors expect non-empty iterables")
        return cls(lengths)

    @cached_property
    def size(self) -> int:
        """Number of positions in all."""
        return sum(self.lengths)

    @cached_property
    def starts(self) -> Ints:
        """Where each input begins, and the end of the last."""
        return np.concatenate([[0], np.cumsum(self.lengths)]).astype(np.int64)

    @cached_property
    def segment(self) -> Ints:
        """The input that each position belongs to."""
        return np.repeat(np.arange(len(self.lengths), dtype=np.int64), self.lengths)

    @cached_property
    def position(self) -> Ints:
        """Each position within its input, from 0."""
        return np.arange(self.size, dtype=np.int64) - self.starts[self.segment]

    @cached_property
    def by_length(self) -> dict[int, Ints]:
        """Length to the inputs that have it."""
        lengths = np.array(self.lengths)
        return {int(n): np.flatnonzero(lengths == n) for n in np.unique(lengths)}

    @cached_property
    def cells(self) -> int:
        """Number of cells of a selector, over all inputs."""
        return sum(n * n for n in self.lengths)
