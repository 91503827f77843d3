"""The selection of Stage 2: k activations with private inputs, as early in the order as possible.

Main definitions: :func:`select`, :func:`greatest_scores`.

References
----------
Hahn (2020), Section 5.1, Stage 2, eq. (7) and conditions (1), (2) [hahn2020].
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from restrictions.ctransformer import CTransformer


def select(sources: Sequence[int], k: int) -> tuple[int, ...] | None:
    """Return places ``i_1 < ... < i_k`` of the order with ``i_k`` least, or ``None``.

    Each selected activation must have an input that feeds into it and into no other selected one.

    Parameters
    ----------
    sources
        Per place of the order, the mask of the free inputs that feed into its activation.
    k
        How many to select, ``k >= 1``.

    Notes
    -----
    Tries all sets, the one with the least last place first: for small k and n.

    Examples
    --------
    >>> select([0b001, 0b001, 0b011, 0b110], 2)
    (0, 3)
    """
    for last in range(k - 1, len(sources)):
        for earlier in combinations(range(last), k - 1):
            chosen = (*earlier, last)
            if all(private(sources, chosen, place) for place in chosen):
                return chosen
    return None


def private(sources: Sequence[int], chosen: Sequence[int], place: int) -> int:
    """Return the inputs that feed into one selected activation and into no other selected one."""
    others = 0
    for other in chosen:
        if other != place:
            others |= sources[other]
    return sources[place] & ~others


def greatest_scores(
    transformer: CTransformer, head: int, i: int, leaf: int
) -> list[tuple[Fraction | int, int]]:
    """Return eq. (7) for one head and one value of its own activation: (score, position), sorted.

    For each position the greatest score over all inputs of the subcube for which activation ``i``
    has the value of its leaf ``leaf``; downwards, ties by position.
    """
    model, layer = transformer.model, transformer.removed + 1
    value, pos, neg = transformer.activations[i][leaf]
    found = []
    for j in range(i + 1 if model.mask == "causal" else model.n):
        scores = [
            model.score(layer, head, i, j, value, other)
            for other, other_pos, other_neg in transformer.activations[j]
            if not (pos & other_neg or neg & other_pos)
        ]
        found.append((max(scores), j))
    sign = -1 if model.ties == "rightmost" else 1
    return sorted(found, key=lambda pair: (-pair[0], sign * pair[1]))
