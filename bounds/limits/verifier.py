"""Decide a stored limit for PARITY or for counting modulo m, from its own numbers alone.

A limit says: no unique-hard-attention transformer with L layers and H heads decides the task at any
length n >= n0.  It lists ranges of lengths with the stages of a proof and rational parameters.  The
restricting stages leave ``m`` free variables on which activations are decision trees of depth
``w``; the final stage counts restrictions.  A load below 1 leaves one on which the output is
constant.  An open range is evaluated at its first length: loads fall with the length
(``docs/explicit-limits.md``).  Plain integers and fractions; roundings go up; no project imports.

Main definitions: `verify`, `load`, `walk`, `final_codes`; `code`, `tails`, `cost`, `wide_leaves`.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import ceil, comb, perm, prod
from operator import mul
from typing import Any

SCHEMA, ONE = "attention-limits/n0/1", 10**40  # probabilities are integers over ONE, rounded up
RESTRICTING = {"first-layer": 1, "next-layer": 1, "two-layers": 2}  # layers that a stage removes
FINAL = {"last": 1, "last-two": 2, "last-three": 3}
Data = dict[str, Any]
Loss = Callable[[Fraction, Data, int, Fraction], Fraction]  # of free variables in one stage
Process = Sequence[tuple[str, Any]]  # "tree", "list" or "cut" (a list that may end anywhere), width


def need(condition: bool, reason: str) -> None:
    """Refuse with ``ValueError(reason)`` unless the condition holds."""
    if not condition:
        raise ValueError(reason)


def places(w: int | list[int], top: int) -> list[int]:
    """Return, for y = 0..top, in how many places of a term y stars can stand.

    A list holds the widths allowed with 1, 2, ... stars, the last one repeated.
    """
    return [comb(w if isinstance(w, int) else w[min(y, len(w)) - 1], y) for y in range(top + 1)]


def code(process: Process, t: int) -> int:
    """Return the number of codes of Lemma E for exactly ``t`` queried stars."""
    row = [0] * (t + 1)
    for kind, w in reversed(process):
        ways = places(w, t)
        some = [c for c in ways if c]  # zeros stand at the end
        again = [c * (2**y - 1) for y, c in enumerate(some) if y]
        row = [sum(map(mul, some, row[i::-1])) + c * (i > 0) for i, c in enumerate(ways)]
        for i in range(1, t + 1 if kind != "tree" else 0):  # blocks of falsified terms come before
            row[i] += sum(map(mul, again, row[i - 1 :: -1]))
    return row[t]


def tails(process: Process, p: Fraction, top: int) -> list[int]:
    """Bound Pr[canonical depth >= s], s = 0..top, for stars of probability ``p`` (Lemma H)."""
    below = [ONE] + [0] * top
    for kind, w in reversed(process):
        x = p if kind == "tree" else 2 * p / (1 + p)
        chance = [ceil(ONE * c * x**y * (1 - x) ** (w - y)) for y, c in enumerate(places(w, w))]
        here = [ONE]
        for s in range(1, top + 1):
            total = below[s] * (ONE if kind == "cut" else chance[0])
            for y in range(1, w + 1):
                after = (below if kind == "tree" else here)[max(s - y, 0)]
                worth = (2**y - 1) * after + below[max(s - y, 0)]
                total += chance[y] * (worth if kind == "tree" else min(ONE, worth))
            here.append(min(ONE, -(-total // ONE)))
        below = here
    return below


def cost(heads: int, stage: Data, w: int, p: Fraction) -> Fraction:
    """Return the expected repairs per position of one restricting stage (T1, T2, T12)."""
    goal, lists, wide = stage["w"], [("list", w)] * heads, Fraction(0)
    if stage["kind"] == "first-layer":
        r = tails(lists, p, goal + heads)
        return ((1 - p) * sum(r[goal + 1 :]) + 2 * p * (r[goal] + sum(r[goal + 2 :]))) / ONE
    process = [("tree", w), *lists]
    if stage["kind"] == "two-layers":
        process += [("cut", stage["narrow"])] * heads
        for x, sign in (((1 + p) / 2, 2), ((1 - p) / 2, -2)):  # alive wider leaves with a star
            wide += sign * x ** (heads + 1) / (1 - x) ** heads
            for d in range(heads + 1, stage["narrow"] + 1):
                wide -= sign * comb(d - 2, heads - 1) * x**d
    r = tails(process, p, goal + sum(v for _, v in process))
    return Fraction(heads * ceil(wide * ONE) + sum(r[goal + 1 :]), ONE)


def star_weights(k: int, top: int, base: Fraction | int = 2) -> list[Fraction | int]:
    """Return a_0..a_top >= 0 with a_0 C(Y,0) + a_1 C(Y,1) + ... >= base^Y whenever Y >= k."""
    a: list[Fraction | int] = [0] * (top + 1)
    for b in range(k, top + 1):
        a[b] = max(0, base**b - sum(a[j] * comb(b, j) for j in range(k, b)))
    return a


def wide_leaves(heads: int, widths: list[int], s: int, m: Fraction) -> Fraction:
    """Bound one position's expected alive leaves that are too wide for their number of stars."""
    weights = [star_weights(k + 1, s) for k in range(len(widths))] + [[0] * (s + 1)]
    total, ratio = Fraction(0), Fraction(1)
    for b in range(1, s + 1):
        ratio *= Fraction(s - b + 1) / (m - b + 1)  # E C(Y, b) = C(d, b) ratio at depth d
        deep = sum(comb(heads + 1, j) * comb(heads + b - j - 1, b - j) for j in range(b + 1))
        part = weights[0][b] * Fraction(deep, 2)  # if one star were too many at every depth
        for d in range(heads + 1, widths[0] + 1):
            extra = weights[sum(v >= d for v in widths)][b] - weights[0][b]
            part += Fraction(extra * comb(d - 2, heads - 1) * comb(d, b), 2**d)
        total += 2 * part * ratio
    return total


