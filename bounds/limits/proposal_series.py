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
from itertools import groupby
from math import comb, log

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Width = int | tuple[int, ...]  # or the widths allowed with 1, 2, ... stars, the last one repeated
Process = tuple[tuple[str, Width], ...]  # ("tree" | "list" | "cut", width)


def _places(w: Width, top: int) -> list[int]:
    """Return the numbers of places of 0..top stars in a term, as far as they are positive."""
    if isinstance(w, int):
        return [comb(w, y) for y in range(min(w, top) + 1)]
    rows = [comb(w[min(y, len(w)) - 1], y) for y in range(1, top + 1)]
    return [1, *(c for c in rows if c)]


def growth_root(w: Width) -> float:
    """Return u > 0 where the falsified blocks sum to 1: one list of width ``w`` grows like u^-s."""
    blocks = [c * (2**y - 1) for y, c in enumerate(_places(w, 60))]
    low, high = 0.0, 1.0
    for _ in range(60):
        mid = (low + high) / 2
        total = sum(c * mid**y for y, c in enumerate(blocks))
        low, high = (mid, high) if total < 1 else (low, mid)
    return low


@lru_cache(maxsize=512)
def _scaled(w: Width, top: int, sigma: float) -> Floats:
    return np.array([c * sigma**k for k, c in enumerate(_places(w, top))], dtype=float)


@lru_cache(maxsize=512)
def _repeated(w: Width, top: int, sigma: float) -> Floats:
    """Return the scaled series of any number of falsified blocks, 1 / (1 - c_w)."""
    places = _scaled(w, top, sigma)
    back = (places * (2.0 ** np.arange(len(places)) - 1))[1:][::-1]
    out: Floats = np.zeros(top + 1)
    out[0] = 1.0
    for i in range(1, top + 1):
        k = min(i, len(back))
        out[i] = back[len(back) - k :] @ out[i - k : i]
    return out


@lru_cache(maxsize=256)
def log_code(process: Process, top: int) -> Floats:
    """Natural logarithms of the code counts for 0..top stars (index 0 holds -inf).

    Examples
    --------
    >>> [round(float(np.exp(v))) for v in log_code((("tree", 1), ("list", 1)), 4)[1:]]
    [2, 2, 2, 2]
    """
    sigma = min(growth_root(w) for w in {w for _, w in process})
    row = np.zeros(top + 1)
    for kind, w in reversed(process):
        row[0] += 1.0
        row = np.convolve(row, _scaled(w, top, sigma))[: top + 1]
        row[0] -= 1.0
        if kind != "tree":
            row = np.convolve(row, _repeated(w, top, sigma))[: top + 1]
    with np.errstate(divide="ignore"):
        out: Floats = np.log(np.maximum(row, 0.0)) - np.arange(top + 1) * log(sigma)
    out[0] = -np.inf
    return out


def float_tails(process: tuple[tuple[str, int], ...], p: float, top: int) -> Floats:
    """Approximate upper bounds of Pr[canonical depth >= s], s = 0..top, star probability ``p``."""
    below = np.zeros(top + 1)
    below[0] = 1.0
    for (kind, w), group in groupby(reversed(process)):
        x = p if kind == "tree" else 2 * p / (1 + p)
        weights = np.array([comb(w, k) * x**k * (1 - x) ** (w - k) for k in range(w + 1)])
        count = len(tuple(group))
        if kind == "tree":
            for _ in range(count):
                below = _tree_tails(weights, below)
        else:
            below = _list_tails(weights, below, count, 1.0 if kind == "cut" else float(weights[0]))
    return below


def _tree_tails(weights: Floats, below: Floats) -> Floats:
    w = len(weights) - 1
    padded = np.concatenate([np.ones(w), below])  # padded[w + s] = below[s], 1 for s < 0
    scaled = (weights * 2.0 ** np.arange(w + 1))[::-1]
    here: Floats = np.minimum(1.0, np.correlate(padded, scaled, "valid"))
    here[0] = 1.0
    return here


def _list_tails(weights: Floats, below: Floats, count: int, stay: float) -> Floats:
    """Pass ``count`` equal lists at once: row k of the table belongs to the k-th last one."""
    w, top = len(weights) - 1, len(below) - 1
    wide, grown = weights[1:][::-1], (2.0 ** np.arange(1, w + 1) - 1)[::-1]
    table = np.ones((count + 1, w + top + 1))
    table[0, w:] = below
    for s in range(1, top + 1):
        past = table[:, s : s + w]
        gains = np.minimum(1.0, grown * past[1:] + past[:-1]) @ wide
        value = float(below[s])
        for k, gain in enumerate(gains.tolist(), 1):
            value = min(1.0, stay * value + gain)
            table[k, w + s] = value
    out: Floats = table[count, w:]
    return out
