"""Search for literal lists that close a cube: annealing on the number of points left over.

With symmetries (`closing_symmetry`) there are few lists to change, and systems are found that free
annealing does not come near.

Main definitions: `search`, `left_over`, `read_system`, `write_system`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import exp

import numpy as np

from attention.constructions.closing_symmetry import Symmetry
from attention.constructions.list_systems import Literal, LiteralList, cells, odd_points
from attention.transformer import ModelError


def search(
    k: int,
    outside: int,
    *,
    steps: int,
    rng: np.random.Generator,
    block: int = 0,
    heat: tuple[float, float] = (3.0, 0.3),
) -> tuple[tuple[LiteralList, ...], int]:
    """Return the last system visited and its number of points left over (0: it closes).

    Parameters
    ----------
    k
        Number of variables, 2..12: one list for every owned literal.
    outside
        Number of lists without an owned literal.
    steps
        Number of annealing moves (swap two literals, move one, or turn one) at most.
    rng
        Source of randomness; the result is a function of its state.
    block
        0, or the block of a `Symmetry` that the system shall have: then the lists returned stand
        for all their images, and ``outside`` is a multiple of ``2 * block``.
    heat
        First and last temperature in points; it falls by the same factor in every step.

    Raises
    ------
    ModelError
        For other numbers.

    Examples
    --------
    >>> system, left = search(4, 1, steps=200, rng=np.random.default_rng(1))
    >>> len(system), left
    (9, 0)
    """
    if not 2 <= k <= 12:
        raise ModelError(f"k = {k}: closing systems are searched for 2..12 variables")
    symmetry = Symmetry(k, block) if block else None
    owned, order = [(v, b) for v in range(k) for b in (0, 1)], 1
    if symmetry is not None:
        owned, order = list(symmetry.owned()), symmetry.order
    if outside % order:
        raise ModelError(f"outside = {outside}: use a multiple of {order}, or no symmetry")
    system = [_random(k, own, rng) for own in [*owned, *[None] * (outside // order)]]
    images = [_images(k, row, symmetry) for row in system]
    here = left_over(k, images).bit_count()
    for step in range(steps):
        if not here:
            break
        i = int(rng.integers(len(system)))
        old, before = system[i], images[i]
        system[i] = _moved(old, rng)
        images[i] = _images(k, system[i], symmetry)
        now = left_over(k, images).bit_count()
        warm = heat[0] * (heat[1] / heat[0]) ** (step / steps)
        if now <= here or rng.random() < exp((here - now) / warm):
            here = now
        else:
            system[i], images[i] = old, before
    return tuple(system), here


def _images(k: int, row: LiteralList, symmetry: Symmetry | None) -> list[list[int]]:
    """Return the cells of all images of a list, by cell."""
    rows = [row] if symmetry is None else symmetry.images(row)
    return [list(same) for same in zip(*(cells(k, image) for image in rows), strict=True)]


def left_over(k: int, images: list[list[list[int]]]) -> int:
    """Peel all images of a cell at once and return the points left over (by list, cell, image)."""
    odd, left = odd_points(k), (1 << (1 << k)) - 1
    todo = [cell for row in images for cell in reversed(row)]
    moved = True
    while moved and left:
        moved, rest = False, []
        for cell in todo:
            here = cell[0] & left
            if not here:
                continue
            if here & odd and here & ~odd:
                rest.append(cell)
                continue
            for image in cell:
                left &= ~image
            moved = True
        todo = rest
    return left


def _random(k: int, own: tuple[int, int] | None, rng: np.random.Generator) -> LiteralList:
    names = [v for v in range(k) if own is None or v != own[0]]
    order = rng.permutation(names)
    return LiteralList(tuple((int(v), int(rng.integers(2))) for v in order), own)


def _moved(row: LiteralList, rng: np.random.Generator) -> LiteralList:
    literals = list(row.literals)
    a, b = (int(x) for x in rng.integers(len(literals), size=2))
    match int(rng.integers(4)):
        case 0:
            literals[a], literals[b] = literals[b], literals[a]
        case 1:
            literals.insert(b, literals.pop(a))
        case _:
            literals[a] = (literals[a][0], 1 - literals[a][1])
    return LiteralList(tuple(literals), row.own)


def write_system(system: tuple[LiteralList, ...]) -> str:
    """Write a system as words such as ``-3+0-1``, one per list, owned lists first."""
    return " ".join(
        "".join(f"{'+' if bit else '-'}{v}" for v, bit in row.literals) for row in system
    )


def read_system(
    k: int, text: str, owned: Sequence[Literal] | None = None
) -> tuple[LiteralList, ...]:
    """Read what `write_system` wrote: the owned lists (all 2k literals by default), then others.

    Examples
    --------
    >>> read_system(2, "+1 -1 +0 -0")[0]
    LiteralList(literals=((1, 1),), own=(0, 0))
    """
    owners = [(v, b) for v in range(k) for b in (0, 1)] if owned is None else owned
    rows = []
    for i, word in enumerate(text.split()):
        found = re.findall(r"([+-])(\d+)", word)
        literals = tuple((int(v), int(sign == "+")) for sign, v in found)
        rows.append(LiteralList(literals, owners[i] if i < len(owners) else None))
    return tuple(rows)
