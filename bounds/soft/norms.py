r"""Rigorous upper bounds on spectral and vector norms of floating-point weights.

For M = W^T W and m squarings, ``|W|^2 <= |M^(2^m)|_F^(1/2^m)``: the Frobenius norm of a high power
is at most d^(1/2^(m+1)) too large.

Main definitions
----------------
spectral_norm, vector_norm, matrix, norm_balls.
"""

from typing import Any

import numpy as np
from flint import arb, arb_mat
from numpy.typing import NDArray

from attention.soft_layers import LayerNorm

Array = NDArray[Any]

SQUARINGS = 4


def matrix(w: Array) -> arb_mat:
    """Return a matrix of exact balls (a float is a dyadic rational)."""
    return arb_mat([[arb(float(x)) for x in row] for row in np.atleast_2d(w)])


def frobenius(m: arb_mat) -> arb:
    """Return an upper bound on the Frobenius norm."""
    total = arb(0)
    for x in m.entries():
        total += x * x
    return total.upper().sqrt().upper()  # a ball around 0 has no square root


def spectral_norm(w: Array | arb_mat, *, squarings: int = SQUARINGS) -> arb:
    """Return an upper bound on the largest singular value.

    Parameters
    ----------
    w
        Matrix of floats or of balls.
    squarings
        m; the bound is at most a factor d^(1/2^(m+2)) too large.

    Returns
    -------
    flint.arb
        A ball whose upper end bounds the norm.

    Examples
    --------
    >>> float(spectral_norm(np.diag([3.0, 1.0]))) - 3 < 1e-9
    True
    """
    m = w if isinstance(w, arb_mat) else matrix(w)
    if m.nrows() == 0 or m.ncols() == 0:
        return arb(0)
    gram = m.transpose() * m if m.ncols() <= m.nrows() else m * m.transpose()
    scale = frobenius(gram)
    if not scale > 0:
        return arb(0)
    power = gram / scale.upper()
    for _ in range(squarings):
        power = power * power
    root = frobenius(power).upper()
    for _ in range(squarings):
        root = root.sqrt()
    return (root * scale.upper()).sqrt().upper()


def vector_norm(x: Array | list[arb]) -> arb:
    """Return an upper bound on the Euclidean norm of a vector of floats or balls."""
    total = arb(0)
    for value in x:
        part = value if isinstance(value, arb) else arb(float(value))
        total += part * part
    return total.upper().sqrt().upper()


def norm_balls(norm: LayerNorm, x: arb_mat) -> arb_mat:
    """Normalise rows, in balls."""
    gain, bias = [arb(float(g)) for g in norm.gain], [arb(float(b)) for b in norm.bias]
    rows = []
    for row in x.tolist():
        mean = sum(row[1:], row[0]) / len(row)
        centred = [value - mean for value in row]
        square = sum((c * c for c in centred[1:]), centred[0] * centred[0]) / len(row)
        std = (square + arb(float(norm.eps))).sqrt()
        rows.append([g * c / std + b for g, c, b in zip(gain, centred, bias, strict=True)])
    return arb_mat(rows)