def walk(cert: Data, part: Data, m: Fraction, loss: Loss) -> tuple[Fraction, int]:
    """Return (free variables, depth of activations) before the final stage."""
    *stages, final = part["stages"]
    gone = sum(RESTRICTING[stage["kind"]] for stage in stages) + FINAL[final["kind"]]
    need(gone == cert["layers"], "wrong number of layers")
    need(all(stage["kind"] == "next-layer" for stage in stages[1:]), "starts from the bits")
    w = 1
    for stage in stages:
        p = Fraction(stage["p"])
        need(0 < p < 1 and stage["w"] >= 1, "a stage needs 0 < p < 1 and w >= 1")
        need(stage.get("narrow", cert["heads"]) >= cert["heads"], "narrow is below the heads")
        m, w = p * m - loss(m, stage, w, p), stage["w"]
        need(m > 0, "no free variable is left")
    return m, w


def final_codes(final: Data, heads: int, w: int, positions: int, t: int) -> int:
    """Return choices of attended positions times codes of ``t`` stars in the last layers."""
    block: list[tuple[str, Any]] = [("tree", w), *[("list", w)] * heads]
    process = block * heads
    if final["kind"] == "last-three":
        ws = final["w"]
        need(w == 1 and sorted(ws)[::-1] == ws and ws[-1] >= 1, "needs depth 1, falling widths")
        process = [("tree", ws)] * heads + (block + [("list", ws)] * heads) * heads
    choices: int = {"sets": comb(positions - 1, heads), "tuples": positions**heads}[final["choice"]]
    return choices * code(process, t)


def final_load(cert: Data, final: Data, positions: int, m: Fraction, w: int) -> Fraction:
    """Return the covered plus the bad share of restrictions of ``m`` variables."""
    heads, free = cert["heads"], {"parity": 1, "mod": cert["modulus"] - 1}[cert["task"]]
    if final["kind"] == "last":
        return Fraction((heads + 1) * w + free - Fraction(1, 2)) / m
    m, s, t = m - (heads + 1) * w, final["s"], final["s"] + 1 - free
    need(heads <= t <= s <= m, "s is too small, or more stars than variables")
    covered = final_codes(final, heads, w, positions, t) * perm(s, t) * 2**t
    share: Fraction = covered / prod((m - s + k for k in range(1, t + 1)), start=Fraction(1))
    return share + (positions * wide_leaves(heads, final["w"], s, m) if "w" in final else 0)


def load(cert: Data, part: Data, n: int) -> Fraction:
    """Walk the stages at length ``n`` and return the load; below 1 is a proof."""
    heads, positions = cert["heads"], n + cert["padding"]
    m, w = walk(cert, part, Fraction(n), lambda _, *at: positions * cost(heads, *at))
    return final_load(cert, part["stages"][-1], positions, m, w)


def verify(cert: Data, load: Callable[[Data, Data, int], Fraction] = load, step: int = 1) -> None:
    """Return if one limit, given as parsed JSON, is established; raise otherwise.

    Raises
    ------
    ValueError, KeyError, TypeError, IndexError, ZeroDivisionError
        If the limit is malformed, altered or not proved by its own numbers.

    Examples
    --------
    >>> last = {"from": 3, "to": None, "stages": [{"kind": "last"}]}
    >>> verify({"schema": SCHEMA, "task": "parity", "layers": 1, "heads": 1, "padding": 0,
    ...         "modulus": 2, "n0": 3, "ranges": [last]})
    """
    need(cert["schema"] == SCHEMA, "unknown schema")
    for key, low in {"layers": 1, "heads": 1, "n0": 1, "padding": 0, "modulus": 2}.items():
        need(type(cert[key]) is int and cert[key] >= low, f"{key} must be an integer >= {low}")
    n = cert["n0"]
    need(n % step == 0, "an odd length")
    for part in cert["ranges"]:
        need(part["from"] == n, f"the ranges do not follow on at {n}")
        stop = n if part["to"] is None else part["to"]
        need(n <= stop <= n + 10_000, "an empty or too long range")
        for at in range(n, stop + 1, step):
            value = load(cert, part, at)
            need(value < 1, f"at length {at} the load is {float(value):.6f}, not below 1")
        n = None if part["to"] is None else stop + step
    need(n is None, "no open range")
