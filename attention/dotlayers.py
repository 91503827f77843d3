"""The parts of a dot-product layer: heads, network, layer normalisation rounded to a grid.

Main definitions: :class:`DotProductHead`, :class:`DotProductLayer`, :func:`exact_norm`,
:func:`normalise`.

References
----------
Vaswani et al. (2017), Section 3 [vaswani2017].
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, final

import numpy as np

from attention.exact import ExactMatrix, Integers, compact, exact
from attention.transformer import ModelError

Norm: TypeAlias = tuple[ExactMatrix, ExactMatrix, ExactMatrix]
"""Weight, bias and eps of a layer normalisation."""


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class DotProductHead:
    """One head: score ``(y_i Q + q) . (y_j K + k)``, contribution ``y_j V``.

    Shapes: query and key (d, e); query_bias and key_bias (e,); value (d, d).
    """

    query: Any
    key: Any
    value: Any
    query_bias: Any = None
    key_bias: Any = None

    def __post_init__(self) -> None:
        for name in ("query", "key", "value"):
            object.__setattr__(self, name, exact(getattr(self, name), f"a head's {name} matrix"))
        width = self.query.numerators.shape[1]
        for name in ("query_bias", "key_bias"):
            given = getattr(self, name)
            filled = [0] * width if given is None else given
            object.__setattr__(self, name, exact(filled, f"a head's {name}", ndim=1))


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class DotProductLayer:
    """Heads, then an optional network ``x + relu(x W1 + b1) W2 + b2``, each with its residual.

    Shapes: bias (d,); up (d, m), up_bias (m,); down (m, d), down_bias (d,).  ``norms`` holds up to
    two layer normalisations (weight, bias, eps); they need a grid.  They are applied after the
    heads and after the network (post-norm), or with ``norm_first`` to what the heads and the
    network read, while the residual sums stay as they are (pre-norm).
    """

    heads: Sequence[DotProductHead]
    bias: Any = None
    up: Any = None
    up_bias: Any = None
    down: Any = None
    down_bias: Any = None
    norms: Sequence[tuple[Any, Any, Any]] = ()
    norm_first: bool = False

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "heads", tuple(self.heads))
        if not self.heads:
            raise ModelError("a layer has no heads: give at least one")
        if (self.up is None) != (self.down is None):
            raise ModelError("a layer has only one of up and down: give both or neither")
        width = self.heads[0].query.numerators.shape[0]
        put(self, "bias", exact([0] * width if self.bias is None else self.bias, "bias", ndim=1))
        if self.up is not None:
            put(self, "up", exact(self.up, "the up matrix"))
            put(self, "down", exact(self.down, "the down matrix"))
            inner = self.up.numerators.shape[1]
            for name, size in (("up_bias", inner), ("down_bias", width)):
                given = getattr(self, name)
                put(self, name, exact([0] * size if given is None else given, name, ndim=1))
        norms = tuple(exact_norm(norm) for norm in self.norms)
        if len(norms) not in (0, 1 if self.up is None else 2):
            raise ModelError(f"{len(norms)} norms: give none, or one for each residual sum")
        put(self, "norms", norms)


def exact_norm(norm: Sequence[Any]) -> Norm:
    """Return weight, bias and eps of a layer normalisation as exact matrices."""
    if len(norm) != 3:
        raise ModelError(f"a norm has {len(norm)} parts: give weight, bias and eps")
    weight, bias, eps = norm
    return (
        exact(weight, "a norm's weight", ndim=1),
        exact(bias, "a norm's bias", ndim=1),
        exact(eps if isinstance(eps, ExactMatrix) else [eps], "a norm's eps", ndim=1),
    )


def normalise(
    summed: Integers, over: int, weight: ExactMatrix, bias: ExactMatrix, eps: ExactMatrix, grid: int
) -> Integers:
    """Layer normalisation rounded down to the grid by integer square roots.

    With x = summed / over, s = sum(x), u = d x - s: (x - mean) / sqrt(var + eps) equals
    u / sqrt(sum(u^2)/d + d^2 eps); the quotient is floored to 2^-(grid + 8) before the weight and
    bias are applied exactly, and the result is rounded to 2^-grid.
    """
    fine = grid + 8
    rows = []
    d = summed.shape[1]
    eps_num, eps_den = int(eps.numerators[0]), eps.denominator
    scale = math.lcm(weight.denominator, bias.denominator)
    gains, shifts = weight.over(scale).tolist(), bias.over(scale).tolist()
    for row in summed.astype(object).tolist():
        centre = sum(row)
        u = [d * x - centre for x in row]
        # (var + eps) * d^2 * over^2, kept over the denominator d * eps_den
        square = sum(x * x for x in u) * eps_den + d**3 * eps_num * over * over
        out = []
        for x, gain, shift in zip(u, gains, shifts, strict=True):
            if square == 0:
                unit = 0
            else:
                root = math.isqrt((x * x * d * eps_den << (2 * fine)) // square)
                unit = root if x >= 0 else -root
            out.append(_nearest(unit * gain + (shift << fine), scale << (fine - grid)))
        rows.append(out)
    found = np.empty((len(rows), d), dtype=object)
    found[:] = rows
    return compact(found)


def _nearest(numerator: int, denominator: int) -> int:
    return (2 * numerator + denominator) // (2 * denominator)
