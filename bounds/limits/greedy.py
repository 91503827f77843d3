r"""Adaptive greedy restrictions: sets of influencing inputs that grow, without any local lemma.

**Lemma.** Let every activation depend on at most c inputs.  If tau + tau' < C and
:math:`c 2^c H n (1 - (K+1)/(c 2^c n))^{\lfloor \tau n/c \rfloor} \le \tau' n`, some restriction
keeps (C - tau - tau')n inputs free and makes every activation of the next layer depend on at most
c' = c + 2^c H K inputs.

*Proof.* An uncaptured (head, value) has at least (K+1)/c non-constant positions in the shortest
prefix of its attention order that involves more than K inputs; a uniformly random position and
assignment captures it with probability at least (K+1)/(c 2^c n).  Captured stays captured.  After
tau n / c rounds the expected number of uncaptured pairs, times c bits each, is at most tau' n. []

The last layer is made constant by fixing c(H+1) further inputs.  Here tau = tau' = 1/4 of the
inputs that are free, and (1-y)^z <= e^(-yz) turns the condition into
K + 1 >= (4 c^2 2^c / C)(ln(4 c 2^c H / C)) up to the rounding of tau n / c, which costs one round.

Main definitions: `dependence`, `smallest`, `log10_smallest`.
"""

from __future__ import annotations

from flint import arb, ctx

from bounds.limits.plan import LimitError


def dependence(layers: int, heads: int) -> list[arb]:
    """Enclose c after 0..layers-1 layers (a tower: each step is exponential)."""
    if layers < 1 or heads < 1:
        raise LimitError(f"layers = {layers}, heads = {heads}: both must be at least 1")
    rows, free = [arb(1)], arb(1)
    for _ in range(layers - 1):
        c = rows[-1]
        power = arb(2) ** c
        k = (4 * c * c * power / free) * (4 * c * power * heads / free).log() * arb("1.01") + 1
        rows.append(c + power * heads * k)
        free = free / 2
    return rows


def log10_smallest(layers: int, heads: int) -> arb:
    """Enclose log10 of a sufficient length, c(H+1)/(free share) + 1; layers <= 4.

    Raises
    ------
    LimitError
        Beyond four layers: the logarithm itself no longer fits into a ball.
    """
    before, ctx.prec = ctx.prec, 3000  # c has up to hundreds of digits and becomes an exponent
    try:
        c = dependence(layers, heads)[-1]
        found = (c * (heads + 1) * 2 ** (layers - 1) + 1).log() / arb(10).log()
    finally:
        ctx.prec = before
    if not found.is_finite():
        raise LimitError(f"layers = {layers}, heads = {heads}: the length is a tower; take fewer")
    return found


def smallest(layers: int, heads: int) -> int | None:
    """Return a sufficient length as an integer, or None if it has more than 300 digits.

    Examples
    --------
    >>> smallest(1, 4)
    6
    """
    if layers == 1:
        return heads + 2
    before, ctx.prec = ctx.prec, 3000
    try:
        if not log10_smallest(layers, heads) < 300:
            return None
        c = dependence(layers, heads)[-1]
        return int((c * (heads + 1) * 2 ** (layers - 1)).ceil().unique_fmpz() or 0) + 2
    finally:
        ctx.prec = before
