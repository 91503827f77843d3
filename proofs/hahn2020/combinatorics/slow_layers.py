"""Layers on which Stage 2 repeats often: each repetition satisfies barely more than kH pairs.

A few popular activations come first in every ranking.  The pairs of the other heads are dealt
into groups of k + 1; group t wants popular activation t to be 1, all others want it to be 0.
Fixing it to 1 satisfies just over k pairs, which Stage 2 accepts, and leaves the rest.

Main definitions: :class:`Slow`, :func:`slow_layers`.

References: the objects are those of Hahn (2020), Section 5.1, Stage 2 [hahn2020].
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

from proofs.hahn2020.combinatorics.designs import Wish, wishing
from proofs.hahn2020.combinatorics.layers import Layer
from proofs.hahn2020.combinatorics.repetitions import Repetition, run

SCOPE = "layers with popular activations, c = H = 1, k = 5, 6, 2k < n <= 17"


@final
@dataclass(frozen=True, slots=True)
class Slow:
    """n positions with y_j = x_j and one head each; the first floor(n/k) + 1 are popular."""

    n: int
    k: int

    @property
    def popular(self) -> int:
        """Number of popular activations, one more than n/k rounded down."""
        return self.n // self.k + 1

    @property
    def layer(self) -> Layer:
        """The layer itself."""
        feeds = tuple((j,) for j in range(self.n))
        wishes = [tuple(self._wishes(i, z) for z in (0, 1)) for i in range(self.n)]
        return wishing(feeds, wishes, inputs=self.n)

    def repetitions(self) -> list[Repetition]:
        """Run Stage 2 from all stars, always satisfying as few pairs as it allows."""
        return list(run(self.layer, (None,) * self.n, self.k, settle="fewest"))

    def _wishes(self, i: int, z: int) -> list[Wish]:
        others = [(j, 1) for j in range(self.popular, self.n) if j != i]
        if i < self.popular:
            return others[::-1]
        number = z * (self.n - self.popular) + i - self.popular
        group = number // (self.k + 1)
        return [(t, int(t == group)) for t in range(self.popular)] + others

    def __str__(self) -> str:
        return (
            f"c=H=1, k={self.k}, n={self.n}, y_j=x_j, {self.popular} popular activations,"
            f" groups of {self.k + 1} pairs"
        )


def slow_layers() -> Iterator[Slow]:
    """Yield the layers in the scope, small k first."""
    for k in (5, 6):
        for n in range(2 * k + 1, 18):
            yield Slow(n, k)
