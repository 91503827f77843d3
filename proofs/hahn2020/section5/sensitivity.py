r"""The sensitivity remark: languages that no C n fixed symbols can force are out of reach.

Main statements: REMARK (T3), FORCED_LANGUAGES.

References
----------
Hahn (2020), Section 5, discussion of Corollary 2 [hahn2020].
"""

import sympy as sp

from bounds.reduction.symbols import C, c, domains, n
from claims import HAHN, Claim, Inequality, Reals, Relation, Twin, Verdict
from proofs.checkers import smt

kept = sp.Symbol("K", positive=True)
_DOMAIN = {**domains(C * c * n), kept: Reals(0, 1, open_lo=True, open_hi=True)}
_SLACK = Relation(kept, ">", 1 - C)


def _fits(*given: Relation) -> Inequality:
    return Inequality((1 - kept) * n + c, "<=", C * n, _DOMAIN, (_SLACK, *given))


REMARK = Claim(
    id="hahn2020.sensitivity",
    says=r"If for some $C\in(0,1)$ fixing $Cn$ symbols can never force membership or "
    r"non-membership, no hard-attention transformer recognises the language.",
    source=HAHN.at("Section 5, after Corollary 2"),
    labels=("T3",),
    statement=_fits(Relation(n, ">=", c / (C + kept - 1))),
    check=smt.decide(),
    expect=Verdict.PROVED,
    assumes=("hahn2020.theorem1",),
    twin=Twin("that $n$ is large", _fits()),
    proof=r"""Choose $K$ with $1-C<K<1$ and apply Theorem 1 with $K$: at most $(1-K)n$ inputs are
fixed and the output depends on at most $c$ of the others. Fix these too: for
$n\ge c/(C+K-1)$ at most $(1-K)n+c\le Cn$ inputs are fixed, and the output is constant. But by
assumption both a member and a non-member are still possible, so one of them is classified wrongly.""",
)
