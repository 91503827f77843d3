"""Finite families of pairs and restrictions, enumerated in a fixed order, small members first.

Main definitions: :class:`Restricted`, :func:`pairs`, :func:`restricted_pairs`.

References: the objects are those of Hahn (2020), Section 5.1 [hahn2020].
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product
from typing import final

from proofs.hahn2020.combinatorics.pairs import Pair, Restriction, restrictions, show

SCOPE = (
    "pairs of n <= 3 activations over 2 inputs (c = 1 with scores 0..2, c = 2 with scores 0..1),"
    " every restriction"
)


@final
@dataclass(frozen=True, slots=True)
class Restricted:
    """A pair and a restriction of its inputs."""

    pair: Pair
    rho: Restriction

    def __str__(self) -> str:
        return f"{self.pair}, restriction {show(self.rho)}"


def pairs(n: int, *, inputs: int, c: int, levels: int) -> Iterator[Pair]:
    """Yield all pairs of ``n`` activations fed by at most ``c`` of ``inputs`` inputs.

    Scores are integers from 0 to ``levels - 1``; activations fed by fewer inputs come first, and
    every score depends on all the inputs that feed its activation.

    Examples
    --------
    >>> [str(p) for p in pairs(1, inputs=1, c=1, levels=2)]
    ['scores y1()=0', 'scores y1()=1', 'scores y1(a)=0/1', 'scores y1(a)=1/0']
    """
    single = [
        (feeds, scores)
        for size in range(c + 1)
        for feeds in combinations(range(inputs), size)
        for scores in product(range(levels), repeat=2**size)
        if _depends_on_all(scores)
    ]
    for chosen in product(single, repeat=n):
        yield Pair(tuple(f for f, _ in chosen), tuple(s for _, s in chosen))


def _depends_on_all(scores: tuple[int, ...]) -> bool:
    bits = [1 << b for b in range(len(scores).bit_length() - 1)]
    return all(any(scores[i] != scores[i ^ bit] for i in range(len(scores))) for bit in bits)


def small_pairs() -> Iterator[Pair]:
    """Yield the pairs that the stated scope names."""
    for n in (1, 2, 3):
        yield from pairs(n, inputs=2, c=1, levels=3)
        yield from pairs(n, inputs=2, c=2, levels=2)


def restricted_pairs() -> Iterator[Restricted]:
    """Yield every pair in the scope with every restriction of its two inputs."""
    for pair in small_pairs():
        for rho in restrictions(2):
            yield Restricted(pair, rho)


def next_restrictions(rho: Restriction) -> Iterator[Restriction]:
    """Yield the restrictions that fix exactly one input more than ``rho``."""
    for i, bit in enumerate(rho):
        if bit is None:
            for value in (0, 1):
                yield (*rho[:i], value, *rho[i + 1 :])
