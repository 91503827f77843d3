r"""Stage 3 keeps (1-2 eta)(1-(1+delta)q) C n inputs free, and any share C'/C can be reached.

The new activations depend on c (2^c k H + 1) inputs each.

Main statements: STARS_LEFT (S3), SHARE_REACHED and SHARE_ADMISSIBLE (S3'), DEPENDENCE (S3'').

References
----------
Hahn (2020), Section 5.1, end of Stage 3 [hahn2020].
"""

import sympy as sp

from bounds.reduction import final
from bounds.reduction.symbols import FEW_FIXED, C, c, delta, domains, eta, n, q
from claims import HAHN, Claim, Inequality, Integers, Reals, Relation, Twin, Verdict
from proofs.checkers import exact, smt

_AT = HAHN.at("Section 5.1, Stage 3")
stars = sp.Symbol("m", integer=True, nonnegative=True)
fixed = sp.Symbol("N", integer=True, nonnegative=True)
share = sp.Symbol("rho", positive=True)

_DOMAIN = domains(final.STARS.expression) | {stars: Integers(0), fixed: Integers(0)}
_NOT_X0 = Relation(fixed, "<=", (1 + delta) * q * stars)
_BEFORE = Relation(stars, ">=", (1 - 2 * eta) * C * n)


def _left(*given: Relation) -> Inequality:
    return Inequality(stars - fixed, ">=", final.STARS.expression, _DOMAIN, given)


STARS_LEFT = Claim(
    id="hahn2020.stage3.stars",
    says=r"When $X_0$ does not happen, at least $(1-2\eta)(1-(1+\delta)q)Cn$ inputs stay free.",
    source=_AT,
    labels=("S3",),
    statement=_left(_NOT_X0, _BEFORE, FEW_FIXED),
    check=smt.decide(),
    expect=Verdict.PROVED,
    assumes=("hahn2020.stage2.enough.repaired",),
    twin=Twin("that $X_0$ does not happen", _left(_BEFORE, FEW_FIXED)),
    proof=r"""Of the $m\ge(1-2\eta)Cn$ free inputs at most $(1+\delta)qm$ are fixed, and
$1-(1+\delta)q>0$, so at least $(1-(1+\delta)q)m\ge(1-2\eta)(1-(1+\delta)q)Cn$ are left.""",
)

# eta = (1-rho)/4, delta = 1, q = (1-rho)/(2(1+rho)) reach the share rho = C'/C exactly
CHOICE = {
    eta: (1 - share) / 4,
    delta: sp.Integer(1),
    q: (1 - share) / (2 * (1 + share)),
}
_SHARE = {share: Reals(0, 1, open_lo=True, open_hi=True)}

SHARE_REACHED = Claim(
    id="hahn2020.stage3.share",
    says=r"$\eta,q,\delta$ can be chosen with $(1-2\eta)(1-(1+\delta)q)=C'/C$, for instance "
    r"$\eta=\frac{1-\rho}4$, $\delta=1$, $q=\frac{1-\rho}{2(1+\rho)}$ with $\rho=C'/C$.",
    source=_AT,
    labels=("S3'",),
    statement=Inequality(final.SHARE.subs(CHOICE), "==", share, _SHARE),
    check=exact.decide(),
    expect=Verdict.PROVED,
    assumes=("hahn2020.stage3.share.admissible",),
    twin=Twin(
        "the factor $(1+\\rho)$ in $q$",
        Inequality(final.SHARE.subs({**CHOICE, q: (1 - share) / 2}), "==", share, _SHARE),
    ),
    proof=r"""$1-2\eta=\frac{1+\rho}2$ and $1-2q=\frac{2\rho}{1+\rho}$; their product is $\rho$.""",
)


def _admissible(largest: int) -> Inequality:
    """State eta > 0, eta < 1/2, q > 0 and (1 + delta) q < 1 as one positive product of gaps."""
    gaps = (sp.Rational(1, 2) - CHOICE[eta]) * CHOICE[eta] * CHOICE[q] * (1 - 2 * CHOICE[q])
    return Inequality(
        sp.Integer(0), "<", gaps, {share: Reals(0, largest, open_lo=True, open_hi=True)}
    )


SHARE_ADMISSIBLE = Claim(
    id="hahn2020.stage3.share.admissible",
    says=r"The choice satisfies $0<\eta<\frac12$, $q>0$ and $(1+\delta)q<1$ for every "
    r"$\rho\in(0,1)$.",
    source=_AT,
    labels=("S3'",),
    statement=_admissible(1),
    check=smt.decide(),
    expect=Verdict.PROVED,
    twin=Twin(r"$\rho<1$ (here $\rho<3$)", _admissible(3)),
    proof=r"""$\eta=\frac{1-\rho}4\in(0,\frac14)$, $q=\frac{1-\rho}{2(1+\rho)}\in(0,\frac12)$ and
$1-2q=\frac{2\rho}{1+\rho}>0$. The four gaps are continuous in $\rho$ and positive at
$\rho=\frac12$; their product never vanishes on $(0,1)$, so none of them changes sign.""",
)

DEPENDENCE = Claim(
    id="hahn2020.stage3.dependence",
    says=r"Each layer-1 activation depends on at most $c(2^ckH+1)$ inputs.",
    source=_AT,
    labels=("S3''",),
    statement=Inequality(
        final.THROUGH_HEADS.expression + c,
        "==",
        final.C_OUT.expression,
        domains(final.C_OUT.expression),
    ),
    check=exact.decide(),
    expect=Verdict.PROVED,
    assumes=("hahn2020.stage2.satisfied.inputs",),
    twin=Twin(
        "the skip connection",
        Inequality(
            final.THROUGH_HEADS.expression,
            "==",
            final.C_OUT.expression,
            domains(final.C_OUT.expression),
        ),
    ),
    proof=r"""The activation $y_i^{(1)}$ is a function of $y_i^{(0)}$ (at most $c$ inputs) and of
$H$ heads, each of which depends, for every one of the $2^c$ values of $y_i^{(0)}$, on at most $ck$
further inputs: $c+H\cdot2^c\cdot ck=c(2^ckH+1)$.""",
)
