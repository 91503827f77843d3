r"""B6 and B9: how many inputs Stage 2 leaves free, and a condition on k with an n too many.

The review asks for 2^c n/k <= eta.  The implication it draws is true, because then the loop does
not run at all, but no k free of n satisfies the condition for all n, and that is what k is for.

Main statements: B6, B9_AS_STATED, B9_REPAIRED, B9_IMPLICATION.

References
----------
Korean review of Hahn (2020), Stage 2.
"""

import sympy as sp

from bounds.reduction import seed, stage2
from bounds.reduction.symbols import U, c, domains, eta, k, n
from claims import REVIEW_HAHN, Claim, Inequality, Kind, Relation, Twin, Verdict
from proofs.checkers import smt
from proofs.checkers.substitution import power_of_two
from proofs.hahn2020.stage2.stars import ENOUGH_REPAIRED

_AT = REVIEW_HAHN.at("Stage 2")
w = sp.Symbol("w", positive=True)
_CHECK = smt.decide(power_of_two(c, w))
_SEED = seed.B9_CONDITION.relation

B6 = Claim(
    id="seeds.hahn.b06",
    says=r"$\rho^{(2)}$ keeps at least $(1-2\eta)Cn$ stars (for $k$ with $c\,2^c/k\le\eta C$).",
    source=_AT,
    labels=("B6",),
    statement=ENOUGH_REPAIRED.statement,
    check=ENOUGH_REPAIRED.check,
    expect=Verdict.PROVED,
    assumes=(ENOUGH_REPAIRED.id,),
    twin=ENOUGH_REPAIRED.twin,
    proof=ENOUGH_REPAIRED.proof,
)

_FREE_OF_N = domains(c * k * eta * n)

B9_AS_STATED = Claim(
    id="seeds.hahn.b09.as_stated",
    says=r"$k$ can be chosen, free of $n$, with $2^cn/k\le\eta$: if it holds for one length, it "
    r"holds for every length.",
    source=_AT,
    labels=("B9",),
    statement=Inequality(
        _SEED.lhs, _SEED.rel, _SEED.rhs, _FREE_OF_N, (Relation(2**c / k, "<=", eta),)
    ),
    check=_CHECK,
    expect=Verdict.REFUTED,
    difference=r"There is a factor $n$ too many: $k$ would have to grow with $n$, but the bound "
    r"$c(2^ckH+1)$ on the dependence must not. The condition is $c\,2^c/k\le\eta C$.",
)

B9_REPAIRED = Claim(
    id="seeds.hahn.b09.repaired",
    says=r"Choosing $k$ with $c\,2^c/k\le\eta C$ leaves at least $(1-2\eta)Cn$ stars.",
    source=_AT,
    labels=("B9",),
    kind=Kind.REPAIRED,
    repairs=B9_AS_STATED.id,
    difference=r"$n$ dropped, and the factors $c$ and $C$ that the paper drops restored.",
    statement=ENOUGH_REPAIRED.statement,
    check=ENOUGH_REPAIRED.check,
    expect=Verdict.PROVED,
    assumes=(ENOUGH_REPAIRED.id,),
    twin=ENOUGH_REPAIRED.twin,
    proof=ENOUGH_REPAIRED.proof,
)

_IDLE = domains(U * c * k * n * eta)
_BOUND = Relation(U, "<=", stage2.REPETITIONS.expression)

B9_IMPLICATION = Claim(
    id="seeds.hahn.b09.implication",
    says=r"If $2^cn/k\le\eta$ the loop of Stage 2 runs $U<1$, hence $0$, times; so the review's "
    r"implication to $(1-2\eta)Cn$ stars is true, though useless.",
    source=_AT,
    labels=("B9",),
    statement=Inequality(U, "<", sp.Integer(1), _IDLE, (_BOUND, _SEED)),
    check=_CHECK,
    expect=Verdict.PROVED,
    twin=Twin("the condition", Inequality(U, "<", sp.Integer(1), _IDLE, (_BOUND,))),
    proof=r"""$U\le2^cn/k\le\eta<\frac12$ and $U$ is an integer, so $U=0$ and all
$(1-\eta)Cn\ge(1-2\eta)Cn$ stars of Stage 1 are left.""",
)
