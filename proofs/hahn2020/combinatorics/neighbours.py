"""Which heads are k-neighbours after Stage 2, counted on an executed layer.

Main definitions: :func:`head_inputs`, :func:`event_inputs`, :func:`neighbours`,
:func:`most_dependents`, :func:`most_fed`.

References: Hahn (2020), Section 5.1, Stages 1 and 2 [hahn2020].
"""

from collections.abc import Hashable
from typing import TypeVar

from proofs.hahn2020.combinatorics.layers import Layer
from proofs.hahn2020.combinatorics.orders import union
from proofs.hahn2020.combinatorics.pairs import Restriction, free
from proofs.hahn2020.combinatorics.repetitions import PairName, dependents, unsatisfied

Key = TypeVar("Key", bound=Hashable)


def head_inputs(layer: Layer, rho: Restriction, k: int) -> dict[int, int]:
    """Return, for each unsatisfied head, the inputs it k-depends on (a mask).

    Only unsatisfied pairs count, as in the repaired Stage 2.
    """
    inputs: dict[int, int] = {}
    for (head, _), prefix in unsatisfied(layer, rho, k).items():
        fed = union(free(layer.feeds[j], rho) for j in prefix)
        inputs[head] = inputs.get(head, 0) | fed
    return inputs


def event_inputs(layer: Layer, rho: Restriction, k: int) -> dict[PairName, int]:
    """Return, for each unsatisfied pair, the inputs that decide its event of Stage 3 (a mask).

    The event is that none of the selected activations is fixed to its best value; the inputs of
    the ranking up to the last selected one contain all that feed them.
    """
    return {
        pair: union(free(layer.feeds[j], rho) for j in prefix)
        for pair, prefix in unsatisfied(layer, rho, k).items()
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


def most_dependents(layer: Layer, rho: Restriction, k: int) -> int:
    """Return the largest number of unsatisfied heads that k-depend on one activation."""
    return max(len(heads) for heads in dependents(layer, unsatisfied(layer, rho, k)).values())


def most_fed(layer: Layer, rho: Restriction) -> int:
    """Return the largest number of activations that one free input feeds into."""
    counts = [0] * layer.inputs
    for sources in layer.feeds:
        for source in sources:
            if rho[source] is None:
                counts[source] += 1
    return max(counts)
