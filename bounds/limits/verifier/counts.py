"""The numbers a stored limit rests on, each rounded up: code counts, depth tails, leaf sums.

Everything is an integer or a fraction.  Probabilities are fixed-point integers (v stands for
v / ONE) and every rounding goes up, so that a load below one is a proof and not an estimate.

Main definitions: `code`, `tails`, `wide_leaves`, `covered_exactly`.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

ONE = 10**40
Module = tuple[str, int]  # ("tree" | "list" | "cut", width)


def need(condition: bool, reason: str) -> None:
    """Refuse with ``ValueError(reason)`` unless the condition holds."""
    if not condition:
        raise ValueError(reason)


def ceil_div(num: int, den: int) -> int:
    """Return num / den rounded up, for den > 0."""
    return -(-num // den)


def up(x: Fraction) -> int:
    """Return the fixed-point integer of ``x``, rounded up."""
    return ceil_div(x.numerator * ONE, x.denominator)


def power_up(base: Fraction, exponent: int) -> Fraction:
    """Return an upper bound of ``base ** exponent`` for base >= 0."""
    result, factor = ONE, up(base)
    for bit in bin(exponent)[2:]:
        result = ceil_div(result * result, ONE)
        result = ceil_div(result * factor, ONE) if bit == "1" else result
    return Fraction(result, ONE)


def code(process: list[Module], t: int) -> int:
    """Return the number of Lemma E codes that describe exactly ``t`` queried stars."""
    row = [0] * (t + 1)
    for kind, w in reversed(process):
        row[0] += 1
        row = [sum(comb(w, k) * row[i - k] for k in range(min(i, w) + 1)) for i in range(t + 1)]
        row[0] -= 1
        if kind != "tree":  # division by 1 - c_w(z), c_w(z) = (1+2z)^w - (1+z)^w
            c = [comb(w, k) * (2**k - 1) for k in range(min(w, t) + 1)]
            for i in range(t + 1):
                row[i] += sum(c[k] * row[i - k] for k in range(1, min(i, len(c) - 1) + 1))
    return row[t]


def tails(process: list[Module], p: Fraction, top: int) -> list[int]:
    """Upper bounds, times ONE, of Pr[canonical depth >= s] for s = 0..top (Lemma H)."""
    below = [ONE] + [0] * top
    for kind, w in reversed(process):
        x = p if kind == "tree" else 2 * p / (1 + p)
        bin_ = [up(comb(w, y) * x**y * (1 - x) ** (w - y)) for y in range(w + 1)]
        here = [ONE]
        for s in range(1, top + 1):
            total = below[s] if kind == "cut" else ceil_div(bin_[0] * below[s], ONE)
            for y in range(1, w + 1):
                after = below[max(s - y, 0)]
                if kind == "tree":
                    worth = 2**y * after
                else:
                    worth = min(ONE, (2**y - 1) * here[max(s - y, 0)] + after)
                total += ceil_div(bin_[y] * worth, ONE)
            here.append(min(ONE, total))
        below = here
    return below


def stage_cost(stage: dict[str, Any], heads: int, w: int, p: Fraction) -> Fraction:
    """Return the expected number of repaired stars per position for one restricting stage."""
    goal: int = stage["w"]
    if stage["kind"] == "first-layer":
        r = tails([("list", 1)] * heads, p, goal + heads)
        fixed, star = sum(r[goal + 1 :]), r[goal] + sum(r[goal + 2 :])
        return (1 - p) * Fraction(fixed, ONE) + 2 * p * Fraction(star, ONE)
    if stage["kind"] == "next-layer":
        r = tails([("tree", w)] + [("list", w)] * heads, p, goal + (heads + 1) * w)
        return Fraction(sum(r[goal + 1 :]), ONE)
    narrow = stage["narrow"]
    own = [("tree", 1)] + [("list", 1)] * heads
    r = tails(own + [("cut", narrow)] * heads, p, goal + heads + 1 + heads * narrow)
    wide = Fraction(0)  # expected alive leaves wider than `narrow` that still hold a star
    for x, sign in (((1 + p) / 2, 2), ((1 - p) / 2, -2)):
        leaves = sum(comb(d - 2, heads - 1) * x**d for d in range(heads + 1, narrow + 1))
        wide += sign * (x ** (heads + 1) / (1 - x) ** heads - leaves)
    return Fraction(heads * up(wide) + sum(r[goal + 1 :]), ONE)


def wide_leaves(heads: int, w: int, x: Fraction, theta: tuple[Fraction, Fraction]) -> int:
    """Bound, times ONE, one position's expected alive leaves wider than ``w`` that hold a star.

    ``x`` is the star density; a literal holds with chance ``theta[0]`` up to depth ``w + 64`` and
    ``theta[1]`` below; the sum runs over all depths and decreases with ``x`` and ``theta``.
    """
    total, deep, xs = 0, w + 64, up(x)
    for th, start, stop in ((theta[0], w + 1, deep), (theta[1], deep + 1, deep + 600)):
        upth, grow = up(th), ONE + up(x * (1 / th - 1))
        power, growth = ONE, ONE
        for d in range(1, stop + 1):
            power, growth = ceil_div(power * upth, ONE), ceil_div(growth * grow, ONE)
            if d >= start:
                star = d * xs  # Pr[a star] <= E Y, or <= E[Y - C(Y,2) + C(Y,3)] where that is valid
                if th == Fraction(1, 2):
                    star += ceil_div(comb(d, 3) * xs**3, ONE**2) - comb(d, 2) * (xs - 1) ** 2 // ONE
                total += 2 * comb(d - 2, heads - 1) * ceil_div(power * (growth - ONE + star), ONE)
    last = (
        4
        * comb(stop - 1, heads - 1)
        * ceil_div(ceil_div(power * growth, ONE) * upth * grow, ONE**2)
    )
    ratio = Fraction(upth * grow, ONE**2) * Fraction(stop, stop + 1 - heads)
    need(ratio < 1, "the sum over wide leaves does not converge")
    return total + up(Fraction(last, ONE) / (1 - ratio))


def covered_exactly(n: int, padding: int, heads: int, s: int) -> Fraction:
    """Two layers: the largest share of restrictions that trees can cover (exact programme)."""
    m = n - heads - 1
    value = [comb(d, s) << (m - d) for d in range(m + 1)]
    for _ in range(heads * heads):
        row = value[:]
        for d in range(m - 1, -1, -1):
            row[d] = max(value[d], value[d + 1] + row[d + 1])
        value = row
    spare = n + padding - 1 - m  # positions whose own bit is fixed, the reading one left out
    total = sum(
        comb(m, k) * comb(spare, heads - k) * 2**k * value[k] for k in range(min(heads, m) + 1)
    )
    return Fraction(total, 2 * comb(m, s) << (m - s))
