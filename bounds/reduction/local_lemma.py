r"""The local lemma conditions E10, E11 and E12, with the published weights and with any.

With weight A for each event X and weight B for X_0 the asymmetric local lemma asks for
P(X) <= A (1-B) (1-A)^f and P(X_0) <= B (1-A)^(2^c H n).  Taking the bounds of Stage 3 for the
probabilities and logarithms of both sides, the first is ``SLACK10 >= 0`` and does not contain n,
the second is linear in n.

Main definitions: RATE, E10_RHS, E11_RHS, E12_LHS, E12_RHS, E10, E11, E12, SLACK10, SLACK11,
N11, PAPER_WEIGHTS, BEST_WEIGHT, with_weights.

References
----------
Hahn (2020), Section 5.1, eqs. (10) to (12) [hahn2020].  Erdos and Lovasz (1975) [erdos1975].
"""

import sympy as sp

from bounds.bound import Bound, Condition
from bounds.reduction.neighbours import F
from bounds.reduction.stage3 import ALPHA, E8, E9, SINGLE
from bounds.reduction.symbols import FEW_FIXED, A, B, C, H, c, domains, eta, f, k, n
from claims.domains import Integers
from claims.source import HAHN, OWN
from claims.statements import Relation

RATE = -sp.log(SINGLE.expression) * eta * C / c**2
"""r: E9 is exp(-r k)."""

PAPER_WEIGHTS = {A: 1 / k**2, B: sp.Rational(1, 2)}
"""The published weights."""

BEST_WEIGHT = 1 / (F + 1)
"""The weight A that maximises A (1-A)^f."""


def with_weights(expression: sp.Expr, weight: sp.Expr, other: sp.Expr) -> sp.Expr:
    """Substitute A = ``weight``, B = ``other`` and the published f into an expression."""
    return expression.subs({f: F}).subs({A: weight, B: other})


def _paper(expression: sp.Expr) -> sp.Expr:
    return with_weights(expression, PAPER_WEIGHTS[A], PAPER_WEIGHTS[B])


_EQ10 = HAHN.at("Section 5.1, eq. (10)")
_EQ11 = HAHN.at("Section 5.1, eq. (11)")
_EQ12 = HAHN.at("Section 5.1, eq. (12)")
_RHS10 = A * (1 - B) * (1 - A) ** f
_RHS11 = B * (1 - A) ** (2**c * H * n)
_RHS12 = A ** (1 / k) * (1 - B) ** (1 / k) * (1 - A) ** (f / k)

E10_RHS = Bound(
    name="stage3.e10.rhs",
    title="What the local lemma allows for P(X)",
    symbols=domains(_RHS10),
    expression=_RHS10,
    direction="upper",
    source=_EQ10,
    text="Required of every event X, for weights A and B and at most f neighbours.",
)

E11_RHS = Bound(
    name="stage3.e11.rhs",
    title="What the local lemma allows for P(X_0)",
    symbols=domains(_RHS11),
    expression=_RHS11,
    direction="upper",
    source=_EQ11,
    text="X_0 may depend on all of the at most 2^c H n events X.",
)

E12_LHS = Bound(
    name="stage3.e12.lhs",
    title="D, the k-th root of E9",
    symbols=domains(SINGLE.expression * eta * C),
    expression=SINGLE.expression ** (eta * C / c**2),
    direction="value",
    source=_EQ12,
    text="D = exp(-r), in (0, 1).",
)

E12_RHS = Bound(
    name="stage3.e12.rhs",
    title="The k-th root of what the local lemma allows",
    symbols=domains(_RHS12),
    expression=_RHS12,
    direction="upper",
    source=_EQ12,
    text="Tends to 1 for fixed c, eta, C, H with A = 1/k^2, B = 1/2.",
)

SLACK10 = RATE * k + sp.log(A) + sp.log(1 - B) + f * sp.log(1 - A)
"""ln of the right side of E10 minus ln of E9; E10 and E12 hold iff it is >= 0."""

SLACK11 = n * (ALPHA + 2**c * H * sp.log(1 - A)) + sp.log(B)
"""ln of the right side of E11 minus ln of E8; E11 holds iff it is >= 0."""

HEADROOM11 = ALPHA + 2**c * H * sp.log(1 - A)
"""Coefficient of n in SLACK11: E11 holds for large n iff this is > 0."""

_N11 = -sp.log(B) / HEADROOM11

N11 = Bound(
    name="stage3.e11.least_n",
    title="Least length for E11, before rounding up",
    symbols=domains(_N11),
    expression=_N11,
    direction="value",
    source=OWN.at("Stage 3"),
    text="E11 holds iff n is at least this, provided that the denominator is positive.",
    given=(FEW_FIXED, Relation(HEADROOM11, ">", sp.Integer(0))),
)

E10 = Condition(
    name="stage3.e10",
    title="E10 with the published weights and f",
    symbols={**domains(E9.expression * F), k: Integers(2)},
    relation=Relation(E9.expression, "<=", _paper(_RHS10)),
    source=_EQ10,
    text="E9 is at most A (1-B) (1-A)^f with A = 1/k^2, B = 1/2.",
)

E11 = Condition(
    name="stage3.e11",
    title="E11 with the published weights",
    symbols={**domains(E8.expression * _paper(_RHS11)), k: Integers(2)},
    relation=Relation(E8.expression, "<=", _paper(_RHS11)),
    source=_EQ11,
    text="E8 is at most B (1-A)^(2^c H n) with A = 1/k^2, B = 1/2.",
    given=(FEW_FIXED,),
)

E12 = Condition(
    name="stage3.e12",
    title="E12 with the published weights and f",
    symbols={**domains(E12_LHS.expression * F), k: Integers(2)},
    relation=Relation(E12_LHS.expression, "<=", _paper(_RHS12)),
    source=_EQ12,
    text="The k-th root of E10.",
)
