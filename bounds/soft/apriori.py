r"""The repaired recursion applied to a model's weights alone: valid for every word and length.

Norms of activations are bounded layer by layer from spectral norms of the weights; a logit moves
by at most ``lambda_q`` per unit of its query and ``lambda_k`` per unit of its key.  With
``lambda_q = lambda_k = |M| F`` this is the recursion of :mod:`bounds.soft.recursion`.

Main definitions
----------------
AprioriError, apriori_influence, apriori_constant.

References
----------
Hahn (2020), Lemma 5 [hahn2020], repaired.
"""

from dataclasses import dataclass, replace
from typing import final

import numpy as np
from flint import arb

from attention.soft import LayerNorm, SoftLayer, SoftTransformer
from bounds.soft.attention_weight import weight_ball
from bounds.soft.norms import matrix, spectral_norm, vector_norm


class AprioriError(ValueError):
    """A model for which no bound follows from its weights alone."""


@final
@dataclass(frozen=True, slots=True)
class _Norms:
    """Growth of differences (slope) and of norms through one layer norm."""

    slope: arb
    size: arb | None


def _norm(norm: LayerNorm | None, width: int) -> _Norms:
    if norm is None:
        return _Norms(arb(1), None)
    if norm.eps == 0:
        raise AprioriError("a layer norm with eps = 0 is not Lipschitz: no bound exists")
    gain = arb(float(np.abs(norm.gain).max()))
    size = gain * arb(width).sqrt() + vector_norm(norm.bias)
    return _Norms(gain / arb(float(norm.eps)).sqrt(), size)


def apriori_influence(
    model: SoftTransformer, change: arb, positions: int | None
) -> tuple[arb, arb]:
    """Return bounds on the change at the exchanged and at every other position after all layers.

    Parameters
    ----------
    model
        Full attention, plain logits, bounded encoding with a period, layer norms with eps > 0.
    change
        Largest norm of an exchange of embeddings.
    positions
        n >= 2; ``None``: the second bound is on n times the change, valid for every n.

    Returns
    -------
    pair of flint.arb
        Upper bounds.

    Raises
    ------
    AprioriError
        If logits are normalised or scaled by ln n, the encoding has no table of finitely many
        rows, the mask is not full, or a layer norm has eps = 0.

    Notes
    -----
    Deterministic at the precision of ``flint.ctx``.

    Examples
    --------
    >>> from attention.soft_random import aligned_transformer
    >>> big, small = apriori_influence(aligned_transformer(0.0), arb(2), None)
    >>> small >= 2
    True
    """
    if model.mask.kind != "full" or model.logits.rule != "plain" or model.logits.log_n:
        raise AprioriError("an a priori bound needs full attention with plain logits")
    size = _first_size(model)
    big, small = change * _norm(model.embedding_norm, model.width).slope, arb(0)
    for layer in model.layers:
        big, small, size = _layer(model, layer, big, small, size, positions)
    last = _norm(model.final_norm, model.width)
    return big * last.slope, small * last.slope


def _first_size(model: SoftTransformer) -> arb:
    """Return a bound on the norms of layer-0 activations."""
    period = model.encoding.period
    if period is None or not model.encoding.bounded:
        raise AprioriError("an a priori bound needs an encoding with finitely many rows")
    rows = model.encoding.rows(np.arange(period), period, model.width)
    size = max(
        (
            vector_norm([arb(float(a)) + arb(float(b)) for a, b in zip(e, r, strict=True)])
            for e in model.embedding
            for r in rows
        ),
        key=lambda x: float(x.upper()),
    ).upper()
    return _norm(model.embedding_norm, model.width).size or size


def _sizes(model: SoftTransformer) -> list[arb]:
    """Return bounds on the norms of the rows that each layer's heads see."""
    size, out = _first_size(model), []
    for layer in model.layers:
        seen = _norm(layer.norm1 if model.norms == "pre" else None, model.width).size or size
        out.append(seen)
        size = _layer(model, layer, arb(0), arb(0), size, 2)[2]
    return out


