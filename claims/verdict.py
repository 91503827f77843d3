"""The five verdicts and their order.

A verdict says how much has been established, and a chain of claims is as good as its weakest
link: PROVED > EXHAUSTED > SAMPLED > UNDECIDED > REFUTED.

Main definitions: :class:`Verdict`, :func:`weakest`.
"""

from collections.abc import Iterable
from enum import StrEnum


class Verdict(StrEnum):
    """What a check established about a statement.

    ``PROVED``: for the whole domain.  ``EXHAUSTED``: for every case of a finite scope that the
    outcome names.  ``SAMPLED``: for the drawn cases only.  ``UNDECIDED``: nothing.
    ``REFUTED``: a witness was replayed in exact arithmetic.

    Examples
    --------
    >>> Verdict.PROVED.strength > Verdict.SAMPLED.strength
    True
    """

    PROVED = "PROVED"
    EXHAUSTED = "EXHAUSTED"
    SAMPLED = "SAMPLED"
    UNDECIDED = "UNDECIDED"
    REFUTED = "REFUTED"

    @property
    def strength(self) -> int:
        """Rank from 4 (PROVED) down to 0 (REFUTED); dimensionless."""
        return len(_ORDER) - 1 - _ORDER.index(self)


_ORDER = tuple(Verdict)


def weakest(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the weakest verdict of a chain; an empty chain is PROVED.

    Examples
    --------
    >>> weakest([Verdict.PROVED, Verdict.EXHAUSTED])
    <Verdict.EXHAUSTED: 'EXHAUSTED'>
    """
    return min(verdicts, key=lambda v: v.strength, default=Verdict.PROVED)
