"""Hubs: literals that stand near the front of many layer-1 decision lists.

A literal that is true ends every walk that reaches it, so fixing the literals that many heads rank
first (attention sharing) shortens most walks at once.

Main definitions: :func:`hub_literals`.
"""

from collections import Counter

from restrictions.literals import LiteralLayer


def hub_literals(layer: LiteralLayer, *, depth: int = 24) -> list[int]:
    """Return one literal a position, the most attended first.

    Parameters
    ----------
    layer
        Layer 1 of the model.
    depth
        How many places of each decision list count; a literal in place p weighs ``1 / (p + 2)``.

    Notes
    -----
    Deterministic; sorts ``2 n heads`` decision lists the first time.
    """
    weight: Counter[int] = Counter()
    for head in range(layer.model.heads):
        for literal in layer.literals:
            for place, lit in enumerate(layer.decision_list(head, literal)[:depth]):
                weight[lit] += 2520 // (place + 2)
    found: list[int] = []
    seen: set[int] = set()
    for lit, _ in sorted(weight.items(), key=lambda pair: (-pair[1], pair[0])):
        if lit >> 1 not in seen and len(layer.ground[lit >> 1]) > 1:
            seen.add(lit >> 1)
            found.append(lit)
    rest = [j for j in range(layer.n) if j not in seen and len(layer.ground[j]) > 1]
    return found + [2 * j for j in rest]