def _layer(
    model: SoftTransformer,
    layer: SoftLayer,
    big: arb,
    small: arb,
    size: arb,
    positions: int | None,
) -> tuple[arb, arb, arb]:
    """Carry (E, e, F) through one layer; e is scaled by n if ``positions`` is None."""
    pre, post = model.norms == "pre", model.norms == "post"
    entry = _norm(layer.norm1 if pre else None, model.width)
    seen = entry.size or size
    moved, others = big * entry.slope, small * entry.slope
    own, other = big, small
    reach = size
    factor = arb(model.logits.factor(2))
    for h in range(layer.heads):
        wq, wk = spectral_norm(layer.wq[h]), spectral_norm(layer.wk[h])
        out = matrix(layer.wo[h])
        wvo = spectral_norm(matrix(layer.wv[h]) * out)
        q_size = wq * seen + vector_norm(layer.bq[h])
        k_size = wk * seen + vector_norm(layer.bk[h])
        by_query, by_key = factor * wq * k_size, factor * wk * q_size
        bound = factor * q_size * k_size
        # weight: exact at n, or u/n with the factor n moved to the scaled change
        grow = (2 * bound).exp()
        w_self = arb(1) if positions is None else weight_ball(bound, positions)
        w_from = grow if positions is None else w_self
        rest = arb(1) if positions is None else w_self
        own += wvo * (
            w_self * moved + others
            + seen * (by_query * moved + by_key * others + 2 * w_self * (by_query + by_key) * moved)
        )  # fmt: skip
        other += wvo * (
            w_from * moved + others
            + seen * ((by_query + by_key) * others
                      + 2 * rest * by_query * others + 2 * w_from * by_key * moved)
        )  # fmt: skip
        reach += wvo * seen + vector_norm((matrix(layer.bv[h]) * out).entries())
    reach += vector_norm(layer.bo)
    middle = _norm(layer.norm1 if post else None, model.width)
    own, other, reach = own * middle.slope, other * middle.slope, middle.size or reach
    inner = _norm(layer.norm2 if pre else None, model.width)
    w1, w2 = spectral_norm(layer.w1), spectral_norm(layer.w2)
    step = 1 + w1 * w2 * inner.slope
    inside = w1 * (inner.size or reach) + vector_norm(layer.b1)
    own, other = own * step, other * step
    reach = reach + w2 * inside + vector_norm(layer.b2)
    outer = _norm(layer.norm2 if post else None, model.width)
    return own * outer.slope, other * outer.slope, (outer.size or reach).upper()


def rescaled_logits(model: SoftTransformer, bound: float) -> SoftTransformer:
    """Return the model with every head's query weights scaled to a logit bound A from norms.

    Parameters
    ----------
    model
        As for :func:`apriori_influence`.
    bound
        A > 0: what ``(|Wq| F + |bq|)(|Wk| F + |bk|)`` times the logit scale becomes.

    Returns
    -------
    SoftTransformer
        Values, outputs and ReLU blocks are unchanged, so the norms F are unchanged too.
    """
    sizes = _sizes(model)
    layers = []
    for layer, size in zip(model.layers, sizes, strict=True):
        factors = np.array(
            [
                bound
                / float(
                    arb(model.logits.factor(2))
                    * (spectral_norm(layer.wq[h]) * size + vector_norm(layer.bq[h]))
                    * (spectral_norm(layer.wk[h]) * size + vector_norm(layer.bk[h]))
                )
                for h in range(layer.heads)
            ]
        )
        layers.append(
            replace(layer, wq=layer.wq * factors[:, None, None], bq=layer.bq * factors[:, None])
        )
    return replace(model, layers=tuple(layers))


def apriori_constant(model: SoftTransformer) -> arb:
    """Return C with "influence of one symbol on another position at most C / n", for all n >= 2.

    Raises
    ------
    AprioriError
        As :func:`apriori_influence`.
    """
    change = max(
        (
            vector_norm([arb(float(x)) - arb(float(y)) for x, y in zip(a, b, strict=True)])
            for a in model.embedding
            for b in model.embedding
        ),
        key=lambda x: float(x.upper()),
    )
    constant = apriori_influence(model, change, None)[1]
    if model.output is not None:
        constant = constant * spectral_norm(model.output)
    return constant.upper()
