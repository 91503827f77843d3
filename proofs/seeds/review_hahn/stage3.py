r"""B11 to B14: the review's Stage 3, with an exponent upside down.

The review writes the exponent of E9 as eta c^2/(C k) instead of k eta C/c^2.  For small k this is
false; for large k it is true and worthless, because it tends to 0: with it, and with the review's
f, the local lemma condition fails for every k.

Main statements: B11_AS_STATED, B11_REPAIRED, B12_AS_STATED, B12_REPAIRED, B13, B13_AS_STATED,
B13_NEVER, B14_STARS, B14_DEPENDENCE.

References
----------
Korean review of Hahn (2020), Stage 3.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import sympy as sp

from bounds.ball import Exact, holds
from bounds.reduction.seed import B10_NEIGHBOURS, B12_EVENT, B12_EXPONENT
from bounds.reduction.stage3 import SINGLE
from bounds.reduction.symbols import C, c, domains, eta, k, q
from claims import REVIEW_HAHN, Claim, ForAll, Inequality, Kind, Relation, Twin, Verdict
from proofs.checkers import exhaustive, smt
from proofs.checkers.substitution import power_of_two
from proofs.hahn2020.stage3 import (
    local_lemma_conditions,
    no_maximum_fixed,
    stars,
    too_many_fixed,
)

_AT = REVIEW_HAHN.at("Stage 3")
w = sp.Symbol("w", positive=True)

B11_AS_STATED = Claim(
    id="seeds.hahn.b11.as_stated",
    says=r"$P(X_0)\le\exp(-\delta^2q(1-2\eta)Cn/3)$, for any tolerance $\delta$.",
    source=_AT,
    labels=("B11",),
    statement=too_many_fixed.E8_AS_STATED.statement,
    check=too_many_fixed.E8_AS_STATED.check,
    expect=Verdict.REFUTED,
    difference=r"As in the paper, the range $\delta\in(0,1]$ is missing.",
)

B11_REPAIRED = Claim(
    id="seeds.hahn.b11.repaired",
    says=r"$P(X_0)\le\exp(-\delta^2q(1-2\eta)Cn/3)$ for $\delta\in(0,1]$.",
    source=_AT,
    labels=("B11",),
    kind=Kind.REPAIRED,
    repairs=B11_AS_STATED.id,
    difference=r"$\delta\in(0,1]$.",
    statement=too_many_fixed.E8_REPAIRED.statement,
    check=too_many_fixed.E8_REPAIRED.check,
    expect=Verdict.PROVED,
    assumes=(too_many_fixed.E8_REPAIRED.id,),
    twin=too_many_fixed.E8_REPAIRED.twin,
    proof=too_many_fixed.E8_REPAIRED.proof,
)


@dataclass(frozen=True, slots=True)
class Disjoint:
    """``k`` selected activations, each the conjunction of ``c`` inputs of its own."""

    c: int
    k: int
    q: Fraction
    eta: Fraction
    C: Fraction

    def __str__(self) -> str:
        return f"c = {self.c}, k = {self.k}, q = {self.q}, eta = {self.eta}, C = {self.C}"

    def within_the_review(self) -> bool:
        """Compare the exact probability (1 - (q/2)^c)^k with the review's bound."""
        at: dict[sp.Symbol, Exact] = {c: self.c, k: self.k, q: self.q, eta: self.eta, C: self.C}
        return holds(Relation(SINGLE.expression**k, "<=", B12_EVENT.expression), at) is True


def disjoint() -> Iterator[Disjoint]:
    """Yield selections with exactly known probability; each input feeds into one activation."""
    for inputs in (1, 2, 3):
        for selected in (1, 2, 3, 5, 8):
            for chance in (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4)):
                for share in (Fraction(1, 10), Fraction(1, 4), Fraction(12, 25)):
                    for free in (Fraction(1, 2), Fraction(1)):
                        yield Disjoint(inputs, selected, chance, share, free)


B12_AS_STATED = Claim(
    id="seeds.hahn.b12.as_stated",
    says=r"$P(X_i^{(z)})\le(1-(q/2)^c)^{\eta c^2/(Ck)}$.",
    source=_AT,
    labels=("B12",),
    statement=ForAll(
        "the exact probability is at most the review's bound",
        "k <= 8 selected activations with c <= 3 inputs of their own each; q, eta, C on a grid",
        disjoint,
        Disjoint.within_the_review,
    ),
    check=exhaustive.decide(),
    expect=Verdict.REFUTED,
    difference=r"The exponent is upside down: it must be $k/((1/\eta)c^2/C)=k\eta C/c^2$. As "
    r"written the bound is false for small $k$, and for $k\ge c^2/C$ it is true but tends to 1.",
)

B12_REPAIRED = Claim(
    id="seeds.hahn.b12.repaired",
    says=r"$P(X_i^{(z)})\le(1-(q/2)^c)^{k\eta C/c^2}$.",
    source=_AT,
    labels=("B12",),
    kind=Kind.REPAIRED,
    repairs=B12_AS_STATED.id,
    difference=r"Exponent $k\eta C/c^2$ instead of $\eta c^2/(Ck)$.",
    statement=no_maximum_fixed.E9_EXPONENT.statement,
    check=no_maximum_fixed.E9_EXPONENT.check,
    expect=Verdict.PROVED,
    assumes=(no_maximum_fixed.E9_EXPONENT.id,),
    twin=no_maximum_fixed.E9_EXPONENT.twin,
    proof=no_maximum_fixed.E9_EXPONENT.proof,
)

