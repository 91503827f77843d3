"""Lemma H in ball arithmetic: enclosures of the depth tails, independent of the verifier.

For Bernoulli stars with probability p the functions below bound Pr[canonical depth >= s | any
closed event], by the recursions (D) for trees, (L) for lists and (T) for lists that may be cut.

Main definitions: `ball_tails`, `leaf_weight`.

References
----------
Own derivation; the conditioning uses Harris' inequality [harris1960].
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import comb

from flint import arb, ctx, fmpq


def ball(x: Fraction) -> arb:
    """Return an enclosure of a rational number at the working precision."""
    return arb(fmpq(x.numerator, x.denominator))


def ball_tails(process: tuple[tuple[str, int], ...], p: Fraction, top: int) -> list[arb]:
    """Return enclosures of the tail bounds for s = 0..top (arrays of ``top + 1`` balls).

    Examples
    --------
    >>> rows = ball_tails((("list", 1),), Fraction(1, 3), 2)
    >>> [float(r.mid()) for r in rows]
    [1.0, 0.5, 0.25]
    """
    return list(_tails(process, p, top, ctx.prec))


@lru_cache(maxsize=64)  # a search asks for many lengths with the same stage
def _tails(
    process: tuple[tuple[str, int], ...], p: Fraction, top: int, prec: int
) -> tuple[arb, ...]:
    """Compute the enclosures at the working precision ``prec`` (part of the key)."""
    one = arb(1)
    after = [one] + [arb(0)] * top
    for kind, w in reversed(process):
        star = ball(p if kind == "tree" else 2 * p / (1 + p))
        weight = [comb(w, y) * star**y * (1 - star) ** (w - y) for y in range(w + 1)]
        here = [one]
        for s in range(1, top + 1):
            value = after[s] if kind == "cut" else weight[0] * after[s]
            for y in range(1, w + 1):
                next_ = after[s - y] if s > y else one
                if kind == "tree":
                    value += weight[y] * 2**y * next_
                else:
                    mine = here[s - y] if s > y else one
                    value += weight[y] * one.min((2**y - 1) * mine + next_)
            here.append(one.min(value))
        after = here
    return tuple(after)


def leaf_weight(heads: int, w: int, x: arb) -> arb:
    r"""Enclose :math:`\sum_{d>w} \binom{d-2}{heads-1} x^d` through its closed form."""
    head = sum((comb(d - 2, heads - 1) * x**d for d in range(heads + 1, w + 1)), arb(0))
    return x ** (heads + 1) / (1 - x) ** heads - head
