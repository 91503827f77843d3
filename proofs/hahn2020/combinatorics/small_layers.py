"""Families of small layers on which Stage 2 has something to do, enumerated in a fixed order.

Main definitions: :class:`Stage2Case`, :func:`layers_one_input`, :func:`layers_two_inputs`.

References: the objects are those of Hahn (2020), Section 5.1, Stage 2 [hahn2020].
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import final

from proofs.hahn2020.combinatorics.designs import Wish, wishing
from proofs.hahn2020.combinatorics.layers import Layer

SCOPE_ONE = "layers with n = 4, c = 1, k = 1, H = 1, five ways to wish for each head"
SCOPE = SCOPE_ONE + "; layers with n = 6, c = 2, k = 1, H = 1, two or three ways for heads 2 to 6"


@final
@dataclass(frozen=True, slots=True)
class Stage2Case:
    """A layer written as wishes, and the k of Stage 2.

    ``wishes[i][z]`` lists what the head at position i wishes for when its activation is z.
    """

    feeds: tuple[tuple[int, ...], ...]
    wishes: tuple[tuple[tuple[Wish, ...], ...], ...]
    k: int

    @property
    def layer(self) -> Layer:
        """The layer with the score tables of the wishes; as many inputs as activations."""
        return wishing(self.feeds, self.wishes, inputs=len(self.feeds))

    def __str__(self) -> str:
        fed = " ".join(
            f"y{j + 1}({','.join(f'x{s + 1}' for s in f)})" for j, f in enumerate(self.feeds)
        )
        by_head = [" | ".join(_wanted(listed) for listed in by_z) for by_z in self.wishes]
        if len(set(by_head)) == 1:
            return f"k={self.k}, {fed}, wishes by z of every head {by_head[0]}"
        heads = "; ".join(f"{i + 1}: {wished}" for i, wished in enumerate(by_head))
        return f"k={self.k}, {fed}, wishes by z of head {heads}"


def layers_one_input() -> Iterator[Stage2Case]:
    """Yield layers with y_j = x_j: four heads, five ways to wish for each."""
    first, first_zero, second = (0, 1), (0, 0), (1, 1)
    ways = [
        ((first,), (first,)),
        ((first,), (second,)),
        ((first_zero,), (first,)),
        ((second,), (first_zero,)),
        ((second,), (second,)),
    ]
    for wishes in product(ways, repeat=4):
        yield Stage2Case(tuple((j,) for j in range(4)), wishes, 1)


def layers_two_inputs() -> Iterator[Stage2Case]:
    """Yield layers with c = 2: six heads, two or three ways to wish for heads 2 to 6."""
    feeds = ((0, 1), (1, 2), (3, 4), (3, 4), (3, 4), (4, 5))
    ones, zeros, second = (0, 3), (0, 0), (1, 2)
    two, three = ((ones,), (zeros,)), ((ones,), (zeros,), (zeros, second))
    for ways in product(two, two, two, three, three):
        wishes = tuple((way,) * 4 for way in ((second,), *ways))
        yield Stage2Case(feeds, wishes, 1)


def small_layers() -> Iterator[Stage2Case]:
    """Yield both families."""
    yield from layers_one_input()
    yield from layers_two_inputs()


def _wanted(wishes: tuple[Wish, ...]) -> str:
    return ", ".join(f"y{j + 1}={assignment:b}" for j, assignment in wishes)
