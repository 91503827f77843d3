"""Sums over selected positions from the Boolean matrix, many short inputs at a time.

Main definitions: :func:`dense_rows`.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from rasp.errors import LimitError
from rasp.evaluate.columns import Ints
from rasp.evaluate.layout import Layout
from rasp.evaluate.structured import PairCodes, relation_holds
from rasp.evaluate.terms import RELATIONS, Pair
from rasp.graph import And, Best, Not, Or, Select, SelectorNode, selector_nodes

Matrix = npt.NDArray[np.bool_]
AT_ONCE = 200_000
"""Cells of a matrix held at once: small enough to stay in the processor's cache."""

MOST_CELLS = 20_000_000_000
"""Cells a selector without usable structure may have, over all inputs."""


def dense_rows(
    selector: SelectorNode,
    layout: Layout,
    pairs: Mapping[Pair, PairCodes],
    best: Callable[[Best, Matrix, Ints, Ints], Matrix],
) -> Iterator[tuple[Ints, Ints, Matrix]]:
    """Yield blocks of a selector's matrix.

    Parameters
    ----------
    selector
        Any selector.
    layout
        The batch.
    pairs
        Codes of the pairs compared.
    best
        Cuts a block down to the best-scored keys, given the block and its queries and keys.

    Yields
    ------
    tuple
        Queries, shape (b, r); keys, shape (b, n); matrix, shape (b, r, n), for ``b`` inputs of
        equal length ``n`` and ``r`` of their rows.

    Raises
    ------
    LimitError
        If there are more than :data:`MOST_CELLS` cells.
    """
    if layout.cells > MOST_CELLS:
        raise LimitError(
            f"a selector without structure on {layout.size} positions has {layout.cells} cells, "
            f"more than {MOST_CELLS}"
        )
    order = selector_nodes(selector)
    narrow = {pair: _narrow(codes) for pair, codes in pairs.items()}
    for length, inputs in layout.by_length.items():
        together = max(1, AT_ONCE // (length * length))
        rows = max(1, min(length, AT_ONCE // length))
        for begin in range(0, len(inputs), together):
            chosen = inputs[begin : begin + together]
            keys = layout.starts[chosen][:, None] + np.arange(length)[None, :]
            for row in range(0, length, rows):
                queries = keys[:, row : row + rows]
                yield queries, keys, _block(order, queries, keys, narrow, best)


def _narrow(codes: PairCodes) -> tuple[Any, Any]:
    """Return the codes in the smallest type: comparing them is what a block costs."""
    width = np.int16 if codes.size < 1 << 15 else np.int32 if codes.size < 1 << 31 else np.int64
    return codes.keys.astype(width), codes.queries.astype(width)


def _block(
    order: list[SelectorNode],
    queries: Ints,
    keys: Ints,
    pairs: Mapping[Pair, tuple[Any, Any]],
    best: Callable[[Best, Matrix, Ints, Ints], Matrix],
) -> Matrix:
    known: dict[int, Matrix] = {}
    for node in order:
        match node:
            case Select():
                of_keys, of_queries = pairs[node.keys.digest, node.queries.digest]
                known[node.digest] = relation_holds(
                    of_keys[keys][:, None, :],
                    of_queries[queries][:, :, None],
                    RELATIONS[node.op],
                )
            case And():
                known[node.digest] = known[node.left.digest] & known[node.right.digest]
            case Or():
                known[node.digest] = known[node.left.digest] | known[node.right.digest]
            case Not():
                known[node.digest] = ~known[node.inner.digest]
            case Best():
                known[node.digest] = best(node, known[node.inner.digest], queries, keys)
    return known[order[-1].digest]
