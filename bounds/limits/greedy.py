r"""Adaptive greedy restrictions: sets of influencing inputs that grow, without any local lemma.

**Theorem.** Let every activation depend on at most c inputs and m of n inputs be free.  After T
rounds of fixing at most c inputs each, the expected number of uncaptured (head, value) pairs is at
most 2^c H n (1 - (K+1)/(c 2^c n))^T; for c = 1 a round t counts (1 - (K+1)/(2(n - t))).  Killing
each of them with c inputs keeps m - cT - c times that number, and every activation of the next
layer depends on at most c' = c + 2^c H K inputs.  In the last layer (H + 1)c further inputs make
the output constant, so PARITY fails as soon as more than (H + 1)c are free there.

*Proof.* A pair is captured once the prefix of its attention order that ends at the first position
with a constant best activation involves at most K inputs.  An uncaptured pair has at least (K+1)/c
non-constant positions in its shortest prefix that involves more than K inputs; a uniformly random
position (for c = 1: a uniformly random free input) with a random assignment of its inputs captures
it with probability at least (K+1)/(c 2^c n), or (K+1)/(2(n-t)).  Captured stays captured. []

For n from `smallest` on: with T = ceil(x' n), x' = 1 - x, the first step keeps at least
x n - 1 - 2 H n (x + 1/(n+1))^((K+1)/2), because the sum of 1/(n - t) is at least
ln((n+1)/(n-T+1)); later steps with T = ceil(tau n / c) keep at least
m - tau n - c - c 2^c H n exp(-(K+1) tau/(c^2 2^c)).  What is kept, divided by n, grows with n.  For
two layers the lengths just below are checked one by one with the best T.

Main definitions: `kept_exactly`, `smallest`, `log10_smallest`.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil

from flint import arb, ctx, fmpq

from bounds.limits.plan import LimitError

_BITS = 3000  # inputs have up to hundreds of digits and become exponents
_TAUS = tuple(fmpq(a, 20) for a in (4, 6, 8, 10, 12, 14, 16))
_RESTS = tuple(fmpq(a, 200) for a in (1, 2, 4, 8, 16, 30))


def kept_exactly(n: int, heads: int, k: int, rounds: int) -> Fraction:
    """Return how many inputs the first layer's step keeps at least, in exact arithmetic.

    Raises
    ------
    LimitError
        If a number is out of range.
    """
    if min(n, heads, k) < 1 or not 0 <= rounds < n:
        raise LimitError(f"n = {n}, H = {heads}, K = {k}, T = {rounds}: take T < n, others >= 1")
    top, bottom = 2 * heads * n, 1
    for t in range(rounds):
        top *= max(0, 2 * (n - t) - (k + 1))
        bottom *= 2 * (n - t)
    return n - rounds - Fraction(top, bottom)


def _first(n: float, heads: int, k: int, x: float) -> float:
    return float(x * n - 1 - 2 * heads * n * (x + 1 / (n + 1)) ** ((k + 1) / 2))


def _two_layers(heads: int) -> tuple[int, int, float]:
    """Return the least n of the closed bound for two layers, with its K and x."""
    found = []
    for k in range(2, 40 + 12 * heads):
        x = (heads * (k + 1)) ** (-2 / (k - 1))
        need, n = (heads + 1) * (1 + 2 * heads * k), 8.0
        while _first(n, heads, k, x) <= need and n < 1e7:
            n *= 1.05
        low, high = n / 1.05, n
        while high - low > 0.5:
            middle = (low + high) / 2
            low, high = (low, middle) if _first(middle, heads, k, x) > need else (middle, high)
        found.append((ceil(high), k, x))
    return min(found)


def _certified(n: int, heads: int, k: int, x: Fraction) -> bool:
    ball = arb(fmpq(x.numerator, x.denominator))
    spent = 2 * heads * n * (ball + arb(fmpq(1, n + 1))) ** (arb(k + 1) / 2)
    return bool(n * ball - 1 - spent > (heads + 1) * (1 + 2 * heads * k))


def _below(n: int, heads: int, k: int, x: float) -> bool:
    """Decide one length of two layers with the best number of rounds nearby."""
    for other in (k, k - 1, k + 1):
        guess = n - round(n * x)
        for rounds in range(max(0, guess - 2), min(n, guess + 3)):
            if kept_exactly(n, heads, other, rounds) > (heads + 1) * (1 + 2 * heads * other):
                return True
    return False


def smallest(layers: int, heads: int) -> int | None:
    """Return a sufficient length as an integer, or None if it has more than 300 digits.

    Examples
    --------
    >>> smallest(1, 4), smallest(2, 1)
    (6, 78)
    """
    if layers < 1 or heads < 1:
        raise LimitError(f"layers = {layers}, heads = {heads}: both must be at least 1")
    if layers == 1:
        return heads + 2
    if layers > 2:
        found = log10_smallest(layers, heads)
        return int((10**found).ceil().upper().ceil().unique_fmpz() or 0) if found < 300 else None
    n, k, real = _two_layers(heads)
    x = Fraction(real).limit_denominator(10**6)
    while not _certified(n, heads, k, x):
        n += 1
    while n > 2 and _below(n - 1, heads, k, real):
        n -= 1
    return n


def _chains(layers: int, heads: int) -> Iterator[arb]:
    """Yield log10 of sufficient lengths over a grid of parameters."""
    for k in range(2, 14):
        x = (heads * (k + 1)) ** (-2 / (k - 1))
        ball = arb(fmpq(*Fraction(x).limit_denominator(10**6).as_integer_ratio()))
        # beyond 10^9 inputs the correction 1/(n+1) is below 10^-9
        share = ball - 2 * heads * (ball + arb(fmpq(1, 10**9))) ** (arb(k + 1) / 2)
        if not share > 0:
            continue
        for tau in _TAUS:
            for rest in _RESTS:
                if not tau + rest < 1:
                    continue
                c, free, lost = arb(1 + 2 * heads * k), share, arb(1)
                for _ in range(layers - 2):
                    part, spare = tau * free, rest * free
                    power = arb(2) ** c
                    big = (c * c * power / part) * (c * power * heads / spare).log() + 1
                    lost += c
                    c, free = (c + power * heads * big).upper(), (free - part - spare).lower()
                n = ((c * (heads + 1) + lost + 1) / free).upper()
                if n > 10**9:
                    yield n.log() / arb(10).log()


def log10_smallest(layers: int, heads: int) -> arb:
    """Enclose log10 of a sufficient length for three layers or more.

    Raises
    ------
    LimitError
        If the logarithm itself no longer fits into a ball (from four or five layers on).

    Examples
    --------
    >>> log10_smallest(3, 1) < 9.4
    True
    """
    if layers < 3 or heads < 1:
        raise LimitError(f"layers = {layers}, heads = {heads}: take at least 3 layers and 1 head")
    before, ctx.prec = ctx.prec, _BITS
    try:
        best: arb | None = None
        for size in _chains(layers, heads):
            if size.is_finite() and (best is None or size < best):
                best = size
    finally:
        ctx.prec = before
    if best is None:
        raise LimitError(f"layers = {layers}, heads = {heads}: the length is a tower; take fewer")
    return best
