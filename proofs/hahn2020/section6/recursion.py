r"""The repaired recursion: Lemma 5 with moving attention weights, step by step.

A head's change splits into ``sum_l w'_l (y'_l - y_l)`` and ``sum_l (w'_l - w_l) y_l``.  Along the
straight path of logits the second part moves at the rate ``sum_l w_l |eps_l - mean eps|`` times F,
and this mean deviation is at most r + 2 w_i |eps_i| if all logits but the exchanged key's move by
at most r.

Main statements: SPREAD, SPIKE, SELF, OTHER, STEP_SELF, STEP_OTHER, LEMMA_5.

References
----------
Hahn (2020), Lemma 5 [hahn2020]; the terms with A are our own.
"""

import sympy as sp

from bounds.soft.attention_weight import A, n, u
from bounds.soft.recursion import (
    L_HEADS,
    L_OWN,
    OTHER_NEXT,
    SELF_NEXT,
    TRANSFER,
    E,
    e,
    w,
)
from claims import (
    HAHN,
    OWN,
    Claim,
    Domain,
    Inequality,
    Integers,
    Kind,
    Reals,
    Relation,
    Twin,
    Verdict,
)
from proofs.checkers import exact, smt

p, r, x, y, s = sp.symbols("p r x y s", real=True)
F, M = sp.symbols("F M", nonnegative=True)
X, Y = sp.symbols("X Y", nonnegative=True)
_OURS = OWN.at("repaired recursion of Lemma 5")

_SIDES: dict[sp.Symbol, Domain] = {p: Reals(0, 1), x: Reals(), y: Reals(), r: Reals(0)}
_INSIDE = (Relation(x, "<=", r), Relation(y, ">=", -r), Relation(y, "<=", x))

SPREAD = Claim(
    id="hahn2020.lemma5.recursion.spread",
    says=r"If all logits move by at most $r$, their mean deviation is at most $r$: the positive "
    r"and the negative side balance, so it is $2p(1-p)(x-y)$ with $-r\le y\le x\le r$.",
    source=_OURS,
    kind=Kind.OWN,
    labels=("L5",),
    statement=Inequality(2 * p * (1 - p) * (x - y), "<=", r, _SIDES, _INSIDE),
    check=smt.decide(),
    expect=Verdict.PROVED,
    twin=Twin(
        "the lower end -r",
        Inequality(2 * p * (1 - p) * (x - y), "<=", r, _SIDES, (_INSIDE[0], _INSIDE[2])),
    ),
    proof=r"""Let $p$ be the weight of the logits above the mean, $x$ their average and $y$ that of
the others.  Deviations above and below the mean cancel, so $\sum_l w_l|\epsilon_l-\bar\epsilon|=
2p(x-\bar\epsilon)=2p(1-p)(x-y)\le\frac12\cdot2r$.""",
)

SPIKE = Claim(
    id="hahn2020.lemma5.recursion.spike",
    says=r"One logit moving alone by $s$ has mean deviation $2w(1-w)|s|\le 2w|s|$.",
    source=_OURS,
    kind=Kind.OWN,
    labels=("L5",),
    statement=Inequality(
        w * (s - w * s) + (1 - w) * w * s, "<=", 2 * w * s, {w: Reals(0, 1), s: Reals(0)}
    ),
    check=smt.decide(),
    expect=Verdict.PROVED,
    twin=Twin(
        "the factor 2",
        Inequality(w * (s - w * s) + (1 - w) * w * s, "<=", w * s, {w: Reals(0, 1), s: Reals(0)}),
    ),
)

# Logits are y_j^T M_h y_l with |y| <= F.  Another query: eps_jl <= 2 M F e, eps_ji <= M F (E + e).
_OTHER_HEAD = w * E + e + F * (2 * M * F * e + 2 * w * M * F * (E + e))
# The exchanged query: eps_il <= M F (E + e), eps_ii <= 2 M F E.
_SELF_HEAD = w * E + e + F * (M * F * (E + e) + 2 * w * 2 * M * F * E)
_FREE: dict[sp.Symbol, Domain] = {
    E: Reals(0), e: Reals(0), w: Reals(0, 1), F: Reals(0), M: Reals(0),
    L_OWN: Reals(0), L_HEADS: Reals(0),
}  # fmt: skip

