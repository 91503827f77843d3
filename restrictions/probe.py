"""The search's view of propagation: trials on masks, counted, timed and incremental.

A *fixing* is a pair of disjoint bit masks: the positions held at choice 1 and at choice 0.

Main definitions: :class:`Fixing`, :class:`Clock`, :class:`Probe`.
"""

import time
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import final

from restrictions.literals import Setting
from restrictions.propagate import Caps, Final, Propagator
from restrictions.rows import BlowUp


@final
@dataclass(frozen=True, slots=True)
class Fixing:
    """Positions held at choice 1 (``true``) and at choice 0 (``false``), as disjoint masks."""

    true: int = 0
    false: int = 0

    def __len__(self) -> int:
        return (self.true | self.false).bit_count()

    @classmethod
    def of_cube(cls, cube: int, n: int) -> "Fixing":
        """Return the fixing that makes the literals of a cube true (:mod:`restrictions.rows`)."""
        return cls(cube & (1 << n) - 1, cube >> n)

    def with_literals(self, literals: Iterable[int]) -> "Fixing":
        """Return the fixing that also makes the literals ``2 j + b`` true.

        Positions that are fixed already keep their choice.
        """
        true, false = self.true, self.false
        for lit in literals:
            bit = 1 << (lit >> 1)
            if not (true | false) & bit:
                if lit & 1:
                    true |= bit
                else:
                    false |= bit
        return Fixing(true, false)

    def without(self, mask: int) -> "Fixing":
        """Return the fixing with the positions of ``mask`` set free."""
        return Fixing(self.true & ~mask, self.false & ~mask)


@final
class Clock:
    """A budget of CPU seconds of this process, and of trials, which are the same everywhere."""

    def __init__(self, seconds: float, trials: int | None = None) -> None:
        self.end = time.process_time() + seconds
        self.trials = trials

    def tick(self) -> None:
        """Count one trial."""
        if self.trials is not None:
            self.trials -= 1

    def over(self) -> bool:
        """Return whether the budget is spent."""
        spent = self.trials is not None and self.trials <= 0
        return spent or time.process_time() >= self.end


@final
class Probe:
    """Propagates fixings, reusing the rows of the last adopted one.

    Attributes
    ----------
    trials
        Number of propagations so far.
    """

    def __init__(self, propagator: Propagator, clock: Clock | None = None) -> None:
        self.propagator = propagator
        self.clock = clock
        self.trials = 0
        self._base: Setting | None = None

    def final(self, fixing: Fixing, caps: Caps, *, adopt: bool = False) -> Final | None:
        """Return the attainable outputs, or ``None`` if a cap was exceeded (inconclusive)."""
        self._count()
        setting = self.propagator.setting(fixing.true, fixing.false, self._base)
        if adopt:
            self._base = setting
        try:
            found = self.propagator.final(setting, caps)
        except BlowUp:
            return None
        return found

    def constant(self, fixing: Fixing, caps: Caps) -> tuple[Hashable] | None:
        """Return the only attainable output in a tuple, or ``None``; adopts on success."""
        self._count()
        setting = self.propagator.setting(fixing.true, fixing.false, self._base)
        try:
            found = self.propagator.constant(setting, caps)
        except BlowUp:
            return None
        if found is not None:
            self._base = setting
        return found

    def _count(self) -> None:
        self.trials += 1
        if self.clock is not None:
            self.clock.tick()


def positions(mask: int) -> Iterator[int]:
    """Yield the positions in a mask, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
