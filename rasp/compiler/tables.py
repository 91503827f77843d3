"""Functions of a few finite s-ops as arrays: which value each combination gives.

Operations are applied once per distinct combination of operands, by the scalar functions that
define the language; integers by NumPy.  Combinations on which an operation fails are marked
:data:`UNDEFINED`: the program fails on such inputs, or they never occur.

Main definitions: :class:`Table`, :func:`combine`.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np
import numpy.typing as npt

from rasp.compiler.findings import NotHere
from rasp.errors import RaspError

CELLS = 2_000_000
"""Most cells of a table."""
COMBINATIONS = 200_000
"""Most combinations of operands that are computed one by one."""
UNDEFINED = -1
ATOMS = (str, int, float, Fraction, tuple)
"""What may be a value; tuples are the values of several s-ops together."""

Codes = npt.NDArray[np.int64]

_INTEGER: dict[str, Callable[[Any, Any], Any]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "==": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}


@final
@dataclass(frozen=True, eq=False)
class Table:
    """A function of the s-ops ``axes`` (digests, ascending).

    Attributes
    ----------
    axes
        Digest of the s-op along each axis of ``codes``.
    codes
        Number of the value, or :data:`UNDEFINED`.
    values
        Distinct atoms.
    """

    axes: tuple[int, ...]
    codes: Codes
    values: tuple[Any, ...]


def constant(value: Any) -> Table:
    """Return the function without arguments."""
    return Table((), np.zeros((), np.int64), (value,))


def leaf(digest: int, values: Sequence[Any]) -> Table:
    """Return the identity on an s-op with the given values."""
    return Table((digest,), np.arange(len(values)), tuple(values))


def combine(op: str, function: Callable[..., Any], parts: Sequence[Table]) -> Table:
    """Return ``function`` of tables as a table of all their axes.

    ``op`` names an operation of the language; without one, values need not be atoms.

    Raises
    ------
    NotHere
        If that has more than :data:`CELLS` cells or :data:`COMBINATIONS` combinations.

    Examples
    --------
    >>> digit = leaf(7, (0, 1, 2))
    >>> combine("*", lambda a, b: a * b, (digit, digit)).values
    (0, 1, 4)
    """
    axes = tuple(sorted({axis for part in parts for axis in part.axes}))
    spread = [_spread(part, axes) for part in parts]
    shape = np.broadcast_shapes(*(codes.shape for codes in spread))
    if math.prod(shape) > CELLS:
        raise NotHere(f"a table of {math.prod(shape)} cells: at most {CELLS}")
    keys: Any = np.zeros(shape, np.int64)
    bad = np.zeros(shape, bool)
    for part, codes in zip(parts, spread, strict=True):
        keys = keys * len(part.values) + np.maximum(codes, 0)
        bad |= codes < 0
    unique, inverse = np.unique(keys[~bad], return_inverse=True)
    places = []
    for part in reversed(parts):
        places.append(unique % len(part.values))
        unique = unique // len(part.values)
    places.reverse()
    results, values = _apply(op, function, parts, places)
    found = np.full(shape, UNDEFINED, np.int64)
    found[~bad] = results[inverse]
    return Table(axes, found, values)


def _spread(part: Table, axes: tuple[int, ...]) -> Codes:
    sizes = dict(zip(part.axes, part.codes.shape, strict=True))
    return part.codes.reshape([sizes.get(axis, 1) for axis in axes])


def _apply(
    op: str, function: Callable[..., Any], parts: Sequence[Table], places: Sequence[Codes]
) -> tuple[Codes, tuple[Any, ...]]:
    count = len(places[0]) if places else 1
    if count > 2000 and len(parts) == 2 and op in _INTEGER:
        whole = [_integers(part.values) for part in parts]
        if whole[0] is not None and whole[1] is not None:
            raw = _INTEGER[op](whole[0][places[0]], whole[1][places[1]])
            found, codes = np.unique(raw, return_inverse=True)
            return codes.astype(np.int64), tuple(found.tolist())
    if count > COMBINATIONS:
        raise NotHere(f"{count} combinations of operands: at most {COMBINATIONS}")
    seen: dict[tuple[type, Any], int] = {}
    codes = np.full(count, UNDEFINED, np.int64)
    pools = [part.values for part in parts]
    chosen_ones = zip(*(p.tolist() for p in places), strict=True) if places else iter([()])
    for number, chosen in enumerate(chosen_ones):
        try:
            value = function(*(pool[c] for pool, c in zip(pools, chosen, strict=True)))
        except (ArithmeticError, LookupError, TypeError, ValueError, RaspError):
            continue  # the program fails on such inputs, or they never occur
        if (isinstance(value, ATOMS) or not op) and value == value:
            codes[number] = seen.setdefault((type(value), value), len(seen))
    return codes, tuple(value for _, value in seen)


def _integers(values: Sequence[Any]) -> Codes | None:
    if all(type(value) is int and abs(value) < 1 << 30 for value in values):
        return np.array(values, np.int64)
    return None
