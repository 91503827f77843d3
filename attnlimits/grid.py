"""Read ``name=values`` from a command line as exact numbers, and walk the grid they span.

Values are a number (``k=40``, ``eta=1/10``, ``n=2^20``), a list (``q=0.1,0.2``), a range
(``k=10..100``, ``k=10..100:10``) or a geometric range (``n=2^8..2^20:*2``).

Main definitions: :func:`read_grid`, :func:`points`.
"""

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from bounds.values import Exact, parse

LARGEST = 100_000
"""Largest number of points of a grid."""


class GridError(ValueError):
    """An argument that does not describe values; names it and what to write."""


def read_grid(arguments: Sequence[str]) -> dict[str, list[Exact]]:
    """Return the values by name, in the order given.

    Parameters
    ----------
    arguments
        Texts such as ``k=10..100:10``.

    Raises
    ------
    GridError
        If an argument has no ``=``, a range is empty or endless, or the grid has more than
        :data:`LARGEST` points.
    BoundError
        If a number is none.

    Examples
    --------
    >>> read_grid(["k=1..3", "q=0.5,1/3"])
    {'k': [1, 2, 3], 'q': [Fraction(1, 2), Fraction(1, 3)]}
    """
    grid: dict[str, list[Exact]] = {}
    for argument in arguments:
        name, equals, text = argument.partition("=")
        name = name.strip()
        if not equals or not name or not text.strip():
            raise GridError(f"{argument!r}: write name=value, e.g. k=40 or k=10..100:10")
        if name in grid:
            raise GridError(f"{name} is given twice")
        grid[name] = [v for part in text.split(",") for v in _values(part.strip(), argument)]
    size = math.prod(len(values) for values in grid.values())
    if size > LARGEST:
        raise GridError(f"the grid has {size:,} points: take at most {LARGEST:,}")
    return grid


def points(grid: Mapping[str, Sequence[Exact]]) -> Iterator[dict[str, Exact]]:
    """Walk the grid, the last name fastest."""
    for combination in itertools.product(*grid.values()):
        yield dict(zip(grid, combination, strict=True))


def _values(part: str, argument: str) -> list[Exact]:
    first, dots, rest = part.partition("..")
    if not dots:
        return [parse(part)]
    last, colon, step = rest.partition(":")
    lo, hi = parse(first), parse(last)
    if hi < lo:
        raise GridError(f"{argument!r}: the range is empty")
    if colon and step.startswith("*"):
        return _geometric(lo, hi, parse(step[1:]), argument)
    by = parse(step) if colon else 1
    if by <= 0:
        raise GridError(f"{argument!r}: the step must be positive")
    count = int((hi - lo) // by) + 1
    if count > LARGEST:
        raise GridError(f"{argument!r}: {count:,} values; take at most {LARGEST:,}")
    return [_whole(lo + i * by) for i in range(count)]


def _geometric(lo: Exact, hi: Exact, factor: Exact, argument: str) -> list[Exact]:
    if lo <= 0 or factor <= 1:
        raise GridError(f"{argument!r}: start above 0 and multiply by more than 1")
    found: list[Exact] = []
    value: Exact = lo
    while value <= hi:
        if len(found) == LARGEST:
            raise GridError(f"{argument!r}: more than {LARGEST:,} values")
        found.append(_whole(value))
        value = value * factor
    return found


def _whole(value: Exact) -> Exact:
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value
