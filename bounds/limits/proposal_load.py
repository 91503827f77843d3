"""The load of a plan in floating point, for every number of stars at once.

Main definitions: `best_load`, `smallest_length`.
"""

from __future__ import annotations

from functools import lru_cache
from math import ceil, comb, exp, floor, inf, log, sqrt

import numpy as np

from bounds.limits.plan import Plan, Question
from bounds.limits.proposal_series import Floats, Process, float_tails, log_code
from bounds.limits.verifier import star_weights

_TERMS = 30  # of the expansions in binomials of the number of stars
_PASCAL = np.array([[comb(d, b) for b in range(_TERMS)] for d in range(200)], dtype=float)
FARTHEST = 1e18  # lengths beyond this are treated as "no bound"


def _log_gamma(x: Floats) -> Floats:
    """Stirling's series, after a shift by eight where x is small; ten digits for x > 0."""
    small = bool(x.min() < 16)
    y = x + 8 if small else x
    out: Floats = (
        (y - 0.5) * np.log(y) - y + 0.5 * log(2 * np.pi) + (1 - 1 / (30 * y**2)) / (12 * y)
    )
    if small:
        for k in range(8):
            out = out - np.log(x + k)
    return out


@lru_cache(maxsize=4)
def _log_factorials(top: int) -> Floats:
    return np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, top + 1)))])


@lru_cache(maxsize=4096)
def stage_cost(kind: str, heads: int, before: int, p: float, narrow: int, w: int) -> float:
    """Repaired stars per position (floating point)."""
    if kind == "first-layer":
        r = float_tails((("list", 1),) * heads, p, w + heads)
        return float((1 - p) * r[w + 1 :].sum() + 2 * p * (r[w] + r[w + 2 :].sum()))
    if kind == "next-layer":
        top = min(w + (heads + 1) * before, w + 80)
        return float(
            float_tails((("tree", before),) + (("list", before),) * heads, p, top)[w + 1 :].sum()
        )
    top = min(w + heads + 1 + heads * narrow, w + 80)
    own = (("tree", 1),) + (("list", 1),) * heads
    tails = float_tails(own + (("cut", narrow),) * heads, p, top)
    wide = 0.0
    for d in range(narrow + 1, narrow + 400):
        alive = 2 * comb(d - 2, heads - 1) * (((1 + p) / 2) ** d - ((1 - p) / 2) ** d)
        wide += alive
    return heads * wide + float(tails[w + 1 :].sum())


def _final_process(plan: Plan, w: int) -> tuple[Process, int]:
    h = plan.question.heads
    block: Process = (("tree", w),) + (("list", w),) * h
    if plan.final != "last-three":
        return block * h, (h + 1) * w
    wide = widths_of(plan)
    return (("tree", wide),) * h + (block + (("list", wide),) * h) * h, (h + 1) * w


def widths_of(plan: Plan) -> tuple[int, ...]:
    """Return the widths allowed with 1, 2, ... stars of a plan for three last layers."""
    return tuple(round(v) for k, v in sorted(plan.numbers.items()) if k[0] == "y")


@lru_cache(maxsize=4096)
def _deep_sums(heads: int, below: int, to: int) -> Floats:
    """Sum of 2 C(d-2, heads-1) C(d, b) 2^-d over below < d <= to, for b = 0..29."""
    out: Floats = np.zeros(_TERMS)
    for d in range(max(below, heads) + 1, min(to, below + 300) + 1):
        out = out + np.asarray(
            [2 * comb(d - 2, heads - 1) * comb(d, b) / 2**d for b in range(_TERMS)],
            dtype=float,
        )
    return out


@lru_cache(maxsize=64)
def _weights(k: int) -> Floats:
    return np.array([float(a) for a in star_weights(k, _TERMS - 1)])


def _expected(s: Floats, m: float) -> Floats:
    """E C(Y, b) / C(d, b) for b = 0..29 (rows) and every number of stars (columns)."""
    steps: list[Floats] = [np.ones(len(s))]
    steps += [np.maximum(s - b, 0.0) / max(m - b, 1.0) for b in range(_TERMS - 1)]
    out: Floats = np.cumprod(np.array(steps, dtype=float), axis=0)
    return out


