"""Selected activations under the random restriction of Stage 3: who is independent of whom.

Each free input is fixed to 0 or to 1 with probability q/2 each.  Activation s is missed when its
inputs are not all fixed to its best assignment.  Probabilities are exact.

Main definitions: :class:`Missed`, :func:`greedy`, :func:`most_shared`.

References: Hahn (2020), Section 5.1, Stage 3, before eq. (9) [hahn2020].
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import final

from proofs.hahn2020.combinatorics.orders import Order, letters, orders


def greedy(masks: Sequence[int]) -> tuple[int, ...]:
    """Return the sets that a greedy pass keeps: each is disjoint from those kept before.

    Sets are visited in the given order; indices count from 0.

    Examples
    --------
    >>> greedy(Order.of("ab", "bc", "cd").masks)
    (0, 2)
    """
    kept: list[int] = []
    used = 0
    for i, mask in enumerate(masks):
        if not mask & used:
            kept.append(i)
            used |= mask
    return tuple(kept)


def most_shared(masks: Sequence[int]) -> int:
    """Return the largest number of sets that one input belongs to.

    Examples
    --------
    >>> most_shared(Order.of("ab", "bc", "b").masks)
    3
    """
    longest = max(mask.bit_length() for mask in masks)
    return max((sum(mask >> i & 1 for mask in masks) for i in range(longest)), default=0)


@final
@dataclass(frozen=True, slots=True)
class Missed:
    """The events that activations miss their best assignments, with q = 1/3.

    ``targets[s]`` is a mask: the inputs of activation s that its best assignment sets to 1.
    """

    order: Order
    targets: tuple[int, ...]
    c: int

    def probability(self, events: Iterable[int]) -> Fraction:
        """Return the exact probability that all of ``events`` (indices) happen together."""
        wanted = tuple(events)
        inputs = self.order.union().bit_length()
        total = 0
        for values in product((0, 1, None), repeat=inputs):
            if not any(self._hit(s, values) for s in wanted):
                total += 4 ** values.count(None)  # 1/6, 1/6, 4/6 for 0, 1, star
        return Fraction(total, 6**inputs)

    def _hit(self, s: int, values: tuple[int | None, ...]) -> bool:
        mask, target = self.order.masks[s], self.targets[s]
        return all(value == (target >> i & 1) for i, value in enumerate(values) if mask >> i & 1)

    def __str__(self) -> str:
        wanted = " ".join("{" + ",".join(letters(t)) + "}" for t in self.targets)
        return f"q=1/3, c={self.c}, activations {self.order}, best where 1 on {wanted}, 0 else"


def missed_families() -> Iterator[Missed]:
    """Yield up to three non-constant activations, c <= 2, 3 inputs, with every best assignment."""
    for n in (1, 2, 3):
        for c in (1, 2):
            for order in orders(n, 3, c):
                if all(order.masks):
                    for targets in product(*(_subsets(mask) for mask in order.masks)):
                        yield Missed(order, targets, c)


def _subsets(mask: int) -> list[int]:
    return [sub for sub in range(mask + 1) if sub & mask == sub]
