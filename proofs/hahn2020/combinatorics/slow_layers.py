"""Layers on which Stage 2 repeats often: even the best value satisfies barely more than kH pairs.

With c = H = 1 and k = 2, an activation is popular when 5 unsatisfied heads depend on it.  The
first activations become popular one after the other: activation t is wished for by five pairs,
three that want it to be 0 and two that want it to be 1.  Fixing it to 0 satisfies three pairs; the
two others move on to activation t + 1, where three fresh pairs join them.

Main definitions: :class:`Slow`, :func:`slow_layers`.

References: the objects are those of Hahn (2020), Section 5.1, Stage 2 [hahn2020].
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

from proofs.hahn2020.combinatorics.designs import Wish, wishing
from proofs.hahn2020.combinatorics.layers import Layer
from proofs.hahn2020.combinatorics.repetitions import PairName, Repetition, run

SCOPE = "layers with y_j = x_j, c = H = 1, k = 2, 7 <= n <= 16, popular activations in turn"


@final
@dataclass(frozen=True, slots=True)
class Slow:
    """n positions with y_j = x_j and one head each; the first floor(n/k) + 1 are popular."""

    n: int

    @property
    def k(self) -> int:
        """Number of activations to select."""
        return 2

    @property
    def popular(self) -> int:
        """Number of popular activations, one more than n/k rounded down."""
        return self.n // self.k + 1

    @property
    def layer(self) -> Layer:
        """The layer itself."""
        wanted = self.wanted()
        wishes = []
        for i in range(self.n):
            rest: list[Wish] = [(j, 1) for j in reversed(range(self.n)) if j != i]
            lists = [wanted.get((i, z), []) for z in (0, 1)]
            wishes.append(
                tuple(
                    listed + [wish for wish in rest if wish[0] not in dict(listed)]
                    for listed in lists
                )
            )
        return wishing([(j,) for j in range(self.n)], wishes, inputs=self.n)

    def wanted(self) -> dict[PairName, list[Wish]]:
        """Return the wishes for popular activations, for each pair that has any.

        Pairs are dealt to the activations in turn, five to the first, then three to each.  A
        head never wishes for its own activation, and once that is fixed to 0 only its pair with
        z = 0 is left.
        """
        wanted: dict[PairName, list[Wish]] = {}
        moving: set[int] = set()  # heads of the two pairs that move on
        for t in range(self.popular):
            fresh: list[PairName] = []
            for head, z in self._by_urgency(t):
                taken = moving | {h for h, _ in fresh}
                if (head, z) not in wanted and head not in taken and len(fresh) < 5 - len(moving):
                    fresh.append((head, z))
            stay = 3 - len(moving)
            for place, pair in enumerate(fresh):
                wanted[pair] = [(t, int(place >= stay)), (t + 1, 0)]
            moving = {head for head, _ in fresh[stay:]}
        return wanted

    def _by_urgency(self, t: int) -> list[PairName]:
        """Return the pairs usable for activations t and t + 1, those that vanish soonest first."""
        later = [(h, z) for z in (1, 0) for h in range(t + 2, self.popular)]
        free = [(h, z) for z in (1, 0) for h in range(max(self.popular, t + 2), self.n)]
        return [*later, *((h, 0) for h in range(t)), *free]

    def repetitions(self) -> list[Repetition]:
        """Run Stage 2 from all stars, with the best value for the first popular activation."""
        return list(run(self.layer, (None,) * self.n, self.k, settle="most", pick="first"))

    def __str__(self) -> str:
        lists = "; ".join(
            f"({h + 1},z={z}): " + ", ".join(f"y{j + 1}={bit}" for j, bit in wishes)
            for (h, z), wishes in sorted(self.wanted().items())
        )
        return f"c=H=1, k=2, n={self.n}, y_j=x_j, first wishes by head and z {lists}"


def slow_layers() -> Iterator[Slow]:
    """Yield the layers in the scope, short ones first."""
    for n in range(7, 17):
        yield Slow(n)
