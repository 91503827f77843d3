r"""Rigorous enclosures of an influence: the types engine run in ball arithmetic.

Both runs, with and without the exchange, are carried out on types with Arb balls at a precision
that leaves room for the cancellation, and subtracted.  The weights are taken as the dyadic
rationals that floats are, so the result encloses the influence of exactly this model.

Main definitions
----------------
enclose_change, EnclosureError.

References
----------
Johansson (2017) [johansson2017].
"""

from typing import Any

import numpy as np
from flint import arb, arb_mat, ctx
from numpy.typing import NDArray

from attention.soft import SoftLayer, SoftTransformer
from bounds.soft.norms import matrix, norm_balls
from influence.words import TypeTable

Array = NDArray[Any]


class EnclosureError(ValueError):
    """An influence that cannot be enclosed as asked."""


def enclose_change(
    model: SoftTransformer,
    table: TypeTable,
    *,
    exchanged: int,
    target: int,
    readout: Array,
    bits: int = 200,
) -> list[arb]:
    """Enclose the change of the readout when one position of a type is exchanged.

    Parameters
    ----------
    model
        Full attention.
    table
        The word by types; any length.
    exchanged
        Type of the exchanged position, which is not the reading one.
    target
        Symbol number put in place.
    readout
        Shape (d, r).
    bits
        Working precision; n itself costs about ``2 log2(n)`` bits of accuracy.

    Returns
    -------
    list of flint.arb
        r balls that contain the exact change.

    Raises
    ------
    EnclosureError
        If the mask is not full, or no position of that type is left beside the reading one.

    Notes
    -----
    Deterministic.  Two forward passes over T and T + 1 rows.

    Examples
    --------
    >>> from attention.soft_random import aligned_transformer
    >>> from influence.words import RepeatedWord, type_table
    >>> model = aligned_transformer(0.0)
    >>> table = type_table(model, RepeatedWord(("0",), 2**40))
    >>> got = enclose_change(model, table, exchanged=0, target=1, readout=model.output)[0]
    >>> (got * 2**40).contains(2)
    True
    """
    if model.mask.kind != "full":
        raise EnclosureError(f"an enclosure by types needs full attention, not {model.mask.kind}")
    left = int(table.counts[exchanged]) - (exchanged == table.read)
    if left < 1:
        raise EnclosureError(f"type {exchanged} has no position besides the reading one")
    with ctx.workprec(bits):
        counts = [int(c) for c in table.counts]
        start = matrix(model.embedding[table.symbols]) + matrix(table.places)
        new = matrix(model.embedding[[target]]) + matrix(table.places[[exchanged]])
        base = _run(model, start, counts, table)
        counts[exchanged] -= 1
        moved = _run(model, _stacked(start, new), [*counts, 1], table)
        change = arb_mat([[moved[0, j] - base[0, j] for j in range(model.width)]])
        return list((change * matrix(readout)).entries())


def _stacked(a: arb_mat, b: arb_mat) -> arb_mat:
    return arb_mat([*a.tolist(), *b.tolist()])


def _run(model: SoftTransformer, x: arb_mat, counts: list[int], table: TypeTable) -> arb_mat:
    """Return the last activation of the reading type as a (1, d) matrix."""
    if model.embedding_norm is not None:
        x = norm_balls(model.embedding_norm, x)
    for number, layer in enumerate(model.layers, start=1):
        only = table.read if number == model.depth else None
        x = layer_balls(model, layer, x, counts, table.n, only)
    return x if model.final_norm is None else norm_balls(model.final_norm, x)


def layer_balls(
    model: SoftTransformer,
    layer: SoftLayer,
    x: arb_mat,
    counts: list[int],
    n: int,
    only: int | None = None,
) -> arb_mat:
    """Return the next activations of all types, or of one, as balls."""
    h = norm_balls(layer.norm1, x) if model.norms == "pre" and layer.norm1 is not None else x
    own = x if only is None else arb_mat([x.tolist()[only]])
    asking = h if only is None else arb_mat([h.tolist()[only]])
    total = own + _repeated(layer.bo, own.nrows())
    for head in range(layer.heads):
        q, k, v = head_balls(model, layer, head, asking, h)
        total = total + attention_balls(q, k, v, counts, n, model) * matrix(layer.wo[head])
    return local_balls(model, layer, total)


def head_balls(
    model: SoftTransformer, layer: SoftLayer, head: int, asking: arb_mat, h: arb_mat
) -> tuple[arb_mat, arb_mat, arb_mat]:
    """Return queries of ``asking`` and keys and values of ``h``."""
    q = asking * matrix(layer.wq[head]) + _repeated(layer.bq[head], asking.nrows())
    k = h * matrix(layer.wk[head]) + _repeated(layer.bk[head], h.nrows())
    v = h * matrix(layer.wv[head]) + _repeated(layer.bv[head], h.nrows())
    if model.logits.rule == "bounded":
        q, k = _unit(q), _unit(k)
    return q, k, v


def factor_ball(model: SoftTransformer, n: int) -> arb:
    """Return the logit factor at length n."""
    scale = arb(float(model.logits.scale))
    return scale * arb(n).log() if model.logits.log_n else scale


def attention_balls(
    q: arb_mat, k: arb_mat, v: arb_mat, counts: list[int], n: int, model: SoftTransformer
) -> arb_mat:
    """Return attention outputs weighted by counts."""
    factor = factor_ball(model, n)
    logits = q * k.transpose()
    rows = []
    for i in range(q.nrows()):
        e = [c * (factor * logits[i, j]).exp() if c else arb(0) for j, c in enumerate(counts)]
        total = sum(e[1:], e[0])
        rows.append([x / total for x in e])
    return arb_mat(rows) * v


def local_balls(model: SoftTransformer, layer: SoftLayer, x: arb_mat) -> arb_mat:
    """Carry own rows plus attention through norms and the ReLU block."""
    if model.norms == "post" and layer.norm1 is not None:
        x = norm_balls(layer.norm1, x)
    inner = x
    if model.norms == "pre" and layer.norm2 is not None:
        inner = norm_balls(layer.norm2, x)
    x = x + _repeated(layer.b2, x.nrows())
    if layer.w1.shape[1]:
        z = inner * matrix(layer.w1) + _repeated(layer.b1, x.nrows())
        zero = arb(0)
        on = arb_mat([[entry.max(zero) for entry in row] for row in z.tolist()])
        x = x + on * matrix(layer.w2)
    if model.norms == "post" and layer.norm2 is not None:
        x = norm_balls(layer.norm2, x)
    return x


def _unit(x: arb_mat) -> arb_mat:
    rows = []
    for row in x.tolist():
        size = sum((c * c for c in row[1:]), row[0] * row[0]).sqrt()
        rows.append([c / size for c in row])
    return arb_mat(rows)


def _repeated(bias: Array, times: int) -> arb_mat:
    return matrix(np.repeat(np.atleast_2d(bias), times, axis=0))