def _too_wide(heads: int, widths: tuple[int, ...], s: Floats, m: float) -> Floats:
    """Estimate the alive too wide leaves of one position; literals hold half the time."""
    total = _weights(1) * _deep_sums(heads, widths[0], 10**9)
    for k in range(2, len(widths) + 1):
        total = total + _weights(k) * _deep_sums(heads, widths[k - 1], widths[k - 2])
    out: Floats = total @ _expected(s, m)
    return out


@lru_cache(maxsize=256)
def _leaf_counts(heads: int, below: int) -> Floats:
    """Numbers of leaves of the 199 depths beyond ``below``, as a column."""
    rows = [2.0 * comb(d - 2, heads - 1) for d in range(below + 1, below + 200)]
    return np.array(rows)[:, None]


def _too_wide_balanced(
    heads: int, widths: tuple[int, ...], s: Floats, m: float, theta: float
) -> Floats:
    """Estimate the alive too wide leaves of one position; literals hold with chance ``theta``."""
    d = np.arange(widths[0] + 1, widths[0] + 200, dtype=float)[:, None]
    count = _leaf_counts(heads, widths[0])
    odds, x = 1 / theta - 1, s / m
    star = d * x - min(1.0, odds**2) * (d * (d - 1) / 2 * x**2 - d * (d - 1) * (d - 2) / 6 * x**3)
    with np.errstate(over="ignore", invalid="ignore"):
        share = count * theta**d * (np.expm1(d * np.log1p(odds * x)) + star)
    out: Floats = np.nan_to_num(share, nan=np.inf).sum(axis=0)
    expected = _expected(s, m)
    for k in range(2, len(widths) + 1):
        a: Floats = np.zeros(_TERMS)
        for b in range(k, _TERMS):
            a[b] = max(0.0, theta**-b - float(_PASCAL[b, k:b] @ a[k:b]))
        e = np.arange(max(widths[k - 1], heads) + 1, widths[k - 2] + 1)
        if len(e):
            weights = np.array([2.0 * comb(int(x) - 2, heads - 1) for x in e]) * theta**e
            out = out + (weights @ _PASCAL[e] * a) @ expected
    return out


def _stars(question: Question) -> int:
    return (70 if question.task == "dyck" else 40) * question.heads + 60


def free_variables(plan: Plan, n: float) -> tuple[float, int]:
    """Return (free variables, depth) before the final stage at length ``n``."""
    q, numbers = plan.question, plan.numbers
    m, w, big_n = n, 1, n + q.padding
    if q.task == "dyck":
        m = (1 - 2 * numbers["share"]) * n - 2
    for i, kind in enumerate(plan.shape[:-1]):
        p, goal = numbers[f"p{i}"], round(numbers[f"w{i}"])
        cost = big_n * stage_cost(kind, q.heads, w, p, round(numbers.get(f"narrow{i}", 0)), goal)
        if q.task == "dyck":
            cost = 2 * cost + sqrt(max(m, 1.0) * (1 - p))
            if i == 0:
                y, share = plan.lift, numbers["share"]
                step = log((1 - p) / 2 / y + (1 + p) / 2 * y)
                cost += m * exp(min(0.0, n * (step * (1 - 2 * share) - share * log(y))))
        m, w = p * m - cost, goal
    return m, w


