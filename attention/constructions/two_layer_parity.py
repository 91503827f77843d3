"""PARITY on H^2 + 7H + 1 bits with two layers of H heads: 9, 19, 31, 45, ... bits.

The last position reads H bits in layer 1.  Every other bit belongs to one of H blocks: seven list
variables and H - 1 bits that every member reads exactly.  Each list variable's position runs a
literal list on the other six, chosen by its own bit; the bit that the last position read runs one
more list.  The lists close the 7-cube, so in layer 2 head h finds the block's parity at the member
whose cell comes first in the closing order.

Main definitions: :func:`two_layer_parity`.

References
----------
Own construction; the tree of attention reaches (H + 1)^2 bits.
"""

from collections.abc import Hashable
from typing import Any

from attention.constructions.closing_systems import seven
from attention.constructions.list_systems import LiteralList, close
from attention.function import FunctionTransformer
from attention.transformer import ModelError

_SIZE = 7


def _ranks(system: tuple[LiteralList, ...]) -> dict[tuple[int, int], tuple[int, int]]:
    """Return (list, cell) -> (rank in the closing order, parity of the points it decides)."""
    order = close(_SIZE, system).order
    return {(row, cell): (rank, parity) for rank, (row, cell, parity) in enumerate(order)}


def two_layer_parity(heads: int) -> FunctionTransformer:
    """Return the machine; it accepts the words with an even number of ones.

    Positions: for each block h its seven list variables, then its H - 1 exact bits; then the H
    bits that the last position reads; the last position.

    Raises
    ------
    ModelError
        If ``heads < 1``.

    Examples
    --------
    >>> from attention.hard import evaluate
    >>> [evaluate(two_layer_parity(1), word) for word in ("000000000", "010000000", "110101001")]
    [True, False, False]
    """
    if heads < 1:
        raise ModelError(f"heads = {heads}: use at least 1")
    system, ranks = seven(), _ranks(seven())
    width = _SIZE + heads - 1
    readers, n = width * heads, heads * heads + 7 * heads + 1

    def place(i: int) -> tuple[int, int | None]:
        """Block and local variable (None for the outside runner); block -1 for the others."""
        if i < readers:
            block, local = divmod(i, width)
            return (block, local) if local < _SIZE else (-1, None)
        return (i - readers, None) if i < n - 1 else (-1, None)

    def row_of(i: int, bit: int) -> int | None:
        block, local = place(i)
        if block < 0:
            return None
        return 2 * local + bit if local is not None else 2 * _SIZE

    def score(layer: int, head: int, i: int, j: int, query: Any, key: Any) -> int:
        if layer == 2:
            found = key[2]
            return -found[1] if i == n - 1 and found and found[0] == head else -(10**6)
        if i == n - 1:
            return int(j == readers + head)
        row = row_of(i, query[1])
        if row is None:
            return 0
        start = place(i)[0] * width
        if head > 0:
            return int(j == start + _SIZE + head - 1)
        literals = system[row].literals
        literal = (j - start, key[1])
        return len(literals) - literals.index(literal) if literal in literals else 0

    def act(layer: int, i: int, own: Any, attended: tuple[Any, ...]) -> Hashable:
        if layer == 2:
            return own[1] ^ (sum(a[2][2] for a in attended) & 1) if i == n - 1 else 0
        if i == n - 1:
            return (i, own[1] ^ (sum(a[1] for a in attended) & 1), None)
        row = row_of(i, own[1])
        if row is None:
            return (i, own[1], None)
        block, literals = place(i)[0], system[row].literals
        literal = (attended[0][0] - block * width, attended[0][1])
        cell = literals.index(literal) if literal in literals else len(literals)
        if (row, cell) not in ranks:
            return (i, own[1], None)
        rank, parity = ranks[(row, cell)]
        extra = sum(a[1] for a in attended[1:]) & 1
        return (i, own[1], (block, rank, parity ^ extra))

    return FunctionTransformer(
        n=n,
        layers=2,
        heads=heads,
        alphabet=("0", "1"),
        embedding=lambda i, symbol: (i, int(symbol == "1")),
        scoring=score,
        activation=act,
        output=lambda parity: parity == 0,
    )
