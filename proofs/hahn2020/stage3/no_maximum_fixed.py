r"""E9: how unlikely it is that none of the k selected activations is fixed to its best value.

Among the k selected activations, a greedy choice finds at least k eta C/c^2 that share no input;
their events are mutually independent, and each fails with probability at most 1 - (q/2)^c.

Main statements: E9_EXPONENT, E9_ROOT.

References
----------
Hahn (2020), Section 5.1, eq. (9) [hahn2020].
"""

import sympy as sp

from bounds.reduction.local_lemma import E12_LHS
from bounds.reduction.stage1 import FEED_THRESHOLD
from bounds.reduction.stage3 import E9, INDEPENDENT_STATED
from bounds.reduction.symbols import C, c, domains, eta, k
from claims import HAHN, Claim, Inequality, Integers, Relation, Twin, Verdict
from proofs.checkers import exact, smt

feeds = sp.Symbol("Delta", integer=True, positive=True)
_AT = HAHN.at("Section 5.1, eq. (9)")
_DOMAIN = domains(c * k * eta * C) | {feeds: Integers(1)}


def _exponent(*given: Relation) -> Inequality:
    """Compare with a greedy choice, which has at least k / (c (Delta - 1) + 1) members."""
    greedy = k / (c * (feeds - 1) + 1)
    return Inequality(INDEPENDENT_STATED.expression, "<=", greedy, _DOMAIN, given)


E9_EXPONENT = Claim(
    id="hahn2020.stage3.no_maximum_fixed",
    says=r"$P(X_{i,h}^{(z)})\le(1-(q/2)^c)^{k/((1/\eta)c^2/C)}$: at least $k\eta C/c^2$ of the $k$ "
    r"events are mutually independent.",
    source=_AT,
    labels=("E9",),
    statement=_exponent(Relation(feeds, "<=", FEED_THRESHOLD.expression)),
    check=smt.decide(),
    expect=Verdict.PROVED,
    assumes=("hahn2020.stage1.stars", "hahn2020.stage3.independent.greedy"),
    twin=Twin(r"each input feeds into at most $c/(\eta C)$ activations", _exponent()),
    proof=r"""Let $\Delta\le c/(\eta C)$ bound the number of activations that one free input feeds
into (Stage 1). A selected activation has at most $c$ free inputs, so at most $c(\Delta-1)$ other
selected ones share an input with it. Choosing greedily gives at least $k/(c(\Delta-1)+1)$
activations with pairwise disjoint inputs, and $c(\Delta-1)+1\le c^2/(\eta C)$ because $c\ge1$.
Their events are functions of disjoint sets of independent bits, hence mutually independent; each
activation is fixed to the value that attains (7) with probability at least $(q/2)^c$, since some
assignment of its at most $c$ free inputs attains it. (The paper argues from "depends on at most
$c^2/(\eta C)$ others", which alone gives only $k/(c^2/(\eta C)+1)$; its number is right because
the activation itself is among the $c\Delta$ counted.)""",
)

E9_ROOT = Claim(
    id="hahn2020.stage3.root",
    says=r"E9 is $D^k$ with $D=(1-(q/2)^c)^{1/((1/\eta)c^2/C)}$.",
    source=HAHN.at("Section 5.1, eq. (12)"),
    labels=("E12",),
    statement=Inequality(
        E9.expression, "==", sp.Pow(E12_LHS.expression, k, evaluate=False), domains(E9.expression)
    ),
    check=exact.decide(),
    expect=Verdict.PROVED,
    twin=Twin(
        "the $k$-th power",
        Inequality(E9.expression, "==", E12_LHS.expression, domains(E9.expression)),
    ),
    proof=r"""The exponent of E9 is $k$ times the exponent of $D$.""",
)
