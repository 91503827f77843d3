"""Numbers that floats hold on a coarse grid, so that the steps of a function cancel exactly.

A step is the difference of two hidden units, whose values grow with the distance from it.  In
floats each is rounded, and what is left of the difference is an error of the one-hot form, which a
later head multiplies by its scale.  A *twin* of a direction carries the same number plus a large
constant: adding it rounds the number to the last place of the constant, and from then on every unit
and every sum of units is exact.  The twin is rounded far more finely than the steps are apart.

Main definitions: :func:`coarse`, :func:`on_grid`.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import floor, log2

from rasp.compiler.functions import Function, Line, Steps
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
    steps = [f for f in functions if isinstance(f, Steps)]
    if not steps:
        return dict(numbers)
    factors = [abs(Fraction(factor)) for f in steps for _, factor in f.form]
    gap = min(b[0] - a[1] for f in steps for a, b in pairwise(f.stretches)) / max(factors)
    reach = max(abs(end) for f in steps for end in (f.stretches[0][0], f.stretches[-1][1]))
    return {digest: on_grid(form, gap, reach, stream) for digest, form in numbers.items()}


def on_grid(form: Linear, gap: Fraction, reach: Fraction, stream: Stream) -> Linear:
    """Return the form of a number by a twin, if a float32 has room for the constant.

    Parameters
    ----------
    form
        Of the number.
    gap
        Least distance of two values that have to be told apart.
    reach
        Greatest absolute value.
    stream
        To which the twin is added.
    """
    computed = stream.written | stream.delivered
    moving = {d: factor for d, factor in form.items() if d in computed}
    place = floor(log2(gap)) - FINER + LAST_PLACE
    if not moving or 2 ** (place - 2) <= max(reach, 1):
        return form
    constant = 3 * Fraction(2) ** (place - 1)
    rest = {d: factor for d, factor in form.items() if d not in moving}
    return plus((rest, 1), ({stream.twin(moving, constant): UNIT, ONE: -constant}, 1))


def whole(functions: Sequence[Function]) -> bool:
    """Return whether all functions are steps of integers, which a twin then holds exactly."""
    ends = [z for f in functions if isinstance(f, Steps) for a, b, _ in f.stretches for z in (a, b)]
    return not any(isinstance(f, Line) for f in functions) and all(z.denominator == 1 for z in ends)
