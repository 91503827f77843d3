"""Systems of literal lists that close a cube, found by `closing_search` and stored.

Each constant can be checked in milliseconds with `attention.constructions.list_systems.close`.

Main definitions: `seven`, `eight`, `nine`, `ten`.
"""

from attention.constructions.closing_search import read_system
from attention.constructions.closing_symmetry import Symmetry
from attention.constructions.list_systems import LiteralList

_BASE = (
    ((3, 0), (6, 1), (2, 1), (5, 0), (4, 1), (1, 1)),
    ((2, 1), (5, 0), (3, 1), (1, 0), (6, 0), (4, 1)),
)
_OUTSIDE = ((3, 1), (5, 1), (1, 0), (2, 1), (4, 0), (6, 1), (0, 0))

_EIGHT = """
-5+6+2-4-7-3+1 -7+6-2+3-0+4-5 +4+5+7+6+0-3+1 +1+7+2+6-5-0-4 -1-3+7+2-5-0-6 +1-0+3+6+4+2+7
+4-2+0-5-7-1+3 +0-4+2+3+1-5-6
-0-7+6+5-1+2-4-3 -6+3+1+4+2-7+0+5 +0+6-4-2+7-5-1-3 -0-3+5-1-6-4+7-2
"""

_NINE = """
+5+8+4+2-7+6+3+1 -4-2+1+6-0-5+8+7 +7+8+1+3-5+0+4+2
+2+8+4+3+1-0+5-7-6 -4-5-2-0+7-1+6-3-8 +8+3+1+7-2-4-6-0-5 +7-8+2-6+4-5-0-3+1
"""

_TEN = """
+1+5-4+7-6+2+3-9-8 +9-7+8+6+0+1+3-4+5 -7-2-5-8-9+6+1-0+3 -1+2+3+7+0-4-5-8-9 -1+9+0-3-2+7+6+4-5
-1+6-7+0+4-5+8+9+3+2 +2+5-1-4-7+3-0+6+9+8 +1-2+0-5+4-8-9+3-6+7 -1-5-9+4-8-0+6+3+2-7
+5+7+2+3+4+1-0+6-8-9 +4+8+9-5+7-3+6+1-0-2 +8-5+4+9-2-6+7-3+1+0 +2-5+6-0-1-3+4-9+8+7
-0-1-7-2-6-8+3-9+4-5 +4-7+0-3+2-5+9-8+1-6 +8-2+3+9+0-6-7-1+5-4 -8-9-7+6+0-2+1+3+5-4
"""


def seven() -> tuple[LiteralList, ...]:
    """Return 15 lists that close the 7-cube: one pattern per own bit, shifted cyclically.

    Position i with own bit b runs pattern b with i added to every variable modulo 7; one list has
    no owner.
    """
    owned = [
        LiteralList(tuple(((v + i) % 7, bit) for v, bit in _BASE[b]), (i, b))
        for i in range(7)
        for b in (0, 1)
    ]
    return (*owned, LiteralList(_OUTSIDE))


def eight() -> tuple[LiteralList, ...]:
    """Return 24 lists that close the 8-cube, 8 of them without an owner; blocks of one."""
    return _spread(Symmetry(8, 1), _EIGHT)


def nine() -> tuple[LiteralList, ...]:
    """Return 42 lists that close the 9-cube, 24 of them without an owner; blocks of three."""
    return _spread(Symmetry(9, 3), _NINE)


def ten() -> tuple[LiteralList, ...]:
    """Return 68 lists that close the 10-cube, 48 of them without an owner; blocks of two."""
    return _spread(Symmetry(10, 2), _TEN)


def _spread(symmetry: Symmetry, text: str) -> tuple[LiteralList, ...]:
    return symmetry.spread(read_system(symmetry.k, text, symmetry.owned()))
