r"""Lemma 5: one exchanged symbol moves the last activation by O(1/n), with an explicit constant.

The two-layer case is written out; further layers repeat the step claims.  The constant's parts
that frozen weights do not have are attained: see COEFFICIENT_SELF and COEFFICIENT_OTHER.

Main statements: LEMMA_5, COEFFICIENT_SELF, COEFFICIENT_OTHER, CAUSAL_STEP, CAUSAL_LOGARITHM.

References
----------
Hahn (2020), Lemma 5 [hahn2020].
"""

import sympy as sp

from bounds.soft.attention_weight import A, n, u
from bounds.soft.recursion import L_HEADS, L_OWN, OTHER_NEXT, SELF_NEXT, TRANSFER, D, E, e, w
from claims import (
    HAHN,
    OWN,
    Claim,
    Domain,
    Inequality,
    Integers,
    Kind,
    Limit,
    Reals,
    Relation,
    Twin,
    Verdict,
)
from proofs.checkers import exact, smt

y = sp.Symbol("y", real=True)
a, b, j, q = sp.symbols("a b j q", positive=True)
m = sp.Symbol("m", integer=True, positive=True)

_FIRST = {E: D, e: 0}
_SECOND = {E: SELF_NEXT.subs(_FIRST), e: OTHER_NEXT.subs(_FIRST)}
_TWO_LAYERS = n * OTHER_NEXT.subs(_SECOND, simultaneous=True)
_CONSTANT = (TRANSFER * TRANSFER)[1, 0] * D
_DOMAIN: dict[sp.Symbol, Domain] = {
    D: Reals(0), w: Reals(0, 1), A: Reals(0), u: Reals(1), n: Integers(2),
    L_OWN: Reals(0), L_HEADS: Reals(0),
}  # fmt: skip

LEMMA_5 = Claim(
    id="hahn2020.lemma5",
    says=r"Exchanging one symbol $x_i$, $i<n$, changes $y_n^{(L)}$ by at most $(T^L)_{21}D/n=O(1/n)$ "
    r"(activations bounded by $F$, Lipschitz $f_{act}$, logits bounded by $A$, full attention).",
    source=HAHN.at("Lemma 5"),
    labels=("L5",),
    statement=Inequality(_TWO_LAYERS, "<=", _CONSTANT, _DOMAIN, (Relation(w * n, "<=", u),)),
    check=smt.decide(),
    expect=Verdict.PROVED,
    assumes=("hahn2020.lemma5.step.self", "hahn2020.lemma5.step.other"),
    twin=Twin("w <= u/n", Inequality(_TWO_LAYERS, "<=", _CONSTANT, _DOMAIN)),
    proof=r"""$E_0=D$ and $e_0=0$.  By the step claims $(E_{k+1},ne_{k+1})\le T(E_k,ne_k)$
componentwise, so $(E_L,ne_L)\le T^L(D,0)$ for every $n\ge2$; the inequality decided here is the case
$L=2$ written out.  $T$ contains neither $n$ nor the word, so $ne_L$ stays bounded.  The published
constants differ (see the claims on them); the order $O(1/n)$ is right.""",
)

_HEAD = sp.exp(A * y) * (y + 1) / (sp.exp(A * y) + (n - 1) * sp.exp(-A))
_SLOPE = sp.diff(_HEAD, y).subs(y, 1)

COEFFICIENT_OTHER = Claim(
    id="hahn2020.lemma5.coefficient.other",
    says=r"The coefficient $(1+2A)e^{2A}/n$ is attained: one key at logit $A$ and $n-1$ at $-A$ give "
    r"$n\,\partial b_j/\partial y_i\to(1+2A)e^{2A}$.",
    source=OWN.at("repaired recursion of Lemma 5, sharpness"),
    kind=Kind.OWN,
    labels=("L5c",),
    statement=Limit(n * _SLOPE, n, (1 + 2 * A) * sp.exp(2 * A), {A: Reals(0, 8), n: Integers(2)}),
    check=exact.decide(),
    expect=Verdict.PROVED,
    twin=Twin(
        "the moving weight",
        Limit(n * _SLOPE, n, sp.exp(2 * A), {A: Reals(1, 8), n: Integers(2)}),
    ),
)

_TURN = (sp.exp(A * y) - sp.exp(-A * y)) / (sp.exp(A * y) + sp.exp(-A * y))

COEFFICIENT_SELF = Claim(
    id="hahn2020.lemma5.coefficient.self",
    says=r"The coefficient $A$ at the exchanged position is attained: between two clusters of keys "
    r"at $\pm1$ the head is $\tanh(Ay)$, of slope $A$ at $0$, at every $n$.",
    source=OWN.at("repaired recursion of Lemma 5, sharpness"),
    kind=Kind.OWN,
    labels=("L5b",),
    statement=Limit(n * _TURN.subs(y, 1 / n), n, A, {A: Reals(0, 8), n: Integers(2)}),
    check=exact.decide(),
    expect=Verdict.PROVED,
    twin=Twin(
        "the moving query",
        Limit(n * _TURN.subs(y, 1 / n), n, sp.Integer(0), {A: Reals(1, 8), n: Integers(2)}),
    ),
)

CAUSAL_LOGARITHM = Claim(
    id="hahn2020.lemma5.causal.logarithm",
    says=r"$\ln\frac j{j-1}\ge\frac1j$, from $q=\ln x\ge1-1/x$ at $x=j/(j-1)$.",
    source=OWN.at("causal attention"),
    kind=Kind.OWN,
    labels=("L5",),
    statement=Inequality(
        1 / j, "<=", q, {j: Reals(2), q: Reals(0)}, (Relation(q, ">=", 1 - (j - 1) / j),)
    ),
    check=smt.decide(),
    expect=Verdict.PROVED,
    twin=Twin(
        "ln x >= 1 - 1/x",
        Inequality(1 / j, "<=", q, {j: Reals(2), q: Reals(0)}),
    ),
)

_POWERS: dict[sp.Symbol, Domain] = {a: Reals(1), b: Reals(1), j: Reals(2)}

CAUSAL_STEP = Claim(
    id="hahn2020.lemma5.causal",
    says=r"Under a causal mask the influence is $O((\log n)^{L-1}/n)$: "
    r"$\frac1j\sum_{l\le j}\frac{(1+\ln l)^{k-1}}l\le\frac{(1+\ln j)^k}j$ (step from $j-1$ to $j$, "
    r"$k=1,2,3$ written out for $k=3$).",
    source=OWN.at("causal attention"),
    kind=Kind.OWN,
    labels=("L5",),
    statement=Inequality(b**3 + a**2 / j, "<=", a**3, _POWERS, (Relation(a - b, ">=", 1 / j),)),
    check=smt.decide(),
    expect=Verdict.PROVED,
    assumes=("hahn2020.lemma5.causal.logarithm", "hahn2020.lemma5.recursion.other"),
    twin=Twin("a - b >= 1/j", Inequality(b**3 + a**2 / j, "<=", a**3, _POWERS)),
    proof=r"""Position $j$ attends to $j$ positions, so every weight is at most $e^{2A}/j$ and the
recursion gives $e_j^{(k+1)}\le c\,(E/j+\frac1j\sum_{i<l\le j}e_l^{(k)})$.  With
$e_l^{(k)}\le c_k(1+\ln l)^{k-1}/l$ the sum is at most $c_k(1+\ln j)^k$: write $a=1+\ln j$ and
$b=1+\ln(j-1)$; then $a-b\ge1/j$, hence $a^k-b^k\ge(a-b)a^{k-1}\ge a^{k-1}/j$ for every $k$
(decided here for $k=3$).""",
)
