"""Systems of literal lists with symmetries: few lists stand for all their images.

The symmetries are rotations inside blocks of neighbouring variables and the antipode (every literal
turned).  They act freely on the literals, keep the parity of a point or turn it everywhere, so
they map closing orders to closing orders.  A system is written down by one list for the first
literal of every block and some lists without an owner.

Main definitions: `Symmetry`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from attention.constructions.list_systems import Literal, LiteralList
from attention.transformer import ModelError


@dataclass(frozen=True, slots=True)
class Symmetry:
    """Rotations of ``block`` neighbouring variables, all blocks at once, and the antipode.

    Attributes
    ----------
    k
        Number of variables.
    block
        Variables in a block; it divides ``k``.  The group has ``2 * block`` elements.

    Raises
    ------
    ModelError
        If the blocks do not fill the variables.
    """

    k: int
    block: int

    def __post_init__(self) -> None:
        if self.block < 1 or self.k % self.block:
            raise ModelError(f"block = {self.block}: use a divisor of k = {self.k}")

    @property
    def order(self) -> int:
        """Number of symmetries."""
        return 2 * self.block

    def moved(self, literal: Literal, step: int, flip: int) -> Literal:
        """Return the image of a literal: ``step`` places on in its block, turned if ``flip``."""
        variable, bit = literal
        first = variable - variable % self.block
        return first + (variable - first + step) % self.block, bit ^ flip

    def images(self, row: LiteralList) -> Iterator[LiteralList]:
        """Yield the list under every symmetry, itself first."""
        for step in range(self.block):
            for flip in (0, 1):
                literals = tuple(self.moved(x, step, flip) for x in row.literals)
                own = None if row.own is None else self.moved(row.own, step, flip)
                yield LiteralList(literals, own)

    def owned(self) -> tuple[Literal, ...]:
        """Return one literal of every orbit: the first variable of every block at 0."""
        return tuple((v, 0) for v in range(0, self.k, self.block))

    def spread(self, base: Sequence[LiteralList]) -> tuple[LiteralList, ...]:
        """Return all images: the owned lists by literal, then the others.

        Examples
        --------
        >>> base = [LiteralList(((1, 1),), (0, 0)), LiteralList(((0, 1), (1, 0)))]
        >>> rows = Symmetry(2, 2).spread(base)
        >>> len(rows), rows[0].own, rows[3]
        (8, (0, 0), LiteralList(literals=((0, 0),), own=(1, 1)))
        """
        rows = [image for row in base for image in self.images(row)]
        owned = {row.own: row for row in rows if row.own is not None}
        return (
            *(owned[literal] for literal in sorted(owned)),
            *(row for row in rows if row.own is None),
        )
