"""The three stages of the depth reduction, on one concrete model.

Stage 1 fixes inputs that feed into too many activations.  Stage 2 fixes, one activation at a time,
those that satisfy many unsatisfied pairs at once.  Stage 3 satisfies the rest: *greedy* goes on
like Stage 2 with no lower limit; *moser-tardos* fixes every free input with probability q at
random and redraws the inputs of a violated pair until none is left (the constructive form of the
local lemma that the paper's proof uses).

Main definitions: :func:`stage1`, :func:`cover`, :func:`moser_tardos`.

References
----------
Hahn (2020), Section 5.1 [hahn2020]; Moser and Tardos (2010), Theorem 1.2 [moser2010].
"""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import final

import numpy as np

from restrictions.attainable import Pair, ScoreTable
from restrictions.ctransformer import CTransformer
from restrictions.probe import Fixing, positions


class StageError(ValueError):
    """A parameter of a stage is out of range, or the stage cannot be completed with it."""


@final
@dataclass(frozen=True)
class Choice:
    """One activation fixed: its position, the inputs set for it, and the pairs it was meant for."""

    activation: int
    inputs: tuple[tuple[int, int], ...]
    pairs: int


@final
@dataclass(frozen=True)
class Covered:
    """The outcome of Stage 2, or of a greedy Stage 3."""

    fixing: Fixing
    choices: tuple[Choice, ...]
    unsatisfied: int


@final
@dataclass(frozen=True)
class Resampled:
    """The outcome of Moser-Tardos: the restriction and the number of redrawn pairs."""

    fixing: Fixing
    resamples: int
    satisfied: bool


def stage1(transformer: CTransformer, eta: Fraction) -> Fixing:
    """Fix the inputs that feed into more than (1 / eta) c / C activations.

    Parameters
    ----------
    transformer
        A c-transformer with stars.
    eta
        In (0, 1/2), dimensionless.

    Returns
    -------
    Fixing
        Choice 0 for each of them; fewer than eta C n inputs, by counting.
    """
    if not 0 < eta < Fraction(1, 2):
        raise StageError(f"eta = {eta}: use a fraction strictly between 0 and 1/2")
    n = transformer.model.n
    feeds = Counter(j for i in range(n) for j in positions(transformer.sources(i)))
    if not transformer.stars:
        return transformer.fixing
    allowed = Fraction(transformer.c * n, transformer.stars) / eta
    heavy = [j for j, count in sorted(feeds.items()) if count > allowed]
    return transformer.fixing.with_literals(2 * j for j in heavy)


def cover(table: ScoreTable, fixing: Fixing, *, k: int, more_than: int, batch: int = 16) -> Covered:
    """Fix activations that satisfy more than ``more_than`` unsatisfied pairs each.

    Parameters
    ----------
    table
        Scores of the layer.
    fixing
        The restriction to extend.
    k
        A satisfied pair's prefix has at most c k free inputs.
    more_than
        Lower limit of one choice; 0 satisfies everything.
    batch
        How many choices are made before pairs are looked at again.
    """
    if k < 1:
        raise StageError(f"k = {k}: use k >= 1")
    limit = table.transformer.c * k
    choices: list[Choice] = []
    while True:
        open_pairs = [p for p in table.pairs(fixing, limit) if p.feeding > limit]
        made = 0
        candidates = _candidates(open_pairs)
        waiting = set(range(len(open_pairs)))
        while waiting and made < batch:
            gains = Counter[int]()
            for item, users in candidates.items():
                gain = len(users & waiting)
                if gain > more_than and not _conflicts(table, item, fixing):
                    gains[item] = gain
            if not gains:
                break
            item = min(gains, key=lambda t: (-gains[t] / max(1, _cost(table, t, fixing)), t))
            j, pos, neg = table.items[item]
            held = fixing.true | fixing.false
            literals = [2 * b + 1 for b in positions(pos & ~held)]
            literals += [2 * b for b in positions(neg & ~held)]
            fixing = fixing.with_literals(literals)
            choices.append(Choice(j, tuple((x >> 1, x & 1) for x in literals), gains[item]))
            waiting -= candidates[item]
            made += 1
        if not made:
            return Covered(fixing, tuple(choices), len(open_pairs))


