r"""Stage 3: probabilities of the two kinds of bad events under a random restriction.

Each free input is fixed with probability q, to 0 or 1 equally likely.  E8 bounds the event that
more than (1 + delta) q of the free inputs get fixed; the Chernoff form behind it is valid for
delta in (0, 1] only.  E9 bounds the event that none of the k selected activations of one head
and value is fixed to its best value; the exponent is the number of mutually independent
activations among the k.

Main definitions: ALPHA, E8_STATED, E8, SINGLE, INDEPENDENT_STATED, INDEPENDENT_EXACT, E9,
E9_EXACT.

References
----------
Hahn (2020), Section 5.1, eqs. (8) and (9) [hahn2020].
"""

import sympy as sp

from bounds.bound import Bound
from bounds.reduction.stage1 import FEED_LIMIT
from bounds.reduction.symbols import FEW_FIXED, C, c, delta, domains, eta, k, n, q
from claims.domains import Reals
from claims.source import HAHN, OWN

_OURS = OWN.at("Stage 3")

ALPHA = delta**2 * q * (1 - 2 * eta) * C / 3
"""Decay rate of E8 per position: E8 is exp(-ALPHA n)."""

_E8 = sp.exp(-ALPHA * n)

E8_STATED = Bound(
    name="stage3.e8.as_stated",
    title="Too many inputs fixed, for every delta > 0",
    symbols={**domains(_E8), delta: Reals(0, open_lo=True)},
    expression=_E8,
    direction="upper",
    source=HAHN.at("Section 5.1, eq. (8)"),
    text="P(X_0) as published, where delta is any positive number.",
    given=(FEW_FIXED,),
)

E8 = Bound(
    name="stage3.e8",
    title="Too many inputs fixed, delta at most 1",
    symbols=domains(_E8),
    expression=_E8,
    direction="upper",
    source=_OURS,
    text="P(X_0) where the Chernoff form exp(-delta^2 mean / 3) is valid.",
    given=(FEW_FIXED,),
)

_MISS = 1 - (q / 2) ** c
_EXPONENT = k / ((1 / eta) * c**2 / C)
_INDEPENDENT = sp.ceiling(k / (c * (FEED_LIMIT.expression - 1) + 1))

SINGLE = Bound(
    name="stage3.single",
    title="One selected activation misses its best value",
    symbols=domains(_MISS),
    expression=_MISS,
    direction="upper",
    source=HAHN.at("Section 5.1, before eq. (9)"),
    text="Some assignment of its at most c free inputs attains the best value.",
)

INDEPENDENT_STATED = Bound(
    name="stage3.independent.as_stated",
    title="Mutually independent activations among the k, as published",
    symbols=domains(_EXPONENT),
    expression=_EXPONENT,
    direction="lower",
    source=HAHN.at("Section 5.1, before eq. (9)"),
    text="k divided by c^2/(eta C).",
)

INDEPENDENT_EXACT = Bound(
    name="stage3.independent.exact",
    title="Mutually independent activations among the k, counted greedily",
    symbols=domains(_INDEPENDENT),
    expression=_INDEPENDENT,
    direction="lower",
    source=_OURS,
    text="Choosing one activation rules out itself and at most c (floor(c/(eta C)) - 1) others.",
)

E9 = Bound(
    name="stage3.e9",
    title="No selected activation attains its best value",
    symbols=domains(_MISS**_EXPONENT),
    expression=_MISS**_EXPONENT,
    direction="upper",
    source=HAHN.at("Section 5.1, eq. (9)"),
    text="P(X) for one head and one value of its own activation, as published.",
)

E9_EXACT = Bound(
    name="stage3.e9.exact",
    title="No selected activation attains its best value, integer exponent",
    symbols=domains(_MISS**_INDEPENDENT),
    expression=_MISS**_INDEPENDENT,
    direction="upper",
    source=_OURS,
    text="E9 with the greedy count of independent activations; never larger than E9.",
)
