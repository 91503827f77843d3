"""A hard-attention transformer given as Python functions.

Main definitions: :class:`FunctionTransformer`.

References
----------
Hahn (2020), Section 3 [hahn2020].
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np
import numpy.typing as npt

from attention.transformer import (
    AbstractHardTransformer,
    Mask,
    Ties,
    require_exact,
    require_frame,
    require_hashable,
)


@final
@dataclass(frozen=True, kw_only=True)
class FunctionTransformer(AbstractHardTransformer):
    """A model whose parts are functions; activations are any hashable values.

    Parameters
    ----------
    n, layers, heads, alphabet, ties, mask
        As in :class:`AbstractHardTransformer`.
    embedding
        ``(i, symbol) -> value``.
    scoring
        ``(layer, head, i, j, query, key) -> int | Fraction``.
    activation
        ``(layer, i, own, attended) -> value``, ``attended`` one value per head.
    output
        ``value -> output``; by default the truth value of the final activation.
    scoring_rows
        Optional faster ``scoring`` for many at once: ``(layer, head, rows, queries, columns,
        keys) -> int64 array (m, p)``; must equal ``scoring`` entry by entry.
    activation_rows
        Optional faster ``activation``: ``(layer, rows, own, attended) -> list`` of m values, with
        ``attended`` holding m values per head.

    Raises
    ------
    ModelError
        At construction for an impossible frame; on use for an unhashable activation or a score
        that is not exact.

    Notes
    -----
    The functions must be deterministic and pure.

    Examples
    --------
    Position 1 attends to position 0 and copies it:

    >>> from attention.hard import evaluate
    >>> first = FunctionTransformer(
    ...     n=2, layers=1, heads=1, alphabet=("0", "1"),
    ...     embedding=lambda i, symbol: symbol,
    ...     scoring=lambda layer, head, i, j, query, key: -j,
    ...     activation=lambda layer, i, own, attended: attended[0],
    ...     output=lambda value: value == "1")
    >>> evaluate(first, "10"), evaluate(first, "01")
    (True, False)
    """

    n: int
    layers: int
    heads: int
    alphabet: tuple[Hashable, ...]
    embedding: Callable[[int, Any], Hashable]
    scoring: Callable[[int, int, int, int, Any, Any], int | Fraction]
    activation: Callable[[int, int, Any, tuple[Any, ...]], Hashable]
    output: Callable[[Any], Hashable] = bool
    scoring_rows: Callable[..., npt.NDArray[np.int64]] | None = None
    activation_rows: Callable[..., list[Hashable]] | None = None
    ties: Ties = "leftmost"
    mask: Mask = "full"

    def __post_init__(self) -> None:
        require_frame(self.n, self.layers, self.heads, self.alphabet, self.ties, self.mask)

    def embed(self, i: int, symbol: Hashable) -> Hashable:
        """Return the layer-0 activation, checked to be hashable."""
        return require_hashable(
            self.embedding(i, symbol), f"the layer-0 activation at position {i}"
        )

    def score(self, layer: int, head: int, i: int, j: int, query: Any, key: Any) -> int | Fraction:
        """Return the score, checked to be exact."""
        found = self.scoring(layer, head, i, j, query, key)
        if type(found) is int:
            return found
        return require_exact(found, f"the score of layer {layer}, head {head}, {i} -> {j}")

    def act(self, layer: int, i: int, own: Any, attended: tuple[Any, ...]) -> Hashable:
        """Return the next activation, checked to be hashable."""
        return require_hashable(
            self.activation(layer, i, own, attended),
            f"the layer-{layer} activation at position {i}",
        )

    def readout(self, value: Any) -> Hashable:
        """Return the output, checked to be hashable."""
        return require_hashable(self.output(value), "the output")
