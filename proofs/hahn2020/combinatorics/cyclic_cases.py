"""Cyclic layers that pass Stages 1 and 2 untouched, with the parameters they are meant for.

Each case satisfies what Stages 1 and 2 leave behind: a free input feeds at most c/(eta C)
activations and no activation has more than 2^c k H unsatisfied dependents.  All inputs are free,
so C = 1, and c = H = 1.

Main definitions: :class:`Cyclic`, :func:`cyclic_cases`.

References: the objects are those of Hahn (2020), Section 5.1, Stages 1 and 2 [hahn2020].
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from proofs.hahn2020.combinatorics.designs import cyclic
from proofs.hahn2020.combinatorics.layers import Layer
from proofs.hahn2020.combinatorics.neighbours import event_inputs, most_fed, neighbours
from proofs.hahn2020.combinatorics.repetitions import dependents, unsatisfied

SCOPE = "cyclic layers with c = H = C = 1, k = 5, n = 21, 42, 43 and 106 positions"


@final
@dataclass(frozen=True, slots=True)
class Cyclic:
    """A cyclic layer with k and eta; every head lists k + 1 differences for each z."""

    m: int
    share: int
    differences: tuple[tuple[int, ...], tuple[int, ...]]
    k: int
    eta: Fraction

    @property
    def n(self) -> int:
        """Number of positions, of inputs, and of heads."""
        return self.m * self.share

    @property
    def layer(self) -> Layer:
        """The layer itself."""
        return cyclic(self.m, share=self.share, differences=self.differences)

    def counted(self) -> "Counts":
        """Execute the layer and count, on all-star inputs, what Stages 1 and 2 speak of."""
        layer, stars = self.layer, (None,) * self.n
        pairs = unsatisfied(layer, stars, self.k)
        events = event_inputs(layer, stars, pairs)
        heads: dict[int, int] = {}
        for (head, _), mask in events.items():
            heads[head] = heads.get(head, 0) | mask
        return Counts(
            fed=most_fed(layer, stars),
            dependents=max(len(found) for found in dependents(layer, pairs).values()),
            neighbours=max(len(others) for others in neighbours(heads).values()),
            events=max(len(others) for others in neighbours(events).values()),
        )

    def settled(self, counts: "Counts") -> bool:
        """Tell whether Stages 1 and 2 leave the layer as it is, and k is large enough for them.

        The condition on k is the repaired one, c 2^c / k <= eta C.
        """
        return (
            Fraction(2, self.k) <= self.eta
            and counts.fed <= 1 / self.eta
            and counts.dependents <= 2 * self.k
        )

    def __str__(self) -> str:
        at_zero, at_one = (",".join(map(str, d)) for d in self.differences)
        return (
            f"c=H=C=1, k={self.k}, eta={self.eta}, n={self.n}, input a feeds y_j for j //"
            f" {self.share} = a < {self.m}, head at j looks at inputs a + d mod {self.m}:"
            f" d = {at_zero} for z=0, {at_one} for z=1 (k listed first count)"
        )


@final
@dataclass(frozen=True, slots=True)
class Counts:
    """Largest numbers over the executed layer.

    ``fed``: activations fed by one input; ``dependents``: unsatisfied heads that k-depend on one
    activation; ``neighbours``: k-neighbours of one head; ``events``: other events that share an
    input with one event.
    """

    fed: int
    dependents: int
    neighbours: int
    events: int


def cyclic_cases() -> Iterator[Cyclic]:
    """Yield the cases, from neighbouring to widely spread differences."""
    eta = Fraction(2, 5)
    for m, share in ((21, 1), (43, 1)):
        yield Cyclic(m, share, ((1, 2, 3, 4, 5, 11), (6, 7, 8, 9, 10, 12)), 5, eta)
    yield Cyclic(21, 2, ((3, 4, 5, 8, 9, 1), (11, 13, 14, 15, 19, 2)), 5, eta)
    yield Cyclic(43, 1, ((2, 14, 15, 23, 28, 1), (29, 32, 34, 35, 38, 3)), 5, eta)
    wide = Fraction(49, 100)
    yield Cyclic(53, 2, ((8, 12, 19, 22, 28, 1), (33, 41, 45, 46, 47, 2)), 5, wide)
