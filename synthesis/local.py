"""Witnesses by local search: change one list of layer 1, peel layer 2, keep what is better.

With two layers and one head, layer 1 is a decision list for every position and own symbol, and
whether a last layer exists for it is decided greedily: repeatedly take a cell (position, hidden
value) in which all words not yet taken have the same answer.  The words left over are the energy
of simulated annealing.  Any language, any finite or unbounded alphabet, causal or full.  What is
found is run on every word; that nothing is found proves nothing.

Main definitions: `search`, `Outcome`.
"""

import math
from dataclasses import dataclass, replace
from itertools import product
from typing import final

import numpy as np

from synthesis.machine import ListKey, Machine, Pair, RowKey
from synthesis.spec import Spec, SpecError

Entry = tuple[Pair, int]
"""A pair (position, symbol) and the hidden value it gives when it is attended."""
Lists = dict[tuple[int, int], list[Entry]]
"""Ranking with values, best first, by position and own symbol."""


@final
@dataclass(frozen=True, slots=True)
class Outcome:
    """A machine that is right on every word, or ``None`` and the fewest words left over."""

    machine: Machine | None
    left: int
    steps: int


def search(spec: Spec, *, steps: int, rng: np.random.Generator, heat: float = 0.02) -> Outcome:
    """Anneal once.

    Parameters
    ----------
    spec
        Two layers, one head, causal or full, n >= 2.
    steps
        Changes to try, > 0.
    rng
        Source of the changes.
    heat
        Starting temperature as a share of the words; it falls linearly to almost nothing.

    Examples
    --------
    >>> done = search(Spec("parity", 4, 2, 1), steps=4000, rng=np.random.default_rng(1))
    >>> done.left, done.machine.mistakes()
    (0, [])
    """
    if (spec.layers, spec.heads) != (2, 1) or spec.variant == "uniform" or spec.n < 2:
        raise SpecError(f"local search is for 2 layers, 1 head, n >= 2, causal or full: {spec}")
    words = _Words(spec)
    lists = _random(spec, rng)
    held = {key: words.values(key, entries) for key, entries in lists.items()}
    energy = best = words.left(held)
    keys = sorted(key for key in lists if len(lists[key]) > 1 or spec.alphabet is not None)
    for step in range(steps):
        if energy == 0:
            machine = words.machine(lists)
            assert not machine.mistakes(), "peeling and the evaluator disagree"
            return Outcome(machine, 0, step)
        key = keys[int(rng.integers(len(keys)))]
        kept = lists[key], held[key]
        lists[key] = _changed(spec, lists[key], rng)
        held[key] = words.values(key, lists[key])
        new = words.left(held)
        warm = heat * words.count * (1 - step / steps) + 0.05
        if new <= energy or rng.random() < math.exp((energy - new) / warm):
            energy, best = new, min(best, new)
        else:
            lists[key], held[key] = kept
    return Outcome(None, best, steps)


def _random(spec: Spec, rng: np.random.Generator) -> Lists:
    lists: Lists = {}
    letters = range(len(spec.target.alphabet))
    for i, own in product(range(spec.n), letters):
        pairs = list(product(spec.visible(i), letters)) or [(-1, 0)]  # sees nothing
        order = [pairs[int(k)] for k in rng.permutation(len(pairs))]
        lists[i, own] = [(p, _value(spec, own, p, int(rng.integers(1 << 30)))) for p in order]
    return lists


def _value(spec: Spec, own: int, pair: Pair, chosen: int) -> int:
    """Return a hidden value; with an unbounded alphabet it says what was attended."""
    if spec.alphabet is not None:
        return chosen % spec.alphabet
    letters = len(spec.target.alphabet)
    return own + letters * (1 + letters * pair[0] + pair[1] if pair[0] >= 0 else 0)


