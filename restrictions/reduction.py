"""The depth reduction executed: one layer after the other is removed, with a readable trace.

Main definitions: :func:`reduce_depth` (one step), :func:`reduce_layers` (until the output is
constant), :class:`Step`, :class:`Reduction`.

References
----------
Hahn (2020), Lemma 4 and Theorem 1 [hahn2020].
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias, final

import numpy as np

from attention.transformer import AbstractHardTransformer
from restrictions.attainable import ScoreTable
from restrictions.ctransformer import CTransformer, lift, next_leaves
from restrictions.probe import Fixing
from restrictions.restriction import Restriction, RestrictionError
from restrictions.rows import BlowUp
from restrictions.stages import Choice, cover, moser_tardos, stage1

Method: TypeAlias = Literal["greedy", "moser-tardos"]


@final
@dataclass(frozen=True)
class Step:
    """One removed layer.

    Attributes
    ----------
    layer
        Which layer of the model was removed, from 1.
    n, k
        Positions; the parameter of this step.
    stars_before, stars_after
        Free inputs.
    stage1, stage2, stage3
        Inputs fixed by each stage.
    choices
        The activations fixed by Stage 2 (and by a greedy Stage 3), in order.
    method, resamples
        How Stage 3 was done; redrawn pairs.
    c_before, c_after, c_bound
        Inputs per activation before, after, and at most: ``c (2^c k H + 1)``.
    leaves
        Greatest number of leaves of a new activation: its true table size.
    transformer
        The result, with one layer fewer.
    """

    layer: int
    n: int
    k: int
    stars_before: int
    stars_after: int
    stage1: int
    stage2: int
    stage3: int
    choices: tuple[Choice, ...]
    method: Method
    resamples: int
    c_before: int
    c_after: int
    c_bound: int
    leaves: int
    transformer: CTransformer

    def text(self) -> str:
        """Return the step as a few readable lines."""
        spent = f"{self.resamples} resamples" if self.method == "moser-tardos" else "greedy"
        return "\n".join(
            [
                f"layer {self.layer} removed with k = {self.k}: "
                f"{self.stars_before} -> {self.stars_after} of {self.n} inputs free",
                f"  Stage 1 fixed {self.stage1}, Stage 2 fixed {self.stage2}, "
                f"Stage 3 fixed {self.stage3} ({spent})",
                f"  an activation depends on at most {self.c_after} free inputs "
                f"(before {self.c_before}; the lemma's bound is {_short(self.c_bound)}), "
                f"in at most {self.leaves} cases",
            ]
        )


def _short(number: int) -> str:
    digits = str(number)
    return digits if len(digits) <= 12 else f"{digits[0]}.{digits[1:3]}e{len(digits) - 1}"


@final
@dataclass(frozen=True)
class Reduction:
    """All steps, and the subcube on which the output is constant in the end.

    Attributes
    ----------
    steps
        One for each layer but the last.
    last_layer
        Inputs fixed for the last position's heads.
    restriction
        The subcube.
    output
        The constant output.
    """

    steps: tuple[Step, ...]
    last_layer: int
    restriction: Restriction
    output: Hashable


def reduce_depth(
    transformer: CTransformer,
    *,
    k: int,
    eta: Fraction = Fraction(1, 4),
    method: Method = "greedy",
    q: float = 0.5,
    rng: np.random.Generator,
    cap: int = 20_000,
) -> Step:
    """Remove one layer by fixing inputs (Lemma 4 on one model).

    Parameters
    ----------
    transformer
        A c-transformer with at least two layers, or one that is to become a function.
    k
        A satisfied head may depend on c k inputs per value; smaller k fixes more inputs.
    eta
        Parameter of Stage 1, in (0, 1/2).
    method
        Stage 3: ``"greedy"`` or ``"moser-tardos"``; greedy finishes what Moser-Tardos leaves.
    q
        Moser-Tardos only: probability with which an input is fixed.
    rng
        Moser-Tardos only.
    cap
        Greatest number of leaves of one new activation.

    Raises
    ------
    BlowUp
        If the new activations are too large: use a smaller ``k``.
    """
    before = transformer.stars
    first = stage1(transformer, eta)
    reduced = transformer.restrict(first)
    table = ScoreTable(reduced)
    heads = transformer.model.heads
    second = cover(table, first, k=k, more_than=k * heads)
    choices, resamples, third = second.choices, 0, second.fixing
    if method == "moser-tardos":
        drawn = moser_tardos(table, third, k=k, q=q, rng=rng)
        third, resamples = drawn.fixing, drawn.resamples
    rest = cover(table, third, k=k, more_than=0)
    choices += rest.choices
    settled = reduced.restrict(rest.fixing)
    after = CTransformer(
        transformer.model,
        transformer.ground,
        transformer.removed + 1,
        rest.fixing,
        next_leaves(settled, cap=cap),
    )
    c = transformer.c
    return Step(
        layer=transformer.removed + 1,
        n=transformer.model.n,
        k=k,
        stars_before=before,
        stars_after=after.stars,
        stage1=len(first) - len(transformer.fixing),
        stage2=len(second.fixing) - len(first),
        stage3=len(rest.fixing) - len(second.fixing),
        choices=choices,
        method=method,
        resamples=resamples,
        c_before=c,
        c_after=after.c,
        c_bound=c * (2**c * k * heads + 1),
        leaves=max(len(leaves) for leaves in after.activations),
        transformer=after,
    )


def reduce_layers(
    model: AbstractHardTransformer,
    *,
    ground: Restriction | None = None,
    k: int | Sequence[int] | None = None,
    method: Method = "greedy",
    q: float = 0.5,
    rng: np.random.Generator,
    cap: int = 20_000,
) -> Reduction:
    """Remove all layers but the last, then fix what the last position's heads look at.

    Parameters
    ----------
    model
        Any hard-attention transformer.
    ground
        At most two symbols a position; by default everything.
    k
        As in :func:`reduce_depth`: one for all layers, or one for each removed layer.  By default
        each layer takes the first of 4, 2, 1 with which its new activations stay within the cap.
    method, q, rng, cap
        As in :func:`reduce_depth`.

    Raises
    ------
    BlowUp
        If a layer's new activations are too large.
    RestrictionError
        If the number of given k is not that of the removed layers.

    Notes
    -----
    The last layer needs no lemma: one leaf of the last position's own activation and, for each
    head, the leaf of the best attainable score decide the output (at most c (H + 1) inputs).

    Examples
    --------
    >>> from attention.families import oracle
    >>> found = reduce_layers(oracle(24, 2, 1, seed=1), k=2, rng=np.random.default_rng(0))
    >>> found.steps[0].layer, found.restriction.dimension > 0
    (1, True)
    """
    transformer = lift(model, ground)
    removed = model.layers - 1
    if isinstance(k, Sequence) and len(k) != removed:
        raise RestrictionError(f"{len(k)} values of k for {removed} removed layers: give one each")
    steps = []
    for number in range(removed):
        tried = (4, 2, 1) if k is None else (k[number] if isinstance(k, Sequence) else k,)
        step = _first_in_reach(transformer, tried, method, q, rng, cap)
        steps.append(step)
        transformer = step.transformer
    fixing, output = force_last_layer(transformer)
    choices = transformer.ground.choices
    values = {
        j: choices[j][fixing.true >> j & 1]
        for j in range(model.n)
        if (fixing.true | fixing.false) >> j & 1
    }
    return Reduction(
        tuple(steps),
        len(fixing) - len(transformer.fixing),
        transformer.ground.fix(values),
        output,
    )


def _first_in_reach(
    transformer: CTransformer,
    tried: Sequence[int],
    method: Method,
    q: float,
    rng: np.random.Generator,
    cap: int,
) -> Step:
    for k in tried[:-1]:
        try:
            return reduce_depth(transformer, k=k, method=method, q=q, rng=rng, cap=cap)
        except BlowUp:
            continue  # a smaller k fixes more inputs
    return reduce_depth(transformer, k=tried[-1], method=method, q=q, rng=rng, cap=cap)


def force_last_layer(transformer: CTransformer) -> tuple[Fixing, Hashable]:
    """Fix at most c (H + 1) inputs so that the output of a one-layer c-transformer is constant."""
    model, last = transformer.model, transformer.model.n - 1
    cheapest = min(transformer.activations[last], key=lambda leaf: (leaf[1] | leaf[2]).bit_count())
    fixing = _and(transformer.fixing, cheapest)
    attended = []
    for head in range(model.heads):
        best = None
        for j in range(last + 1):
            for leaf in transformer.activations[j]:
                if leaf[1] & fixing.false or leaf[2] & fixing.true:
                    continue
                score = model.score(model.layers, head, last, j, cheapest[0], leaf[0])
                better = best is None or score > best[0]
                if better or (best is not None and score == best[0] and _wins(model, j, best[1])):
                    best = (score, j, leaf)
        assert best is not None
        attended.append(best[2][0])
        fixing = _and(fixing, best[2])
    value = model.act(model.layers, last, cheapest[0], tuple(attended))
    return fixing, model.readout(value)


def _wins(model: AbstractHardTransformer, j: int, other: int) -> bool:
    return model.ties == "rightmost" and j > other


def _and(fixing: Fixing, leaf: tuple[object, int, int]) -> Fixing:
    return Fixing(fixing.true | leaf[1], fixing.false | leaf[2])
