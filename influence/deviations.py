r"""How deviations grow through norms, ReLU blocks and attention, as rigorous upper bounds.

Main definitions
----------------
row_norms, length_of, distance_to, through_norm, through_block, turn, relative.

References
----------
Hahn (2020), Lemma 5 [hahn2020]; the bounds are our own.
"""

from dataclasses import replace

import numpy as np
from flint import arb, arb_mat

from attention.soft import LayerNorm, SoftLayer, SoftTransformer
from bounds.soft.norms import matrix, spectral_norm
from influence.enclosure import EnclosureError


def row_norms(x: arb_mat) -> list[arb]:
    """Bound the Euclidean norm of every row."""
    out = []
    for row in x.tolist():
        total = row[0] * row[0]
        for value in row[1:]:
            total += value * value
        out.append(total.upper().sqrt().upper())  # a ball around 0 has no square root
    return out


def through_norm(norm: LayerNorm | None, x: arb_mat, moved: list[arb]) -> list[arb]:
    """Bound the change of a layer norm: slope gain / std along the whole segment."""
    if norm is None:
        return moved
    if norm.eps == 0:
        raise EnclosureError("a layer norm with eps = 0 is not Lipschitz: no bound exists")
    gain, floor = arb(float(np.abs(norm.gain).max())), arb(float(norm.eps)).sqrt()
    out = []
    for row, size in zip(x.tolist(), moved, strict=True):
        mean = sum(row[1:], row[0]) / len(row)
        square = arb(0)
        for value in row:
            square += (value - mean) * (value - mean)
        std = ((square / len(row)).lower().max(arb(0)) + arb(float(norm.eps))).sqrt()
        least = (std.lower() - size / arb(len(row)).sqrt()).max(floor)
        out.append((gain * size / least).upper())
    return out


def through_block(
    layer: SoftLayer, inner: arb_mat, own: list[arb], inside: list[arb], *, joined: bool
) -> list[arb]:
    """Bound the change of ``x + relu(x w1 + b1) w2`` with the signs that are certain."""
    z = inner * matrix(layer.w1) + matrix(np.repeat(layer.b1[None], inner.nrows(), axis=0))
    unit = [length_of([arb(float(c)) for c in column]).upper() for column in layer.w1.T]
    back = [length_of([arb(float(c)) for c in row]).upper() for row in layer.w2]
    d = layer.w2.shape[1]
    out = []
    for row, size, inner_size in zip(z.tolist(), own, inside, strict=True):
        mask, loose = np.zeros(len(unit)), arb(0)
        for u, value in enumerate(row):
            reach = unit[u] * inner_size
            if value > reach:
                mask[u] = 1
            elif not value < -reach:
                loose += unit[u] * back[u]
        linear = matrix(layer.w1 * mask) * matrix(layer.w2)
        if joined:  # residual and block see the same change: one matrix
            slope = spectral_norm(linear + matrix(np.eye(d)), squarings=3) + loose
            out.append((slope * size).upper())
        else:
            out.append((size + (spectral_norm(linear, squarings=3) + loose) * inner_size).upper())
    return out


def without_norms(model: SoftTransformer) -> SoftTransformer:
    """Return the model without its layer norms."""
    bare = [replace(layer, norm1=None, norm2=None) for layer in model.layers]
    return replace(model, norms="none", layers=tuple(bare))


def turn(moved: arb, length: arb) -> arb:
    """Bound the change of x / |x|: 2 |x - y| / (|x| + |y|), and never above 2."""
    if not moved > 0:
        return arb(0)
    if not length.lower() > 0:
        return arb(2)
    return (2 * moved / (length + (length - moved).max(arb(0)))).min(arb(2)).upper()


def some_rows(x: arb_mat, start: int, stop: int) -> arb_mat:
    """Return the rows from start to stop."""
    return arb_mat(x.tolist()[start:stop])


def length_of(vector: list[arb]) -> arb:
    """Bound the Euclidean norm of a vector."""
    total = arb(0)
    for value in vector:
        total += value * value
    return total.upper().sqrt().upper()


def distance_to(v: arb_mat, row: int, b: list[arb]) -> arb:
    """Bound the distance of one row to a point."""
    return length_of([v[row, c] - b[c] for c in range(v.ncols())]).upper()


def relative(bulk: arb, fall: arb) -> arb:
    """Return bulk / (1 - fall), refusing a fall of the whole weight."""
    rest = 1 - fall.upper()
    if not rest > 0:
        raise EnclosureError("the exchange moves too much weight for this bound: longer words")
    return (bulk / rest).upper()
