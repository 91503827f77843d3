r"""A closed form for every number of layers and heads, not optimised.

**Corollary.** For L >= 3 let W be the least integer with
:math:`W \ge \tfrac34 H + \tfrac3{10} + (L-2)\log_2(32W)`; for L = 2 let W = 1.  No
unique-hard-attention transformer with L layers and H heads computes PARITY on n bits whenever

.. math:: n \ge 32^{L-2} W^{L-3} [(8W+1)(H\ln n + 0.704 H^2 + H/4) + (H+1)W],

where for L = 2 the factor in front is 1.

*Proof.* Take star probability p = 1/(16W) in the conditional lemma, so that widths w <= W have
qw <= 1/8.  Write P(s) <= B^H E 2^-s; one list multiplies by
B <= e^{1/8}/(1 - (e^{3/8} - e^{1/8})) < 1.671 and a tree of depth W by E <= e^{3/16} < 1.2063.
Hence 2^W >= 1.2063 * 1.671^H * (32W)^k, which the choice of W grants for k <= L-2, keeps depth W
at a cost of at most half of the stars: a stage leaves m/(32W) stars, the first one (width 1) m/32.
For the last two layers sum the counting condition over s with weights (z/2)^s at z = 1/(4W): it
suffices that (1 + 1/(8W))^m' > 1 + n^H (1/2)(e^{1/4} 2.0212^H)^H, and
ln(1 + 1/(8W)) >= 1/(8W+1).  The right side grows like ln n, so the condition, once true, stays
true. []

Main definitions: `width`, `holds`, `smallest`.
"""

from __future__ import annotations

from flint import arb, fmpq

from bounds.limits.plan import LimitError


def width(layers: int, heads: int) -> int:
    """Return W, decided in integers: 2^(4W') against (32W)^(4(L-2)) with quarters of bits.

    Examples
    --------
    >>> width(2, 1), width(3, 1)
    (1, 10)
    """
    if layers < 2 or heads < 1:
        raise LimitError(f"layers = {layers}, heads = {heads}: needs at least 2 layers and 1 head")
    if layers == 2:
        return 1
    w = 1
    while 20 * w < 15 * heads + 6 or not _enough(w, layers, heads):
        w += 1
    return w


def _enough(w: int, layers: int, heads: int) -> bool:
    # W - 3H/4 - 3/10 >= (L-2) log2(32W), times 20 to stay in integers
    exponent = 20 * w - 15 * heads - 6
    return bool(1 << exponent >= (32 * w) ** (20 * (layers - 2)))


def holds(layers: int, heads: int, n: int) -> bool:
    """Decide the corollary's condition at length ``n`` with ball arithmetic."""
    w, h = width(layers, heads), heads
    factor = 1 if layers == 2 else 32 ** (layers - 2) * w ** (layers - 3)
    inner = h * arb(n).log() + arb(fmpq(704, 1000)) * h * h + arb(fmpq(h, 4))
    right = factor * ((8 * w + 1) * inner + (h + 1) * w)
    found: bool = arb(n) >= right
    return found


def smallest(layers: int, heads: int) -> int:
    """Return the least n from which on the condition holds.

    Examples
    --------
    >>> smallest(2, 1)
    45
    """
    high = 4
    while not holds(layers, heads, high):
        high *= 2
    low = high // 2  # the condition is monotone beyond its last failure: n - c ln n increases
    while high - low > 1:
        mid = (low + high) // 2
        low, high = (low, mid) if holds(layers, heads, mid) else (mid, high)
    return high
