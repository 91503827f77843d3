r"""Floating-point code counts and depth tails: fast proposals for the optimiser, never a verdict.

A code series is stored as the logarithms of its coefficients, computed with the variable scaled to
its radius of growth so that four hundred coefficients fit into doubles.

Main definitions: `log_code`, `float_tails`.

References
----------
Own derivation; the exact counterparts are ``bounds.limits.series`` and ``bounds.limits.tails``.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb, log

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Process = tuple[tuple[str, int], ...]  # ("tree" | "list" | "cut", width)


def growth_root(w: int) -> float:
    """Return u > 0 with (1+2u)^w - (1+u)^w = 1: one list of width ``w`` grows like u^-s."""
    low, high = 0.0, 1.0
    for _ in range(60):
        mid = (low + high) / 2
        low, high = (mid, high) if (1 + 2 * mid) ** w - (1 + mid) ** w < 1 else (low, mid)
    return low


@lru_cache(maxsize=256)
def log_code(process: Process, top: int) -> Floats:
    """Natural logarithms of the code counts for 0..top stars (index 0 holds -inf).

    Examples
    --------
    >>> [round(float(np.exp(v))) for v in log_code((("tree", 1), ("list", 1)), 4)[1:]]
    [2, 2, 2, 2]
    """
    sigma = growth_root(max(w for _, w in process))
    row = np.zeros(top + 1)
    for kind, w in reversed(process):
        row[0] += 1.0
        binomial = np.array([comb(w, k) * sigma**k for k in range(min(w, top) + 1)])
        row = np.convolve(row, binomial)[: top + 1]
        row[0] -= 1.0
        if kind != "tree":
            c = np.array([comb(w, k) * (2**k - 1) * sigma**k for k in range(1, min(w, top) + 1)])
            back = c[::-1]
            for i in range(1, top + 1):
                k = min(i, len(c))
                row[i] += float(back[len(c) - k :] @ row[i - k : i])
    with np.errstate(divide="ignore"):
        out: Floats = np.log(np.maximum(row, 0.0)) - np.arange(top + 1) * log(sigma)
    out[0] = -np.inf
    return out


def float_tails(process: Process, p: float, top: int) -> Floats:
    """Approximate upper bounds of Pr[canonical depth >= s], s = 0..top, star probability ``p``."""
    below = np.zeros(top + 1)
    below[0] = 1.0
    for kind, w in reversed(process):
        x = p if kind == "tree" else 2 * p / (1 + p)
        y = np.arange(w + 1)
        weights = np.array([comb(w, k) * x**k * (1 - x) ** (w - k) for k in range(w + 1)])
        powers = 2.0**y
        here = np.ones(top + 1)
        padded = np.concatenate([np.ones(w), below])  # padded[w + s] = below[s], 1 for s < 0
        if kind == "tree":
            for s in range(1, top + 1):
                here[s] = min(1.0, float((weights * powers) @ padded[s : w + s + 1][::-1]))
        else:
            stay = 1.0 if kind == "cut" else weights[0]
            wide, grown = weights[1:], powers[1:] - 1
            mine = np.ones(w + top + 1)
            for s in range(1, top + 1):
                worth = np.minimum(1.0, grown * mine[s : s + w][::-1] + padded[s : s + w][::-1])
                value = min(1.0, stay * below[s] + float(wide @ worth))
                mine[w + s] = value
            here = mine[w:]
        below = here
    return below
