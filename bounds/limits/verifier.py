"""Decide a stored limit for PARITY or for counting modulo m, from its own numbers alone.

A limit says: no unique-hard-attention transformer with L layers and H heads decides the task at any
length n >= n0.  It lists ranges of lengths with the stages of a proof and rational parameters.  The
restricting stages leave ``m`` free variables on which activations are decision trees of depth
``w``; the final stage counts restrictions.  A load below 1 leaves one on which the output is
constant.  An open range is evaluated at its first length: loads fall with the length
(``docs/explicit-limits.md``).  Plain integers and fractions; roundings go up; no project imports.

Main definitions: `verify`, `Report`; `code`, `tails`, `cost`, `wide_leaves`, `load`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, factorial, prod
from typing import Any

SCHEMA, ONE = "attention-limits/n0/1", 10**40  # probabilities are integers over ONE, rounded up
Data = dict[str, Any]
Width = int | list[int]  # of terms, or allowed with 1, 2, ... stars (the last one repeated)
Process = Sequence[tuple[str, Width]]  # "tree", "list" or "cut" (a list that may end anywhere)


def need(condition: bool, reason: str) -> None:
    """Refuse with ``ValueError(reason)`` unless the condition holds."""
    if not condition:
        raise ValueError(reason)


def up(x: Fraction) -> int:
    """Return ``x * ONE`` rounded up."""
    return -(-x.numerator * ONE // x.denominator)


def places(w: Width, top: int) -> list[int]:
    """Return, for y = 0..top, in how many places of a term y stars can stand."""
    return [comb(w if isinstance(w, int) else w[min(y, len(w)) - 1], y) for y in range(top + 1)]


def code(process: Process, t: int) -> int:
    """Return the number of codes of Lemma E for exactly ``t`` queried stars."""
    row = [0] * (t + 1)
    for kind, w in reversed(process):
        ways = [(y, c) for y, c in enumerate(places(w, t)) if c]
        row[0] += 1
        row = [sum(c * row[i - y] for y, c in ways if y <= i) for i in range(t + 1)]
        row[0] -= 1
        for i in range(t + 1 if kind != "tree" else 0):  # blocks of falsified terms come before
            row[i] += sum(c * (2**y - 1) * row[i - y] for y, c in ways if 0 < y <= i)
    return row[t]


def tails(process: Sequence[tuple[str, int]], p: Fraction, top: int) -> list[int]:
    """Bound Pr[canonical depth >= s], s = 0..top, for stars of probability ``p`` (Lemma H)."""
    below = [ONE] + [0] * top
    for kind, w in reversed(process):
        x = p if kind == "tree" else 2 * p / (1 + p)
        chance = [up(c * x**y * (1 - x) ** (w - y)) for y, c in enumerate(places(w, w))]
        here = [ONE]
        for s in range(1, top + 1):
            total = below[s] * (ONE if kind == "cut" else chance[0])
            for y in range(1, w + 1):
                mine, after = 0 if kind == "tree" else here[max(s - y, 0)], below[max(s - y, 0)]
                worth = 2**y * after if kind == "tree" else min(ONE, (2**y - 1) * mine + after)
                total += chance[y] * worth
            here.append(min(ONE, -(-total // ONE)))
        below = here
    return below


def cost(stage: Data, heads: int, w: int, p: Fraction) -> Fraction:
    """Return the expected repairs per position of one restricting stage (T1, T2, T12)."""
    goal, lists = stage["w"], [("list", 1)] * heads
    if stage["kind"] == "first-layer":
        r = tails(lists, p, goal + heads)
        twice = (1 - p) * sum(r[goal + 1 :]) + 2 * p * (r[goal] + sum(r[goal + 2 :]))
        return twice / ONE
    if stage["kind"] == "next-layer":
        r = tails([("tree", w)] + [("list", w)] * heads, p, goal + (heads + 1) * w)
        return Fraction(sum(r[goal + 1 :]), ONE)
    narrow, wide = stage["narrow"], Fraction(0)  # wide: expected alive wider leaves with a star
    for x, sign in (((1 + p) / 2, 2), ((1 - p) / 2, -2)):
        shallow = sum(comb(d - 2, heads - 1) * x**d for d in range(heads + 1, narrow + 1))
        wide += sign * (x ** (heads + 1) / (1 - x) ** heads - shallow)
    r = tails(
        [("tree", 1), *lists, *[("cut", narrow)] * heads], p, goal + heads + 1 + heads * narrow
    )
    return Fraction(heads * up(wide) + sum(r[goal + 1 :]), ONE)


def star_weights(k: int, top: int, base: Fraction | int = 2) -> list[Fraction | int]:
    """Return a_0..a_top >= 0 with a_0 C(Y,0) + a_1 C(Y,1) + ... >= base^Y whenever Y >= k."""
    a: list[Fraction | int] = [0] * (top + 1)
    for b in range(k, top + 1):
        a[b] = max(0, base**b - sum(a[j] * comb(b, j) for j in range(k, b)))
    return a


def wide_leaves(heads: int, widths: list[int], s: int, m: Fraction) -> Fraction:
    """Bound one position's expected alive leaves that are too wide for their number of stars."""
    ratio, total, last = Fraction(1), Fraction(0), widths[0]
    weights = [star_weights(k, s) for k in range(1, len(widths) + 1)]
    for b in range(1, s + 1):
        ratio *= Fraction(s - b + 1) / (m - b + 1)  # E C(Y, b) = C(d, b) ratio at depth d
        leaves = [comb(d - 2, heads - 1) * comb(d, b) << (last - d) for d in range(2, last + 1)]
        deep = sum(comb(heads + 1, j) * comb(heads + b - j - 1, b - j) for j in range(b + 1))
        part = weights[0][b] * (Fraction(deep, 2) - Fraction(sum(leaves), 2**last))
        for k in range(1, len(widths)):  # k + 1 stars are too many for these depths
            between = sum(leaves[widths[k] - 1 : widths[k - 1] - 1])
            part += weights[k][b] * Fraction(between, 2**last)
        total += 2 * part * ratio
    return total


