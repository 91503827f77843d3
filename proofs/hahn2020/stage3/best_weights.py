r"""The best local-lemma weight A = 1/(f+1), and why signs at k and k - 1 certify a least k.

The published weight A = 1/k^2 costs about E = f/k^2 in the exponent, the best one about ln f.
For both the slack of E12 is negative up to 2/r and rises from there on, which is what
``bounds.reduction.least`` relies on; with the published weights that is LEAST_K_UNIQUE of
``local_lemma_conditions``, completed here by the derivative in full and by E > 8.

Main statements: ABOVE and BELOW (the weight is best), SLOPE_PUBLISHED, DENSITY_ABOVE_EIGHT,
SLOPE_BEST, START_BEST.

References
----------
Hahn (2020), Section 5.1, eqs. (10) to (12) [hahn2020]; the weight and the claims are our own.
"""

from fractions import Fraction

import sympy as sp

from bounds.reduction.local_lemma import PAPER_WEIGHTS, RATE, SLACK10
from bounds.reduction.monotone import BRACKET, BRACKET_U, E
from bounds.reduction.symbols import c, domains, eta, f, k
from claims import OWN, Claim, Inequality, Kind, Reals, Relation, Twin, Verdict
from proofs.checkers import asymptotic, ball, exact, smt
from proofs.checkers.substitution import power_of_two

_AT = OWN.at("Stage 3, weights")
r = sp.Symbol("r", positive=True)
density = sp.Symbol("E", positive=True)
x = sp.Symbol("x", nonnegative=True)
w = sp.Symbol("w", positive=True)

_BELOW_F = (Relation(x, "<", f),)
_ABOVE = {x: Reals(0), f: Reals(0, open_lo=True)}
_BELOW = {x: Reals(0, 1, open_hi=True), f: Reals(0, open_lo=True)}

ABOVE = Claim(
    id="hahn2020.stage3.best_weight.above",
    says=r"No weight $A=(1+x)/(f+1)$ with $x\ge0$ allows more than $A=1/(f+1)$: "
    r"$(1+x)(1-x/f)^f\le1$.",
    source=_AT,
    kind=Kind.OWN,
    statement=Inequality(
        sp.log(1 + x) + f * sp.log(1 - x / f), "<=", sp.Integer(0), _ABOVE, _BELOW_F
    ),
    check=asymptotic.rising(x, smt.decide()),
    expect=Verdict.PROVED,
    twin=Twin(
        r"the exponent $f$ (here $f/2$)",
        Inequality(
            sp.log(1 + x) + f / 2 * sp.log(1 - x / f), "<=", sp.Integer(0), _ABOVE, _BELOW_F
        ),
    ),
    proof=r"""E10 asks $P(X)\le A(1-B)(1-A)^f$. With $A=(1+x)/(f+1)$ the right side is that of
$A=1/(f+1)$ times $(1+x)(1-x/f)^f$. The logarithm of this factor is 0 at $x=0$ and has derivative
$\frac1{1+x}-\frac{f}{f-x}\le0$.""",
)

BELOW = Claim(
    id="hahn2020.stage3.best_weight.below",
    says=r"No weight $A=(1-x)/(f+1)$ with $0\le x<1$ allows more than $A=1/(f+1)$: "
    r"$(1-x)(1+x/f)^f\le1$.",
    source=_AT,
    kind=Kind.OWN,
    statement=Inequality(sp.log(1 - x) + f * sp.log(1 + x / f), "<=", sp.Integer(0), _BELOW),
    check=asymptotic.rising(x, smt.decide()),
    expect=Verdict.PROVED,
    assumes=(ABOVE.id,),
    twin=Twin(
        r"the exponent $f$ (here $2f$)",
        Inequality(sp.log(1 - x) + 2 * f * sp.log(1 + x / f), "<=", sp.Integer(0), _BELOW),
    ),
    proof=r"""As for $x\ge0$ on the other side: the logarithm is 0 at $x=0$ and has derivative
$-\frac1{1-x}+\frac{f}{f+x}\le0$. With the claim above, $A=1/(f+1)$ is the best weight.""",
)

_SLACK = SLACK10.subs({RATE: r, f: density * k**2}).subs(PAPER_WEIGHTS)
_REAL_K = {k: Reals(1, open_lo=True), density: Reals(8), r: Reals(0, open_lo=True)}

