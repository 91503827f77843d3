"""What a checker is: a small object that decides statements and re-establishes its own evidence.

Main definitions: :class:`AbstractChecker`.
"""

import abc
from collections.abc import Mapping
from typing import Any

from claims.outcome import Budget, Outcome
from claims.statements import Statement


class AbstractChecker(abc.ABC):
    """Decides statements; calling it searches, :meth:`verify` does not.

    Implementations are final frozen dataclasses, so that ``repr`` (used in digests) names every
    parameter of the check.
    """

    @abc.abstractmethod
    def __call__(self, statement: Statement, budget: Budget | None = None) -> Outcome:
        """Decide ``statement`` within ``budget``.

        Returns
        -------
        Outcome
            UNDECIDED when the checker cannot tell; it raises only for statements that it was
            not made for.
        """

    @abc.abstractmethod
    def verify(self, statement: Statement, evidence: Mapping[str, Any]) -> Outcome:
        """Re-establish a verdict about ``statement`` from ``evidence``, without search.

        Returns
        -------
        Outcome
            The verdict that the evidence supports; UNDECIDED when it supports none.
        """


class UnsupportedStatementError(ValueError):
    """A statement that a checker was not made for."""
