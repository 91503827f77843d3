r"""A solver-free proof for unbounded alphabets: enumerate the lists, peel the cube, get stuck.

Q(m) asks for lists that close the m-cube for PARITY (see `synthesis.closing`, causal variant).
Closing is greedy: take any cell whose remaining words have one parity; the order never matters.

**Forgetting the early positions.** Only the outside list and the two lists of the last free
position can tell a word from its neighbour across the last bit.  Any cell of an earlier position
leaves the last bit free, so it can be taken only if of each such pair of neighbours at least one
word is gone.  Hence, if we let the second word of a pair vanish as soon as the first one does, we
close at least as much as *all* lists of the earlier positions together.  It remains to enumerate

* the outside list: m! orders, all literals positive after flipping bits (flips permute words and
  change parity everywhere or nowhere);
* two lists of the last position: (m-1)! 2^(m-2) each, since the polarity of the last entry only
  swaps two cells,

and to peel pairs.  If every case gets stuck, Q(m) is impossible, whatever the early lists are.
For m = 5 these are 120 * 192 * 192 = 4,423,680 cases.

Main definitions: `relaxed`, `exact`, `Peeled`, `lists_over`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations, product
from math import factorial

import numpy as np
import numpy.typing as npt

Masks = npt.NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class Peeled:
    """How many cases were enumerated and in how many the whole cube was peeled."""

    cases: int
    closed: int


def lists_over(seen: tuple[int, ...], *, positive: bool) -> Iterator[list[dict[int, int]]]:
    """Yield every list over ``seen`` as its cells, each a partial assignment of the bits.

    Parameters
    ----------
    positive
        Only lists that look for 1s (the representatives under flipping bits).

    Examples
    --------
    >>> [len(list(lists_over(tuple(range(m)), positive=False))) for m in (0, 1, 2, 3, 4)]
    [1, 1, 4, 24, 192]
    """
    for order in permutations(seen):
        free = () if positive or not order else order[:-1]
        for signs in product((1, 0), repeat=len(free)):
            wanted = {**dict.fromkeys(order, 1), **dict(zip(free, signs, strict=True))}
            cells: list[dict[int, int]] = []
            missed: dict[int, int] = {}
            for i in order:
                cells.append({**missed, i: wanted[i]})
                missed[i] = 1 - wanted[i]
            yield [*cells, missed]


def _mask(cell: dict[int, int], words: list[tuple[int, ...]]) -> int:
    return sum(1 << k for k, w in enumerate(words) if all(w[i] == v for i, v in cell.items()))


def relaxed(m: int) -> Peeled:
    """Peel all cases of outside list and last position's lists, early positions for free.

    Parameters
    ----------
    m
        Number of free bits, 2 <= m <= 5.

    Returns
    -------
    Peeled
        ``closed == 0`` proves that Q(m) is impossible; a positive count proves nothing.

    Raises
    ------
    ValueError
        For m outside 2..5.

    Examples
    --------
    >>> relaxed(3).cases
    96
    """
    if not 2 <= m <= 5:
        raise ValueError(f"m={m}: peeling enumerates m = 2..5")
    pairs = list(product((0, 1), repeat=m - 1))  # a pair of neighbours = the first m - 1 bits
    even = np.uint32(sum(1 << k for k, p in enumerate(pairs) if sum(p) % 2 == 0))
    odd = np.uint32((1 << len(pairs)) - 1) ^ even
    options = lists_over(tuple(range(m - 1)), positive=False)
    rows = [[_mask(cell, pairs) for cell in cells] for cells in options]
    last = np.array(rows, dtype=np.uint32)
    cases = closed = 0
    for outside in lists_over(tuple(range(m)), positive=True):
        halves = []  # of each outside cell: its pairs on the side of last bit 0 and of last bit 1
        for cell in outside:
            rest = {i: v for i, v in cell.items() if i != m - 1}
            sides = [cell[m - 1]] if m - 1 in cell else [0, 1]
            mask = np.uint32(_mask(rest, pairs))
            halves.append([mask if side in sides else np.uint32(0) for side in (0, 1)])
        left = np.full((len(last), len(last)), even | odd, dtype=np.uint32)
        while True:
            before = left.copy()
            for zero, one in halves:
                evens, odds = (zero & even) | (one & odd), (zero & odd) | (one & even)
                gone = ((left & evens) == 0) | ((left & odds) == 0)
                left &= ~np.where(gone, zero | one, np.uint32(0))
            for axis in (0, 1):  # own bit 0, own bit 1
                for k in range(last.shape[1]):
                    cells = last[:, k].reshape((-1, 1) if axis == 0 else (1, -1))
                    here = left & cells
                    gone = ((here & even) == 0) | ((here & odd) == 0)
                    left &= ~np.where(gone, cells, np.uint32(0))
            if np.array_equal(left, before):
                break
        cases += left.size
        closed += int((left == 0).sum())
    return Peeled(cases, closed)


def exact(m: int) -> Peeled:
    """Peel every whole family of lists, up to flips: the oracle for small m.

    Parameters
    ----------
    m
        Number of free bits, 1 <= m <= 4.

    Examples
    --------
    >>> exact(3)
    Peeled(cases=96, closed=88)
    """
    if not 1 <= m <= 4:
        raise ValueError(f"m={m}: whole families are enumerated for m = 1..4 only")
    words = list(product((0, 1), repeat=m))
    even = np.uint32(sum(1 << k for k, w in enumerate(words) if sum(w) % 2 == 0))
    everything = np.uint32((1 << len(words)) - 1)
    axes: list[Masks] = []
    for j in range(m):
        for own in (0, 1):
            options = lists_over(tuple(range(j)), positive=False)
            rows = [[_mask({**cell, j: own}, words) for cell in cells] for cells in options]
            axes.append(np.array(rows, dtype=np.uint32))
    shape = tuple(len(axis) for axis in axes)
    closed = 0
    for outside in lists_over(tuple(range(m)), positive=True):
        left = np.full(shape, everything, dtype=np.uint32)
        while True:
            before = left.copy()
            fixed = [np.array(_mask(cell, words), dtype=np.uint32) for cell in outside]
            for dimension, axis in enumerate(axes):
                place = [1] * len(shape)
                place[dimension] = -1
                fixed += [axis[:, k].reshape(place) for k in range(axis.shape[1])]
            for cell in fixed:
                here = left & cell
                gone = ((here & even) == 0) | ((here & ~even) == 0)
                left &= ~np.where(gone, cell, np.uint32(0))
            if np.array_equal(left, before):
                break
        closed += int((left == 0).sum())
    return Peeled(factorial(m) * int(np.prod(shape)), closed)
