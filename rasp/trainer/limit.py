r"""From which length on a trained histogram is certainly wrong, for good.

Words of one family: the first ``c`` positions hold the letter that is asked for, all other
positions letters that differ from it and repeat with the trained positions, ``m`` periods in all.
What the head reads at the first position is

.. math:: o = u\,o_1 + (1 - u)\,o_\infty, \qquad u = \frac{Z_1}{Z_1 + (m-1) Z_\infty},

with the sums of weights :math:`Z_1` of the first period, the mark included, and
:math:`Z_\infty` of any other: as the length grows it runs along a *segment* towards a point that
does not depend on the count.  If everywhere on the segment from :math:`u` to 0 some class beats
the right one, in ball arithmetic on ever smaller pieces, the model is wrong on these words at every
length from there on, to infinity.  As the point is the same for all counts, all but one of them
fail in this way.

Main definitions: :class:`Family`, :class:`Limit`, :func:`limit_of`.

References
----------
Hahn (2020), Lemma 5: what one input can do vanishes as the length grows [hahn2020]; the segment is
our own.
"""

from dataclasses import dataclass
from typing import final

import numpy as np
from flint import arb

from rasp.trainer.balls import Head, Segment, segment

PIECES = 2000
"""Of a segment, at most; more means undecided."""

PERIODS = 4096
"""Longest words that are looked at, in periods."""


@final
@dataclass(frozen=True, slots=True)
class Limit:
    """What is certain about one letter and count of one model.

    Attributes
    ----------
    letter, count
        The family.
    given
        The model's class in the limit.
    right
        Longest length found at which the model is right for certain; 0 if none was found.
    wrong
        Least length of the family at which and from which on it is certainly wrong; ``None`` if
        nothing is certain (the right class may be the limit's).
    pieces
        Balls that the segment took; 0 if nothing was certified.
    """

    letter: int
    count: int
    given: int
    right: int
    wrong: int | None
    pieces: int


@final
@dataclass(frozen=True, slots=True)
class Family:
    """The words of a letter and a count.

    Attributes
    ----------
    segment
        What the model makes of what its head reads.
    period
        Symbols of a period.
    ratio
        Weight of any other period over that of the first, the mark included.
    """

    segment: Segment
    period: int
    ratio: arb

    def share(self, periods: int) -> arb:
        """Return u: the share of the first period in a word of so many."""
        return 1 / (1 + (periods - 1) * self.ratio)

    def best(self, share: arb) -> int:
        """Return the class of the highest logit, by the middles of the balls."""
        return int(np.argmax([float(value.mid()) for value in self.segment.logits(share)]))

    def certainly(self, right: int, share: arb) -> bool:
        """Return whether every other class is certainly below ``right``."""
        margins = self.segment.logits(share, right=right)
        return all(value < 0 for k, value in enumerate(margins) if k != right)

    def beaten(self, right: int, share: arb) -> bool:
        """Return whether some class is certainly above ``right``."""
        return any(value > 0 for value in self.segment.logits(share, right=right))

    def beaten_from(self, right: int, share: arb) -> int | None:
        """Return how many balls show that some class beats ``right`` from ``share`` down to 0.

        ``None`` if they do not: somewhere none does, or more than :data:`PIECES` are needed.
        """
        waiting, pieces = [(arb(0), share.upper())], 0
        while waiting:
            low, high = waiting.pop()
            pieces += 1
            if self.beaten(right, low.union(high)):
                continue
            middle = ((low + high) / 2).mid()
            if pieces + len(waiting) > PIECES or not self.beaten(right, middle):
                return None
            waiting += [(low, middle), (middle, high)]
        return pieces


def family(head: Head, letter: int, count: int) -> Family:
    """Return the words in which ``letter`` occurs ``count`` times."""
    places = sorted({place for _, place in head.types if place})
    letters = len({symbol for symbol, place in head.types if place})
    other = {place: (letter + 1 + place % (letters - 1)) % letters for place in places}
    later = [head.at(other[place], place) for place in places]
    first = [head.at(letter if place <= count else other[place], place) for place in places]
    asker, mark = first[0], 0
    one, weight = head.read(asker, [mark, *first])
    rest, further = head.read(asker, later)
    return Family(segment(head, asker, one, rest), len(places), further / weight)


def limit_of(head: Head, letter: int, count: int, right: int) -> Limit:
    """Find out from which length on the model is wrong on the family.

    Parameters
    ----------
    head
        Of a trained histogram.
    letter, count
        The family.
    right
        The class of the right answer.

    Notes
    -----
    Deterministic.  Middles of balls suggest a length; only balls certify it, and if they do not, a
    longer one is tried.
    """
    found = family(head, letter, count)
    given = found.best(arb(0))
    if given == right:
        return Limit(letter, count, given, 0, None, 0)
    last = _last_right(found, right)
    sure = last if last and found.certainly(right, found.share(last)) else 0
    periods = last + 1
    while periods <= PERIODS:
        pieces = found.beaten_from(right, found.share(periods))
        if pieces is not None:
            wrong = found.period * periods
            return Limit(letter, count, given, found.period * sure, wrong, pieces)
        periods += 1 + periods // 8
    return Limit(letter, count, given, found.period * sure, None, 0)


def _last_right(found: Family, right: int) -> int:
    """Return about the largest number of periods at which the model is right; 0 if at none."""
    low, high = 0, PERIODS
    while high - low > 1:  # right up to some length: what is suggested need not be true
        middle = (low + high) // 2
        if found.best(found.share(middle)) == right:
            low = middle
        else:
            high = middle
    return low
