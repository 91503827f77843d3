r"""How far one exchanged symbol can move the activations, layer by layer, weights included.

Write E for the change at the exchanged position and e for the largest change elsewhere.  One
layer with logits ``y_j^T M_h y_l`` (A_h = F^2 |M_h|), weights at most w and an f_act of Lipschitz
constants L_0 (own activation) and L_h (heads) gives

``E' <= L_0 E + sum_h L_h [(A + w (1 + 4 A)) E + (1 + A) e]``,
``e' <= L_0 e + sum_h L_h [w (1 + 2 A) E + (1 + 2 A + 2 A w) e]``.

The terms with A are what a proof with frozen attention weights leaves out.  With ``w <= u / n``,
``u = exp(2 A)``, the pair (E, n e) is carried by a matrix T that does not contain n.

Main definitions
----------------
SELF_NEXT, OTHER_NEXT, TRANSFER, SOFT_INFLUENCE_ONE_LAYER, LayerConstants, influence_balls.

References
----------
Hahn (2020), Lemma 5 and its proof [hahn2020]; the terms with A are our own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import sympy as sp
from flint import arb

from bounds.bound import Bound
from bounds.soft.attention_weight import A, WeightBoundError, n, u, weight_ball
from claims.domains import Integers, Reals
from claims.source import OWN

E = sp.Symbol("E", nonnegative=True)
"""Change of the activation at the exchanged position."""

e = sp.Symbol("e", nonnegative=True)
"""Largest change of an activation at another position."""

w = sp.Symbol("w", nonnegative=True)
"""Bound on every attention weight."""

L_OWN = sp.Symbol("L_0", nonnegative=True)
"""Lipschitz constant of f_act in the own activation."""

L_HEADS = sp.Symbol("L_H", nonnegative=True)
"""Sum over the heads of the Lipschitz constants of f_act in their outputs."""

D = sp.Symbol("D", nonnegative=True)
"""Change of the layer-0 activation at the exchanged position."""

SELF_NEXT = L_OWN * E + L_HEADS * ((A + w * (1 + 4 * A)) * E + (1 + A) * e)
"""Bound on E after one layer."""

OTHER_NEXT = L_OWN * e + L_HEADS * (w * (1 + 2 * A) * E + (1 + 2 * A + 2 * A * w) * e)
"""Bound on e after one layer."""

TRANSFER = sp.Matrix(
    [
        [L_OWN + L_HEADS * (1 + 5 * A), L_HEADS * (1 + A)],
        [L_HEADS * (1 + 2 * A) * u, L_OWN + L_HEADS * (1 + 4 * A)],
    ]
)
"""T with ``(E', n e') <= T (E, n e)``, free of n; u stands for exp(2 A)."""

SOFT_INFLUENCE_ONE_LAYER = Bound(
    name="soft.influence.one_layer",
    title="Influence of one symbol on another position after one layer",
    symbols={L_HEADS: Reals(0), A: Reals(0), D: Reals(0), n: Integers(2)},
    expression=L_HEADS * (1 + 2 * A) * sp.exp(2 * A) * D / n,
    direction="upper",
    source=OWN.at("repaired recursion, one layer"),
    text="Exchanging one symbol moves every other layer-1 activation by at most this much, "
    "change of the attention weights included.",
)


@final
@dataclass(frozen=True, slots=True)
class LayerConstants:
    """Constants of one layer, as balls.

    Parameters
    ----------
    logit_norm
        A in the brackets: F^2 |M|, or F times the Lipschitz constant of the logits.
    logit_bound
        A in the weight: bound on the absolute value of the logits.
    own, heads
        L_0, and the sum of L_h over heads.
    """

    logit_norm: arb
    logit_bound: arb
    own: arb
    heads: arb


def influence_balls(
    layers: Sequence[LayerConstants], change: arb, positions: int
) -> list[tuple[arb, arb]]:
    """Return upper bounds (E_k, e_k) for k = 0..L.

    Parameters
    ----------
    layers
        Constants of each layer.
    change
        D, the change of the layer-0 activation at the exchanged position.
    positions
        Length n >= 2 of the word.

    Returns
    -------
    list of pairs of flint.arb
        Entry k bounds the change at the exchanged and at every other position after layer k.

    Raises
    ------
    WeightBoundError
        If ``positions < 2``: there is no other position.

    Notes
    -----
    Deterministic; full attention only.

    References
    ----------
    Hahn (2020), Lemma 5 [hahn2020], repaired.

    Examples
    --------
    >>> from flint import arb
    >>> flat = LayerConstants(arb(0), arb(0), arb(0), arb(1))
    >>> [float(e) for _, e in influence_balls([flat, flat], arb(1), 4)]
    [0.0, 0.25, 0.3125]
    """
    if positions < 2:
        raise WeightBoundError(f"n = {positions}: the bound is about two different positions")
    big, small = change, arb(0)
    out = [(big, small)]
    for layer in layers:
        a, weight = layer.logit_norm, weight_ball(layer.logit_bound, positions)
        big, small = (
            layer.own * big + layer.heads * ((a + weight * (1 + 4 * a)) * big + (1 + a) * small),
            layer.own * small
            + layer.heads * (weight * (1 + 2 * a) * big + (1 + 2 * a + 2 * a * weight) * small),
        )
        out.append((big, small))
    return out


def closed_form(layers: Sequence[LayerConstants], change: arb) -> tuple[arb, arb]:
    """Return bounds on (E_L, n e_L) that hold for every n >= 2.

    Parameters
    ----------
    layers, change
        As for :func:`influence_balls`.

    Returns
    -------
    pair of flint.arb
        ``T_L ... T_1 (D, 0)``; the second entry is the C of "influence at most C / n".

    Examples
    --------
    >>> from flint import arb
    >>> flat = LayerConstants(arb(0), arb(0), arb(0), arb(1))
    >>> float(closed_form([flat, flat], arb(1))[1])
    2.0
    """
    big, scaled = change, arb(0)
    for layer in layers:
        a, grow = layer.logit_norm, (2 * layer.logit_bound).exp()
        big, scaled = (
            (layer.own + layer.heads * (1 + 5 * a)) * big + layer.heads * (1 + a) * scaled,
            layer.heads * (1 + 2 * a) * grow * big
            + (layer.own + layer.heads * (1 + 4 * a)) * scaled,
        )
    return big, scaled
