"""Stage 2 as executable code: fix one popular activation at a time until none is left.

This is the repaired loop.  A head k-depends on an activation if one of its *unsatisfied* pairs
has it in the ranking up to the last selected one.  While more than 2^c k H heads depend on one
activation, its free inputs are fixed to an assignment that satisfies more than kH pairs.

Main definitions: :func:`run`, :class:`Repetition`, :func:`unsatisfied`, :func:`dependents`,
:func:`prefix`.

References: Hahn (2020), Section 5.1, Stage 2 [hahn2020]; the repair is our own.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Literal, final

from proofs.hahn2020.combinatorics.layers import Layer, fix
from proofs.hahn2020.combinatorics.orders import Order, selections
from proofs.hahn2020.combinatorics.pairs import Pair, Restriction, free

PairName = tuple[int, int]  # (index of the head, z)


@final
@dataclass(frozen=True, slots=True)
class Repetition:
    """One repetition: the activation, the restriction after it, and the pairs it settled.

    ``dependents`` is the number of heads that depended on the activation before.
    """

    activation: int
    rho: Restriction
    dependents: int
    settled: frozenset[PairName]


def unsatisfied(layer: Layer, rho: Restriction, k: int) -> dict[PairName, tuple[int, ...]]:
    """Return every unsatisfied pair with the activations that it k-depends on.

    A pair is satisfied when it has a witness, when at most ck free inputs feed all activations
    together, or when its value z is impossible under rho.
    """
    found: dict[PairName, tuple[int, ...]] = {}
    for head in range(len(layer.heads)):
        for z, pair, narrowed in layer.given(rho, head):
            prefix_of_pair = _open_prefix(pair, narrowed, k, layer.c * k)
            if prefix_of_pair is not None:
                found[head, z] = prefix_of_pair
    return found


def dependents(
    layer: Layer, open_pairs: dict[PairName, tuple[int, ...]]
) -> dict[int, frozenset[int]]:
    """Return, for each activation, the heads with an unsatisfied pair that k-depends on it."""
    return {
        j: frozenset(head for (head, _), prefix in open_pairs.items() if j in prefix)
        for j in range(len(layer.feeds))
    }


def run(
    layer: Layer,
    rho: Restriction,
    k: int,
    *,
    settle: Literal["most", "fewest"] = "most",
    pick: Literal["popular", "first"] = "popular",
) -> Iterator[Repetition]:
    """Run Stage 2 and yield its repetitions.

    Parameters
    ----------
    k
        At least 1.
    settle
        Which of the allowed assignments to fix: the one that satisfies most pairs, or, against
        the proof, the one that satisfies fewest while still more than kH.
    pick
        Which activation with more than 2^c k H dependents to fix: the most popular one, or the
        first by position.

    Notes
    -----
    Deterministic: among equals the lowest position and assignment.
    """
    limit = k * layer.width
    while True:
        open_pairs = unsatisfied(layer, rho, k)
        heads = dependents(layer, open_pairs)
        popular = [j for j in sorted(heads) if len(heads[j]) > 2**layer.c * limit]
        if not popular:
            return
        j = popular[0] if pick == "first" else max(popular, key=lambda a: (len(heads[a]), -a))
        options = []
        for bits in product((0, 1), repeat=len(layer.feeds[j])):
            candidate = fix(rho, layer.feeds[j], bits)
            if candidate is not None:
                left = unsatisfied(layer, candidate, k)
                options.append((candidate, frozenset(open_pairs) - frozenset(left)))
        rho, settled = _choose(options, limit, settle)
        yield Repetition(j, rho, len(heads[j]), settled)


def _choose(
    options: list[tuple[Restriction, frozenset[PairName]]], limit: int, settle: str
) -> tuple[Restriction, frozenset[PairName]]:
    allowed = [option for option in options if len(option[1]) > limit] or options
    if settle == "fewest":
        return min(allowed, key=lambda option: len(option[1]))
    return max(allowed, key=lambda option: len(option[1]))


def prefix(pair: Pair, rho: Restriction, k: int) -> tuple[int, ...]:
    """Return the activations with free inputs, ranked up to the last selected one.

    All of them if nothing can be selected.
    """
    return _upto_last_selected(pair, rho, k, [j for j, _ in pair.ranked(rho)])


def _open_prefix(pair: Pair, rho: Restriction, k: int, limit: int) -> tuple[int, ...] | None:
    """Return the prefix of an unsatisfied pair, ``None`` for a satisfied one."""
    ranked = pair.ranked(rho)
    fed_by = 0
    for j, constant in ranked:
        fed_by |= free(pair.feeds[j], rho)
        if constant and fed_by.bit_count() <= limit:
            return None
    if fed_by.bit_count() <= limit:
        return None
    return _upto_last_selected(pair, rho, k, [j for j, _ in ranked])


def _upto_last_selected(
    pair: Pair, rho: Restriction, k: int, ranking: list[int]
) -> tuple[int, ...]:
    masks = [free(pair.feeds[j], rho) for j in ranking]
    allowed = selections(Order(tuple(masks)), k)
    length = allowed[0][-1] + 1 if allowed else len(masks)
    return tuple(j for j, mask in zip(ranking[:length], masks[:length], strict=True) if mask)
