"""Functions of one number, resolved against the values it can take.

Main definitions: :class:`Leaf`, :class:`Line`, :class:`Steps`, :class:`Fixed`, :func:`resolve`,
:func:`form_values`.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias, final

from rasp.compiler.domains import Exact, Finite, Means, common_unit, exact
from rasp.compiler.findings import NotHere
from rasp.compiler.pieces import Affine, Form, Pieces
from rasp.errors import RaspError
from rasp.graph import SOpNode

LISTED = 6000
"""Most values of a number that are tried one by one."""
POINTS = 6000
"""Most values that are tried for all cells together."""


@final
@dataclass(frozen=True, eq=False)
class Leaf:
    """An s-op as a layer finds it.

    Attributes
    ----------
    node
        The s-op.
    values
        Of a categorical leaf: its values, in the order of their directions.
    codes
        Of a number that stands for few values: the number and the value it stands for, ascending.
    means
        Of a number that is the value itself and has too many values to list.
    rows
        Of a function of the position: the only position of each value, ``None`` if several.
    loose
        Whether a categorical leaf may be a mixture where the program does not look at it.
    """

    node: SOpNode
    values: tuple[Any, ...] | None = None
    codes: tuple[tuple[Fraction, Any], ...] | None = None
    means: Means | None = None
    rows: tuple[int | None, ...] | None = None
    loose: bool = False


@final
@dataclass(frozen=True)
class Line:
    """The value ``slope * z + shift`` for ``low <= z <= high``."""

    form: Form
    slope: Exact
    shift: Exact
    low: Fraction
    high: Fraction
    grid: tuple[Fraction, Fraction] | None = None
    means: Means | None = None


@final
@dataclass(frozen=True)
class Steps:
    """Stretches ``(low, high, atom)`` of ``z``, ascending, neighbours with different atoms."""

    form: Form
    stretches: tuple[tuple[Fraction, Fraction, Any], ...]


@final
@dataclass(frozen=True)
class Fixed:
    """One atom, whatever the numbers are."""

    atom: Any


Function: TypeAlias = Line | Steps | Fixed
_FAILS = object()


def resolve(
    function: Any,
    row: int | None,
    known: Mapping[Form, Means | list[Fraction]],
    made: dict[Any, Any],
) -> Function | None:
    """Return a function as constant, line or steps over the values of its form.

    ``made`` is filled with what functions of the same form and cuts have in common.
    """
    if not isinstance(function, (Affine, Pieces)):
        return Fixed(function)
    domain = known[function.form]
    conditional = isinstance(domain, Means) and domain.prefix and row is not None
    if isinstance(function, Affine):
        if isinstance(domain, Means):
            count = row + 1 if conditional and row is not None else None
            grid = None if count is None else (domain.offset, domain.unit / count)
            if domain.most == 1:
                grid = (domain.offset, domain.unit)
            low, high, means = *domain.bounds, domain
        else:
            low, high, grid, means = domain[0], domain[-1], None, None
        return Line(function.form, function.slope, function.shift, low, high, grid, means)
    if isinstance(domain, Means) and function.cuts is not None:
        return _by_cuts(function, domain, made)
    if isinstance(domain, Means):
        if conditional and row is not None:
            points: Sequence[Fraction] | None = domain.over(row + 1)
        else:
            points = domain.listed(LISTED)
        if points is None:
            raise NotHere("a function of a mean that differs at too many values")
    else:
        points = domain
    return _by_points(function, points)


def _by_points(function: Pieces, points: Sequence[Fraction]) -> Function | None:
    stretches: list[tuple[Fraction, Fraction, Any]] = []
    for z in points:
        try:
            atom = function.at(z)
        except (ArithmeticError, TypeError, ValueError, RaspError, KeyError):
            continue  # the program fails there
        _extend(stretches, z, z, atom)
    return _finished(function.form, stretches)


def _by_cuts(function: Pieces, domain: Means, made: dict[Any, Any]) -> Function | None:
    place = function.form, function.cuts
    if place not in made:
        made[place] = _between(domain, function.cuts or ())
    edges: list[tuple[Fraction, Fraction, Exact]] = made[place]
    atoms: list[Any] = []
    for _, _, inside in edges:
        try:
            atoms.append(function.at(inside))
        except (ArithmeticError, TypeError, ValueError, RaspError):
            atoms.append(_FAILS)  # the program fails there
    key = (*place, tuple((type(atom), atom) for atom in atoms))
    if key not in made:
        stretches: list[tuple[Fraction, Fraction, Any]] = []
        for (a, b, _), atom in zip(edges, atoms, strict=True):
            if atom is not _FAILS:
                _extend(stretches, a, b, atom)
        made[key] = _finished(function.form, stretches)
    found: Function | None = made[key]
    return found


def _between(domain: Means, cuts: Iterable[Exact]) -> list[tuple[Fraction, Fraction, Exact]]:
    """Return the stretches of a grid at and between cuts, each with a number inside."""
    low, high = domain.bounds
    edges: list[tuple[Fraction, Fraction, Exact]] = []
    start = low
    for cut in sorted(Fraction(cut) for cut in cuts if low <= cut <= high):
        margin = domain.margin(cut)
        if start <= cut - margin:
            edges.append((start, cut - margin, _inside(start, cut - margin)))
        edges.append((cut, cut, exact(cut)))
        start = cut + margin
    if start <= high:
        edges.append((start, high, _inside(start, high)))
    return edges


def _inside(low: Fraction, high: Fraction) -> Exact:
    """Return a number of a stretch, an integer if an end is one."""
    for end in (low, high):
        if end.denominator == 1:
            return end.numerator
    return (low + high) / 2


def _extend(
    stretches: list[tuple[Fraction, Fraction, Any]], low: Fraction, high: Fraction, atom: Any
) -> None:
    if stretches:
        a, _, last = stretches[-1]
        if type(last) is type(atom) and last == atom:
            stretches[-1] = (a, high, atom)
            return
    stretches.append((low, high, atom))


def _finished(form: Form, stretches: list[tuple[Fraction, Fraction, Any]]) -> Function | None:
    if not stretches:
        return None
    if len(stretches) == 1:
        return Fixed(stretches[0][2])
    return Steps(form, tuple(stretches))


def within_reason(
    functions: Sequence[Any],
    rows: Sequence[int | None],
    known: Mapping[Form, Means | list[Fraction]],
) -> None:
    """Refuse, before any is tried, functions that differ at too many values together."""
    points = Fraction(0)
    for function, row in zip(functions, rows, strict=True):
        if isinstance(function, Pieces) and function.cuts is None:
            domain = known[function.form]
            if not isinstance(domain, Means):
                points += len(domain)
            elif domain.prefix and row is not None:
                points += (domain.high - domain.low) / domain.unit * (row + 1)
            else:
                points += (domain.high - domain.low) / domain.unit * domain.most**2 / 4
    if points > POINTS:
        raise NotHere("a function that has to be tried at too many values")


def key_of(function: Function) -> Any:
    """Return what two functions of the same numbers have in common iff they are the same."""
    match function:
        case Fixed():
            return type(function.atom), function.atom
        case Steps():
            return function.form, tuple((a, b, type(v), v) for a, b, v in function.stretches)
    return function.form, function.slope, function.shift, function.grid


def form_values(form: Form, leaves: Mapping[int, Leaf]) -> Means | list[Fraction]:
    """Return the values of a linear form of numbers: listed, or as a grid.

    Raises
    ------
    NotHere
        If they lie too dense.
    """
    if len(form) == 1:
        single = leaves[form[0][0]]
        if single.codes is not None:
            return [code for code, _ in single.codes]
        assert single.means is not None
        return single.means
    parts = [(factor, _grid(leaves[digest])) for digest, factor in form]
    low = high = offset = Fraction(0)
    for factor, part in parts:
        ends = (factor * part.low, factor * part.high)
        low, high = low + min(ends), high + max(ends)
        offset += factor * part.offset
    unit = common_unit([factor * part.unit for factor, part in parts])
    means = [part for _, part in parts if part.most > 1]
    counts = {part.counts for part in means}
    most = math.prod(max(p.most for p in means if p.counts == c) for c in counts)
    prefix = len(counts) == 1 and all(part.prefix for part in means)
    inexact = any(part.inexact for part in means)
    if most > 1 << 20:
        raise NotHere("a function of several means whose values lie too near to one another")
    return Means(
        low,
        high,
        unit,
        offset,
        most,
        next(iter(counts)) if len(counts) == 1 else 0,
        prefix,
        inexact,
    )


def _grid(found: Leaf) -> Means:
    if found.means is not None:
        return found.means
    codes = Finite(tuple(code for code, _ in found.codes or ()))
    low, high = codes.bounds
    return Means(low, high, common_unit([c - low for c in codes.exact]), low, 1)
