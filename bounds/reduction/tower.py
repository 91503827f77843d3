r"""Enclosures of numbers that no exponent can hold: a ball under repeated powers of ten.

A tower of height h encloses 10^(10^(...10^t)) with h tens and t in a ball.  A few layers of the
depth reduction leave every fixed-height notation, while their iterated logarithms stay readable.

Main definitions: :class:`Tower`.

References
----------
Johansson (2017) [johansson2017].
"""

from dataclasses import dataclass
from typing import final

from flint import arb, ctx, fmpz

from bounds.values import BoundError

BITS = 1 << 15
"""Precision of all tower arithmetic: enough to place 10^(10^9000) on the logarithmic scale."""

_LARGEST = 30_000
"""Binary logarithm of the largest t for which 10^t is formed as one ball."""


class TowerError(BoundError):
    """A tower that is not defined, or too large for what was asked."""


@final
@dataclass(frozen=True, slots=True)
class Tower:
    """``height`` powers of ten over a ball.

    Examples
    --------
    >>> float(Tower.of(1000).log10().ball)
    3.0
    >>> str(Tower(2, Tower.of(10**30).log10().ball))
    '10^10^30.0000'
    """

    height: int
    ball: arb

    def __post_init__(self) -> None:
        if self.height < 0 or not self.ball.is_finite():
            raise TowerError(
                f"a tower of height {self.height} over {self.ball.str(5)} is undefined"
            )

    @staticmethod
    def of(value: int) -> "Tower":
        """Return the exact integer ``value >= 1``.

        Raises
        ------
        TowerError
            If ``value < 1``.
        """
        if value < 1:
            raise TowerError(f"{value} is below 1: towers enclose numbers >= 1")
        with ctx.workprec(max(BITS, value.bit_length())):
            return Tower(0, arb(fmpz(value)))

    def log10(self) -> "Tower":
        """Return the base-10 logarithm.

        Raises
        ------
        TowerError
            If the number may not be positive.
        """
        if self.height:
            return Tower(self.height - 1, self.ball)
        if not self.ball > 0:
            raise TowerError(f"no logarithm of {self.ball.str(5)}, which may not be positive")
        with ctx.workprec(BITS):
            return Tower(0, self.ball.log() / arb(10).log())

    def fits(self) -> bool:
        """Tell whether the number can be formed as one ball."""
        if self.height == 0:
            return True
        with ctx.workprec(64):
            return self.height == 1 and bool(self.ball < arb(2) ** _LARGEST)

    def value(self) -> arb:
        """Return the number as one ball.

        Raises
        ------
        TowerError
            If it does not fit.
        """
        if not self.fits():
            raise TowerError(f"{self} does not fit into one ball: take logarithms first")
        with ctx.workprec(BITS):
            return (self.ball * arb(10).log()).exp() if self.height else self.ball

    def super_log(self) -> float:
        """Return an estimate for drawing: how many tens it takes, with a linear last step.

        1 maps to 0, 10 to 1, 10^10 to 2, 10^10^10 to 3; between, 1 + the same of log10.

        Examples
        --------
        >>> Tower.of(10**10).super_log()
        2.0
        """
        with ctx.workprec(BITS):
            level, ball = float(self.height), self.ball
            while ball > 10**6:
                ball = ball.log() / arb(10).log()
                level += 1
            x = float(ball.mid())
        while x > 1:
            x, level = float(arb(x).log_base(10)) if x != 10 else 1.0, level + 1
        return level + x - 1

    def __str__(self) -> str:
        with ctx.workprec(BITS):
            tens, ball = self.height, self.ball
            while ball > 10**6:
                ball = ball.log() / arb(10).log()
                tens += 1
            return "10^" * tens + str(ball.mid().str(6, radius=False))
