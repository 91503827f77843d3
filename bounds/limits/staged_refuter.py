r"""A certificate with a first restricting stage run as an algorithm on a concrete model.

A try draws independent stars, repairs every activation of layer 1 to the stage's depth w as stage
T1 does, makes the last position's activation of the next layer constant, keeps s random stars and
fixes the others, and goes up as in `bounds.limits.refuter`.

**Guarantee.** For any list of stages that leaves m free variables on average, any m' < m and the
load l of the final stage at m' variables, a try succeeds with probability at least

.. math:: \frac{m - m'}{n - m'}\,(1 - l), \qquad\text{and}\qquad
          \frac{m - m' - \sigma/2}{pn - m'}\,(1 - l), \quad \sigma = \sqrt{np(1-p)}.

*Proof.* Let K be the number of stars left by the stages, E K >= m, and S >= K the number of stars
drawn first.  Given K >= m', the final stage fails with probability at most l, because loads fall
with the number of variables.  From E K <= m' + (n - m') Pr[K >= m'] the first bound follows.  And
K <= S gives E[K; K >= m'] <= pn Pr[K >= m'] + E(S - pn)^+, where the last term is half of the mean
deviation, at most half of the standard deviation. []

The first bound is positive at every certified length, since a load below 1 at m variables stays
below 1 at slightly fewer ones.

Main definitions: `staged_guarantee`, `refute_staged`.

References
----------
Own derivation.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import Any

import numpy as np

from attention.transformer import AbstractHardTransformer
from bounds.limits.model_paths import Fixed, Literals, ModelPaths
from bounds.limits.plan import LimitError
from bounds.limits.refuter import Fooled, checked, climb
from bounds.limits.verifier import FINAL, Data, cost, final_load, walk

_THRESHOLDS = tuple(1 - Fraction(7, 8) ** k for k in range(1, 120))  # shares of m, dense near m


def staged_guarantee(n: int, layers: int, heads: int, stages: list[Data]) -> Fraction:
    """Return a lower bound of the chance that one try succeeds (0 if the stages prove nothing).

    Parameters
    ----------
    n, layers, heads
        Size of the model.
    stages
        Restricting stages and a final one, as in a stored limit for PARITY; the final stage's
        ``choice`` has to be ``"tuples"``, because a try follows the heads in order.

    Examples
    --------
    >>> stages = [{"kind": "first-layer", "p": "1/4", "w": 3},
    ...           {"kind": "last-two", "s": 8, "choice": "tuples"}]
    >>> 0 < staged_guarantee(1000, 3, 1, stages) < 1
    True
    """
    cert = {"task": "parity", "layers": layers, "heads": heads, "modulus": 2, "padding": 0}
    final = stages[-1]
    if final.get("choice") != "tuples":
        raise LimitError(f"choice = {final.get('choice')!r}: a try needs 'tuples'")
    try:
        m, w = walk(cert, {"stages": stages}, Fraction(n), lambda _, *at: n * cost(heads, *at))
    except ValueError:
        return Fraction(0)
    drawn = Fraction(stages[0].get("p", "1"))
    half = Fraction(isqrt(int(n * drawn * (1 - drawn))) + 1, 2)
    best = Fraction(0)
    for share in _THRESHOLDS:
        least = m * share
        try:
            good = 1 - final_load(cert, final, n, least, w)
        except ValueError:
            continue
        kept = max((m - least) / (n - least), (m - least - half) / (drawn * n - least))
        best = max(best, kept * good if good > 0 else Fraction(0))
    return best


def refute_staged(
    model: AbstractHardTransformer,
    stages: list[Data],
    *,
    tries: int,
    rng: np.random.Generator,
) -> Fooled | None:
    """Return two words with equal outputs, or None if no try succeeded.

    Parameters
    ----------
    model
        Two symbols; as many layers as the stages remove.
    stages
        One ``first-layer`` stage and a final one, as in a stored limit.
    tries
        Number of restrictions drawn at most, at least 1.
    rng
        Source of randomness; the result is a function of its state.

    Raises
    ------
    LimitError
        If the stages do not fit the model or another stage than ``first-layer`` comes first.
    """
    kinds = [stage["kind"] for stage in stages]
    if len(stages) != 2 or kinds[0] != "first-layer" or 1 + FINAL[kinds[1]] != model.layers:
        raise LimitError(
            f"stages {kinds} do not fit {model.layers} layers: take first-layer, last-..."
        )
    if len(model.alphabet) != 2 or tries < 1:
        raise LimitError(f"{len(model.alphabet)} symbols, tries = {tries}: take 2 and 1 or more")
    lists: Literals = {}
    for attempt in range(1, tries + 1):
        stars = rng.random(model.n) < float(Fraction(stages[0]["p"]))
        bits = rng.integers(2, size=model.n)
        fixed: Fixed = {i: int(bits[i]) for i in range(model.n) if not stars[i]}
        _repair(model, fixed, lists, stages[0]["w"])
        fixed = _last_stage(model, fixed, lists, stages[-1]["s"], rng)
        found = checked(model, fixed, attempt) if fixed else None
        if found is not None:
            return found
    return None


def _depth(paths: list[tuple[Any, Fixed]]) -> int:
    return max(len(answers) for _, answers in paths)


def _repair(model: AbstractHardTransformer, fixed: Fixed, lists: Literals, w: int) -> None:
    """Fix stars until every activation of layer 1 asks at most ``w`` of them (stage T1)."""
    for i in range(model.n):
        ends = ModelPaths(model, fixed, lists).executions(1, i, {})
        while _depth(ends) > w:
            if i in fixed and _depth(ends) - w > model.heads:
                fixed |= ends[0][1]  # satisfy every list once
            else:
                root = next(iter(ends[0][1]))  # all executions ask the same star first
                sides = {
                    bit: _depth(ModelPaths(model, fixed | {root: bit}, lists).executions(1, i, {}))
                    for bit in (0, 1)
                }
                fixed[root] = min(sides, key=lambda bit: sides[bit])
            ends = ModelPaths(model, fixed, lists).executions(1, i, {})


def _last_stage(
    model: AbstractHardTransformer,
    fixed: Fixed,
    lists: Literals,
    stars: int,
    rng: np.random.Generator,
) -> Fixed:
    """Return a restriction with constant output; empty if too few stars are left."""
    value, answers = ModelPaths(model, fixed, lists).executions(1, model.n - 1, {})[0]
    fixed = fixed | answers
    _, told = climb(ModelPaths(model, fixed, lists), 2, 2, value)
    fixed |= told
    left = [i for i in range(model.n) if i not in fixed]
    if len(left) < stars:
        return {}
    kept = set(rng.choice(left, size=stars, replace=False).tolist())
    fixed |= {i: int(rng.integers(2)) for i in left if i not in kept}
    paths = ModelPaths(model, fixed, lists)
    query, _ = climb(paths, 2, 2, value)  # constant by now
    return fixed | climb(paths, 3, model.layers, query)[1]