def covered_exactly(n: int, padding: int, heads: int, s: int) -> Fraction:
    """Return the largest share of restrictions that two layers can cover (exact programme)."""
    m = n - heads - 1
    value = [comb(d, s) << (m - d) for d in range(m + 1)]
    for _ in range(heads * heads):
        row = value[:]
        for d in range(m - 1, -1, -1):
            row[d] = max(value[d], value[d + 1] + row[d + 1])
        value = row
    spare = n + padding - 1 - m  # positions whose own bit is fixed, the reading one left out
    ways = [comb(m, k) * comb(spare, heads - k) * 2**k for k in range(min(heads, m) + 1)]
    total = sum(c * v for c, v in zip(ways, value, strict=False))
    return Fraction(total, 2 * comb(m, s) << (m - s))


def final_process(stage: Data, heads: int, w: int) -> tuple[Process, list[int]]:
    """Return the process whose codes the final stage counts; widths if it takes three layers."""
    block: list[tuple[str, Width]] = [("tree", w), *[("list", w)] * heads]
    need(stage["kind"] in ("last-two", "last-three"), "unknown final stage")
    if stage["kind"] == "last-two":
        return block * heads, []
    ws = stage["w"] if isinstance(stage["w"], list) else [stage["w"]]
    need(w == 1 and sorted(ws, reverse=True) == ws and ws[-1] >= 1, "needs depth 1, falling widths")
    return [("tree", ws)] * heads + (block + [("list", ws)] * heads) * heads, ws


def choices(stage: Data, heads: int, positions: int) -> int:
    """Return how many choices of attended positions the final stage counts."""
    need(stage["choice"] in ("sets", "tuples"), "unknown choice")
    return comb(positions - 1, heads) if stage["choice"] == "sets" else positions**heads


