"""Numbers that floats hold on a coarse grid, so that the steps of a function cancel exactly.

A step is the difference of two hidden units, whose values grow with the distance from it.  In
floats each is rounded, and what is left of the difference is an error of the one-hot form, which a
later head multiplies by its scale.  A *twin* of a direction carries the same number plus a large
constant: adding it rounds the number to the last place of the constant, and from then on every unit
and every sum of units is exact.  The twin is rounded far more finely than the steps are apart.

Main definitions: :func:`coarse`.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import floor, log2

from rasp.compiler.functions import Function, Steps
from rasp.compiler.stream import ONE, UNIT, Linear, Stream, plus

LAST_PLACE = 23
"""A float32 between ``2^k`` and ``2^(k+1)`` is a multiple of ``2^(k-23)``."""
FINER = 3
"""By how many places the grid is finer than the least distance of two values."""


def coarse(
    functions: Sequence[Function], numbers: Mapping[int, Linear], stream: Stream
) -> dict[int, Linear]:
    """Return the forms of numbers by twins of the directions that heads and networks write.

    Parameters
    ----------
    functions
        What is computed: steps use the numbers.
    numbers
        Form of each number.
    stream
        To which twins are added.
    """
    place = _place([f for f in functions if isinstance(f, Steps)])
    if place is None:
        return dict(numbers)
    constant = 3 * Fraction(2) ** (place - 1)
    return {digest: _by_twins(form, constant, stream) for digest, form in numbers.items()}


def _by_twins(form: Linear, constant: Fraction, stream: Stream) -> Linear:
    computed = stream.written | stream.delivered
    moving = {d: factor for d, factor in form.items() if d in computed}
    if not moving:
        return form
    rest = {d: factor for d, factor in form.items() if d not in moving}
    return plus((rest, 1), ({stream.twin(moving, constant): UNIT, ONE: -constant}, 1))


def _place(steps: Sequence[Steps]) -> int | None:
    """Return the binary exponent of the constant, or ``None`` if no float32 would do."""
    if not steps:
        return None
    factors = [abs(Fraction(factor)) for f in steps for _, factor in f.form]
    gap = min(b[0] - a[1] for f in steps for a, b in pairwise(f.stretches)) / max(factors)
    reach = max(abs(end) for f in steps for end in (f.stretches[0][0], f.stretches[-1][1]))
    place = floor(log2(gap)) - FINER + LAST_PLACE
    return place if 2 ** (place - 2) > max(reach, 1) else None
