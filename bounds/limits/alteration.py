r"""Random restriction and alteration for the first layer, then the last layer by hand.

**Theorem.** Let inputs be stars with probability p and fair bits otherwise, and
theta = 2p/(1 + p).  For every n and K some restriction keeps at least (p - 2 H theta^(K+1)) n stars
and makes every layer-1 activation depend on at most 1 + 2 H K inputs.  Hence two layers with H
heads do not compute PARITY once (p - 2 H theta^(K+1)) n >= (H + 1)(1 + 2 H K) + 1.

*Proof.* For a position, one of its own two bits and a head, the attended pair is the first literal
that is true.  Literals that are false say nothing more; one that is not false is a star with
probability theta.  So the list shows more than K stars before its first true literal with
probability at most theta^(K+1).  Fixing one of those stars so that its literal is true repairs the
list; in expectation at most 2 H theta^(K+1) n stars are spent.  Afterwards an activation depends on
its own bit and, for each of two values and H heads, on K stars.  In the last layer only the last
position matters: fix its activation and then, head by head, the best activation that is still
possible, (H + 1) times at most 1 + 2 H K inputs.  One more free input, and PARITY is not constant
while the output is. []

Main definitions: `share`, `smallest`.

References
----------
Own derivation; the last layer as in `bounds.reduction.layers`.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from bounds.limits.plan import LimitError


def share(heads: int, p: Fraction, k: int) -> Fraction:
    """Return the share of stars kept; not positive if the repairs take everything.

    Raises
    ------
    LimitError
        For p outside (0, 1), heads or k below 1.
    """
    if not 0 < p < 1 or heads < 1 or k < 1:
        raise LimitError(f"p = {p}, H = {heads}, K = {k}: take 0 < p < 1, H and K at least 1")
    return p - 2 * heads * (2 * p / (1 + p)) ** (k + 1)


def smallest(layers: int, heads: int) -> int:
    """Return the least n of the theorem over K <= 60 and p in hundredths.

    Raises
    ------
    LimitError
        Beyond two layers: after the first one activations are no literals any more.

    Examples
    --------
    >>> smallest(1, 1), smallest(2, 1)
    (3, 69)
    """
    if layers not in (1, 2) or heads < 1:
        raise LimitError(f"layers = {layers}, heads = {heads}: take 1 or 2 layers, 1 head or more")
    if layers == 1:
        return heads + 2
    found = []
    for k in range(1, 60):
        kept = max(share(heads, Fraction(a, 100), k) for a in range(1, 70))
        if kept > 0:
            found.append(ceil(((heads + 1) * (1 + 2 * heads * k) + 1) / kept))
    return min(found)