SLOPE_PUBLISHED = Claim(
    id="hahn2020.stage3.least_k.slope",
    says=r"With the published weights the slack $g$ of E12 has derivative "
    r"$g'(k)=r-\frac2k+2Ek\,(\ln(1-u)+\frac{u}{1-u})$, $u=1/k^2$.",
    source=_AT,
    kind=Kind.OWN,
    statement=Inequality(
        sp.diff(_SLACK, k),
        "==",
        r - 2 / k + 2 * density * k * BRACKET.subs(BRACKET_U, 1 / k**2),
        _REAL_K,
    ),
    check=exact.decide(),
    expect=Verdict.PROVED,
    assumes=("hahn2020.stage3.least_k.unique",),
    twin=Twin(
        r"the summand $u/(1-u)$",
        Inequality(
            sp.diff(_SLACK, k),
            "==",
            r - 2 / k + 2 * density * k * sp.log(1 - 1 / k**2),
            _REAL_K,
        ),
    ),
    proof=r"""$\frac{d}{dk}k^2\ln(1-k^{-2})=2k\ln(1-k^{-2})+\frac{2k^{-1}}{1-k^{-2}}$. The bracket
is nonnegative, so $g'\ge r-2/k$, and $g$ rises from $k=2/r$ on.""",
)

DENSITY_ABOVE_EIGHT = Claim(
    id="hahn2020.stage3.least_k.density",
    says=r"$E=f/k^2=2^{2c}c^2H/(\eta C)>8$ for all $c,H\ge1$, $C\le1$, $\eta<\frac12$.",
    source=_AT,
    kind=Kind.OWN,
    statement=Inequality(E, ">", sp.Integer(8), domains(E)),
    check=smt.decide(power_of_two(c, w)),
    expect=Verdict.PROVED,
    assumes=("hahn2020.stage2.neighbours",),
    twin=Twin(
        r"$\eta<\frac12$ (here $\eta<1$)",
        Inequality(E, ">", sp.Integer(8), {**domains(E), eta: Reals(0, 1, open_lo=True)}),
    ),
    proof=r"""$2^{2c}c^2H\ge4$ and $\eta C<\frac12$. So for $2\le k<2/r$ the slack is below
$rk-E<2-8<0$.""",
)

SLOPE_BEST = Claim(
    id="hahn2020.stage3.least_k.slope_best",
    says=r"With $A=1/(f+1)$ the slack $h$ of E12 has derivative $h'(k)=r-2Ek\ln(1+\frac1f)$, and "
    r"$\ln(1+x)\le x$ makes this at least $r-2/k$.",
    source=_AT,
    kind=Kind.OWN,
    statement=Inequality(sp.log(1 + x), "<=", x, {x: Reals(0)}),
    check=asymptotic.rising(x, smt.decide()),
    expect=Verdict.PROVED,
    assumes=(ABOVE.id, BELOW.id),
    twin=Twin(
        r"the factor 1 (here $\frac12$)", Inequality(sp.log(1 + x), "<=", x / 2, {x: Reals(0)})
    ),
    proof=r"""$h(k)=rk-\ln(f+1)-f\ln(1+1/f)+\ln(1-B)$. The derivative of
$\ln(f+1)+f\ln(1+1/f)=(f+1)\ln(f+1)-f\ln f$ by $f$ is $\ln(1+1/f)\le1/f$, and $f'(k)=2f/k$. So
$h'\ge r-2/k$ and $h$ rises from $k=2/r$ on.""",
)

START_BEST = Claim(
    id="hahn2020.stage3.least_k.start_best",
    says=r"$\ln(f+1)+f\ln(1+\frac1f)>2$ at $f=8$. The left side rises with $f$, so with "
    r"$A=1/(f+1)$ no $k<2/r$ satisfies E12.",
    source=_AT,
    kind=Kind.OWN,
    statement=Inequality(
        sp.log(f + 1) + f * sp.log(1 + 1 / f),
        ">",
        sp.Integer(2),
        {f: Reals(Fraction(8), Fraction(8))},
    ),
    check=ball.decide(),
    expect=Verdict.PROVED,
    assumes=(DENSITY_ABOVE_EIGHT.id, SLOPE_BEST.id),
    twin=Twin(
        r"$f\ge8$ (here $f=2$)",
        Inequality(
            sp.log(f + 1) + f * sp.log(1 + 1 / f),
            ">",
            sp.Integer(2),
            {f: Reals(Fraction(2), Fraction(2))},
        ),
    ),
    proof=r"""The left side rises with $f$ (its derivative is $\ln(1+1/f)>0$), and $f=Ek^2\ge E>8$.
For $k<2/r$ we have $rk<2$ and $\ln(1-B)<0$, so the slack is negative. With the slope this gives one
change of sign: a negative slack at $k-1$ and a nonnegative one at $k$ certify that $k$ is least.""",
)
