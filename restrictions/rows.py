"""Rows: the attainable activations of one position, and the merging of equal ones.

Main definitions: :class:`Row`, :func:`merged`, :class:`BlowUp`.
"""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from attention.scoring import take


class BlowUp(Exception):
    """A cap on the number of cases was exceeded; nothing follows from it."""


@final
@dataclass(frozen=True, slots=True)
class Row:
    """The attainable activations of one position.

    Attributes
    ----------
    values
        Packed activations, m of them.
    pos, neg
        Per activation, the positions that must take choice 1, resp. choice 0 (bit masks): a
        necessary condition for the activation to occur.
    touched
        Mask of the positions whose restriction the row depends on.
    ready
        Whether ``values`` holds activations (else the literals that they are computed from).
    """

    values: Any
    pos: list[int]
    neg: list[int]
    touched: int
    ready: bool


def merged(row: Row) -> Row:
    """Merge activations of equal value; their cubes are joined, so the row stays sound."""
    if len(row.pos) < 2:
        return row
    values = row.values
    keys: list[Any]
    if not isinstance(values, np.ndarray):
        keys = values
    elif values.ndim == 1:
        keys = values.tolist()
    elif values.dtype == object:
        keys = [tuple(v) for v in values.tolist()]
    else:
        keys = [v.tobytes() for v in values]
    first: dict[Any, int] = {}
    for index, key in enumerate(keys):
        first.setdefault(key, index)
    if len(first) == len(keys):
        return row
    pos = {key: row.pos[index] for key, index in first.items()}
    neg = {key: row.neg[index] for key, index in first.items()}
    for index, key in enumerate(keys):
        pos[key] &= row.pos[index]
        neg[key] &= row.neg[index]
    return Row(
        take(values, list(first.values())),
        list(pos.values()),
        list(neg.values()),
        row.touched,
        True,
    )
