"""Plain baselines that the search is compared with.

Main definitions: :func:`random_prefix`, :func:`random_flips`.
"""

from dataclasses import dataclass
from typing import final

import numpy as np

from attention.hard import evaluate_batch
from attention.transformer import AbstractHardTransformer
from restrictions.probe import Fixing, Probe
from restrictions.propagate import Caps, Propagator


@final
@dataclass(frozen=True)
class Flips:
    """How many random (word, position) tries it took to find a flip that changes nothing."""

    tries: int
    found: bool


def random_flips(
    model: AbstractHardTransformer, *, most: int = 300, rng: np.random.Generator
) -> Flips:
    """Flip one random bit of random words until the output stays the same.

    Finds a witness against PARITY quickly on most models; says nothing about other words, and
    never that there is no witness.
    """
    for tries in range(1, most + 1):
        pair = rng.integers(0, 2, size=(1, model.n), dtype=np.uint8).repeat(2, axis=0)
        pair[1, int(rng.integers(model.n))] ^= 1
        first, second = evaluate_batch(model, pair).tolist()
        if first == second:
            return Flips(tries, True)
    return Flips(most, False)


def random_prefix(model: AbstractHardTransformer, *, rng: np.random.Generator) -> int:
    """Return how many positions, in a random order with random symbols, certify a constant.

    The least number found by bisection; the propagation is the search's own, so only the choice
    of positions and symbols differs.
    """
    n = model.n
    probe = Probe(Propagator(model, [tuple(model.alphabet)] * n))
    caps = Caps(300, 30 * n)
    order = rng.permutation(n).tolist()
    bits = rng.integers(0, 2, n).tolist()
    low, high = 0, n
    while low < high:
        middle = (low + high) // 2
        fixing = Fixing().with_literals(2 * j + bits[j] for j in order[:middle])
        if probe.constant(fixing, caps) is None:
            low = middle + 1
        else:
            high = middle
    return high
