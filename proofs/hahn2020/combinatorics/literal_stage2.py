"""One repetition of Stage 2 under the paper's own rule for which heads count.

An unsatisfied head counts as k-dependent on an activation when *any* of its pairs has it in the
ranking up to the last selected activation, also a pair that is satisfied already.  "Satisfied"
is granted in the weakest, repaired sense, so that only the rule itself is at fault where the
repetition achieves too little.

Main definitions: :func:`repetitions`, :class:`LiteralRepetition`.

References: Hahn (2020), Section 5.1, Stage 2 [hahn2020].
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import final

from proofs.hahn2020.combinatorics.layers import Layer, fix
from proofs.hahn2020.combinatorics.pairs import Restriction
from proofs.hahn2020.combinatorics.repetitions import PairName, prefix, unsatisfied


@final
@dataclass(frozen=True, slots=True)
class LiteralRepetition:
    """The activation that is fixed and the best that any of its assignments achieves.

    ``heads`` and ``pairs`` count what was unsatisfied before and is satisfied afterwards, each
    for the assignment that is best for it; ``rho`` is the restriction after the latter.
    """

    activation: int
    heads: int
    pairs: int
    rho: Restriction


def repetitions(layer: Layer, rho: Restriction, k: int) -> Iterator[LiteralRepetition]:
    """Yield each repetition that the paper's rule allows next, most popular activation first.

    Nothing is yielded when no activation has more than 2^c k H dependents.  Deterministic.
    """
    before = frozenset(unsatisfied(layer, rho, k))
    open_heads = sorted({head for head, _ in before})
    counts = [0] * len(layer.feeds)
    for head in open_heads:
        ranked: set[int] = set()
        for _, pair, narrowed in layer.given(rho, head):
            ranked.update(prefix(pair, narrowed, k))
        for j in ranked:
            counts[j] += 1
    for j in sorted(range(len(counts)), key=lambda j: (-counts[j], j)):
        if counts[j] > 2**layer.c * k * layer.width:
            yield _best(layer, rho, k, j, before)


def _best(
    layer: Layer, rho: Restriction, k: int, j: int, before: frozenset[PairName]
) -> LiteralRepetition:
    heads_before = len({head for head, _ in before})
    options: list[tuple[int, int, Restriction]] = []
    for bits in product((0, 1), repeat=len(layer.feeds[j])):
        after = fix(rho, layer.feeds[j], bits)
        if after is not None:
            left = frozenset(unsatisfied(layer, after, k))
            heads = heads_before - len({head for head, _ in left})
            options.append((len(before - left), heads, after))
    pairs, _, after = max(options, key=lambda option: option[0])
    return LiteralRepetition(j, max(heads for _, heads, _ in options), pairs, after)