def _changed(spec: Spec, entries: list[Entry], rng: np.random.Generator) -> list[Entry]:
    changed = list(entries)
    a = int(rng.integers(len(changed)))
    if spec.alphabet is not None and (len(changed) == 1 or rng.random() < 0.4):
        pair, value = changed[a]
        changed[a] = (pair, (value + 1 + int(rng.integers(spec.alphabet - 1))) % spec.alphabet)
    else:
        changed.insert(int(rng.integers(len(changed))), changed.pop(a))
    return changed


class _Words:
    """The words of a cell as bit sets, and peeling over them."""

    def __init__(self, spec: Spec) -> None:
        labels = spec.labels()
        self.spec, self.count = spec, len(labels)
        self.yes = sum(1 << k for k, answer in enumerate(labels.values()) if answer)
        letters = range(len(spec.target.alphabet))
        self.has = {
            (i, a): sum(1 << k for k, w in enumerate(labels) if w[i] == a)
            for i, a in product(range(spec.n), letters)
        }
        self.has[-1, 0] = (1 << self.count) - 1

    def values(self, key: tuple[int, int], entries: list[Entry]) -> dict[int, int]:
        """Return the words in which the position has this own symbol, by hidden value."""
        waiting = self.has[key]
        found: dict[int, int] = {}
        for pair, value in entries:
            hit = waiting & self.has[pair]
            if hit:
                found[value] = found.get(value, 0) | hit
                waiting ^= hit
                if not waiting:
                    break
        return found

    def cells(self, held: dict[tuple[int, int], dict[int, int]], i: int) -> dict[int, int]:
        """Return the words by hidden value of position ``i``."""
        found: dict[int, int] = {}
        for own in range(len(self.spec.target.alphabet)):
            for value, words in held[i, own].items():
                found[value] = found.get(value, 0) | words
        return found

    def left(self, held: dict[tuple[int, int], dict[int, int]]) -> int:
        """Return how many words peeling leaves over."""
        last = self.spec.n - 1
        cells = [c for j in range(last) for c in self.cells(held, j).values()]
        return sum(
            self.peel(mine, list(enumerate(cells)))[0].bit_count()
            for mine in self.cells(held, last).values()
        )

    def peel(self, left: int, cells: list[tuple[int, int]]) -> tuple[int, list[tuple[int, bool]]]:
        """Return the words left over and the cells taken, with their answers, in order."""
        order: list[tuple[int, bool]] = []
        progress = True
        while progress and left:
            progress, waiting = False, []
            for name, cell in cells:
                here = cell & left
                if not here:
                    continue
                right = here & self.yes
                if right == 0 or right == here:
                    order.append((name, right != 0))
                    left ^= here
                    progress = True
                else:
                    waiting.append((name, here))
            cells = waiting
        return left, order

    def machine(self, lists: Lists) -> Machine:
        """Return the transformer of the lists, its last layer in peeling order."""
        spec, last = self.spec, self.spec.n - 1
        ranks: dict[ListKey, tuple[Pair, ...]] = {}
        rows: dict[RowKey, int] = {}
        for (i, own), entries in lists.items():
            ranks[1, 0, i, own] = tuple(p for p, _ in entries if p[0] >= 0)
            for p, value in entries:
                rows[1, i, own, (p,) if p[0] >= 0 else ()] = value
        held = {key: self.values(key, entries) for key, entries in lists.items()}
        names = [(j, v) for j in range(last) for v in self.cells(held, j)]
        sets = [words for j in range(last) for words in self.cells(held, j).values()]
        for z, mine in self.cells(held, last).items():
            _, order = self.peel(mine, list(enumerate(sets)))
            ranks[2, 0, last, z] = tuple(names[k] for k, _ in order)
            rows |= {(2, last, z, (names[k],)): int(answer) for k, answer in order}
        letters = len(spec.target.alphabet)
        size = spec.alphabet or letters * (1 + letters * spec.n)
        return Machine(replace(spec), size, ranks, rows)
