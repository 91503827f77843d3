"""Hard attention that recognises 1*, aⁿbⁿ and FIRST at every length, and AND-of-ORs.

Each rule is the same for all lengths: embeddings use the symbol and the position only.

Main definitions: :func:`ones`, :func:`equal_blocks`, :func:`first`, :func:`tribes`.

References
----------
Hahn (2020), Section 5, discussion (1*, aⁿbⁿ) [hahn2020]; Chiang and Cholak (2022), Section 3.2
(FIRST) [chiang2022]; Ben-Or and Linial (1985) (tribes) [benor1985].
"""

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from attention.function import FunctionTransformer
from attention.transformer import ModelError


def ones(n: int) -> FunctionTransformer:
    """Return the one-layer machine for 1*: the last position looks for a 0.

    Examples
    --------
    >>> from attention.hard import evaluate
    >>> evaluate(ones(3), "111"), evaluate(ones(3), "101")
    (True, False)
    """
    return FunctionTransformer(
        n=n,
        layers=1,
        heads=1,
        alphabet=("0", "1"),
        embedding=lambda i, symbol: symbol,
        scoring=lambda layer, head, i, j, query, key: int(key == "0"),
        activation=lambda layer, i, own, attended: attended[0],
        output=lambda value: value == "1",
    )


def first(n: int) -> FunctionTransformer:
    """Return the one-layer machine for FIRST: earlier positions score higher.

    Examples
    --------
    >>> from attention.hard import evaluate
    >>> evaluate(first(3), "100"), evaluate(first(3), "011")
    (True, False)
    """
    return FunctionTransformer(
        n=n,
        layers=1,
        heads=1,
        alphabet=("0", "1"),
        embedding=lambda i, symbol: symbol,
        scoring=lambda layer, head, i, j, query, key: -j,
        activation=lambda layer, i, own, attended: attended[0],
        output=lambda value: value == "1",
    )


def equal_blocks(n: int) -> FunctionTransformer:
    """Return the two-layer machine for aⁿbⁿ.

    Layer 1: every position looks at the last one, learns the length and knows whether its own
    symbol is wrong.  Layer 2: the last position looks for a wrong one.

    Examples
    --------
    >>> from attention.hard import evaluate
    >>> [evaluate(equal_blocks(4), word) for word in ("aabb", "abab", "abbb")]
    [True, False, False]
    """

    def embed(i: int, symbol: Any) -> Hashable:
        return (symbol, i)

    def score(layer: int, head: int, i: int, j: int, query: Any, key: Any) -> int:
        return j if layer == 1 else int(key)

    def act(layer: int, i: int, own: Any, attended: tuple[Any, ...]) -> Hashable:
        if layer == 2:
            return bool(attended[0] or own)
        length = attended[0][1] + 1
        symbol, place = own
        return bool(length % 2 == 1 or (symbol == "a") != (place < length // 2))

    return FunctionTransformer(
        n=n,
        layers=2,
        heads=1,
        alphabet=("a", "b"),
        embedding=embed,
        scoring=score,
        activation=act,
        output=lambda wrong: not wrong,
    )


def tribes(n: int, block: int) -> FunctionTransformer:
    """Return the two-layer machine for the AND of ORs over consecutive blocks.

    The smallest number of positions that force its output is min(block, n / block): one block of
    0s, or a 1 in each block.

    Examples
    --------
    >>> from attention.hard import evaluate
    >>> [evaluate(tribes(4, 2), word) for word in ("0110", "0011")]
    [True, False]
    """
    if block < 1 or n % block:
        raise ModelError(f"blocks of {block} do not divide n = {n}: use a divisor")

    def score(layer: int, head: int, i: int, j: int, query: Any, key: Any) -> int:
        if layer == 2:
            return int(key == 0)
        return int(1 + key) * int(i // block == j // block)

    def score_rows(
        layer: int, head: int, rows: Sequence[int], queries: Any, columns: Sequence[int], keys: Any
    ) -> npt.NDArray[np.int64]:
        values = np.asarray(keys, dtype=np.int64)
        if layer == 2:
            return np.tile((values == 0).astype(np.int64), (len(rows), 1))
        mine = np.asarray(rows, dtype=np.int64) // block
        theirs = np.asarray(columns, dtype=np.int64) // block
        return np.asarray((mine[:, None] == theirs[None, :]) * (1 + values)[None, :])

    return FunctionTransformer(
        n=n,
        layers=2,
        heads=1,
        alphabet=("0", "1"),
        embedding=lambda i, symbol: int(symbol == "1"),
        scoring=score,
        scoring_rows=score_rows,
        activation=lambda layer, i, own, attended: attended[0],
        output=bool,
    )
