r"""E10 to E12: the conditions of the local lemma, and that they hold for all large k, then n.

With weights A = 1/k^2 for the events X and B = 1/2 for X_0 the logarithm of E10 is
r k - 2 ln k - ln 2 + f ln(1 - 1/k^2) >= 0, whose leading term r k wins because f/k^2 does not
depend on k; it does not contain n.  E11 then holds from an explicit length on.

Main statements: E10_LARGE_K, E12_EQUIVALENT, ROOT_OF_A, ROOT_OF_NEIGHBOURS, E11_HEADROOM,
E11_LENGTH, LEAST_K_UNIQUE.

References
----------
Hahn (2020), Section 5.1, eqs. (10) to (12) [hahn2020].
"""

import sympy as sp

from bounds.reduction.local_lemma import (
    E10_RHS,
    E12_RHS,
    HEADROOM11,
    PAPER_WEIGHTS,
    RATE,
    SLACK10,
    with_weights,
)
from bounds.reduction.stage3 import ALPHA
from bounds.reduction.symbols import A, B, H, c, domains, f, k, n
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
from proofs.checkers import asymptotic, exact, smt

_EQ10 = HAHN.at("Section 5.1, eq. (10)")
_EQ11 = HAHN.at("Section 5.1, eq. (11)")
_EQ12 = HAHN.at("Section 5.1, eq. (12)")
_WEIGHTS = (PAPER_WEIGHTS[A], PAPER_WEIGHTS[B])
density = sp.Symbol("E", positive=True)
r = sp.Symbol("r", positive=True)
head = sp.Symbol("h", positive=True)
log_b = sp.Symbol("ell", positive=True)
v = sp.Symbol("v", positive=True)


def _at_weights(expression: sp.Expr) -> sp.Expr:
    """Put A = 1/k^2, B = 1/2, f = E k^2 with E = 2^(2c) c^2 H/(eta C), and r for the rate."""
    return expression.subs({RATE: r, f: density * k**2}).subs(PAPER_WEIGHTS)


_LARGE: dict[sp.Symbol, Domain] = {k: Integers(2), density: Reals(1), r: Reals(0, 1, open_lo=True)}

E10_LARGE_K = Claim(
    id="hahn2020.stage3.e10.large_k",
    says=r"$P(X)\le A(1-B)(1-A)^f$ holds for all large $k$ with $A=1/k^2$, $B=\frac12$: "
    r"the logarithm of its right side over its left side, divided by $k$, tends to $r>0$.",
    source=_EQ10,
    labels=("E10", "E12'"),
    statement=Limit(_at_weights(SLACK10) / k, k, r, _LARGE),
    check=exact.decide(),
    expect=Verdict.PROVED,
    assumes=(
        "textbook.local_lemma",
        "hahn2020.stage3.no_maximum_fixed",
        "hahn2020.stage3.dependency.repaired",
    ),
    twin=Twin(
        r"the weight $A=1/k^2$ (here $A=\frac1k$, so that $f A$ grows like $k$)",
        Limit(
            SLACK10.subs({RATE: r, f: 2 * k**2}).subs({A: 1 / k, B: sp.Rational(1, 2)}) / k,
            k,
            r,
            {k: Integers(2), r: Reals(0, 1, open_lo=True)},
        ),
    ),
    proof=r"""With E9 the condition reads $rk-2\ln k-\ln2+f\ln(1-1/k^2)\ge0$, where
$r=-\ln(1-(q/2)^c)\,\eta C/c^2>0$ and $f=Ek^2$ with $E=2^{2c}c^2H/(\eta C)$ free of $k$ and $n$.
The last term tends to $-E$, so $rk$ wins. Nothing contains $n$: $k$ is chosen free of $n$.""",
)

E12_EQUIVALENT = Claim(
    id="hahn2020.stage3.e12",
    says=r"E10 is equivalent to $D\le A^{1/k}(1-B)^{1/k}(1-A)^{f/k}$ (12).",
    source=_EQ12,
    labels=("E12",),
    statement=Inequality(
        E10_RHS.expression, "==", E12_RHS.expression**k, domains(E12_RHS.expression)
    ),
    check=exact.decide(),
    expect=Verdict.PROVED,
    assumes=("hahn2020.stage3.root",),
    twin=Twin(
        "the exponent $f/k$ (here $f$)",
        Inequality(
            E10_RHS.expression,
            "==",
            (A ** (1 / k) * (1 - B) ** (1 / k) * (1 - A) ** f) ** k,
            domains(E12_RHS.expression),
        ),
    ),
    proof=r"""The right side of E10 is the $k$-th power of the right side of (12), and E9 is
$D^k$; taking $k$-th roots of positive numbers keeps the order.""",
)

