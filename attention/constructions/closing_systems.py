"""Systems of literal lists that close a cube, found by `closing_search` and stored.

Each constant can be checked in milliseconds with `attention.constructions.list_systems.close`.

Main definitions: `seven`, `eight`.
"""

from attention.constructions.closing_search import read_system
from attention.constructions.list_systems import LiteralList

_BASE = (
    ((3, 0), (6, 1), (2, 1), (5, 0), (4, 1), (1, 1)),
    ((2, 1), (5, 0), (3, 1), (1, 0), (6, 0), (4, 1)),
)
_OUTSIDE = ((3, 1), (5, 1), (1, 0), (2, 1), (4, 0), (6, 1), (0, 0))

_EIGHT = """
-3+2+5+1+6-4+7 -4-1+6-3+7+5+2 -4+0+6-2+5+3-7 -7-2-6-0-3+4+5 +6+7-1+5-4+3-0 -1-0+6-7+4+3-5
+2+5-4+7-0+1+6 +4-7-2-5+1-0+6 +0+3-2-5-7+1+6 +2-3-1+7-5-6+0 -4-7+1+6-3-2-0 +6+4-2+7+1-0-3
+1+2+0-5-3-4+7 -5-4+0-7-3-2-1 -2-6-4+0+5-1+3 +2-1+4-5-0+3+6 +5-4+3+2+1+6-0-7 -2-0-6-5-1+3-4+7
-7-3+6-5+2-0-4-1 +5+3-0-2+7+4-6+1 +5+0+4-3-2+1-6+7 +1+4-3+7+0-5-6+2 -7-5+3+1+2-0-4+6
-5+2-3-4-1+6+7-0 -0+2-1-7+3-4-6-5 +4+0+6-7+2+5-3+1 -7+1+6+4+5-0-3+2 -3-1-6+4-7-5+0+2
+5-4+2-3+1-6-0+7 -1-2+3-4+6-5+0+7 -1+4-6+5-3+2+0+7 +6-4-3-0+7+5+1-2 +4-7+3-2-6+5+1-0
-7+5-1-6-0-4+3-2 -3-6-4+7+1-0-5-2 -7+3+2+0-1+6+5+4 -3+4-5+6-1-0+7-2 +0-5+3+7+2+4-1-6
-2-4-0-1-5-6-3-7 +5-7-1-2-4+3+0-6
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
    """Return 40 lists that close the 8-cube, 24 of them without an owner."""
    return read_system(8, _EIGHT)
