"""A second evaluation of every stage for PARITY and MOD-m, with FLINT integers and balls.

It shares no code with the verifier: series come from `series`, tails from `ball_tails`, and the sum
over wide leaves is evaluated depth by depth with an enclosed remainder instead of a closed form.

Main definitions: `ball_load`, `Walk`, `walked`, `final_codes`, `repairs`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb
from typing import Any

from flint import arb, fmpq, fmpz

from bounds.limits.ball_tails import ball, ball_tails, leaf_weight
from bounds.limits.series import Width, code_series

BITS = 256
Process = tuple[tuple[str, Width], ...]


@dataclass(frozen=True, slots=True)
class Walk:
    """What the restricting stages leave: free variables, depth of activations, layers removed."""

    m: arb
    w: int
    done: int


def repairs(stage: dict[str, Any], heads: int, w: int, p: Fraction) -> arb:
    """Return the expected repairs per position of one restricting stage."""
    goal = stage["w"]
    if stage["kind"] == "first-layer":
        r = ball_tails((("list", 1),) * heads, p, goal + heads)
        deep, rest = sum(r[goal + 1 :], arb(0)), sum(r[goal + 2 :], arb(0))
        return ball(1 - p) * deep + ball(2 * p) * (r[goal] + rest)
    if stage["kind"] == "next-layer":
        kinds = (("tree", w), *(("list", w),) * heads)
        return sum(ball_tails(kinds, p, goal + (heads + 1) * w)[goal + 1 :], arb(0))
    narrow = stage["narrow"]
    kinds = (("tree", 1), *(("list", 1),) * heads, *(("cut", narrow),) * heads)
    tails = ball_tails(kinds, p, goal + heads + 1 + heads * narrow)
    alive = leaf_weight(heads, narrow, ball((1 + p) / 2))
    bare = leaf_weight(heads, narrow, ball((1 - p) / 2))
    return heads * 2 * (alive - bare) + sum(tails[goal + 1 :], arb(0))


def walked(cert: dict[str, Any], part: dict[str, Any], n: int) -> Walk:
    """Apply the restricting stages of a ``parity`` or ``mod`` limit at length ``n``."""
    heads, positions = cert["heads"], n + cert["padding"]
    m, w, done = arb(n), 1, 0
    for stage in part["stages"][:-1]:
        p = Fraction(stage["p"])
        m = ball(p) * m - positions * repairs(stage, heads, w, p)
        w, done = stage["w"], done + (2 if stage["kind"] == "two-layers" else 1)
    return Walk(m, w, done)


def widths(stage: dict[str, Any]) -> tuple[int, ...]:
    """Return the widths allowed with 1, 2, ... stars of a stage for three layers."""
    return tuple(stage["w"]) if isinstance(stage["w"], list) else (stage["w"],)


def final_codes(stage: dict[str, Any], heads: int, w: int, positions: int, t: int) -> int:
    """Return choices of attended positions times codes of ``t`` stars."""
    block: Process = (("tree", w), *(("list", w),) * heads)
    process = block * heads
    if stage["kind"] == "last-three":
        ws = widths(stage)
        process = (("tree", ws),) * heads + (block + (("list", ws),) * heads) * heads
    ways = comb(positions - 1, heads) if stage["choice"] == "sets" else positions**heads
    top = t + -t % 32  # neighbouring numbers of stars share one series
    return ways * code_series(process, top)[t]


def _too_wide(heads: int, ws: tuple[int, ...], s: int, m: arb) -> arb:
    """Sum over depths d of 2 C(d-2, heads-1) 2^-d E[2^Y; Y too many], term by term."""
    expected = [arb(1)]  # E C(Y, b) / C(d, b)
    for b in range(1, s + 1):
        expected.append(expected[-1] * (s - b + 1) / (m - b + 1))
    last, total = ws[0] + 300, arb(0)
    for d in range(max(heads, ws[-1]) + 1, last + 1):
        k = next(k for k, w in enumerate(ws, 1) if w < d)
        row = _weights(k, min(s, d))
        stars = sum((int(a) * comb(d, b) * expected[b] for b, a in enumerate(row) if a), arb(0))
        total += comb(d - 2, heads - 1) * stars / arb(2) ** d
    # beyond `last`: E 2^Y <= y^d with y = 1 + s/m, and the terms fall at least by `fall`
    y, fall = (1 + s / m) / 2, (1 + s / m) / 2 * fmpq(last, last - heads)
    beyond = comb(last - 1, heads - 1) * y ** (last + 1) / (1 - fall)
    return 2 * (total + arb(0).union(beyond))


@cache
def _weights(k: int, top: int) -> list[fmpz]:
    """Newton coefficients of a polynomial in binomials that dominates 2^Y for Y >= k."""
    row = [fmpz(0)] * (top + 1)
    if k == 1:  # exact: 2^Y - [Y = 0]
        return [fmpz(1 - (-1) ** b) for b in range(top + 1)]
    for b in range(k, top + 1):
        reached = sum((row[j] * comb(b, j) for j in range(k, b)), fmpz(0))
        row[b] = max(fmpz(0), fmpz(2) ** b - reached)
    return row


def _covered(n: int, padding: int, heads: int, s: int) -> arb:
    """Two layers, one length: the exact programme from the leaves' side, memoised."""
    m = n - heads - 1

    @cache
    def best(lists: int, d: int) -> fmpz:
        here = fmpz(comb(d, s)) << (m - d)
        if lists == 0 or d == m:
            return here
        # the next literal ends this list or not; or no further list is used at all
        return max(best(lists - 1, d), best(lists - 1, d + 1) + best(lists, d + 1))

    ways = sum(
        (
            comb(m, k) * comb(n + padding - 1 - m, heads - k) * 2**k * best(heads * heads, k)
            for k in range(min(heads, m) + 1)
        ),
        fmpz(0),
    )
    return arb(ways) / arb(comb(m, s) << (m - s + 1))


def ball_load(cert: dict[str, Any], part: dict[str, Any], n: int) -> arb:
    """Return an enclosure of the load of a ``parity`` or ``mod`` limit at length ``n``.

    Raises
    ------
    ValueError
        For other tasks.
    """
    if cert["task"] not in ("parity", "mod"):
        raise ValueError(f"task {cert['task']!r} is evaluated elsewhere")
    heads, final, positions = cert["heads"], part["stages"][-1], n + cert["padding"]
    free = cert["modulus"] - 1 if cert["task"] == "mod" else 1
    left = walked(cert, part, n)
    if final["kind"] == "last":
        return ((heads + 1) * left.w + free - arb(1) / 2) / left.m
    s = final["s"]
    if final["kind"] == "two-exactly":
        return _covered(n, cert["padding"], heads, s)
    t, m = s + 1 - free, left.m - (heads + 1) * left.w
    codes = final_codes(final, heads, left.w, positions, t)
    falling = arb(1)
    for k in range(t):
        falling *= (m - (s - t) - k) / (s - k)
    load = arb(fmpq(codes * 2**t)) / falling
    if final["kind"] == "last-three":
        load += positions * _too_wide(heads, widths(final), s, m)
    return load
