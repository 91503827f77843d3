"""Rows: the attainable activations of one position, and the merging of equal ones.

A *cube* is a set of input literals that must hold, as one integer of 2 n bits: bit j says that
position j takes choice 1, bit n + j that it takes choice 0.  Conjunction of cubes is ``|``, the
literals shared by two cubes are ``&``.

Main definitions: :class:`Row`, :func:`merged`, :func:`opposite`, :class:`BlowUp`.
"""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from attention.scoring import take


class BlowUp(Exception):
    """A cap on the number of cases was exceeded; nothing follows from it."""


def opposite(cube: int, n: int) -> int:
    """Return the cube with every literal negated; it meets just the cubes that contradict it.

    Examples
    --------
    >>> opposite(0b0001, 2) == 0b0100
    True
    """
    return cube >> n | (cube & (1 << n) - 1) << n


@final
@dataclass(frozen=True, slots=True)
class Row:
    """The attainable activations of one position.

    Attributes
    ----------
    values
        Packed activations, m of them.
    cubes
        Per activation, the literals that it needs: a necessary condition for it to occur.
    touched
        Mask of the positions whose restriction the row depends on.
    ready
        Whether ``values`` holds activations (else the literals that they are computed from).
    """

    values: Any
    cubes: list[int]
    touched: int
    ready: bool


def merged(row: Row) -> Row:
    """Merge activations of equal value; their cubes are joined, so the row stays sound."""
    if len(row.cubes) < 2:
        return row
    first, cubes = grouped(keys(row.values), row.cubes)
    if len(first) == len(row.cubes):
        return row
    return Row(take(row.values, first), cubes, row.touched, True)


def grouped(names: list[Any], cubes: list[int]) -> tuple[list[int], list[int]]:
    """Return where each name occurs first, and the literals shared by all cubes of that name."""
    first: dict[Any, int] = {}
    shared: dict[Any, int] = {}
    for index, (name, cube) in enumerate(zip(names, cubes, strict=True)):
        if name in first:
            shared[name] &= cube
        else:
            first[name], shared[name] = index, cube
    return list(first.values()), list(shared.values())


def keys(values: Any) -> list[Any]:
    """Return hashable names of packed values: equal exactly for equal values."""
    if not isinstance(values, np.ndarray):
        return list(values)
    if values.ndim == 1:
        return list(values.tolist())
    if values.dtype == object:
        return [tuple(value) for value in values.tolist()]
    rows = np.ascontiguousarray(values)
    return list(rows.view(np.dtype((np.void, rows.itemsize * rows.shape[1]))).ravel().tolist())
