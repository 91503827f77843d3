"""Parity on (H + 1)^L bits by a tree of attention, the same with one planted error, any language.

Each layer adds up H + 1 partial parities: the last position of every block attends, with one head
each, to the last positions of the H neighbouring blocks.  For one layer this is optimal: H + 1 bits
are the most on which one layer with H heads computes parity.

Main definitions: :func:`parity_tree`, :func:`needle`, :func:`reading_tree`.

References
----------
Hahn (2020), Section 5, Corollary 2 [hahn2020]: no such machine exists for all lengths at once.
"""

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from attention.function import FunctionTransformer
from attention.transformer import ModelError
from languages.language import AbstractLanguage


def parity_tree(layers: int, heads: int, *, n: int | None = None) -> FunctionTransformer:
    """Return the machine that computes the parity of the last (H + 1)^L symbols.

    Parameters
    ----------
    layers, heads
        Shape of the tree.
    n
        Number of positions, at least (H + 1)^L, which is the default.

    Examples
    --------
    >>> from attention.hard import evaluate
    >>> [evaluate(parity_tree(2, 1), word) for word in ("0110", "0111")]
    [True, False]
    """
    return _tree(layers, heads, n, target=None)


def needle(layers: int, heads: int, target: Sequence[str]) -> FunctionTransformer:
    """Return the machine that is right for PARITY on every word but ``target``.

    Its length is (H + 1)^L = ``len(target)``; two random words tell nothing about it.

    Examples
    --------
    >>> from attention.hard import evaluate
    >>> [evaluate(needle(2, 1, "0110"), word) for word in ("0110", "0000")]
    [False, True]
    """
    return _tree(layers, heads, None, target=tuple(target))


def reading_tree(
    language: AbstractLanguage, layers: int, heads: int, n: int
) -> FunctionTransformer:
    """Return the machine whose last position knows the whole word, so that any language will do.

    A value is the set of (position, symbol) that were read; its number is not bounded.

    Parameters
    ----------
    language
        What is decided.
    layers, heads
        Shape of the tree.
    n
        Number of positions, at most (H + 1)^L.

    Examples
    --------
    >>> from attention.hard import evaluate
    >>> from languages.registry import language
    >>> [evaluate(reading_tree(language("dyck1"), 2, 1, 4), word) for word in ("()()", "())(")]
    [True, False]
    """
    if not 1 <= n <= (heads + 1) ** layers:
        raise ModelError(f"n = {n}: a tree of this shape reads 1..{(heads + 1) ** layers} symbols")

    def score(layer: int, head: int, i: int, j: int, query: Any, key: Any) -> int:
        return int(j == i - (head + 1) * (heads + 1) ** (layer - 1))

    return FunctionTransformer(
        n=n,
        layers=layers,
        heads=heads,
        alphabet=language.alphabet,
        embedding=lambda i, symbol: frozenset({(i, symbol)}),
        scoring=score,
        # whoever looks too far left sees position 0, which does no harm
        activation=lambda layer, i, own, attended: own.union(*attended),
        output=lambda value: language.contains([symbol for _, symbol in sorted(value)]),
    )


def _tree(
    layers: int, heads: int, n: int | None, *, target: tuple[str, ...] | None
) -> FunctionTransformer:
    leaves = (heads + 1) ** layers
    n = leaves if n is None else n
    if n < leaves:
        raise ModelError(f"n = {n} is less than (H + 1)^L = {leaves}: use more positions")
    if target is not None and len(target) != leaves:
        raise ModelError(f"the target has {len(target)} symbols: use (H + 1)^L = {leaves}")

    def embed(i: int, symbol: Any) -> Hashable:
        return (symbol == "1", target is not None and symbol == target[i])

    def wanted(layer: int, head: int, i: int) -> int:
        return int(i - (head + 1) * (heads + 1) ** (layer - 1))

    def score(layer: int, head: int, i: int, j: int, query: Any, key: Any) -> int:
        return int(j == wanted(layer, head, i))

    def score_rows(
        layer: int, head: int, rows: Sequence[int], queries: Any, columns: Sequence[int], keys: Any
    ) -> npt.NDArray[np.int64]:
        goal = np.array([wanted(layer, head, i) for i in rows], dtype=np.int64)
        found = goal[:, None] == np.array(columns, dtype=np.int64)[None, :]
        return np.asarray(found.astype(np.int64))

    def act(layer: int, i: int, own: Any, attended: tuple[Any, ...]) -> Hashable:
        odd, match = own
        for other_odd, other_match in attended:
            odd, match = odd ^ other_odd, match and other_match
        return (odd, match)

    return FunctionTransformer(
        n=n,
        layers=layers,
        heads=heads,
        alphabet=("0", "1"),
        embedding=embed,
        scoring=score,
        scoring_rows=score_rows,
        activation=act,
        output=lambda value: (not value[0]) ^ value[1],
    )
