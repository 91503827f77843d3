"""The final stage for DYCK: restrictions whose free symbols must be balanced by hand.

The word is a frame of opening brackets, a middle, and a frame of closing brackets.  The middle is
restricted at random to ``s`` free symbols with exactly half of them still to be opened.

Main definitions: `Middle`, `balanced_load`, `dip_loss`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import comb

from bounds.limits.verifier.counts import ONE, ceil_div, need, power_up, up


@dataclass(frozen=True, slots=True)
class Middle:
    """A middle with ``m`` free symbols, ``first`` of them fixed before the random restriction.

    ``side`` is the frame's length and ``high`` the largest possible middle; both are ``None`` once
    a restricting stage has already made every completion keep its height.  ``limit`` bounds the
    dip's base for every larger length, or is 0 for a single length.
    """

    m: Fraction
    first: int
    side: Fraction | None
    high: Fraction
    limit: Fraction


def balanced_load(middle: Middle, codes: int, s: int, t: int) -> Fraction:
    """Return the covered share of balanced restrictions plus the share that leaves the frame."""
    grid, share, dip = 1000, Fraction(0), Fraction(0)
    for ones in range(middle.first + 1):  # openings among the symbols fixed first
        zeros = middle.first - ones
        o = int((middle.m / 2 - ones - (s + 1) // 2) * grid // 1)
        q = int((middle.m / 2 - zeros - s // 2) * grid // 1)
        need(min(o, q) > 0, "too few variables for a balanced restriction")
        opened, closed = [1], [1]
        for k in range(1, t + 1):
            opened.append(opened[-1] * (o + k * grid))
            closed.append(closed[-1] * (q + k * grid))
        top = codes * grid**t * ONE
        images = sum(ceil_div(top, opened[i] * closed[t - i]) for i in range(t + 1))
        share = max(share, Fraction(images, ONE))
        if middle.side is not None:  # reflection: C(M, o + side) / C(M, o) <= base ** side
            side = middle.side - zeros - s // 2 + 1
            closing = middle.high / 2 - zeros - s // 2
            need(side >= 1, "the frame is too short")
            base = closing / (closing + side + middle.first - 2 * ones - s % 2)
            base = max(base, middle.limit)
            need(0 < base < 1, "the frame is too short")
            dip = max(dip, power_up(base, int(side)))
    return share + dip


def leaf_chances(middle: Middle, s: int, w: int, heads: int) -> tuple[Fraction, Fraction, Fraction]:
    """Return a literal's chance to hold (shallow, deep) and the weight of very deep nodes."""
    fixed = middle.m - middle.first - s
    need(fixed >= 8 * max(w + 64, 20 * heads), "too few variables for wide leaves")
    likely, depth = middle.m / 2 - s // 2, int(fixed // 8)
    deep = likely / (fixed * Fraction(7, 8))
    alive = deep + (1 - deep) * s / (middle.m - middle.first)
    need(alive * Fraction(5, 4) < 1, "literals are too likely")
    nodes = 2 * heads * comb(depth - 1, heads - 1)
    return likely / (fixed - w - 64), deep, nodes * power_up(alive, depth)


def dip_loss(n: int, share: Fraction, high: Fraction, p: Fraction, lift: Fraction) -> Fraction:
    """Return ``high`` times the chance that a random middle, stars read as closing, dips too low.

    Maximal inequality for ``lift ** (height drop)``: the chance is at most base^(n / denominator).
    """
    step = (1 - p) / 2 / lift + (1 + p) / 2 * lift
    base = lift**-share.numerator * step ** (share.denominator - 2 * share.numerator)
    need(lift > 1 and step >= 1 and base < 1, "the frame is too short for the random middle")
    return high * power_up(Fraction(up(base), ONE), n // share.denominator)
