"""Accuracies that the paper reports, as far as we can state them.

Those that the Korean review quotes are marked ``review``; the others are recalled and marked so.

Main definitions: :class:`Published`, :data:`PUBLISHED`.

References
----------
Weiss, Goldberg & Yahav (2021), section 5 [weiss2021].
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import final


@final
@dataclass(frozen=True, slots=True)
class Published:
    """A reported accuracy; ``relation`` is ``=`` or ``>=``, ``known`` where we have it from."""

    accuracy: Fraction
    relation: str
    known: str

    def text(self) -> str:
        """Return it in percent, with a mark if recalled."""
        mark = "*" if self.known == "recalled" else ""
        sign = "" if self.relation == "=" else "≥"
        return f"{sign}{float(100 * self.accuracy):g}{mark}"


_MOST = Published(Fraction(99, 100), ">=", "review")

PUBLISHED: Mapping[tuple[str, str], Published] = {
    ("double-hist", "supervised"): Published(Fraction(999, 1000), "=", "review"),
    ("sort", "supervised"): Published(Fraction(998, 1000), "=", "review"),
    ("double-hist", "predicted"): _MOST,
    ("sort", "predicted"): _MOST,
    ("most-freq", "predicted"): _MOST,
    ("reverse", "one layer fewer"): Published(Fraction(412, 1000), "=", "review"),
    ("sort", "one layer fewer"): Published(Fraction(990, 1000), "=", "recalled"),
}
"""By task and variant of :mod:`rasp.trainer.tables`."""
