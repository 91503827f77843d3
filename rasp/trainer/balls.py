r"""A trained histogram of one layer and one head in ball arithmetic, by types of keys.

A *type* is a symbol on a trained position; a word is a multiset of types, and all that the head
reads of it is :math:`\sum_k e^{s_k} v_k / \sum_k e^{s_k}`.  Weights are taken as the dyadic
rationals that floats are, so every ball encloses what exactly these weights give in real numbers
(a run in 32-bit floats differs by its rounding).

Main definitions: :class:`Head`, :func:`head_of`, :class:`Segment`, :func:`segment`.

References
----------
Johansson (2017), for the arithmetic [johansson2017].
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from flint import arb, arb_mat, ctx

from attention.soft_layers import LayerNorm
from bounds.soft.norms import matrix, norm_balls
from rasp.trainer.setting import Setting, SettingError

BITS = 96
"""Working precision."""

Row = list[arb]


@final
@dataclass(frozen=True, slots=True)
class Head:
    """The only head, and the maps that follow it.

    Attributes
    ----------
    types
        ``(letter, position)``: the mark at position 0 first, then every letter on every position.
    stream, values, scores
        By type: residual stream and what the head reads of it, shape (types, width); scores of
        every type for every type, shape (types, types).
    maps
        Linear maps as matrices to multiply with from the right, and their biases as rows.
    norms
        Layer norms by the beginning of their weights' names.
    """

    types: tuple[tuple[int, int], ...]
    stream: arb_mat
    values: arb_mat
    scores: arb_mat
    maps: Mapping[str, tuple[arb_mat, arb_mat]]
    norms: Mapping[str, LayerNorm]

    def at(self, letter: int, position: int) -> int:
        """Return the number of a type."""
        return self.types.index((letter, position))

    def read(self, asker: int, keys: Sequence[int]) -> tuple[Row, arb]:
        """Return the weighted mean of the values of keys, and the sum of their weights."""
        with ctx.workprec(BITS):
            weights = [self.scores[asker, key].exp() for key in keys]
            values = arb_mat(
                [[self.values[key, k] for k in range(self.values.ncols())] for key in keys]
            )
            total = sum(weights[1:], weights[0])
            return [x / total for x in (arb_mat([weights]) * values).entries()], total


def head_of(setting: Setting, weights: Mapping[str, Any]) -> Head:
    """Return the head of a model.

    Parameters
    ----------
    setting
        What it was trained on.
    weights
        Arrays by name, as :func:`rasp.trainer.encoder.initial_weights` names them.

    Raises
    ------
    SettingError
        If the model is not of one layer and one head, or its task has no mark.
    """
    if (setting.layers, setting.heads) != (1, 1) or not setting.task.bos:
        raise SettingError(f"{setting.title()}: balls are for one layer of one head, with a mark")
    w = {name: np.asarray(value, np.float64) for name, value in weights.items()}
    norms = {
        name: LayerNorm(w[name + "scale"], w[name + "shift"], 1e-5)  # PyTorch's eps
        for name in ("layer0.attention.", "layer0.inner.", "norm.")
    }
    maps = {
        name: (matrix(w[name].T), matrix(w[name + ".bias"]))
        for name in ("layer0.mix", "layer0.up", "layer0.down", "output")
    }
    mark = len(setting.task.alphabet)
    places = range(1, setting.task.longest + 1)
    types = ((mark, 0), *((letter, place) for letter in range(mark) for place in places))
    with ctx.workprec(BITS):
        stream = matrix(w["tokens"][[letter for letter, _ in types]])
        stream = stream + matrix(w["positions"][[place for _, place in types]])
        seen = norm_balls(norms["layer0.attention."], stream)
        query, key, value = (
            seen * matrix(by.T) + matrix(np.repeat(bias[None], len(types), axis=0))
            for by, bias in zip(
                np.split(w["layer0.qkv"], 3), np.split(w["layer0.qkv.bias"], 3), strict=True
            )
        )
        scores = query * key.transpose() / arb(setting.width).sqrt()
    return Head(types, stream, value, scores, maps, norms)


@final
@dataclass(frozen=True, slots=True)
class Segment:
    r"""What follows the head where it reads :math:`o = b + u (a - b)` for a share u in [0, 1].

    Everything up to the activations of the feed-forward part is linear in u, but for one standard
    deviation, and is kept that way: balls of u then stay small.

    Attributes
    ----------
    stream
        Residual stream after the head at u = 0, and its slope.
    centred
        The same with the mean taken away.
    inner
        Of the hidden units: before dividing by the deviation at u = 0, its slope, what is added.
    head
        The head.
    """

    stream: tuple[Row, Row]
    centred: tuple[Row, Row]
    inner: tuple[Row, Row, Row]
    head: Head

    def logits(self, share: arb, *, right: int | None = None) -> Row:
        """Return the logits at a share, a ball; with ``right``, by how much they exceed its."""
        head, half = self.head, arb(0.5).sqrt()
        with ctx.workprec(BITS):
            seen = [a + share * b for a, b in zip(*self.centred, strict=True)]
            square = sum((x * x for x in seen[1:]), seen[0] * seen[0]) / len(seen)
            spread = (square + arb(head.norms["layer0.inner."].eps)).sqrt()
            hidden = []
            for a, b, c in zip(*self.inner, strict=True):
                z = (a + share * b) / spread + c
                hidden.append(z * (1 + (z * half).erf()) / 2)  # GELU
            down, bias = head.maps["layer0.down"]
            x = arb_mat([[a + share * b for a, b in zip(*self.stream, strict=True)]])
            x = norm_balls(head.norms["norm."], x + arb_mat([hidden]) * down + bias)
            by, bias = head.maps["output"]
            if right is not None:
                by, bias = _against(by, right), _against(bias, right)
            return list((x * by + bias).entries())


def _against(m: arb_mat, column: int) -> arb_mat:
    return arb_mat([[value - row[column] for value in row] for row in m.tolist()])


def segment(head: Head, asker: int, a: Row, b: Row) -> Segment:
    """Return what follows for a position of type ``asker`` between two things to read."""
    with ctx.workprec(BITS):
        mix, bias = head.maps["layer0.mix"]
        start = [head.stream[asker, k] for k in range(head.stream.ncols())]
        base = (arb_mat([b]) * mix + bias + arb_mat([start])).entries()
        slope = (arb_mat([[x - y for x, y in zip(a, b, strict=True)]]) * mix).entries()
        centred = _centred(base), _centred(slope)
        up, up_bias = head.maps["layer0.up"]
        norm = head.norms["layer0.inner."]
        scaled = [
            (arb_mat([[x * arb(g) for x, g in zip(row, norm.gain.tolist(), strict=True)]]) * up)
            for row in centred
        ]
        added = matrix(norm.bias) * up + up_bias
        inner = scaled[0].entries(), scaled[1].entries(), added.entries()
        return Segment((base, slope), centred, inner, head)


def _centred(row: Row) -> Row:
    mean = sum(row[1:], row[0]) / len(row)
    return [x - mean for x in row]
