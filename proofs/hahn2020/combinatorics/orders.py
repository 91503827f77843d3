"""Ordered activations as sets of inputs, and the selections that Stage 2 makes among them.

For one pair ((h, i), z), Stage 2 only looks at which free inputs feed into which activation, in
the order of the attention scores (7).  An :class:`Order` keeps exactly that.  A family of
activations is irredundant when each member has a private input, one that feeds into no other
member; Stage 2 selects an irredundant family of k members that ends as early as possible.

Main definitions: :class:`Order`, :func:`irredundant`, :func:`selections`, :func:`orders`.

References: Hahn (2020), Section 5.1, Stage 2 [hahn2020].
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import final

Family = tuple[int, ...]
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


@final
@dataclass(frozen=True, slots=True)
class Order:
    """Activations, greatest attainable score first, each as the set of inputs feeding into it.

    ``masks[r]`` is a bit mask: bit l is set when input l feeds into activation r (from 0).

    Examples
    --------
    >>> str(Order.of("a", "abc", "b", ""))
    '{a} {a,b,c} {b} {}'
    """

    masks: tuple[int, ...]

    @staticmethod
    def of(*sets: str) -> "Order":
        """Build an order from words of letters, one letter an input."""
        return Order(tuple(sum(1 << _LETTERS.index(letter) for letter in s) for s in sets))

    def union(self, upto: int | None = None) -> int:
        """Return U_r, the inputs that feed into the first ``upto`` activations, as a mask."""
        return union(self.masks[:upto])

    def __len__(self) -> int:
        return len(self.masks)

    def __str__(self) -> str:
        return " ".join("{" + ",".join(letters(m)) + "}" for m in self.masks)


@final
@dataclass(frozen=True, slots=True)
class Selecting:
    """One case: an order whose sets have at most ``c`` members, and ``k`` to select."""

    order: Order
    c: int
    k: int

    def __str__(self) -> str:
        return f"c={self.c}, k={self.k}, order {self.order}"


def union(masks: Iterable[int]) -> int:
    """Return the union of sets given as masks."""
    total = 0
    for mask in masks:
        total |= mask
    return total


def letters(mask: int) -> list[str]:
    """Return the names of the inputs in ``mask``, sorted."""
    return [_LETTERS[i] for i in range(mask.bit_length()) if mask >> i & 1]


def irredundant(masks: Iterable[int]) -> bool:
    """Tell whether every set has a private member: one that no other set of the family has.

    Examples
    --------
    >>> irredundant(Order.of("ab", "bc").masks), irredundant(Order.of("a", "ab").masks)
    (True, False)
    """
    once = twice = 0
    family = tuple(masks)
    for mask in family:
        twice |= once & mask
        once |= mask
    private = once & ~twice
    return all(mask & private for mask in family)


def selections(order: Order, k: int) -> tuple[Family, ...]:
    """Return every selection that Stage 2 allows: irredundant, k members, least last index.

    Indices count from 0.  Empty when the order has no irredundant family of k members.

    Examples
    --------
    >>> selections(Order.of("a", "a", "b", "c"), 2)
    ((0, 2), (1, 2))
    >>> selections(Order.of("a", "a"), 2)
    ()
    """
    for last in range(k - 1, len(order)):
        found = tuple(
            (*head, last)
            for head in combinations(range(last), k - 1)
            if irredundant(order.masks[r] for r in (*head, last))
        )
        if found:
            return found
    return ()


def orders(length: int, inputs: int, c: int) -> Iterator[Order]:
    """Yield all orders of ``length`` sets of at most ``c`` of at most ``inputs`` inputs.

    Up to renaming of inputs: new letters appear in alphabetical order.  Deterministic.

    Examples
    --------
    >>> [str(o) for o in orders(2, 2, 1)]
    ['{} {}', '{} {a}', '{a} {}', '{a} {a}', '{a} {b}']
    """
    yield from (Order(masks) for masks in _extend((), 0, length, inputs, c))


def _extend(
    masks: tuple[int, ...], used: int, length: int, inputs: int, c: int
) -> Iterator[tuple[int, ...]]:
    if len(masks) == length:
        yield masks
        return
    for fresh in range(min(c, inputs - used) + 1):
        new = ((1 << fresh) - 1) << used
        for old in range(1 << used):
            if old.bit_count() + fresh <= c:
                yield from _extend((*masks, old | new), used + fresh, length, inputs, c)
