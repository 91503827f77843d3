r"""The constants as published: Lemma 5 of the paper, and the two forms that a review restates.

Main definitions
----------------
PUBLISHED_C, L5B, L5C, B16, B17.

References
----------
Hahn (2020), proof of Lemma 5 [hahn2020].
"""

import sympy as sp

from bounds.soft.attention_weight import A, n
from bounds.soft.recursion import D

k = sp.Symbol("k", integer=True, positive=True)
"""Layer."""

H = sp.Symbol("H", integer=True, positive=True)
"""Heads in each layer."""

L_F = sp.Symbol("L_f", nonnegative=True)
"""Lipschitz constant of f_act."""

PUBLISHED_C = 2 * (1 + sp.exp(2 * A) + L_F)
"""C of the paper's proof."""

L5B = PUBLISHED_C ** (2 * k) * D
"""Published bound on the change at the exchanged position after layer k."""

L5C = H**k * PUBLISHED_C ** (2 * k) * D / n
"""Published bound on the change at every other position after layer k."""

B16 = PUBLISHED_C * 2**k * D
"""The same as restated in the review: C 2^k D."""

B17 = H ** (k - 1) * PUBLISHED_C * 2 ** (k - 1) * D / n
"""The same as restated in the review: H^(k-1) C 2^(k-1) D / n."""
