"""Numbers as sums of bends: the piecewise linear function through the points of a function.

A step costs two units whose values grow with the distance from it and cancel.  Where a function
grows smoothly, as a count does in one over one more, or a square in its root, the bends of the
piecewise linear function through its points all have one sign, so nothing cancels and floats lose
next to nothing.  :func:`bent` returns them if that is so.

Main definitions: :func:`bent`, :class:`Bends`.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, final

from rasp.compiler.domains import Exact
from rasp.compiler.functions import Steps

BETTER = 4
"""How many times smaller what is summed has to be for bends to be used instead of steps."""


@final
@dataclass(frozen=True)
class Bends:
    """``base`` plus the sum of ``weight * relu(scale * z + offset)`` for ``low <= z <= high``."""

    base: Any
    units: tuple[tuple[Exact, Exact, Exact], ...]
    low: Fraction
    high: Fraction

    def reach(self, scale: Exact, offset: Exact) -> Fraction:
        """Return the greatest value of a unit, at least 1."""
        return max(Fraction(1), scale * self.low + offset, scale * self.high + offset)


def bent(steps: Steps) -> Bends | None:
    """Return a function of numbers as bends, or ``None`` if steps lose less in floats.

    Examples
    --------
    >>> counts = tuple((Fraction(1, n), Fraction(1, n), n) for n in (3, 2, 1))
    >>> bent(Steps((), counts)).units
    ((-2, 1, 2), (-1, 1, 2))
    """
    points: list[tuple[Fraction, Fraction]] = []
    for low, high, atom in steps.stretches:
        points.append((low, Fraction(atom)))
        if high > low:
            points.append((high, Fraction(atom)))
    slopes = [(b - a) / (y - x) for (x, a), (y, b) in pairwise(points)]
    first, last = points[0][0], points[-1][0]
    changes = [b - a for a, b in zip([Fraction(0), *slopes], [*slopes, Fraction(0)], strict=True)]
    left = [(z, change) for (z, _), change in zip(points[1:], changes[1:], strict=True) if change]
    right = [(z, change) for (z, _), change in zip(points[:-1], changes, strict=False) if change]
    of_left = sum((abs(change) * (z - first) for z, change in left), Fraction(0))
    of_right = sum((abs(change) * (last - z) for z, change in right), Fraction(0))
    if min(of_left, of_right) * BETTER > _of_steps(steps):
        return None
    if of_left <= of_right:
        units = tuple(_unit(-1, z, change) for z, change in left)
        return Bends(steps.stretches[-1][2], units, first, last)
    units = tuple(_unit(1, z, change) for z, change in right)
    return Bends(steps.stretches[0][2], units, first, last)


def _unit(sign: int, z: Fraction, change: Fraction) -> tuple[Exact, Exact, Exact]:
    """Return a unit with integer weights inside."""
    weight = change / z.denominator
    return (
        sign * z.denominator,
        -sign * z.numerator,
        weight.numerator if weight.denominator == 1 else weight,
    )


def _of_steps(steps: Steps) -> Fraction:
    """Return about how large the values are that steps would sum."""
    stretches = steps.stretches
    first, last = stretches[0][0], stretches[-1][1]
    total = Fraction(0)
    for (_, left, a), (right, _, b) in pairwise(stretches):
        middle = (left + right) / 2
        far = max(Fraction(1), min(last - middle, middle - first) / (right - left))
        total += 4 * abs(Fraction(b) - Fraction(a)) * far
    return total
