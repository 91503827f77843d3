r"""Bracket words with a forced prefix and suffix: how many middle symbols may be fixed.

With p opening brackets in front and p closing ones at the end of a word of even length n, any
assignment of B of the n - 2p middle symbols extends to a well-bracketed word iff B <= p and
B <= (n - 2p)/2: the worst assignment puts B closing brackets first.  For p <= n/4 the first
condition is the binding one.

Main definitions: PREFIX, MIDDLE, BUDGET, RELATIVE_SHARE, PUBLISHED_SHARE.

References
----------
Hahn (2020), Section 5, proof of Corollary 2 for 1DYCK [hahn2020].
"""

import sympy as sp

from bounds.bound import Bound
from bounds.reduction.symbols import a, domains, n
from claims.source import HAHN, OWN

_OURS = OWN.at("1DYCK arithmetic")
_P = sp.floor(a * n)

PUBLISHED_PREFIX_SHARE = sp.Rational(1, 5)
"""Share of positions forced in front, and again at the end."""

PUBLISHED_SHARE = sp.Rational(9, 10)
"""The C of the published argument."""

PREFIX = Bound(
    name="dyck.prefix",
    title="Forced opening brackets in front",
    symbols=domains(_P),
    expression=_P,
    direction="value",
    source=HAHN.at("Corollary 2"),
    text="a n, rounded down; as many closing brackets are forced at the end.",
)

MIDDLE = Bound(
    name="dyck.middle",
    title="Symbols that are still free",
    symbols=domains(_P),
    expression=n - 2 * _P,
    direction="value",
    source=HAHN.at("Corollary 2"),
    text="What prefix and suffix leave.",
)

BUDGET = Bound(
    name="dyck.budget",
    title="Middle symbols that may be fixed arbitrarily",
    symbols=domains(_P),
    expression=sp.Min(_P, sp.floor((n - 2 * _P) / 2)),
    direction="upper",
    source=_OURS,
    text="Up to this many fixed middle symbols always leave a well-bracketed completion (n even).",
)

RELATIVE_SHARE = Bound(
    name="dyck.relative_share",
    title="Share of the middle that has to stay free",
    symbols=domains(a),
    expression=1 - a / (1 - 2 * a),
    direction="lower",
    source=_OURS,
    text="Keeping at least this share of the middle free fixes at most a n of it; for a <= 1/4.",
)
