r"""Influence against length: slopes, constants and the knee where the 1/n law sets in.

The law needs ``n`` well above ``exp(2A)``: below the knee one logit can hold all the weight and
the curve is flat.  A slope fitted there says nothing about Lemma 5, so a warning is given.

Main definitions
----------------
InfluenceCurve, influence_curve, measured_logit_bound.

References
----------
Hahn (2020), Lemma 5 and its proof [hahn2020].
"""

import warnings
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, final

import numpy as np
from numpy.typing import NDArray

from attention.soft import SoftTransformer
from attention.soft_forward import (
    after_attention,
    apply_norm,
    before_attention,
    head_inputs,
)
from influence.measure import Engine, influence
from influence.result import InfluenceError, InfluenceWarning
from influence.words import Word, type_table

Array = NDArray[Any]


@final
@dataclass(frozen=True, slots=True, eq=False)
class InfluenceCurve:
    """Influence at several lengths.

    Parameters
    ----------
    ns
        Lengths, increasing, shape (m,).
    values
        Mean or worst influence at each length, shape (m,).
    slope
        Least-squares slope of ln(value) against ln(n) over all lengths.
    local
        Slopes between neighbouring lengths, shape (m - 1,).
    constants
        ``n * value``, shape (m,); Lemma 5 says that they stay bounded.
    logit_bound
        A: half the largest measured spread of logits seen by one query, at the largest length.
    knee
        ``exp(2 A)``, the length from which the law can be expected.
    errors
        Estimated relative errors, shape (m,).
    engines
        Engine used at each length.
    cost
        CPU seconds of all measurements.
    """

    ns: tuple[int, ...]
    values: Array
    slope: float
    local: Array
    constants: Array
    logit_bound: float
    knee: float
    errors: Array
    engines: tuple[str, ...]
    cost: float


def measured_logit_bound(model: SoftTransformer, word: Word) -> float:
    """Return half the largest spread of logits that one query sees in one head.

    Only differences of logits matter to a softmax, so this is the A of the weight bound that the
    word really exercises.  Exchanged symbols are included: at 64 places at most, every symbol
    follows its own stream as a key beside those of the word.

    Examples
    --------
    >>> from attention.soft_random import aligned_transformer
    >>> measured_logit_bound(aligned_transformer(3.0), "0000")
    3.0
    """
    table = type_table(model, word)
    x = model.embedding[table.symbols] + table.places
    picked = table.places[np.linspace(0, len(x) - 1, min(len(x), 64)).astype(np.int64)]
    others = (model.embedding[:, None] + picked[None]).reshape(-1, model.width)
    x = np.concatenate([x, others])
    counts = np.concatenate([table.counts, np.zeros(len(others))])
    if model.embedding_norm is not None:
        x = apply_norm(model.embedding_norm, x)
    widest = 0.0
    for layer in model.layers:
        q, k, v = head_inputs(model, layer, before_attention(model, layer, x), table.n)
        logits = q @ np.swapaxes(k, -1, -2)
        widest = max(widest, float((logits.max(-1) - logits.min(-1)).max()) / 2)
        w = counts * np.exp(logits - logits.max(-1, keepdims=True))
        x = after_attention(model, layer, x, (w / w.sum(-1, keepdims=True)) @ v)
    return widest


def influence_curve(
    model: SoftTransformer,
    family: Callable[[int], Word],
    ns: Sequence[int],
    *,
    statistic: Literal["mean", "worst"] = "mean",
    to: Hashable = "worst",
    readout: Array | None = None,
    engine: Engine = "auto",
    progress: Callable[[int, float], None] | None = None,
) -> InfluenceCurve:
    """Measure influence along a family of words.

    Parameters
    ----------
    model
        The transformer.
    family
        The word of each length; nested words (prefixes of one another, or one repeated pattern)
        give clean slopes, fresh random words do not.
    ns
        At least two lengths, increasing, each at least 2.
    statistic
        ``"mean"`` or ``"worst"`` over all positions but the reading one.
    to, readout, engine
        As for :func:`influence`.
    progress
        Called with each length and its value.

    Returns
    -------
    InfluenceCurve
        Slopes, constants and the knee.

    Raises
    ------
    InfluenceError
        If ``ns`` is not increasing, has fewer than two lengths or one below 2.

    Warns
    -----
    InfluenceWarning
        If ``exp(2A)`` exceeds the largest length.

    Notes
    -----
    Deterministic.

    References
    ----------
    Hahn (2020), Lemma 5 [hahn2020].

    Examples
    --------
    >>> from attention.soft_random import aligned_transformer
    >>> from influence.words import RepeatedWord
    >>> zeros = lambda n: RepeatedWord(("0",), n)
    >>> curve = influence_curve(aligned_transformer(0.0), zeros, [2**8, 2**20, 2**50], to="1")
    >>> round(curve.slope, 6)
    -1.0
    """
    if len(ns) < 2 or any(b <= a for a, b in pairwise(ns)) or ns[0] < 2:
        raise InfluenceError(f"lengths {list(ns)}: give at least two, increasing, each >= 2")
    values, errors, engines, cost = [], [], [], 0.0
    for n in ns:
        run = influence(model, family(n), to=to, readout=readout, engine=engine)
        values.append(run.mean() if statistic == "mean" else run.worst())
        errors.append(run.error)
        engines.append(run.engine)
        cost += run.cost
        if progress is not None:
            progress(n, values[-1])
    bound = measured_logit_bound(
        model, family(min(ns[-1], 4096) if "types" not in engines else ns[-1])
    )
    knee = float(np.exp(min(2 * bound, 700)))
    if knee > ns[-1]:
        warnings.warn(
            f"exp(2A) = {knee:.2g} exceeds the largest length {ns[-1]}: the 1/n law sets in only "
            "beyond it, the slopes say nothing about Lemma 5",
            InfluenceWarning,
            stacklevel=2,
        )
    y = np.array(values)
    x = np.log(np.array(ns, dtype=float))
    with np.errstate(divide="ignore"):
        logs = np.log(y)
    if not np.all(np.isfinite(logs)):
        raise InfluenceError("an influence is exactly 0: there is no slope to fit")
    centred = x - x.mean()
    return InfluenceCurve(
        ns=tuple(ns),
        values=y,
        slope=float((centred @ logs) / (centred @ centred)),
        local=np.diff(logs) / np.diff(x),
        constants=y * np.array(ns, dtype=float),
        logit_bound=bound,
        knee=knee,
        errors=np.array(errors),
        engines=tuple(engines),
        cost=cost,
    )
