"""Walk the stages of one stored proof at one length and return its final load.

A proof starts from the input bits, applies restricting stages (each leaves ``m`` free variables and
makes every activation a decision tree of depth ``w``) and ends with a counting stage.  A load below
one says that some restriction is left on which the output is constant: a contradiction.

Main definitions: `Proof`.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb, factorial, isqrt
from typing import Any

from bounds.limits.verifier.balanced import Middle, balanced_load, dip_loss, leaf_chances
from bounds.limits.verifier.counts import (
    ONE,
    Module,
    code,
    covered_exactly,
    need,
    stage_cost,
    wide_leaves,
)

HALF = Fraction(1, 2)


class Proof:
    """What is known at length ``n``: free variables, depth of activations, layers removed."""

    def __init__(self, cert: dict[str, Any], part: dict[str, Any], n: int) -> None:
        self.heads: int = cert["heads"]
        self.layers: int = cert["layers"]
        self.n = n
        self.positions: int = n + cert["padding"]
        self.free = cert["modulus"] - 1 if cert["task"] == "mod" else 1
        self.dyck, self.open_end = cert["task"] == "dyck", part["to"] is None
        self.done: int = 0
        self.w: int = 1
        self.m = Fraction(n)
        self.share, self.side, self.high = Fraction(0), Fraction(0), Fraction(0)
        if self.dyck:
            self.share = Fraction(part["share"])
            need(0 < self.share < HALF, "the frame's share must lie in (0, 1/2)")
            self.side = self.share * n if self.open_end else Fraction(-(-self.share * n // 1))
            self.high = n - 2 * self.side
            self.m = self.high - 2 * self.open_end  # rounding the frame up costs two symbols

    def restrict(self, stage: dict[str, Any]) -> None:
        """Apply one restricting stage: update free variables, depth and layer."""
        p, layers = Fraction(stage["p"]), 2 if stage["kind"] == "two-layers" else 1
        need(stage["kind"] in ("first-layer", "next-layer", "two-layers"), "unknown stage")
        need(0 < p < 1 and stage["w"] >= 1, "a stage needs 0 < p < 1 and w >= 1")
        need(stage["kind"] == "next-layer" or self.done == 0, "this stage starts from the bits")
        need(layers == 1 or stage["narrow"] >= self.heads, "the narrow width is below the heads")
        cost = self.positions * stage_cost(stage, self.heads, self.w, p)
        if self.dyck:  # every repair also unbalances; E|imbalance| is at most a standard deviation
            need(self.open_end, "restricting stages of dyck need an open range")
            cost = 2 * cost + isqrt(int(self.m * (1 - p))) + 1
            if self.done == 0:
                cost += dip_loss(self.n, self.share, self.high, p, Fraction(stage["lift"]))
        self.m = p * self.m - cost
        need(self.m > 0, "no free variable is left")
        self.w, self.done = stage["w"], self.done + layers

    def load(self, stage: dict[str, Any]) -> Fraction:
        """Return the covered share of restrictions plus the error terms of the final stage."""
        kind, heads = stage["kind"], self.heads
        if kind == "last":
            need(self.done == self.layers - 1, "this end takes one layer")
            need(not self.dyck or self.layers == 1, "for dyck this end is for one layer")
            if self.dyck:
                return Fraction(4 * heads - 1, self.n)
            return Fraction((heads + 1) * self.w + self.free - HALF) / self.m
        s = stage["s"]
        t = s // 2 + 1 if self.dyck else s + 1 - self.free
        need(s >= 1 and t >= heads and (not self.dyck or s >= 3 * heads), "s is too small")
        if kind == "two-exactly":
            need(self.layers == 2 and self.free == 1 and not self.dyck, "only parity, two layers")
            need(not self.open_end and s <= self.n - heads - 1, "only for single lengths")
            return covered_exactly(self.n, self.positions - self.n, heads, s)
        need(kind in ("last-two", "last-three"), "unknown final stage")
        three = kind == "last-three"
        need(self.done == self.layers - (3 if three else 2), "wrong number of layers left")
        need(not three or (self.w == 1 and stage["w"] >= heads), "needs values of depth one")
        first = (heads + 1) * self.w
        need(self.m - first >= s, "more stars than variables")
        block: list[Module] = [("tree", self.w)] + [("list", self.w)] * heads
        process = block * heads
        if three:
            wide = ("list", stage["w"])
            process = [("tree", stage["w"])] * heads + (block + [wide] * heads) * heads
        need(stage["choice"] in ("sets", "tuples"), "unknown choice")
        sets = stage["choice"] == "sets"
        ways = comb(self.positions - 1, heads) if sets else self.positions**heads
        codes = ways * code(process, t) * factorial(s) // factorial(s - t)
        return self._share(codes, first, s, t) + (self._wide(first, s, stage["w"]) if three else 0)

    def _middle(self, first: int) -> Middle:
        """Return the middle of a Dyck word as the balanced stage needs it."""
        limit = 1 - 2 * self.share if self.open_end else Fraction(0)
        return Middle(self.m, first, self.side if self.done == 0 else None, self.high, limit)

    def _share(self, codes: int, first: int, s: int, t: int) -> Fraction:
        if self.dyck:
            return balanced_load(self._middle(first), codes, s, t)
        lowest, grid, product = int((self.m - first - s) * 10**6 // 1), 10**6, 1
        for k in range(1, t + 1):
            product *= lowest + k * grid
        return Fraction(codes * (2 * grid) ** t, product)

    def _wide(self, first: int, s: int, w: int) -> Fraction:
        shallow, deep, rest = HALF, HALF, Fraction(0)
        if self.dyck:
            shallow, deep, rest = leaf_chances(self._middle(first), s, w, self.heads)
        sum_ = wide_leaves(self.heads, w, s / (self.m - first), (shallow, deep))
        return self.positions * (Fraction(sum_, ONE) + rest)
