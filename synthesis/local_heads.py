"""Witnesses with one layer by local search: change one head's ranking, count what cannot be right.

With one layer the last position's table is free, so rankings of its heads are good iff no two words
with different answers make all heads attend to the same pairs.  The energy of simulated annealing
is the number of words in the minority of their situation.  What is found is run on every word;
that nothing is found proves nothing.

Main definitions: `search_heads`.
"""

import math
from itertools import product

import numpy as np

from synthesis.local import Outcome
from synthesis.machine import ListKey, Machine, Pair, RowKey
from synthesis.spec import Spec, SpecError, Word

Situations = dict[tuple[Pair, ...], int]
"""The words, as a bit set, by what the heads attend to."""


def search_heads(
    spec: Spec, *, steps: int, rng: np.random.Generator, heat: float = 0.01
) -> Outcome:
    """Anneal once for every last symbol, and join what is found.

    Parameters
    ----------
    spec
        One layer, causal or full, n >= 2.
    steps
        Changes to try for each last symbol, > 0.
    rng
        Source of the changes.
    heat
        Starting temperature as a share of the words; it falls linearly to almost nothing.

    Returns
    -------
    Outcome
        Without a machine, ``left`` counts the fewest wrong words of the symbol that failed.

    Examples
    --------
    >>> done = search_heads(Spec("parity", 3, 1, 2), steps=500, rng=np.random.default_rng(0))
    >>> done.machine.mistakes()
    []
    """
    if spec.layers != 1 or spec.variant == "uniform" or spec.n < 2:
        raise SpecError(f"this local search is for one layer, n >= 2, causal or full: {spec}")
    ranks: dict[ListKey, tuple[Pair, ...]] = {}
    rows: dict[RowKey, int] = {}
    taken = 0
    labels = spec.labels()
    for own in range(len(spec.target.alphabet)):
        words = {w: answer for w, answer in labels.items() if w[-1] == own}
        lists, left, used = _anneal(spec, words, steps, rng, heat)
        taken += used
        if lists is None:
            return Outcome(None, left, taken)
        yes = _bits(list(words.values()))
        for head, ranked in enumerate(lists):
            ranks[1, head, spec.n - 1, own] = ranked
        for seen, here in _situations(lists, _sets(spec, list(words))).items():
            rows[1, spec.n - 1, own, seen] = int(here & yes != 0)
    machine = Machine(spec, 2, ranks, rows)
    assert not machine.mistakes(), "the situations and the evaluator disagree"
    return Outcome(machine, 0, taken)


def _anneal(
    spec: Spec, words: dict[Word, bool], steps: int, rng: np.random.Generator, heat: float
) -> tuple[list[tuple[Pair, ...]] | None, int, int]:
    """Return rankings, or ``None``, with the words left wrong and the steps used."""
    pairs = list(product(range(spec.n - 1), range(len(spec.target.alphabet))))
    sets, yes = _sets(spec, list(words)), _bits(list(words.values()))
    lists = [tuple(pairs[int(k)] for k in rng.permutation(len(pairs))) for _ in range(spec.heads)]
    energy = best = _minority(_situations(lists, sets), yes)
    for step in range(steps):
        if energy == 0:
            return lists, 0, step
        head, a, b = (int(rng.integers(k)) for k in (spec.heads, len(pairs), len(pairs)))
        kept, moved = lists[head], list(lists[head])
        moved.insert(b, moved.pop(a))
        lists[head] = tuple(moved)
        new = _minority(_situations(lists, sets), yes)
        warm = heat * len(words) * (1 - step / steps) + 0.05
        if new <= energy or rng.random() < math.exp((energy - new) / warm):
            energy, best = new, min(best, new)
        else:
            lists[head] = kept
    return None, best, steps


def _bits(answers: list[bool]) -> int:
    return sum(1 << k for k, answer in enumerate(answers) if answer)


def _sets(spec: Spec, words: list[Word]) -> dict[Pair, int]:
    letters = range(len(spec.target.alphabet))
    sets = {p: _bits([w[p[0]] == p[1] for w in words]) for p in product(range(spec.n - 1), letters)}
    return sets | {(-1, 0): (1 << len(words)) - 1}


def _situations(lists: list[tuple[Pair, ...]], sets: dict[Pair, int]) -> Situations:
    found: Situations = {(): sets[-1, 0]}
    for ranked in lists:
        waiting, parts = sets[-1, 0], []
        for pair in ranked:
            hit = waiting & sets[pair]
            if hit:
                parts.append((pair, hit))
                waiting ^= hit
                if not waiting:
                    break
        found = {
            (*seen, pair): both
            for seen, here in found.items()
            for pair, hit in parts
            if (both := here & hit)
        }
    return found


def _minority(situations: Situations, yes: int) -> int:
    """Return how many words cannot be right."""
    wrong = 0
    for here in situations.values():
        right = (here & yes).bit_count()
        wrong += min(right, here.bit_count() - right)
    return wrong
