"""Insensitive edges: a word and a flip that leaves the output as it is, or a proof of none.

A model with two outputs decides PARITY or its complement exactly if it has none.

Main definitions: :func:`edge_by_diagrams`, :class:`Edge`.

References
----------
Hahn (2020), Corollary 2 [hahn2020]; Bryant (1986) [bryant1986].
"""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import final

from attention.diagrams import Diagrams
from attention.inputsets import outputs_over
from attention.transformer import AbstractHardTransformer


@final
@dataclass(frozen=True)
class Edge:
    """A word and the position whose flip does not change the output."""

    word: tuple[Hashable, ...]
    position: int


def edge_by_diagrams(model: AbstractHardTransformer, *, limit: int = 200_000) -> Edge | None:
    """Return an insensitive edge, or ``None``, which proves that there is none.

    Parameters
    ----------
    model
        A two-symbol model of at most 512 positions.
    limit
        Greatest number of diagram nodes.

    Raises
    ------
    ModelError
        If the diagrams become too large: then nothing follows.

    Notes
    -----
    Exact: for every output the set of all inputs that yield it is built; an edge at position j
    exists if and only if the sets with position j set either way meet.

    Examples
    --------
    >>> from attention.constructions.trees import needle, parity_tree
    >>> edge_by_diagrams(parity_tree(6, 1)) is None
    True
    >>> edge_by_diagrams(needle(4, 1, "0110100110010110")).position
    0
    """
    algebra = Diagrams(model.n, limit=limit)
    outputs = outputs_over(model, algebra)
    for j in range(model.n):
        for inputs in outputs.values():
            unchanged = algebra.both(algebra.cofactor(inputs, j, 0), algebra.cofactor(inputs, j, 1))
            if not algebra.empty(unchanged):
                return Edge(tuple(model.alphabet[s] for s in algebra.word(unchanged)), j)
    return None