def _candidates(pairs: list[Pair]) -> dict[int, set[int]]:
    """Return, per item, the pairs that it would satisfy: it leads a prefix within the limit."""
    found: dict[int, set[int]] = {}
    for number, pair in enumerate(pairs):
        # the last position looked at is the one that exceeded the limit
        for item in pair.best[:-1] or pair.best[:1]:
            found.setdefault(item, set()).add(number)
    return found


def _conflicts(table: ScoreTable, item: int, fixing: Fixing) -> bool:
    _, pos, neg = table.items[item]
    return bool(pos & fixing.false or neg & fixing.true)


def _cost(table: ScoreTable, item: int, fixing: Fixing) -> int:
    _, pos, neg = table.items[item]
    return ((pos | neg) & ~(fixing.true | fixing.false)).bit_count()


def moser_tardos(
    table: ScoreTable,
    fixing: Fixing,
    *,
    k: int,
    q: float,
    rng: np.random.Generator,
    most: int = 20_000,
) -> Resampled:
    """Fix free inputs at random until every pair is satisfied.

    Parameters
    ----------
    table, fixing, k
        As in :func:`cover`.
    q
        Probability with which a free input is fixed, in (0, 1); each symbol is equally likely.
    rng
        Source of the draws.
    most
        Hard limit on redrawn pairs; reaching it is reported, not hidden.

    Notes
    -----
    A pair's event looks at the first k positions of its order whose free inputs are disjoint; it
    is violated when none of them is fixed to the value that attains the greatest score.
    """
    if not 0 < q < 1:
        raise StageError(f"q = {q}: use a probability strictly between 0 and 1")
    limit = table.transformer.c * k
    held = fixing.true | fixing.false
    events: list[list[tuple[int, int]]] = []
    for pair in table.pairs(fixing, limit):
        if pair.feeding <= limit:
            continue
        chosen: list[tuple[int, int]] = []
        used = 0
        for item in pair.best:
            _, pos, neg = table.items[item]
            pos, neg = pos & ~held, neg & ~held
            if (pos | neg) & used == 0 and len(chosen) < k:
                used |= pos | neg
                chosen.append((pos, neg))
        events.append(chosen)
    users: dict[int, list[int]] = {}
    for number, chosen in enumerate(events):
        for pos, neg in chosen:
            for j in positions(pos | neg):
                users.setdefault(j, []).append(number)
    true = false = 0
    free = [
        j
        for j, choices in enumerate(table.transformer.ground.choices)
        if len(choices) > 1 and not held >> j & 1
    ]
    for j, drawn, up in zip(free, rng.random(len(free)), rng.random(len(free)), strict=True):
        if drawn < q:
            true, false = (true | 1 << j, false) if up < 0.5 else (true, false | 1 << j)

    def violated(number: int) -> bool:
        return not any(pos & ~true == 0 and neg & ~false == 0 for pos, neg in events[number])

    waiting = {number for number in range(len(events)) if violated(number)}
    resamples = 0
    while waiting and resamples < most:
        number = min(waiting)
        resamples += 1
        touched = {number}
        for pos, neg in events[number]:
            for j in positions(pos | neg):
                true, false = true & ~(1 << j), false & ~(1 << j)
                if rng.random() < q:
                    if rng.random() < 0.5:
                        true |= 1 << j
                    else:
                        false |= 1 << j
                touched.update(users[j])
        for other in touched:
            if violated(other):
                waiting.add(other)
            else:
                waiting.discard(other)
    return Resampled(Fixing(fixing.true | true, fixing.false | false), resamples, not waiting)
