r"""Decision trees, the counting form of the switching lemma, and repair of single bad positions.

**Theorem.** Keep "every activation is a decision tree of depth <= t".  The first layer's heads are
lists of literals: under Bernoulli stars with probability p a list shows k+1 stars before its first
hit with probability theta^(k+1), theta = 2p/(1+p); fixing one variable repairs a bad (position,
own bit, head).  Later heads are lists of terms of width <= 2t; with exactly a share p of stars the
bad restrictions are at most N(2t, s) (2p/(1-p))^s of all, with
:math:`N(r,s) = [x^s]((1+2x)^r - 1)/(1 - (1+2x)^r + (1+x)^r)`; fixing <= 2t variables repairs one.
With x_1 = p - 2H theta^(k+1), t_1 = 1 + Hk, x_{l+1} = p x_l - 2 t_l H eps, t_{l+1} = H(s-1), no
transformer with L >= 2 layers computes PARITY once n x_{L-1} - L >= (H+1) t_{L-1} + 1.

*Proof.* Expectations over the restriction give the shares x; the last layer only matters at the
last position, where fixing (H+1) t variables makes the output constant.  At most one star per
layer is lost to rounding. []

This bound is kept for comparison; the encoding lemma supersedes it.

Main definitions: `smallest`, `share`.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import ceil

from flint import fmpz_poly

from bounds.limits.plan import LimitError

Step = tuple[Fraction, int]  # star probability; stars that count as bad


@lru_cache(maxsize=4096)
def bad_count(r: int, s: int) -> int:
    """Return N(r, s) by the recurrence of its rational generating function."""
    both, one = fmpz_poly([1, 2]) ** r, fmpz_poly([1, 1]) ** r
    top = [int((both - 1)[i]) for i in range(s + 1)]
    down = [int((both - one)[i]) for i in range(s + 1)]
    out: list[int] = []
    for i in range(s + 1):
        out.append(top[i] + sum(down[k] * out[i - k] for k in range(1, min(i, r) + 1)))
    return out[s]


def share(heads: int, steps: tuple[Step, ...]) -> tuple[Fraction, int]:
    """Return (x, t) after the given steps, the first one for the first layer."""
    p, k = steps[0]
    x, t = p - 2 * heads * (2 * p / (1 + p)) ** (k + 1), 1 + heads * k
    for p, s in steps[1:]:
        bad = bad_count(2 * t, s) * (2 * p / (1 - p)) ** s
        x, t = p * x - 2 * t * heads * bad, heads * (s - 1)
    return x, t


def smallest(layers: int, heads: int) -> int:
    """Return the least n of the theorem over a grid of parameters; exact for those parameters.

    Examples
    --------
    >>> smallest(2, 1)
    39
    """
    if layers < 1 or heads < 1:
        raise LimitError(f"layers = {layers}, heads = {heads}: both must be at least 1")
    if layers == 1:
        return heads + 2
    best: int | None = None
    for steps in _grid(layers, heads):
        x, t = share(heads, steps)
        if x > 0:
            n = ceil(((heads + 1) * t + 1 + (layers if layers > 2 else 0)) / x)
            best = n if best is None else min(best, n)
    if best is None:
        raise LimitError(f"no parameters found for layers = {layers}, heads = {heads}")
    return best


def _grid(layers: int, heads: int) -> list[tuple[Step, ...]]:
    firsts = [(Fraction(a, 100), k) for a in range(6, 60, 2) for k in range(2, 14)]
    if layers == 2:
        return [(f,) for f in firsts]
    # later layers: descend greedily on the largest (share / depth) reached so far
    chains: list[tuple[Step, ...]] = [(f,) for f in firsts]
    for layer in range(2, layers):
        ranked = sorted(chains, key=lambda c: _merit(heads, c), reverse=True)[:12]
        chains = [
            (*chain, (Fraction(1, d), s))
            for chain in ranked
            for d, s in product(_denominators(heads, chain), range(4, 30 + 2 * layer))
            if share(heads, (*chain, (Fraction(1, d), s)))[0] > 0
        ]
    return chains


def _denominators(heads: int, chain: tuple[Step, ...]) -> list[int]:
    t = share(heads, chain)[1]
    return [t * c for c in (10, 12, 14, 17, 20, 24)]


def _merit(heads: int, chain: tuple[Step, ...]) -> float:
    x, t = share(heads, chain)
    return float(x / (t * t)) if x > 0 else -1.0
