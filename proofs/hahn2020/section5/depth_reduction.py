r"""Lemma 4 (depth reduction) and Definition 3: one attention layer is traded for a larger c.

The lemma puts the three stages together: with eta, q, delta chosen so that
(1-2 eta)(1-(1+delta) q) = C'/C, with k large enough for E10 and then n for E11, a restriction
exists under which every layer-1 activation depends on c (2^c k H + 1) inputs.

Main statements: C_TRANSFORMERS (D3), LEMMA_4 (L4), LEMMA_4_CONSTANT.

References
----------
Hahn (2020), Definition 3 and Lemma 4 [hahn2020].
"""

import sympy as sp

from bounds.reduction import final
from bounds.reduction.symbols import TARGET_BELOW, C, Cp, c, domains, k, n
from claims import HAHN, Claim, Inequality, Integers, Reals, Relation, Twin, Verdict
from proofs.checkers import smt
from proofs.checkers.substitution import power_of_two

w = sp.Symbol("w", positive=True)
share = sp.Symbol("rho", positive=True)
stars = sp.Symbol("m", integer=True, nonnegative=True)

C_TRANSFORMERS = Claim(
    id="hahn2020.definition3",
    says=r"Every transformer is a 1-transformer, and a $c$-transformer is a $c'$-transformer for "
    r"every $c'\ge c$; in particular for $c'=c(2^ckH+1)$.",
    source=HAHN.at("Definition 3"),
    labels=("D3",),
    statement=Inequality(c, "<=", final.C_OUT.expression, domains(final.C_OUT.expression)),
    check=smt.decide(power_of_two(c, w)),
    expect=Verdict.PROVED,
    twin=Twin(
        "the skip connection's $+1$ (and $k\\ge1$)",
        Inequality(
            c, "<=", final.C_OUT.expression - c, {**domains(final.C_OUT.expression), k: Integers(0)}
        ),
    ),
    proof=r"""By definition $y_j^{(0)}=f(v_{x_j},p_j)$ depends on the input at position $j$ alone,
so $c=1$ works for every transformer. Depending on at most $c$ inputs is weaker the larger $c$ is.""",
)

_DOMAIN = {**domains(C * Cp * n), share: Reals(0, 1, open_lo=True), stars: Integers(0)}
_STAGES = Relation(stars, ">=", share * C * n)


def _enough(*given: Relation) -> Inequality:
    return Inequality(stars, ">=", Cp * n, _DOMAIN, (_STAGES, TARGET_BELOW, *given))


LEMMA_4 = Claim(
    id="hahn2020.lemma4",
    says=r"Lemma 4: given a $c$-transformer with $L$ layers and $\rho$ with at least $Cn$ stars, "
    r"for any $C'<C$ there is $\rho'$ with at least $C'n$ stars for all large $n$ such that the "
    r"function is computed by a $(c(2^ckH+1))$-transformer with $L-1$ layers.",
    source=HAHN.at("Lemma 4"),
    labels=("L4",),
    statement=_enough(Relation(share, "==", Cp / C)),
    check=smt.decide(),
    expect=Verdict.PROVED,
    assumes=(
        "hahn2020.definition3",
        "hahn2020.stage1.stars",
        "hahn2020.stage2.enough.repaired",
        "hahn2020.stage2.condition.implied",
        "hahn2020.stage2.satisfied.inputs",
        "hahn2020.stage3.too_many_fixed.repaired",
        "hahn2020.stage3.no_maximum_fixed",
        "hahn2020.stage3.dependency.repaired",
        "hahn2020.stage3.e10.large_k",
        "hahn2020.stage3.e11.length",
        "hahn2020.stage3.stars",
        "hahn2020.stage3.share",
        "hahn2020.stage3.dependence",
    ),
    twin=Twin(
        r"$(1-2\eta)(1-(1+\delta)q)=C'/C$ (here half of it)",
        _enough(Relation(share, "==", Cp / C / 2)),
    ),
    proof=r"""Choose $\eta,q,\delta$ with $(1-2\eta)(1-(1+\delta)q)=C'/C$. They do not depend on
$n$, nor does $k$, which is then chosen so large that E10 holds and that
$\alpha+2^cH\ln(1-1/k^2)>0$; then E11 holds for all large $n$. Stages 1 and 2 (with the repaired
count, whose condition on $k$ follows from E12) leave at least $(1-2\eta)Cn$ stars and at most $f$
dependencies per event. The local lemma gives, with positive probability, a restriction under which
neither $X_0$ nor any $X_{i,h}^{(z)}$ happens. It leaves at least
$(1-2\eta)(1-(1+\delta)q)Cn=C'n$ stars, every head is satisfied, so every layer-1 activation depends
on at most $c(2^ckH+1)$ inputs: layer 1 becomes the new layer 0. If $n\le ck$ this is trivial.""",
)
