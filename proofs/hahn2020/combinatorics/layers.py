"""A small layer-1 input: activations, heads, and their pairs under a restriction.

Activations carry all the inputs that feed into them (the most informative case), so a value z of
an activation is an assignment of its inputs, and y_i = z is itself a restriction.

Main definitions: :class:`Layer`, :class:`Head`.

References: Hahn (2020), Definition 3 and Section 5.1, Stage 2 [hahn2020].
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import final

from proofs.hahn2020.combinatorics.pairs import Pair, Restriction

Scores = tuple[tuple[int, ...], ...]


@final
@dataclass(frozen=True, slots=True)
class Head:
    """A layer-1 head at ``position`` with one score table for each value of its activation.

    ``tables[z][j]`` holds the scores of activation j for each assignment of its inputs, when the
    head's own activation has its z-th value.
    """

    position: int
    tables: tuple[Scores, ...]


@final
@dataclass(frozen=True, slots=True)
class Layer:
    """Activations fed by inputs, and the heads that attend to them.

    Attributes
    ----------
    inputs
        Number of inputs; as many as activations in the paper, at least that of the fed ones here.
    feeds
        ``feeds[j]``: the inputs that feed into activation j.
    heads
        All heads of layer 1, ordered by position.
    """

    inputs: int
    feeds: tuple[tuple[int, ...], ...]
    heads: tuple[Head, ...]

    @property
    def c(self) -> int:
        """Largest number of inputs that feed one activation."""
        return max(len(f) for f in self.feeds)

    @property
    def width(self) -> int:
        """H, the largest number of heads at one position."""
        positions = [head.position for head in self.heads]
        return max(positions.count(p) for p in positions)

    def given(self, rho: Restriction, head: int) -> Iterator[tuple[int, Pair, Restriction]]:
        """Yield z, its pair, and rho restricted further by y_i = z, for every possible z."""
        sources = self.feeds[self.heads[head].position]
        for z, bits in enumerate(product((0, 1), repeat=len(sources))):
            narrowed = fix(rho, sources, bits)
            if narrowed is not None:
                yield z, Pair(self.feeds, self.heads[head].tables[z]), narrowed


def fix(rho: Restriction, sources: tuple[int, ...], bits: tuple[int, ...]) -> Restriction | None:
    """Return rho with ``sources`` fixed to ``bits``, or ``None`` if rho contradicts that.

    Examples
    --------
    >>> fix((None, 1), (0, 1), (0, 1)), fix((None, 1), (0, 1), (0, 0))
    ((0, 1), None)
    """
    fixed = list(rho)
    for source, bit in zip(sources, bits, strict=True):
        if fixed[source] not in (None, bit):
            return None
        fixed[source] = bit
    return tuple(fixed)
