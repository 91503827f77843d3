"""Recorded training runs as cases of claims: what their counts exclude and leave possible.

From a run's count of right answers on independent random tokens the exact interval of Clopper and
Pearson is computed again, with integers: "surely above 99 %" means that under any share up to 99 %
so many successes would have probability at most 1/200.  Each run is one trained model; a claim over
all seeds is a claim about these models, on the named distribution, and not about seeds that were
not tried.  Each interval errs with probability at most 1/100, so a claim over k runs with at most
k/100.

Main definitions: :class:`Run`, :data:`MOST`, :data:`BROKEN`, :data:`COUNTED`.

References
----------
Weiss, Goldberg & Yahav (2021), sections 5 and 6 [weiss2021]; Clopper and Pearson (1934)
[clopper1934].
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import final

from claims import Claim, Verdict
from proofs.checkers import exhaustive
from rasp.trainer import restricted
from rasp.trainer.published import PUBLISHED
from rasp.trainer.result import Result
from rasp.trainer.setting import Setting
from rasp.trainer.statistics import interval, surely_above, surely_below
from rasp.trainer.store import recorded
from rasp.trainer.tables import Row, settings

MOST, BROKEN = Fraction(99, 100), Fraction(6, 10)
"""The share that a model of sufficient size reaches; the share that a broken one stays below."""

COUNTED = partial(Claim, check=exhaustive.decide(sampled=True), expect=Verdict.SAMPLED)
"""A claim about recorded counts."""


@final
@dataclass(frozen=True, slots=True)
class Run:
    """A recorded run; ``variant`` is one of the tables, or a mask in the record ``restricted``."""

    task: str
    variant: str
    seed: int
    record: str = "laptop"

    def __str__(self) -> str:
        found = self.result
        text = (
            f"{self.task}, {self.variant} ({found.setting.layers},{found.setting.heads}), seed "
            f"{self.seed}: of {found.probes} random tokens {found.probes_right} right"
        )
        if found.attention_probes_right is None:
            return text
        return f"{text}, all heads on their keys at {found.attention_probes_right}"

    @property
    def setting(self) -> Setting:
        """What was trained."""
        seeds = (self.seed,)
        if self.record == "restricted":
            return next(restricted.settings(self.task, self.variant, seeds=seeds))
        return next(settings(Row(self.task, self.variant), "laptop", seeds=seeds))

    @property
    def result(self) -> Result:
        """The run's counts."""
        return recorded(self.record)[self.setting.digest()]

    def surely_above(self) -> bool:
        """Return whether the counts exclude 99 % and less of tokens right."""
        return surely_above(self.result.probes_right, self.result.probes, MOST)

    def not_surely_above(self) -> bool:
        """Return whether the counts leave 99 % or less of tokens right possible."""
        return not self.surely_above()

    def surely_below(self) -> bool:
        """Return whether the counts exclude 99 % and more of tokens right."""
        return surely_below(self.result.probes_right, self.result.probes, MOST)

    def possibly(self) -> bool:
        """Return whether the counts leave 99 % of tokens right possible."""
        return not self.surely_below()

    def surely_broken(self) -> bool:
        """Return whether the counts exclude 60 % and more of tokens right."""
        return surely_below(self.result.probes_right, self.result.probes, BROKEN)

    def at_the_figure(self) -> bool:
        """Return whether the exact interval holds the share that the paper reports."""
        figure = PUBLISHED[self.task, self.variant].accuracy
        low, high = interval(self.result.probes_right, self.result.probes)
        return low <= figure <= high

    def _followed(self) -> int:
        right = self.result.attention_probes_right
        assert right is not None
        return right

    def possibly_follows(self) -> bool:
        """Return whether the counts leave 99 % of tokens with all heads on their keys possible."""
        return not surely_below(self._followed(), self.result.probes, MOST)

    def surely_follows(self) -> bool:
        """Return whether the counts exclude 99 % and less of tokens with all heads on their keys."""
        return surely_above(self._followed(), self.result.probes, MOST)

    def loses_by_counting(self) -> bool:
        """Return whether fewer than 99 % are surely right although the heads surely follow."""
        return self.surely_below() and self.surely_follows()

    def uniform(self) -> bool:
        """Return whether the only head's measured distance from uniform is below 1/20."""
        ((apart,),) = self.result.unevenness
        return 20 * Fraction(str(apart)) < 1

    def as_foretold(self) -> bool:
        """Return whether training reaches 99 % where the program survives, and fails elsewhere."""
        if restricted.foretold(self.task, self.variant):
            return self.surely_above()
        return self.surely_below()

    def within(self) -> bool:
        """Return whether the counts leave possible that the ceiling is not exceeded."""
        found = self.result
        return not surely_above(found.probes_right, found.probes, restricted.ceiling(found.setting))