_LARGE = Relation(k, ">=", c**2 / C)
_WEAKER = domains(c * k * eta * C)

B12_WEAKER = Claim(
    id="seeds.hahn.b12.weaker",
    says=r"For $k\ge c^2/C$ the review's exponent is at most the paper's, so its bound is true "
    r"there, and weaker.",
    source=_AT,
    labels=("B12",),
    statement=Inequality(B12_EXPONENT, "<=", k * eta * C / c**2, _WEAKER, (_LARGE,)),
    check=smt.decide(),
    expect=Verdict.PROVED,
    assumes=(no_maximum_fixed.E9_EXPONENT.id,),
    twin=Twin(r"$k\ge c^2/C$", Inequality(B12_EXPONENT, "<=", k * eta * C / c**2, _WEAKER)),
    proof=r"""$\eta c^2/(Ck)\le k\eta C/c^2$ exactly when $c^4\le C^2k^2$; a base below 1 with a
smaller exponent gives a larger bound.""",
)

_CONDITIONS = local_lemma_conditions.E10_LARGE_K

B13 = Claim(
    id="seeds.hahn.b13",
    says=r"The conditions $P(X)\le A(1-B)(1-A)^f$ and $P(X_0)\le B(1-A)^{2^cHn}$ with $A=1/k^2$, "
    r"$B=\frac12$ hold for all large $k$ and $n$ (with the paper's E9 and $f$).",
    source=_AT,
    labels=("B13",),
    statement=_CONDITIONS.statement,
    check=_CONDITIONS.check,
    expect=Verdict.PROVED,
    assumes=(_CONDITIONS.id, local_lemma_conditions.E11_LENGTH.id),
    twin=_CONDITIONS.twin,
    proof=_CONDITIONS.proof,
)

# Necessary for the condition: -ln(base) <= ln 2 < 1 and -ln(1-A) >= A = 1/k^2
_OWN = domains(B12_EXPONENT * B10_NEIGHBOURS.expression)
_NEEDED = B10_NEIGHBOURS.expression / k**2

B13_AS_STATED = Claim(
    id="seeds.hahn.b13.own_formulas.as_stated",
    says=r"The first condition can be met with the review's own B12 and B10: their exponent "
    r"$\eta c^2/(Ck)$ is at least $f/k^2$, as the condition requires.",
    source=_AT,
    labels=("B13",),
    statement=Inequality(B12_EXPONENT, ">=", _NEEDED, _OWN),
    check=smt.decide(power_of_two(c, w)),
    expect=Verdict.REFUTED,
    difference=r"With the exponent upside down the left side of the condition tends to 1 while "
    r"its right side tends to 0.",
)

B13_NEVER = Claim(
    id="seeds.hahn.b13.never",
    says=r"With the review's B12 and B10 the first condition fails for every $k$.",
    source=_AT,
    labels=("B13",),
    kind=Kind.REPAIRED,
    repairs=B13_AS_STATED.id,
    difference="The conditions hold with the paper's exponent and f, never with the review's.",
    statement=Inequality(B12_EXPONENT, "<", _NEEDED, _OWN),
    check=smt.decide(power_of_two(c, w)),
    expect=Verdict.PROVED,
    twin=Twin(
        r"the factor $2^{2c}$ in $f$ (and $H$, $k$)",
        Inequality(B12_EXPONENT, "<", eta * c**2 / C / (k * k), _OWN),
    ),
    proof=r"""Taking logarithms, the condition needs
$\frac{\eta c^2}{Ck}\cdot(-\ln(1-(q/2)^c))\ge2\ln k+\ln2-f\ln(1-1/k^2)$. On the left
$-\ln(1-(q/2)^c)\le\ln2<1$; on the right $-\ln(1-1/k^2)\ge1/k^2$ and the other terms are positive. So
it needs $\eta c^2/(Ck)\ge f/k^2=2^{2c}\eta c^2H/C$, that is $1\ge2^{2c}Hk$.""",
)

B14_STARS = Claim(
    id="seeds.hahn.b14.stars",
    says=r"At least $(1-2\eta)(1-(1+\delta)q)Cn$ stars are left.",
    source=_AT,
    labels=("B14",),
    statement=stars.STARS_LEFT.statement,
    check=stars.STARS_LEFT.check,
    expect=Verdict.PROVED,
    assumes=(stars.STARS_LEFT.id,),
    twin=stars.STARS_LEFT.twin,
    proof=stars.STARS_LEFT.proof,
)

B14_DEPENDENCE = Claim(
    id="seeds.hahn.b14.dependence",
    says=r"Each layer-1 activation depends on at most $c(2^ckH+1)$ inputs.",
    source=_AT,
    labels=("B14",),
    statement=stars.DEPENDENCE.statement,
    check=stars.DEPENDENCE.check,
    expect=Verdict.PROVED,
    assumes=(stars.DEPENDENCE.id,),
    twin=stars.DEPENDENCE.twin,
    proof=stars.DEPENDENCE.proof,
)
