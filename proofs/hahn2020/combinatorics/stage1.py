"""Stage 1 as executable code: which inputs feed too many activations, and what fixing them costs.

Main definitions: :class:`Feeding`, :func:`feedings`.

References: Hahn (2020), Section 5.1, Stage 1 [hahn2020].
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import final

from proofs.hahn2020.combinatorics.orders import Order

SCOPE = (
    "n activations fed by <= c of 3 inputs (c = 1 with n <= 8, c = 2 with n <= 6), up to order;"
    " M = n, about n/2 or the least number of free inputs, C = M/n, eta = 1/4, 1/3, 2/5"
)


@final
@dataclass(frozen=True, slots=True)
class Feeding:
    """Activations (in any order) fed by some of ``free_inputs`` inputs, with C and eta."""

    order: Order
    free_inputs: int
    c: int
    share: Fraction
    eta: Fraction

    @property
    def threshold(self) -> Fraction:
        """The number c / (eta C); inputs that feed more activations get fixed."""
        return self.c / (self.eta * self.share)

    @property
    def allowance(self) -> Fraction:
        """Eta C n: what Stage 1 may fix."""
        return self.eta * self.share * len(self.order)

    def fed(self) -> tuple[int, ...]:
        """Return, for each free input, the number of activations that it feeds into."""
        return tuple(
            sum(mask >> i & 1 for mask in self.order.masks) for i in range(self.free_inputs)
        )

    def offenders(self) -> int:
        """Return how many free inputs feed more activations than the threshold."""
        return sum(count > self.threshold for count in self.fed())

    def __str__(self) -> str:
        return (
            f"activations {self.order}, {self.free_inputs} free inputs, c={self.c},"
            f" C={self.share}, eta={self.eta}"
        )


def feedings() -> Iterator[Feeding]:
    """Yield all cases in the scope, few activations first.

    Inputs beyond the three that may feed something are free and feed nothing.
    """
    for c, longest in ((1, 8), (2, 6)):
        allowed = [mask for mask in range(8) if mask.bit_count() <= c]
        for n in range(1, longest + 1):
            for masks in combinations_with_replacement(allowed, n):
                order = Order(masks)
                used = order.union().bit_length()
                for free_inputs in sorted({max(used, 1), max(used, (n + 1) // 2), n}):
                    if used <= free_inputs <= n:
                        for eta in (Fraction(1, 4), Fraction(1, 3), Fraction(2, 5)):
                            yield Feeding(order, free_inputs, c, Fraction(free_inputs, n), eta)