def load(cert: Data, part: Data, n: int) -> Fraction:
    """Walk the stages at length ``n``; return the covered plus the bad share of restrictions."""
    heads, positions, final = cert["heads"], n + cert["padding"], part["stages"][-1]
    need(cert["task"] in ("parity", "mod"), f"unknown task {cert['task']!r}")
    free = 1 if cert["task"] == "parity" else cert["modulus"] - 1
    m, w, done = Fraction(n), 1, 0
    for stage in part["stages"][:-1]:
        p, kind = Fraction(stage["p"]), stage["kind"]
        need(kind in ("first-layer", "next-layer", "two-layers"), "unknown stage")
        need(0 < p < 1 and stage["w"] >= 1, "a stage needs 0 < p < 1 and w >= 1")
        need(kind == "next-layer" or done == 0, "this stage starts from the bits")
        need(kind != "two-layers" or stage["narrow"] >= heads, "narrow is below the heads")
        m -= (1 - p) * m + positions * cost(stage, heads, w, p)
        w, done = stage["w"], done + (2 if kind == "two-layers" else 1)
        need(m > 0, "no free variable is left")
    if final["kind"] == "last":
        need(done == cert["layers"] - 1, "wrong number of layers left")
        return Fraction((heads + 1) * w + free - Fraction(1, 2)) / m
    s = final["s"]
    if final["kind"] == "two-exactly":
        size = (cert["layers"], done, free, part["to"])
        need(size == (2, 0, 1, n), "only for parity, two layers, one length")
        need(0 < s <= n - heads - 1, "more stars than variables")
        return covered_exactly(n, cert["padding"], heads, s)
    process, wide = final_process(final, heads, w)
    need(done == cert["layers"] - (3 if wide else 2), "wrong number of layers left")
    m, t = m - (heads + 1) * w, s + 1 - free
    need(heads <= t <= s <= m, "s is too small, or more stars than variables")
    codes = choices(final, heads, positions) * code(process, t) * factorial(s) // factorial(s - t)
    share: Fraction = codes * 2**t / prod((m - s + k for k in range(1, t + 1)), start=Fraction(1))
    return share + (positions * wide_leaves(heads, wide, s, m) if wide else 0)


@dataclass(frozen=True, slots=True)
class Report:
    """What the verifier found: ``ok``, the statement it stands for, and reasons if not ok."""

    ok: bool
    statement: str
    reasons: tuple[str, ...] = ()


def verify(cert: Data, load: Callable[[Data, Data, int], Fraction] = load, step: int = 1) -> Report:
    """Decide one limit given as parsed JSON; its ranges must follow each other to infinity.

    Examples
    --------
    >>> last = {"from": 3, "to": None, "stages": [{"kind": "last"}]}
    >>> verify({"schema": SCHEMA, "task": "parity", "layers": 1, "heads": 1, "padding": 0,
    ...         "modulus": 2, "n0": 3, "ranges": [last]}).ok
    True
    """
    said = f"{cert.get('task')}, {cert.get('layers')} layers, {cert.get('heads')} heads"
    try:
        need(cert["schema"] == SCHEMA, "unknown schema")
        for key, low in {"layers": 1, "heads": 1, "n0": 1, "padding": 0, "modulus": 2}.items():
            need(type(cert[key]) is int and cert[key] >= low, f"{key} must be an integer >= {low}")
        n = cert["n0"]
        for part in cert["ranges"]:
            need(n is not None and part["from"] == n, f"the ranges do not follow on at {n}")
            stop = n if part["to"] is None else part["to"]
            need(type(stop) is int and n <= stop <= n + 10_000, "an empty or too long range")
            for at in range(n, stop + 1, step):
                value = load(cert, part, at)
                need(value < 1, f"at length {at} the load is {float(value):.6f}, not below 1")
            n = None if part["to"] is None else stop + step
        need(n is None and cert["n0"] % step == 0, "no open range, or an odd length for dyck")
    except (KeyError, TypeError, ValueError, ZeroDivisionError, IndexError) as broken:
        return Report(False, said, (f"{type(broken).__name__}: {broken}",))
    return Report(True, f"{said}: impossible for every length n >= {cert['n0']}")
