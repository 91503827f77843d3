"""A second evaluation of every stage, with FLINT integers and balls instead of plain Python.

It shares no code with the verifier: series come from `series`, tails from `ball_tails`, and the sum
over wide leaves is evaluated through closed forms and derivatives instead of a truncated sum.

Main definitions: `ball_load`.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

from flint import arb, arb_series, fmpq

from bounds.limits.ball_tails import ball, ball_tails, leaf_weight
from bounds.limits.series import code_series

BITS = 256
Process = tuple[tuple[str, int], ...]


def _cost(stage: dict[str, Any], heads: int, w: int, p: Fraction) -> arb:
    goal = stage["w"]
    if stage["kind"] == "first-layer":
        r = ball_tails((("list", 1),) * heads, p, goal + heads)
        deep, rest = sum(r[goal + 1 :], arb(0)), sum(r[goal + 2 :], arb(0))
        return ball(1 - p) * deep + ball(2 * p) * (r[goal] + rest)
    if stage["kind"] == "next-layer":
        kinds: Process = (("tree", w), *(("list", w),) * heads)
        return sum(ball_tails(kinds, p, goal + (heads + 1) * w)[goal + 1 :], arb(0))
    narrow = stage["narrow"]
    kinds = (("tree", 1), *(("list", 1),) * heads, *(("cut", narrow),) * heads)
    tails = ball_tails(kinds, p, goal + heads + 1 + heads * narrow)
    alive = leaf_weight(heads, narrow, ball((1 + p) / 2))
    bare = leaf_weight(heads, narrow, ball((1 - p) / 2))
    return heads * 2 * (alive - bare) + sum(tails[goal + 1 :], arb(0))


def _wide(heads: int, w: int, x: arb) -> arb:
    """Twice the sum over d > w of C(d-2, heads-1) 2^-d ((1+x)^d - 1 + dx - C(d,2)x^2 + C(d,3)x^3).

    The sums with C(d, b) are Taylor coefficients of the closed form around 1/2.
    """
    around = arb_series([arb(1) / 2, arb(1) / 2], 4)  # y = (1 + u) / 2: u^b picks C(d, b) 2^-d
    closed = around ** (heads + 1) / (1 - around) ** heads
    head = arb_series([arb(0)], 4)
    for d in range(heads + 1, w + 1):
        head = head + comb(d - 2, heads - 1) * around**d
    taylor = closed - head
    full = leaf_weight(heads, w, (1 + x) / 2)
    return 2 * (full - taylor[0] + x * taylor[1] - x**2 * taylor[2] + x**3 * taylor[3])


def ball_load(cert: dict[str, Any], part: dict[str, Any], n: int) -> arb:
    """Return an enclosure of the load of a ``parity`` or ``mod`` limit at length ``n``.

    Raises
    ------
    ValueError
        For tasks and final stages that this evaluation does not cover.
    """
    heads, positions = cert["heads"], n + cert["padding"]
    free = cert["modulus"] - 1 if cert["task"] == "mod" else 1
    m, w = arb(n), 1
    for stage in part["stages"][:-1]:
        p = Fraction(stage["p"])
        m = ball(p) * m - positions * _cost(stage, heads, w, p)
        w = stage["w"]
    final = part["stages"][-1]
    if cert["task"] == "dyck" or final["kind"] not in ("last-two", "last-three"):
        raise ValueError(f"no second evaluation of {cert['task']} with {final['kind']}")
    s, t = final["s"], final["s"] + 1 - free
    block: Process = (("tree", w), *(("list", w),) * heads)
    process, three = block * heads, final["kind"] == "last-three"
    if three:
        wide = (("list", final["w"]),) * heads
        process = (("tree", final["w"]),) * heads + (block + wide) * heads
    m -= (heads + 1) * w
    ways = comb(positions - 1, heads) if final["choice"] == "sets" else positions**heads
    codes = ways * code_series(process, t)[t]
    falling = arb(1)
    for k in range(t):
        falling *= (m - (s - t) - k) / (s - k)
    load = arb(fmpq(codes * 2**t)) / falling
    return load + positions * _wide(heads, final["w"], s / m) if three else load