ROOT_OF_A = Claim(
    id="hahn2020.stage3.e12.root_of_a",
    says=r"$A^{1/k}\to1$ as $k\to\infty$.",
    source=_EQ12,
    labels=("E12'",),
    statement=Limit(PAPER_WEIGHTS[A] ** (1 / k), k, sp.Integer(1), {k: Integers(1)}),
    check=exact.decide(),
    expect=Verdict.PROVED,
    twin=Twin("the root", Limit(PAPER_WEIGHTS[A], k, sp.Integer(1), {k: Integers(1)})),
    proof=r"""$A^{1/k}=\exp(-2\ln k/k)$ and $\ln k/k\to0$.""",
)

ROOT_OF_NEIGHBOURS = Claim(
    id="hahn2020.stage3.e12.root_of_neighbours",
    says=r"$(1-A)^{f/k}\to1$ as $k\to\infty$, because $f/k^2$ does not depend on $k$.",
    source=_EQ12,
    labels=("E12'",),
    statement=Limit(
        (1 - PAPER_WEIGHTS[A]) ** (density * k),
        k,
        sp.Integer(1),
        {k: Integers(2), density: Reals(1)},
    ),
    check=exact.decide(),
    expect=Verdict.PROVED,
    twin=Twin(
        "the root",
        Limit((1 - PAPER_WEIGHTS[A]) ** (3 * k**2), k, sp.Integer(1), {k: Integers(2)}),
    ),
    proof=r"""$f/k=Ek$, and $Ek\ln(1-1/k^2)\to0$.""",
)

_HEADROOM = with_weights(HEADROOM11, *_WEIGHTS)

E11_HEADROOM = Claim(
    id="hahn2020.stage3.e11.headroom",
    says=r"$\alpha+2^cH\ln(1-A)\to\alpha>0$ as $k\to\infty$, so E11 can hold for all large $n$.",
    source=_EQ11,
    labels=("E11", "E12'"),
    statement=Limit(_HEADROOM, k, ALPHA, {**domains(ALPHA * c * H), k: Integers(2)}),
    check=exact.decide(),
    expect=Verdict.PROVED,
    twin=Twin(
        r"a weight that tends to 0 (here $A=\frac12$)",
        Limit(
            HEADROOM11.subs({A: sp.Rational(1, 2), ALPHA: 1, c: 1, H: 1}) + 1 / k,
            k,
            sp.Integer(1),
            {k: Integers(2)},
        ),
    ),
    proof=r"""$\alpha=\delta^2q(1-2\eta)C/3>0$ does not depend on $k$, and $\ln(1-1/k^2)\to0$.""",
)

E11_LENGTH = Claim(
    id="hahn2020.stage3.e11.length",
    says=r"E11 holds for every $n\ge\ln(1/B)/(\alpha+2^cH\ln(1-A))$ once the denominator is "
    r"positive.",
    source=_EQ11,
    labels=("E11",),
    statement=Inequality(
        head * n - log_b,
        ">=",
        sp.Integer(0),
        {n: Integers(1), head: Reals(0, open_lo=True), log_b: Reals(0, open_lo=True)},
        (Relation(n, ">=", log_b / head),),
    ),
    check=smt.decide(),
    expect=Verdict.PROVED,
    assumes=(E11_HEADROOM.id, "hahn2020.stage3.too_many_fixed.repaired"),
    twin=Twin(
        r"$n\ge\ln(1/B)/h$",
        Inequality(
            head * n - log_b,
            ">=",
            sp.Integer(0),
            {n: Integers(1), head: Reals(0, open_lo=True), log_b: Reals(0, open_lo=True)},
        ),
    ),
    proof=r"""By E8 it is enough that $-\alpha n\le\ln B+2^cHn\ln(1-A)$, that is
$hn\ge\ln(1/B)$ with $h=\alpha+2^cH\ln(1-A)$.""",
)


LEAST_K_UNIQUE = Claim(
    id="hahn2020.stage3.least_k.unique",
    says=r"$f\ln(1-1/k^2)$ rises with $k$: the slack of E10 has derivative at least $r-2/k$, so "
    r"the $k$ that satisfy E10 are all $k$ from one least value on.",
    source=OWN.at("Stage 3, repaired"),
    labels=("E12'",),
    kind=Kind.OWN,
    statement=Inequality(
        sp.Integer(0), "<=", sp.log(1 - v) + v / (1 - v), {v: Reals(0, 1, open_hi=True)}
    ),
    check=asymptotic.rising(v, smt.decide()),
    expect=Verdict.PROVED,
    twin=Twin(
        r"the factor $1/(1-v)$",
        Inequality(sp.Integer(0), "<=", sp.log(1 - v) + v, {v: Reals(0, 1, open_hi=True)}),
    ),
    proof=r"""With $v=1/k^2$ the derivative of $k^2\ln(1-1/k^2)$ is $2k(\ln(1-v)+v/(1-v))\ge0$.
So the slack $g(k)=rk-2\ln k-\ln2+Ek^2\ln(1-1/k^2)$ has $g'\ge r-2/k$ and rises for $k\ge2/r$. For
$2\le k<2/r$ it is negative: there $rk<2$, while $-Ek^2\ln(1-1/k^2)\ge E\ge8$.
Hence it changes sign once.""",
)
