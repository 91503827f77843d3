"""Which heads are k-neighbours after Stage 2, counted on an executed layer.

Main definitions: :func:`event_inputs`, :func:`neighbours`, :func:`most_fed`.

References: Hahn (2020), Section 5.1, Stages 1 and 2 [hahn2020].
"""

from collections.abc import Hashable, Mapping
from typing import TypeVar

from proofs.hahn2020.combinatorics.layers import Layer
from proofs.hahn2020.combinatorics.orders import union
from proofs.hahn2020.combinatorics.pairs import Restriction, free
from proofs.hahn2020.combinatorics.repetitions import PairName

Key = TypeVar("Key", bound=Hashable)


def event_inputs(
    layer: Layer, rho: Restriction, pairs: Mapping[PairName, tuple[int, ...]]
) -> dict[PairName, int]:
    """Return, for each unsatisfied pair, the inputs that decide its event of Stage 3 (a mask).

    The event is that none of the selected activations is fixed to its best value; the inputs of
    the ranking up to the last selected one contain all that feed them.  ``pairs`` is what
    :func:`~proofs.hahn2020.combinatorics.repetitions.unsatisfied` returns.
    """
    return {
        pair: union(free(layer.feeds[j], rho) for j in prefix) for pair, prefix in pairs.items()
    }


def neighbours(inputs: dict[Key, int]) -> dict[Key, frozenset[Key]]:
    """Return, for each head (or event), the others that share an input with it.

    Examples
    --------
    >>> neighbours({0: 0b011, 1: 0b110, 2: 0b1000})[0]
    frozenset({1})
    """
    return {
        head: frozenset(other for other in inputs if other != head and inputs[other] & mask)
        for head, mask in inputs.items()
    }


def most_fed(layer: Layer, rho: Restriction) -> int:
    """Return the largest number of activations that one free input feeds into."""
    counts = [0] * layer.inputs
    for sources in layer.feeds:
        for source in sources:
            if rho[source] is None:
                counts[source] += 1
    return max(counts)
