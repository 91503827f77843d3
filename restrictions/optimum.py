"""The largest constant subcubes of a small function, exactly.

Every subcube is a word over {0, 1, *}; an array of 3^n entries is filled axis by axis.

Main definitions: :func:`largest_constant_subcubes`.
"""

from collections.abc import Iterator

import numpy as np

from languages.sensitivity import TruthTable
from restrictions.probe import Fixing
from restrictions.restriction import RestrictionError

LARGEST = 14


def largest_constant_subcubes(table: TruthTable) -> Iterator[tuple[Fixing, bool]]:
    """Yield all constant subcubes, those with the most free positions first.

    Parameters
    ----------
    table
        A function of ``n <= 14`` bits.

    Yields
    ------
    tuple
        The fixed positions and the constant.

    Raises
    ------
    RestrictionError
        For more positions.

    Examples
    --------
    >>> from languages import language
    >>> from languages.sensitivity import truth_table
    >>> fixing, value = next(largest_constant_subcubes(truth_table(language("first"), 6)))
    >>> len(fixing), value
    (1, False)
    """
    n = table.n
    if n > LARGEST:
        raise RestrictionError(f"3^{n} subcubes are out of reach: use n <= {LARGEST}")
    bits = np.unpackbits(table.words.view(np.uint8), bitorder="little")[: 2**n]
    # axis a of the cube is position n - 1 - a
    cube = bits.reshape((2,) * n).astype(np.int8)
    for axis in range(n):
        zero, one = np.take(cube, [0], axis), np.take(cube, [1], axis)
        both = np.where(zero == one, zero, np.int8(2))
        cube = np.concatenate([cube, both], axis=axis)
    stars = np.zeros((3,) * n, dtype=np.int8)
    for axis in range(n):
        shape = [1] * n
        shape[axis] = 3
        stars += np.array([0, 0, 1], dtype=np.int8).reshape(shape)
    flat, free = cube.ravel(), stars.ravel()
    constant = np.flatnonzero(flat < 2)
    order = constant[np.argsort(-free[constant], kind="stable")]
    for index in order.tolist():
        digits = np.unravel_index(index, (3,) * n)
        true = sum(1 << (n - 1 - a) for a, d in enumerate(digits) if d == 1)
        false = sum(1 << (n - 1 - a) for a, d in enumerate(digits) if d == 0)
        yield Fixing(true, false), bool(flat[index])
