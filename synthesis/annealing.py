"""Witnesses for unbounded alphabets by local search: change one list, peel, keep what is better.

With two layers, one head and any number of hidden symbols a transformer for PARITY is a system of
lists that closes the cube (see `synthesis.closing`).  Peeling decides a given system in
microseconds, so simulated annealing over the lists, with the number of words left over as its
energy, finds systems that SAT solvers find slowly or not at all.  What it finds is run on every
word; that it finds nothing proves nothing.

Main definitions: `search`, `words_left`.
"""

import math
from itertools import product

import numpy as np

from synthesis.closing import OUTSIDE, free_bits, seen_by
from synthesis.decode import from_lists
from synthesis.machine import Machine, Pair
from synthesis.spec import Spec

Key = tuple[int, int]
Chain = tuple[list[int], list[int]]
"""Positions in ranking order, and the symbol wanted at each bit."""


def search(
    spec: Spec, *, steps: int, rng: np.random.Generator, restarts: int = 1, cyclic: bool = False
) -> Machine | None:
    """Look for a machine of the cell; ``None`` means only that this search found none.

    Parameters
    ----------
    spec
        PARITY, two layers, one head, unbounded alphabet; causal or full.
    steps
        Changes tried in each restart, > 0.
    rng
        Source of the changes.
    restarts
        Number of independent starts.
    cyclic
        Full variant only: make all positions' lists shifts of position 0's, which leaves three
        lists to search.

    Returns
    -------
    Machine or None
        Right on every word of the cell.

    Examples
    --------
    >>> found = search(Spec("parity", 5, 2, 1, None), steps=3000, rng=np.random.default_rng(0))
    >>> found.mistakes()
    []
    """
    m = free_bits(spec)
    if spec.language != "parity":
        raise ValueError(f"{spec.language}: annealing is for parity")
    if cyclic and spec.variant != "full":
        raise ValueError("cyclic=True needs variant=full: causal positions see different bits")
    literals = _literals(m)
    for _ in range(restarts):
        chains = _random(spec, m, rng, cyclic)
        energy = words_left(m, _spread(chains, m, cyclic), literals)
        changeable = [key for key, (order, _) in sorted(chains.items()) if order]
        for step in range(steps):
            if energy == 0:
                machine = from_lists(spec, _as_lists(spec, _spread(chains, m, cyclic)))
                assert not machine.mistakes(), "peeling and the evaluator disagree"
                return machine
            key = changeable[int(rng.integers(len(changeable)))]
            kept = chains[key]
            chains[key] = _changed(kept, rng)
            new = words_left(m, _spread(chains, m, cyclic), literals)
            heat = 0.02 * (1 << m) * (1 - step / steps) + 0.05
            if new <= energy or rng.random() < math.exp((energy - new) / heat):
                energy = new
            else:
                chains[key] = kept
    return None


def words_left(m: int, chains: dict[Key, Chain], literals: list[tuple[int, int]]) -> int:
    """Return how many words of the m-cube peeling leaves over (bit sets are integers)."""
    everything = (1 << (1 << m)) - 1
    cells = []
    for (j, own), (order, wanted) in chains.items():
        open_words = everything if j == OUTSIDE else literals[j][own]
        for i in order:
            hit = open_words & literals[i][wanted[i]]
            cells.append(hit)
            open_words &= ~hit
        cells.append(open_words)
    odd = _odd(m)
    left = everything
    progress = True
    while progress and left:
        progress = False
        waiting = []
        for cell in cells:
            here = cell & left
            if not here:
                continue
            odd_here = here & odd
            if odd_here == 0 or odd_here == here:
                left &= ~here
                progress = True
            else:
                waiting.append(here)
        cells = waiting
    return left.bit_count()


def _literals(m: int) -> list[tuple[int, int]]:
    """Return, for every bit, the words in which it is 0 and in which it is 1."""
    rows = []
    for i in range(m):
        one = sum(1 << k for k in range(1 << m) if k >> (m - 1 - i) & 1)
        rows.append((((1 << (1 << m)) - 1) ^ one, one))
    return rows


def _odd(m: int) -> int:
    odd = 0
    for k in range(m):  # the words with one more leading bit: copy with parity flipped
        size = 1 << k
        odd |= (((1 << size) - 1) ^ odd) << size
    return odd


def _random(spec: Spec, m: int, rng: np.random.Generator, cyclic: bool) -> dict[Key, Chain]:
    chains: dict[Key, Chain] = {}
    for j in (OUTSIDE, *range(1 if cyclic else m)):
        for own in (0,) if j == OUTSIDE else (0, 1):
            order = [int(i) for i in rng.permutation(list(seen_by(spec, j)))]
            chains[j, own] = (order, [int(b) for b in rng.integers(0, 2, m)])
    return chains


def _changed(chain: Chain, rng: np.random.Generator) -> Chain:
    order, wanted = list(chain[0]), list(chain[1])
    a = int(rng.integers(len(order)))
    if rng.random() < 0.5 or len(order) == 1:
        wanted[order[a]] ^= 1
    else:
        order.insert(int(rng.integers(len(order))), order.pop(a))
    return order, wanted


def _spread(chains: dict[Key, Chain], m: int, cyclic: bool) -> dict[Key, Chain]:
    """Copy position 0's lists to all positions, shifted, if the system is cyclic."""
    if not cyclic or m == 0:
        return chains
    full = {(OUTSIDE, 0): chains[OUTSIDE, 0]}
    for j, own in product(range(m), range(2)):
        order, wanted = chains[0, own]
        shifted = [wanted[(i - j) % m] for i in range(m)]
        full[j, own] = ([(i + j) % m for i in order], shifted)
    return full


def _as_lists(spec: Spec, chains: dict[Key, Chain]) -> dict[Key, tuple[Pair, ...]]:
    """Return chains as rankings of literals: wanted ones first, the others after them."""
    return {
        key: (
            *((i, wanted[i]) for i in order),
            *((i, 1 - wanted[i]) for i in reversed(order)),
        )
        for key, (order, wanted) in chains.items()
    }
