"""One pair ((h, i), z): the attention scores of a layer-1 head once its own activation is known.

An activation is represented by the inputs that feed into it and by the score f_att(z, y_j) that
each assignment of those inputs gets.  Positions count from 0 in code; ties go to the lower one.

Main definitions: :class:`Pair`, :func:`restrictions`, :func:`extensions`.

References: Hahn (2020), Section 5.1, eq. (7) [hahn2020].
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import final

from proofs.hahn2020.combinatorics.orders import Order, letters

Restriction = tuple[int | None, ...]  # None is a star


@final
@dataclass(frozen=True, slots=True)
class Pair:
    """Attention scores seen by one head for one value z of its own activation.

    Attributes
    ----------
    feeds
        ``feeds[j]``: the inputs that feed into activation j.
    scores
        ``scores[j]``: one integer for each assignment of those inputs, the first input being the
        most significant bit.

    Examples
    --------
    >>> pair = Pair(((0,), (1,)), ((0, 5), (3, 4)))
    >>> pair.best((None, None), 0), pair.best((0, None), 0)
    (5, 0)
    >>> pair.ranking((None, None)), pair.ranking((0, None))
    ((0, 1), (1, 0))
    """

    feeds: tuple[tuple[int, ...], ...]
    scores: tuple[tuple[int, ...], ...]

    def attainable(self, rho: Restriction, j: int) -> tuple[int, ...]:
        """Return the scores that activation ``j`` gets over all inputs compatible with rho."""
        sources = self.feeds[j]
        if len(sources) == 1 and rho[sources[0]] is None:  # the common case, and the quick one
            return self.scores[j]
        indices = [0]
        for source in sources:
            bit = rho[source]
            if bit is None:
                indices = [2 * index + b for index in indices for b in (0, 1)]
            else:
                indices = [2 * index + bit for index in indices]
        table = self.scores[j]
        return tuple([table[index] for index in indices])

    def best(self, rho: Restriction, j: int) -> int:
        """Return the greatest attainable score (7) of activation ``j``."""
        return max(self.attainable(rho, j))

    def constant(self, rho: Restriction, j: int) -> bool:
        """Tell whether rho fixes the score of activation ``j`` (then it equals (7))."""
        return len(set(self.attainable(rho, j))) == 1

    def ranking(self, rho: Restriction) -> tuple[int, ...]:
        """Return the positions ordered by (7), downwards, ties by position."""
        return tuple(j for j, _ in self.ranked(rho))

    def order(self, rho: Restriction) -> Order:
        """Return the sets of *free* inputs that feed into the ranked activations."""
        return Order(tuple(free(self.feeds[j], rho) for j in self.ranking(rho)))

    def attended(self, x: tuple[int, ...]) -> int:
        """Return the position that hard attention picks on the input ``x``."""
        scores = [self.attainable(x, j)[0] for j in range(len(self.feeds))]
        return scores.index(max(scores))

    def ranked(self, rho: Restriction) -> list[tuple[int, bool]]:
        """Return the ranking (7), with each position whether its score is constant."""
        scores = [self.attainable(rho, j) for j in range(len(self.feeds))]
        best = [max(attainable) for attainable in scores]
        ranking = sorted(range(len(scores)), key=lambda j: (-best[j], j))
        return [(j, min(scores[j]) == best[j]) for j in ranking]

    def captured(self, rho: Restriction) -> tuple[int, ...] | None:
        """Return the shortest prefix of the ranking that ends at a constant score.

        ``None`` if rho makes no activation's score constant.

        Examples
        --------
        >>> Pair(((0,), (1,), ()), ((0, 5), (3, 4), (1,))).captured((None, 1))
        (0, 1)
        """
        prefix = []
        for j, constant in self.ranked(rho):
            prefix.append(j)
            if constant:
                return tuple(prefix)
        return None

    def __str__(self) -> str:
        parts = (
            "y{}({})={}".format(j + 1, ",".join(letters(free(f, ()))), "/".join(map(str, s)))
            for j, (f, s) in enumerate(zip(self.feeds, self.scores, strict=True))
        )
        return "scores " + " ".join(parts)


def free(sources: tuple[int, ...], rho: Restriction) -> int:
    """Return those of ``sources`` that rho leaves free, as a mask (all of them if rho is empty)."""
    mask = 0
    for s in sources:
        if not rho or rho[s] is None:
            mask |= 1 << s
    return mask


def restrictions(inputs: int) -> Iterator[Restriction]:
    """Yield all restrictions of ``inputs`` bits, the all-star one first."""
    yield from product((None, 0, 1), repeat=inputs)


def extensions(rho: Restriction) -> Iterator[Restriction]:
    """Yield all restrictions that fix at least what ``rho`` fixes, ``rho`` first."""
    yield from product(*((None, 0, 1) if bit is None else (bit,) for bit in rho))


def completions(rho: Restriction) -> Iterator[tuple[int, ...]]:
    """Yield all inputs compatible with ``rho``."""
    yield from product(*((0, 1) if bit is None else (bit,) for bit in rho))


def show(rho: Restriction) -> str:
    """Return rho as a word over 0, 1 and *.

    Examples
    --------
    >>> show((None, 1, 0))
    '*10'
    """
    return "".join("*" if bit is None else str(bit) for bit in rho)
