"""PARITY on H^2 + 4H + 1 bits with two layers of H causal heads: 6, 13, 22, 33, ... bits.

As `attention.constructions.two_layer_parity`, but nobody looks ahead.  The last position reads H
bits in layer 1.  Every other bit belongs to one of H blocks: H - 1 bits that every member reads
exactly, then four list variables.  Each of these runs a literal list on the ones before it, chosen
by its own bit; the bit that the last position reads runs one more list on all four.  The nine lists
close the 4-cube, so in layer 2 head h finds the block's parity at the member whose cell comes first
in the closing order.  Four is the most that causal lists close, and with one head six bits are the
most that two causal layers decide; for more heads this is a lower bound.

Main definitions: :func:`causal_parity`, :func:`four`.

References
----------
Own construction; the tree of attention reaches (H + 1)^2 bits.
"""

from collections.abc import Hashable
from typing import Any

from attention.constructions.list_systems import LiteralList, close
from attention.function import FunctionTransformer
from attention.transformer import ModelError

_SIZE = 4


def four() -> tuple[LiteralList, ...]:
    """Return nine lists that close the 4-cube; each looks at earlier variables only.

    Examples
    --------
    >>> close(4, four()).closed
    True
    """
    owned: dict[tuple[int, int], tuple[tuple[int, int], ...]] = {
        (1, 0): ((0, 1),),
        (1, 1): ((0, 1),),
        (2, 0): ((0, 0), (1, 0)),
        (2, 1): ((0, 1), (1, 0)),
        (3, 0): ((2, 1), (0, 0), (1, 0)),
        (3, 1): ((0, 0), (1, 0), (2, 0)),
    }
    lists = [LiteralList(owned.get((v, b), ()), (v, b)) for v in range(_SIZE) for b in (0, 1)]
    return (*lists, LiteralList(((1, 0), (3, 0), (2, 0), (0, 0))))


def causal_parity(heads: int) -> FunctionTransformer:
    """Return the machine; it accepts the words with an even number of ones.

    Positions: for each block its H - 1 exact bits, then its four list variables; then the H bits
    that the last position reads; the last position.

    Raises
    ------
    ModelError
        If ``heads < 1``.

    Examples
    --------
    >>> from attention.hard import evaluate
    >>> [evaluate(causal_parity(1), word) for word in ("000000", "010000", "110101")]
    [True, False, True]
    """
    if heads < 1:
        raise ModelError(f"heads = {heads}: use at least 1")
    system = four()
    order = enumerate(close(_SIZE, system).order)
    ranks = {(row, cell): (rank, parity) for rank, (row, cell, parity) in order}
    width = heads - 1 + _SIZE
    readers, n = width * heads, heads * heads + 4 * heads + 1

    def place(i: int) -> tuple[int, int]:
        """Return the block and the local variable, 4 for whoever runs the outside list."""
        if i < readers:
            return i // width, i % width - (heads - 1)
        return (i - readers, _SIZE) if i < n - 1 else (-1, -1)

    def row_of(i: int, bit: int) -> int | None:
        local = place(i)[1]
        return None if local < 0 else 2 * _SIZE if local == _SIZE else 2 * local + bit

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
            return int(j == start + head - 1)
        literals = system[row].literals
        literal = (j - start - (heads - 1), key[1])
        return len(literals) - literals.index(literal) if literal in literals else 0

    def act(layer: int, i: int, own: Any, attended: tuple[Any, ...]) -> Hashable:
        if layer == 2:
            return own[1] ^ (sum(a[2][2] for a in attended if a[2]) & 1) if i == n - 1 else 0
        if i == n - 1:
            return (i, own[1] ^ (sum(a[1] for a in attended) & 1), None)
        row = row_of(i, own[1])
        if row is None:
            return (i, own[1], None)
        block, literals = place(i)[0], system[row].literals
        literal = (attended[0][0] - block * width - (heads - 1), attended[0][1])
        cell = literals.index(literal) if literal in literals else len(literals)
        if (row, cell) not in ranks:
            return (i, own[1], None)
        rank, parity = ranks[(row, cell)]
        return (i, own[1], (block, rank, parity ^ (sum(a[1] for a in attended[1:]) & 1)))

    return FunctionTransformer(
        n=n,
        layers=2,
        heads=heads,
        alphabet=("0", "1"),
        embedding=lambda i, symbol: (i, int(symbol == "1")),
        scoring=score,
        activation=act,
        output=lambda parity: parity == 0,
        mask="causal",
    )
