"""Certified constant subcubes of a model: the portfolio of searches.

For one layer the answer is a closed form: the own symbol and the first literal of each head, at
most H + 1 positions.  For short inputs all constant subcubes are enumerated.  Else: plans, grown
and shrunk; a hub assignment, grown and shrunk; a full assignment, shrunk.  Every candidate is
re-verified by propagation, so whatever is returned is certain; *inconclusive* never means that
there is no such subcube.

Main definitions: :func:`certify`, :class:`Certified`, :class:`Inconclusive`.

References
----------
Hahn (2020), Theorem 1 [hahn2020]: the existence proof that this search replaces on one model.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import final

import numpy as np

from attention.bitparallel import model_truth_table
from attention.hard import trace
from attention.transformer import AbstractHardTransformer
from restrictions.grow import Grown, grow
from restrictions.hubs import hub_literals
from restrictions.literals import LiteralLayer
from restrictions.optimum import largest_constant_subcubes
from restrictions.plan import tree_plan, two_layer_plans
from restrictions.probe import Clock, Fixing, Probe
from restrictions.propagate import Caps, Propagator
from restrictions.reduction import reduce_layers
from restrictions.restriction import Restriction, RestrictionError
from restrictions.rows import BlowUp
from restrictions.shrink import shrink

SMALL = 12
"""Up to this length all constant subcubes are enumerated first."""

Progress = Callable[[str], None]


@final
@dataclass(frozen=True)
class Certified:
    """A subcube on which the model certainly answers ``output``.

    Attributes
    ----------
    restriction
        The subcube; its dimension is the figure of merit.
    output
        The constant output.
    method
        Which search found it.
    trials
        Propagations spent.
    """

    restriction: Restriction
    output: Hashable
    method: str
    trials: int


@final
@dataclass(frozen=True)
class Inconclusive:
    """Nothing was certified within the budget; this says nothing about existence."""

    reason: str


def certify(
    model: AbstractHardTransformer,
    *,
    ground: Restriction | None = None,
    inside: Sequence[Hashable] | None = None,
    seconds: float = 10.0,
    trials: int | None = None,
    rng: np.random.Generator,
    progress: Progress | None = None,
    enough: int = 0,
) -> Certified | Inconclusive:
    """Search a constant subcube that is as large as possible.

    Parameters
    ----------
    model
        Any hard-attention transformer.
    ground
        The subcube to stay in, at most two symbols a position; by default everything if the
        alphabet has two symbols.
    inside
        A word that the subcube must contain.
    seconds
        CPU budget; the search may overrun it by a fraction of a propagation.
    trials
        Budget in propagations; with ``seconds=math.inf`` the result does not depend on the machine.
    rng
        Draws the restarts.
    progress
        Receives one line per improvement.
    enough
        Stop early once at most this many positions are fixed.

    Returns
    -------
    Certified or Inconclusive
        Certified whenever any search succeeded.

    Raises
    ------
    RestrictionError
        If the ground has more than two symbols somewhere, or ``inside`` is not in it.

    Examples
    --------
    >>> from attention.families import oracle
    >>> found = certify(oracle(32, 1, 1, seed=0), rng=np.random.default_rng(0))
    >>> found.restriction.n - found.restriction.dimension <= 2
    True
    """
    ground = _checked_ground(model, ground, inside)
    clock = Clock(seconds, trials)
    search = _Search(model, ground, inside, clock, rng, progress, enough)
    if model.layers == 1:
        search.one_layer()
    else:
        search.run()
    return search.answer()


def _checked_ground(
    model: AbstractHardTransformer,
    ground: Restriction | None,
    inside: Sequence[Hashable] | None,
) -> Restriction:
    if ground is None:
        ground = Restriction.free(model.alphabet, model.n)
    if ground.n != model.n:
        raise RestrictionError(f"the ground has {ground.n} positions: this model has {model.n}")
    for i, choices in enumerate(ground.choices):
        if len(choices) > 2:
            raise RestrictionError(
                f"position {i} allows {len(choices)} symbols: give a ground with at most two"
            )
        for symbol in choices:
            if symbol not in model.alphabet:
                raise RestrictionError(f"position {i} allows {symbol!r}, unknown to the model")
    if inside is not None and not ground.contains(inside):
        raise RestrictionError("the word to contain is not in the ground: widen the ground")
    return ground


@final
class _Search:
    """One run of the portfolio; keeps the best certified fixing."""

    def __init__(
        self,
        model: AbstractHardTransformer,
        ground: Restriction,
        inside: Sequence[Hashable] | None,
        clock: Clock,
        rng: np.random.Generator,
        progress: Progress | None,
        enough: int,
    ) -> None:
        self.model, self.ground, self.rng = model, ground, rng
        self.clock, self.enough, self.progress = clock, enough, progress
        self.propagator = Propagator(model, ground.choices, stop=self.clock.over)
        self.probe = Probe(self.propagator, clock)
        self.word = inside
        self.inside = None if inside is None else self._assignment(inside)
        self.best: tuple[Fixing, Hashable, str] | None = None
        n = model.n
        self.caps = Caps(300, 30 * n)

    def _assignment(self, word: Sequence[Hashable]) -> Fixing:
        return Fixing().with_literals(
            2 * j + choices.index(word[j])
            for j, choices in enumerate(self.ground.choices)
            if len(choices) > 1
        )

    def answer(self) -> Certified | Inconclusive:
        if self.best is None:
            return Inconclusive("no constant subcube was certified within the budget")
        fixing, output, method = self.best
        choices = self.ground.choices
        values = {
            j: choices[j][fixing.true >> j & 1]
            for j in range(self.model.n)
            if (fixing.true | fixing.false) >> j & 1 and len(choices[j]) > 1
        }
        return Certified(self.ground.fix(values), output, method, self.probe.trials)

    def keep(self, fixing: Fixing, output: Hashable, method: str) -> None:
        if self.best is None or len(fixing) < len(self.best[0]):
            self.best = (fixing, output, method)
            if self.progress is not None:
                free = self.model.n - len(fixing)
                self.progress(f"{method}: {len(fixing)} fixed, {free} free, output {output!r}")

    def done(self) -> bool:
        return self.clock.over() or (self.best is not None and len(self.best[0]) <= self.enough)

    def one_layer(self) -> None:
        """Fix the own symbol, then for each head its first literal that is not false."""
        last = self.model.n - 1
        choices = range(len(self.ground.choices[last]))
        if self.inside is not None:
            choices = range(self.inside.true >> last & 1, (self.inside.true >> last & 1) + 1)
        for choice in choices:
            fixing = force_one_layer(self.propagator.first, choice, self.inside)
            final = self.probe.final(fixing, self.caps)
            assert final is not None
            if len(final.outputs) == 1:
                output = next(iter(final.outputs))
                self.keep(fixing, output, "one-layer closed form")
                shrink(
                    self.probe,
                    fixing,
                    [],
                    [self.caps],
                    self.clock,
                    output=output,
                    seen=partial(self.keep, output=output, method="one layer shrunk"),
                )

    def run(self) -> None:
        """Run the portfolio until the budget is spent."""
        if self.model.n <= SMALL and self.inside is None and self._exact():
            return
        hubs = hub_literals(self.propagator.first)
        order = [lit >> 1 for lit in reversed(hubs)]
        start = Fixing().with_literals(
            lit if self.inside is None else lit & ~1 | (self.inside.true >> (lit >> 1) & 1)
            for lit in hubs[: self.model.n // 4]
        )
        if self.model.layers == 2:
            # a first certificate soon, then better ones
            quick = grow(
                self.probe,
                start,
                hubs,
                replace(self.caps, last=2000),
                self.clock,
                inside=self.inside,
                limit=self.model.n // 2,
            )
            if quick is not None:
                self.keep(quick.fixing, quick.output, "hubs")
            self._plans(hubs, order)
        elif self.inside is None and self.model.n <= 300:
            self._reduced(hubs, order)
        if not self.done():
            self._improve(start, hubs, order, "hubs")
        while not self.done():
            word = self.word if self.word is not None else self.ground.draw(self.rng)
            plan = tree_plan(self.propagator, trace(self.model, word), word)
            before = self.best
            self._improve(plan, hubs, order, "tree of a run")
            if self.best is None:
                self._improve(self._assignment(word), hubs, order, "full assignment")
            if self.word is not None and self.best == before:
                break

    def _reduced(self, hubs: Sequence[int], order: Sequence[int]) -> None:
        """Start from the depth reduction's subcube: soon found, and good where layers are many."""
        try:
            reduced = reduce_layers(self.model, ground=self.ground, rng=self.rng, cap=4000)
        except BlowUp:
            return
        choices = self.ground.choices
        fixing = Fixing().with_literals(
            2 * j + choices[j].index(symbol)
            for j, symbol in reduced.restriction.fixed.items()
            if len(choices[j]) > 1
        )
        self._improve(fixing, hubs, order, "reduction")

    def _exact(self) -> bool:
        """Try the largest constant subcubes one by one; return whether an optimal one certifies."""
        if any(len(c) != 2 or c != self.model.alphabet for c in self.ground.choices):
            return False
        outputs = {self.model.readout(value) for value in self._sampled_values()}
        if not all(isinstance(output, (bool, np.bool_)) for output in outputs):
            return False
        wide = Caps(5000, 200_000)
        best: int | None = None
        subcubes = largest_constant_subcubes(model_truth_table(self.model))
        for fixing, _ in islice(subcubes, 400):
            best = len(fixing) if best is None else best
            found = self.probe.constant(fixing, wide)
            if found is not None:
                self.keep(fixing, found[0], "exact optimum")
                return len(fixing) == best
            if self.done():
                break
        return False

    def _sampled_values(self) -> list[Hashable]:
        return [trace(self.model, self.ground.draw(self.rng)).activations[-1][-1] for _ in "1234"]

    def _plans(self, hubs: Sequence[int], order: Sequence[int]) -> None:
        narrow = self.caps
        if self._walks_are_short():
            self.caps = Caps(3000, 150 * self.model.n)
        for plan in two_layer_plans(self.propagator, cost=6, prices=(1.0, 0.2), inside=self.inside):
            if self.done():
                break
            self._improve(plan, hubs, order, "plan")
        self.caps = narrow

    def _walks_are_short(self) -> bool:
        """Return whether unrestricted layer-1 rows are few enough to keep them all."""
        n = self.model.n
        empty = self.propagator.setting(0, 0)
        try:
            rows = self.propagator.first.rows(empty, list(range(0, n, max(1, n // 8)))[:8], 3000)
        except BlowUp:
            return False
        return sum(len(row.cubes) for row in rows) / len(rows) <= 130

    def _improve(
        self, start: Fixing, hubs: Sequence[int], order: Sequence[int], method: str
    ) -> None:
        limit = None if self.best is None else max(40, 4 * len(self.best[0]))
        found: Grown | None = grow(
            self.probe, start, hubs, self.caps, self.clock, inside=self.inside, limit=limit
        )
        if found is None:
            return
        self.keep(found.fixing, found.output, method)
        planned = start.true | start.false
        rank = [j for j in order if not planned >> j & 1] + [j for j in order if planned >> j & 1]
        shrink(
            self.probe,
            found.fixing,
            rank,
            [self.caps],
            self.clock,
            output=found.output,
            seen=lambda fixing: self.keep(fixing, found.output, method),
        )


def force_one_layer(first: LiteralLayer, choice: int, inside: Fixing | None) -> Fixing:
    """Return literals that decide every head of the last position: at most H + 1 of them.

    Inside a given word more may be needed: literals that the word makes false but a head prefers.

    The own symbol decides the decision lists; making the first literal of a list true (the first
    one that is not false already) decides its head.
    """
    last = first.n - 1
    own = 2 * last + choice
    fixing = Fixing().with_literals([own] if len(first.ground[last]) > 1 else [])
    for head in range(first.model.heads):
        for lit in first.decision_list(head, own, whole=inside is not None):
            j, b = lit >> 1, lit & 1
            if j == last and lit != own:
                continue
            if (fixing.false if b else fixing.true) >> j & 1:
                continue
            wrong = inside is not None and len(first.ground[j]) > 1 and inside.true >> j & 1 != b
            if wrong:  # keep to the word: this literal is false in it, and must stay so
                fixing = fixing.with_literals([lit ^ 1])
                continue
            if len(first.ground[j]) > 1:
                fixing = fixing.with_literals([lit])
            break
    return fixing