def best_load(plan: Plan, n: float, near: int = 0) -> tuple[float, int]:
    """Return the smallest load over the number of stars, with that number of stars.

    With ``near`` only numbers of stars around it are tried.
    """
    q = plan.question
    m, w = free_variables(plan, n)
    process, first = _final_process(plan, w)
    m -= first
    low = 3 * q.heads if q.task == "dyck" else max(q.heads + q.free - 1, 1)
    high = min(_stars(q), floor(m * 0.9) - 1)
    if m <= 4 or high <= low:
        return inf, 0
    stride = 1
    if near:
        low, high = max(low, near - 2 - near // 40), min(high, near + 2 + near // 40)
    else:
        stride = max(1, (high - low) // 60)
    if high <= low:
        return inf, 0
    even = 2 if q.task == "dyck" else 1
    s = np.arange(low + low % even, high + 1, even * stride)
    t = s // 2 + 1 if q.task == "dyck" else s + 1 - q.free
    codes = log_code(process, _stars(q))[t]
    big_n = n + q.padding
    if plan.choice == "sets":
        ways = sum(log((big_n - 1 - k) / (k + 1)) for k in range(q.heads))
    else:
        ways = q.heads * log(big_n)
    s_, t_ = s.astype(float), t.astype(float)
    factorials = _log_factorials(_stars(q))
    logs = ways + codes + factorials[s] - factorials[s - t]
    extra = np.zeros(len(s))
    if q.task != "dyck":
        logs += t_ * log(2) - _log_gamma(m - s_ + t_ + 1) + _log_gamma(m - s_ + 1)
        share, theta = np.exp(np.minimum(logs, 50)), 0.5
    else:
        share, extra, theta = _balanced(plan, n, m + first, first, s_, t_, logs)
    if plan.final == "last-three":
        wide = widths_of(plan)
        if q.task == "dyck":
            extra = extra + big_n * _too_wide_balanced(q.heads, wide, s_, m, theta)
        else:
            extra = extra + big_n * _too_wide(q.heads, wide, s_, m)
    load = share + extra
    k = int(np.argmin(load))
    return float(load[k]), int(s[k])


def _balanced(
    plan: Plan, n: float, m: float, first: int, s: Floats, t: Floats, logs: Floats
) -> tuple[Floats, Floats, float]:
    """Shares, frame losses and the shallow literal chance of the balanced final stage."""
    dip = np.zeros(len(s))
    jump = 1 + int(t[-1]) // 24  # the summand is smooth in i: sample it
    i = np.arange(0, int(t[-1]) + 1, jump, dtype=float)[None, :]
    o = np.maximum(m / 2 - first - s / 2, 0.5)[:, None]
    q = np.maximum(m / 2 - s / 2, 0.5)[:, None]
    inside = i <= t[:, None]
    rest = np.where(inside, t[:, None] - i, 0.0)
    fall = _log_gamma(o + 1) + _log_gamma(q + 1) - _log_gamma(o + i + 1) - _log_gamma(q + rest + 1)
    terms = np.where(inside, np.exp(np.clip(fall + logs[:, None], -700, 50)), 0.0)
    share: Floats = terms.sum(axis=1) * ((t + 1) / inside.sum(axis=1))
    if len(plan.shape) == 1:
        for ones in (0, first):
            frame = plan.numbers["share"]
            side = frame * n - (first - ones) - s / 2 + 1
            closing = ((1 - 2 * frame) * n) / 2 - (first - ones) - s / 2
            whole = closing + side + first - 2 * ones
            good = (side >= 1) & (closing > 0) & (whole > closing)
            base = np.maximum(
                np.where(good, closing / np.where(good, whole, 1.0), 0), 1 - 2 * frame
            )
            loss = np.exp(np.maximum(side - 0.5, 1) * np.log(np.where(good, base, 0.5)))
            dip = np.maximum(dip, np.where(good, loss, 9.0))
    width = plan.numbers.get("y1", 0.0)
    theta = (m / 2 - s[0] / 2) / max(m - first - s[0] - width - 64, 1.0)
    return share, dip, min(theta, 0.9)


def smallest_length(
    plan: Plan, guess: float = 0.0, near: int = 0, *, close: float = 1e-7
) -> tuple[float, int]:
    """Return the least length where the load drops below 1, and the stars that do it.

    The length is found to a relative ``close`` (or a quarter) by a bracketed secant on logarithms
    (loads fall like a power of the length); ``inf`` if there is none below 1e18.
    """
    high = guess * 1.02 if guess else 64.0
    low, below, above = 2.0, inf, 0.0
    load, stars = best_load(plan, high, near)
    while load >= 1:
        low, below = high, load
        high *= 1.3 if guess else 2
        if high > FARTHEST:
            return inf, 0
        load, stars = best_load(plan, high)
    above = load
    for turn in range(60):
        if high - low <= max(0.25 if close > 1e-9 else 0.01, high * close):
            break
        if below < inf and 0 < above < 1 and turn % 3 < 2:
            slope = log(below / above) / log(low / high)
            mid = low * exp(-log(below) / slope)
            mid = mid * (1 + 3e-8) if turn % 3 else mid * (1 - 3e-8)
            mid = min(max(mid, low + 0.01 * (high - low)), high - 0.01 * (high - low))
        else:
            mid = max((low + high) / 2, high * 0.8)
        load, found = best_load(plan, mid, stars if mid > 0.9 * high else 0)
        if load < 1:
            high, above, stars = mid, load, found
        else:
            low, below = mid, load
    return float(ceil(high)) if close > 1e-9 else high, stars
