"""Exact bounds on how many words of one length a model decides rightly.

A best-first decision tree splits the inputs until propagation certifies a constant output on a
leaf; on such a leaf the right answers are counted exactly.  What is left undecided bounds the
number of right answers from both sides.

Main definitions: :func:`accuracy_bounds`, :class:`AccuracyBounds`.
"""

import heapq
from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from attention.transformer import AbstractHardTransformer
from languages.language import AbstractLanguage
from restrictions.counting import members_in
from restrictions.hubs import hub_literals
from restrictions.probe import Clock, Fixing, positions
from restrictions.propagate import Caps, Propagator
from restrictions.restriction import Restriction
from restrictions.rows import BlowUp

MOST_CASES = 100_000
"""Greatest number of cases of a one-layer model that are counted one by one."""


@final
@dataclass(frozen=True)
class AccuracyBounds:
    """Right answers among all words of the model's length.

    Attributes
    ----------
    right, wrong, words
        Certified numbers of right and wrong answers; number of words.
    leaves, nodes
        Certified constant subcubes; tree nodes visited.
    """

    right: int
    wrong: int
    words: int
    leaves: int
    nodes: int

    @property
    def low(self) -> Fraction:
        """Least possible accuracy."""
        return Fraction(self.right, self.words)

    @property
    def high(self) -> Fraction:
        """Greatest possible accuracy; equal to ``low`` when the tree is complete."""
        return 1 - Fraction(self.wrong, self.words)


def accuracy_bounds(
    model: AbstractHardTransformer, language: AbstractLanguage, *, seconds: float = 10.0
) -> AccuracyBounds:
    """Bound the accuracy of a model with boolean outputs, true standing for membership.

    Parameters
    ----------
    model
        A model whose alphabet is the language's, of two symbols.
    language
        The language it is measured against.
    seconds
        CPU budget; the bounds are valid whenever it ends.

    Examples
    --------
    >>> from attention.constructions.trees import parity_tree
    >>> from languages import language
    >>> accuracy_bounds(parity_tree(1, 2), language("parity")).low
    Fraction(1, 1)
    """
    ground = Restriction.free(language.alphabet, model.n)
    clock = Clock(seconds)
    propagator = Propagator(model, ground.choices, stop=clock.over)
    if model.layers == 1:
        exact = _one_layer(propagator, language, ground, clock)
        if exact is not None:
            return exact
    hubs = hub_literals(propagator.first)
    caps = Caps(300, 30 * model.n)
    right = wrong = leaves = nodes = 0
    heap = [(0, 0, Fixing())]
    while heap and not clock.over():
        depth, _, fixing = heapq.heappop(heap)
        nodes += 1
        setting = propagator.setting(fixing.true, fixing.false)
        try:
            found = propagator.final(setting, caps)
        except BlowUp:
            found = None
        if found is not None and len(found.outputs) == 1:
            leaves += 1
            agreed, size = _agreeing(language, ground, fixing, next(iter(found.outputs)))
            right, wrong = right + agreed, wrong + size - agreed
            continue
        held = fixing.true | fixing.false
        counts: Counter[int] = Counter()
        for _, pos, neg in [] if found is None else found.items[:400]:
            counts.update(positions((pos | neg) & ~held))
        free = [lit >> 1 for lit in hubs if not held >> (lit >> 1) & 1]
        if not free:
            continue  # a single word that propagation does not settle stays undecided
        split = min(counts, key=lambda j: (-counts[j], j)) if counts else free[0]
        for bit in (0, 1):
            child = fixing.with_literals([2 * split + bit])
            heapq.heappush(heap, (depth + 1, 2 * nodes + bit, child))
    return AccuracyBounds(right, wrong, 2**model.n, leaves, nodes)


def _agreeing(
    language: AbstractLanguage, ground: Restriction, fixing: Fixing, output: Hashable
) -> tuple[int, int]:
    """Return how many words of a subcube a constant output decides rightly, and their number."""
    held = positions(fixing.true | fixing.false)
    rho = ground.fix({j: ground.choices[j][fixing.true >> j & 1] for j in held})
    members = members_in(language, rho)
    return (members if output else rho.size - members), rho.size


def _one_layer(
    propagator: Propagator, language: AbstractLanguage, ground: Restriction, clock: Clock
) -> AccuracyBounds | None:
    """Count through the cases of the only layer: their cubes partition the inputs."""
    try:
        found = propagator.final(propagator.setting(0, 0), Caps(MOST_CASES, MOST_CASES))
    except BlowUp:
        return None
    right = words = 0
    for output, pos, neg in found.items:
        if clock.over():
            return None
        agreed, size = _agreeing(language, ground, Fixing(pos, neg), output)
        right, words = right + agreed, words + size
    assert words == ground.size, "the cases of one layer partition the inputs"
    return AccuracyBounds(right, words - right, words, len(found.items), 1)