OTHER = Claim(
    id="hahn2020.lemma5.recursion.other",
    says=r"$e'\le L_0e+\sum_hL_h[w(1+2A)E+(1+2A+2Aw)e]$ at every position but the exchanged one.",
    source=HAHN.at("Section 6, proof of Lemma 5"),
    kind=Kind.REPAIRED,
    repairs="hahn2020.lemma5.other.as_stated",
    difference="The terms with $A$ come from the attention weights that move with the exchanged "
    "symbol; the paper keeps the weights fixed.",
    labels=("L5c",),
    statement=Inequality(
        L_OWN * e + L_HEADS * _OTHER_HEAD, "==", OTHER_NEXT.subs(A, F**2 * M), _FREE
    ),
    check=exact.decide(),
    expect=Verdict.PROVED,
    assumes=("hahn2020.lemma5.recursion.spread", "hahn2020.lemma5.recursion.spike",
             "hahn2020.attention_weight"),
    twin=Twin(
        "the logits of the other keys move too",
        Inequality(
            L_OWN * e + L_HEADS * (w * E + e + F * (2 * w * M * F * (E + e))), "==",
            OTHER_NEXT.subs(A, F**2 * M), _FREE,
        ),
    ),
    proof=r"""$b'-b=\sum_lw'_l(y'_l-y_l)+\sum_l(w'_l-w_l)y_l$.  The first sum is at most $wE+e$.
For the second follow the logits along a straight line; its speed is
$\sum_lw_l(\epsilon_l-\bar\epsilon)y_l$, of norm at most $F$ times the mean deviation, which is at
most $r+2w|\epsilon_i|$ by the two lemmas (split $\epsilon$ into its part away from $i$ and its part
at $i$).  Here $r=2|M|Fe$ and $|\epsilon_i|\le|M|F(E+e)$, and $A=F^2|M|$.  The weight bound holds on
the whole line because logits stay between those of the two words.""",
)  # fmt: skip

SELF = Claim(
    id="hahn2020.lemma5.recursion.self",
    says=r"$E'\le L_0E+\sum_hL_h[(A+w(1+4A))E+(1+A)e]$ at the exchanged position.",
    source=HAHN.at("Section 6, proof of Lemma 5"),
    kind=Kind.REPAIRED,
    repairs="hahn2020.lemma5.self.as_stated",
    difference="The own query moves, so the term $AE$ does not vanish with $n$, and every head "
    "counts.",
    labels=("L5b",),
    statement=Inequality(
        L_OWN * E + L_HEADS * _SELF_HEAD, "==", SELF_NEXT.subs(A, F**2 * M), _FREE
    ),
    check=exact.decide(),
    expect=Verdict.PROVED,
    assumes=("hahn2020.lemma5.recursion.spread", "hahn2020.lemma5.recursion.spike",
             "hahn2020.attention_weight"),
    twin=Twin(
        "the own query moves",
        Inequality(L_OWN * E + L_HEADS * (w * E + e), "==", SELF_NEXT.subs(A, F**2 * M), _FREE),
    ),
    proof=r"""As for the other positions, with $r=|M|F(E+e)$ (the query moves by $E$, a key by
$e$) and $|\epsilon_i|\le2|M|FE$ (query and key are the same position).""",
)  # fmt: skip

_STEP_DOMAIN: dict[sp.Symbol, Domain] = {
    E: Reals(0), e: Reals(0), w: Reals(0, 1), A: Reals(0), u: Reals(1), n: Integers(2),
    L_OWN: Reals(0), L_HEADS: Reals(0), X: Reals(0), Y: Reals(0),
}  # fmt: skip
_SMALL = (Relation(E, "<=", X), Relation(n * e, "<=", Y))
_WEIGHT = Relation(w * n, "<=", u)

STEP_SELF = Claim(
    id="hahn2020.lemma5.step.self",
    says=r"If $E\le X$ and $ne\le Y$ then $E'\le(L_0+\Lambda(1+5A))X+\Lambda(1+A)Y$, $n$ gone.",
    source=_OURS,
    kind=Kind.OWN,
    labels=("L5", "L5b"),
    statement=Inequality(
        SELF_NEXT, "<=", TRANSFER[0, 0] * X + TRANSFER[0, 1] * Y, _STEP_DOMAIN, _SMALL
    ),
    check=smt.decide(),
    expect=Verdict.PROVED,
    assumes=("hahn2020.lemma5.recursion.self",),
    twin=Twin(
        "the bound on e",
        Inequality(
            SELF_NEXT, "<=", TRANSFER[0, 0] * X + TRANSFER[0, 1] * Y, _STEP_DOMAIN, _SMALL[:1]
        ),
    ),
)

STEP_OTHER = Claim(
    id="hahn2020.lemma5.step.other",
    says=r"If $E\le X$, $ne\le Y$ and $w\le u/n$ then $ne'\le\Lambda(1+2A)uX+(L_0+\Lambda(1+4A))Y$.",
    source=_OURS,
    kind=Kind.OWN,
    labels=("L5", "L5c"),
    statement=Inequality(
        n * OTHER_NEXT, "<=", TRANSFER[1, 0] * X + TRANSFER[1, 1] * Y, _STEP_DOMAIN,
        (*_SMALL, _WEIGHT),
    ),
    check=smt.decide(),
    expect=Verdict.PROVED,
    assumes=("hahn2020.lemma5.recursion.other", "hahn2020.attention_weight.sharper"),
    twin=Twin(
        "w <= u/n",
        Inequality(
            n * OTHER_NEXT, "<=", TRANSFER[1, 0] * X + TRANSFER[1, 1] * Y, _STEP_DOMAIN, _SMALL
        ),
    ),
)  # fmt: skip
