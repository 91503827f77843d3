"""Arithmetic of domains: ranges, intervals, shifted grids, and the values of cells together.

Main definitions: :func:`joined`, :func:`listed`, :func:`range_of`, :func:`interval_of`.
"""

from fractions import Fraction
from typing import Any

from rasp.compiler.cells import Cells
from rasp.compiler.domains import Domain, Finite, Interval, Means, common_unit, distinct, is_number
from rasp.compiler.findings import NotHere
from rasp.compiler.functions import Fixed, Line, Steps

MOST_VALUES = 20_000
"""Most values of an s-op that are listed."""


def listed(found: Finite) -> Finite:
    """Return a list of values that is neither empty nor too long."""
    if not found.values:
        raise NotHere("it fails on every input")
    if len(found.values) > MOST_VALUES:
        raise NotHere(f"it takes {len(found.values)} values: at most {MOST_VALUES}")
    return found


def joined(cells: Cells) -> Domain:
    """Return the values of a function of cells."""
    lines = [f for f in cells.functions if isinstance(f, Line)]
    atoms = [f.atom for f in cells.functions if isinstance(f, Fixed)]
    for f in cells.functions:
        if isinstance(f, Steps):
            atoms.extend(atom for _, _, atom in f.stretches)
    if not lines:
        return listed(distinct(atoms))
    if not all(map(is_number, atoms)):
        raise NotHere("numbers beside strings")
    ends = [end for line in lines for end in (_at(line, line.low), _at(line, line.high))]
    ends.extend(map(Fraction, atoms))
    low, high = min(ends), max(ends)
    grids = [line.grid for line in lines]
    if all(grid is not None for grid in grids):
        unit, start = Fraction(0), None
        spots = [Fraction(atom) for atom in atoms]
        for line in lines:
            assert line.grid is not None
            spots.append(_at(line, line.grid[0]))
            spots.append(_at(line, line.grid[0] + line.grid[1]))
        start = spots[0]
        unit = common_unit([spot - start for spot in spots])
        first = -((start - low) // unit)
        last = (high - start) // unit
        if last - first < MOST_VALUES:
            return Finite(tuple(start + unit * k for k in range(int(first), int(last) + 1)))
    means = lines[0].means
    if len(lines) == 1 and not atoms and means is not None:
        return _scaled(means, lines[0])
    rounded = any(line.means is not None and line.means.inexact for line in lines)
    return Interval(low, high, rounded)


def _scaled(means: Means, line: Line) -> Means:
    ends = (_at(line, means.low), _at(line, means.high))
    return Means(
        min(ends), max(ends), means.unit * max(line.slope, -line.slope), _at(line, means.offset),
        means.most, means.counts, means.prefix, means.inexact,
    )  # fmt: skip


def with_default(means: Means, default: Fraction) -> Means:
    """Return a grid that has one value more."""
    unit = common_unit([means.unit, default - means.offset])
    return Means(
        min(means.low, default), max(means.high, default), unit, means.offset, means.most,
        means.counts, False, means.inexact,
    )  # fmt: skip


def range_of(op: str, domains: list[Any]) -> Finite | None:
    """Return sums and differences of integers as a range, without trying all pairs."""
    if op not in ("+", "-") or len(domains) != 2:
        return None
    left, right = domains
    if any(type(value) is not int for domain in domains for value in domain.values):
        return None
    a, b = min(left.values), max(left.values)
    c, d = min(right.values), max(right.values)
    if op == "-":
        c, d = -d, -c
    if b + d - a - c > MOST_VALUES:
        return None
    return Finite(tuple(range(a + c, b + d + 1)))


def interval_of(op: str, domains: list[Any]) -> Domain | None:
    """Return bounds of an arithmetic operation, whole numbers for ``round``."""
    if any(isinstance(domain, Finite) and not domain.numeric for domain in domains):
        return None
    ends = [domain.bounds for domain in domains]
    inexact = any(getattr(domain, "inexact", False) for domain in domains)
    match op:
        case "+":
            return Interval(ends[0][0] + ends[1][0], ends[0][1] + ends[1][1], inexact)
        case "-":
            return Interval(ends[0][0] - ends[1][1], ends[0][1] - ends[1][0], inexact)
        case "*":
            products = [a * b for a in ends[0] for b in ends[1]]
            return Interval(min(products), max(products), inexact)
        case "neg":
            return Interval(-ends[0][1], -ends[0][0], inexact)
        case "round":
            low, high = (round(end) for end in ends[0])
            if high - low <= MOST_VALUES:
                return Finite(tuple(range(low, high + 1)))
    return None


def _at(line: Line, z: Fraction) -> Fraction:
    return line.slope * z + line.shift


def exactly(default: object) -> Fraction:
    """Return a default that is a number as a fraction."""
    value: Any = default
    return Fraction(value)
