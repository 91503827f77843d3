"""A second evaluation of limits for 1DYCK, with FLINT integers and balls.

It shares no code with the verifier; the stages of `ball_load` are reused.  Roundings that belong to
the statement of a stage (free variables to thousandths, frames and exponents to integers) are taken
from enclosures, which must not straddle them.

Main definitions: `ball_dyck_load`.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

from flint import arb, fmpq, fmpz

from bounds.limits.ball_load import final_codes, repairs, widths
from bounds.limits.ball_tails import ball

GRID = 1000


def _floor(x: arb) -> int:
    found = x.floor().unique_fmpz()
    if found is None:
        raise ValueError(f"{x} straddles an integer: raise the precision")
    return int(found)


def _images(half: fmpq, opened: int, closed: int, codes: int, s: int, t: int) -> arb:
    """Sum over i of codes / ((o + 1) ... (o + i) (c + 1) ... (c + t - i)), by running products."""
    o, c = half - opened - (s + 1) // 2, half - closed - s // 2
    term = arb(fmpz(codes))
    for k in range(1, t + 1):
        term /= arb(c + k)
    total = term
    for i in range(1, t + 1):
        term *= arb(c + (t - i + 1)) / arb(o + i)
        total += term
    return total


def _too_wide(heads: int, ws: tuple[int, ...], s: int, m: arb, first: int) -> arb:
    free = m - first
    fixed, likely, x = free - s, m / 2 - s // 2, s / free
    depth, bound, deep = _floor(fixed / 8), ws[0] + 64, likely / (fixed * fmpq(7, 8))
    alive = deep + (1 - deep) * x
    total = 2 * heads * comb(depth - 1, heads - 1) * alive**depth
    shallow = likely / (fixed - bound)
    for d in range(max(heads, ws[-1]) + 1, ws[0] + 1):
        k = next(k for k, w in enumerate(ws, 1) if w < d)
        row: list[arb] = []
        for b in range(min(s, ws[0]) + 1):
            reached = sum((row[j] * comb(b, j) for j in range(b)), arb(0))
            row.append(arb(0).max((1 / shallow) ** b - reached) if b >= k else arb(0))
        chance, stars = arb(1), arb(0)
        for b in range(min(s, d) + 1):
            stars += row[b] * comb(d, b) * chance
            chance *= (s - b) / (free - b)
        total += 2 * comb(d - 2, heads - 1) * shallow**d * stars
    for theta, start, stop in ((shallow, ws[0] + 1, bound), (deep, bound + 1, bound + 600)):
        odds = 1 / theta - 1
        few = arb(1).min(odds**2)
        for d in range(max(start, heads + 1), stop + 1):
            star = d * x - few * comb(d, 2) * x**2 + few * comb(d, 3) * x**3
            here = theta**d * ((1 + x * odds) ** d - 1 + star)
            total += 2 * comb(d - 2, heads - 1) * here
    fall = deep * (1 + x * (1 / deep - 1))
    beyond = 4 * x * (stop + 1) * comb(stop - 1, heads - 1) * fall ** (stop + 1)
    return total + beyond / (1 - fall * fmpq((stop + 2) * stop, (stop + 1) * (stop + 1 - heads)))


def ball_dyck_load(cert: dict[str, Any], part: dict[str, Any], n: int) -> arb:
    """Return an enclosure of the load of a ``dyck`` limit at the even length ``n``.

    Raises
    ------
    ValueError
        For other tasks, or if a rounding cannot be decided at the working precision.
    """
    if cert["task"] != "dyck":
        raise ValueError(f"task {cert['task']!r} is evaluated elsewhere")
    heads, final, positions = cert["heads"], part["stages"][-1], n + cert["padding"]
    share, open_end = Fraction(part["share"]), part["to"] is None
    side = share * n if open_end else Fraction(-(-share * n // 1))
    high, w = n - 2 * side, 1
    m = ball(high) - 2 * open_end
    for i, stage in enumerate(part["stages"][:-1]):
        p = Fraction(stage["p"])
        lost = 2 * positions * repairs(stage, heads, w, p)
        lost += int(fmpz(_floor(m * ball(1 - p))).isqrt()) + 1
        if i == 0:
            lift = ball(Fraction(stage["lift"]))
            step = ball((1 - p) / 2) / lift + ball((1 + p) / 2) * lift
            low = step ** (share.denominator - 2 * share.numerator) / lift**share.numerator
            lost += ball(high) * low ** (n // share.denominator)
        m, w = ball(p) * m - lost, stage["w"]
    if final["kind"] == "last":
        return arb(fmpq(4 * heads - 1, n))
    s, first = final["s"], (heads + 1) * w
    t = s // 2 + 1
    codes = final_codes(final, heads, w, positions, t)
    for k in range(t):
        codes *= s - k
    alone = len(part["stages"]) == 1
    half = fmpq(int(high * GRID // 2) - GRID * open_end if alone else _floor(m * GRID / 2), GRID)
    covered, left = arb(0), arb(0)
    for ones in range(first + 1):
        zeros = first - ones
        covered = covered.max(_images(half, ones, zeros, codes, s, t))
        if alone:
            room, closing = side - zeros - s // 2 + 1, high / 2 - zeros - s // 2
            base = closing / (closing + room + zeros - ones - s % 2)
            base = max(base, 1 - 2 * share) if open_end else base
            left = left.max(ball(base) ** int(room))
    if final["kind"] == "last-three":
        left += positions * _too_wide(heads, widths(final), s, m, first)
    return covered + left
