"""Restrictions of a trained model's attention.

Main definitions: :class:`Mask`, :func:`allowed`.

References
----------
Weiss, Goldberg & Yahav (2021), section 6 [weiss2021]; Tay et al. (2022) [tay2022].
"""

from dataclasses import dataclass
from typing import final

import numpy as np
import numpy.typing as npt

from rasp.profiles import Profile

KINDS = ("full", "causal", "window", "block", "strided", "lowrank")
"""What a mask can be."""


class MaskError(ValueError):
    """Text that names no restriction."""


@final
@dataclass(frozen=True, slots=True)
class Mask:
    """A restriction by name and size, as settings spell it: ``full``, ``window:3``, ….

    ``lowrank:r`` restricts no position: a head's attention is a product of two matrices with
    ``r`` columns, rows normalised, so no pattern of higher rank can be learnt exactly.
    """

    kind: str
    size: int = 0

    @property
    def rank(self) -> int:
        """Largest rank of a head's attention, 0 if only positions are restricted."""
        return self.size if self.kind == "lowrank" else 0

    @classmethod
    def parse(cls, text: str) -> "Mask":
        """Read ``kind`` or ``kind:size``.

        Raises
        ------
        MaskError
            If it is neither.

        Examples
        --------
        >>> Mask.parse("window:3")
        Mask(kind='window', size=3)
        """
        kind, _, size = text.partition(":")
        if size and not size.isdigit():
            raise MaskError(f"mask {text!r}: write kind or kind:size, as in window:3")
        made = cls(kind, int(size or 0))
        made.profile()
        return made

    def profile(self) -> Profile:
        """Return the restriction of positions as the analysis of programs knows it.

        Raises
        ------
        ValueError
            If the kind is unknown or its size senseless.
        """
        if self.kind == "lowrank":
            if self.size < 1:
                raise MaskError("a low rank needs a size of at least 1, as in lowrank:4")
            return Profile("full")
        if self.kind not in KINDS:
            raise MaskError(f"mask {self.kind!r}: use {', '.join(KINDS)}, as in window:3")
        return Profile(self.kind, self.size)


def allowed(mask: Mask, n: int, *, causal: bool) -> npt.NDArray[np.bool_]:
    """Return which keys each of ``n`` queries may look at, shape (n, n), rows are queries."""
    profile = mask.profile()
    table = np.array([[profile.allows(i, j) for j in range(n)] for i in range(n)], np.bool_)
    return np.tril(table) if causal else table
