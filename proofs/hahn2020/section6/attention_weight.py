r"""Under logits bounded by A every attention weight is at most exp(2A)/(n-1).

Main statements: SHARP_BELOW_PAPER (L5a), SHARP (L5a), SHARPER.

References
----------
Hahn (2020), Section 6, proof of Lemma 5 [hahn2020].
"""

import sympy as sp

from bounds.soft.attention_weight import (
    WEIGHT_OVER_N,
    WEIGHT_PAPER,
    WEIGHT_SHARP,
    A,
    n,
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
from proofs.checkers import smt
from proofs.checkers.substitution import exponential

v = sp.Symbol("v", positive=True)
x, others, largest, least = sp.symbols("x s X t", positive=True)
_AT = HAHN.at("Section 6, proof of Lemma 5")
_CHECK = smt.decide(exponential(A, v))
_MANY: dict[sp.Symbol, Domain] = {A: Reals(0), n: Integers(2)}

SHARP_BELOW_PAPER = Claim(
    id="hahn2020.attention_weight",
    says=r"$e^A/(e^A+(n-1)e^{-A})\le e^{2A}/(n-1)$ for $n\ge2$.",
    source=_AT,
    labels=("L5a",),
    statement=Inequality(WEIGHT_SHARP, "<=", WEIGHT_PAPER, _MANY),
    check=_CHECK,
    expect=Verdict.PROVED,
    assumes=("hahn2020.attention_weight.largest",),
    twin=Twin(
        "the factor 2 in the exponent", Inequality(WEIGHT_SHARP, "<=", sp.exp(A) / (n - 1), _MANY)
    ),
    proof=r"""Multiply numerator and denominator by $e^A$: the left side is
$e^{2A}/(e^{2A}+n-1)$, and $e^{2A}+n-1\ge n-1$.""",
)

_POSITIVE = Reals(0, open_lo=True)
_WEIGHT: dict[sp.Symbol, Domain] = dict.fromkeys((x, others, largest, least), _POSITIVE)
_LARGEST = Relation(x, "<=", largest)


def _monotone(*given: Relation) -> Inequality:
    bound = largest / (largest + least)
    return Inequality(x / (x + others), "<=", bound, _WEIGHT, (_LARGEST, *given))


LARGEST = Claim(
    id="hahn2020.attention_weight.largest",
    says=r"A softmax weight $e^{a_i}/\sum_je^{a_j}$ with all $|a_j|\le A$ is at most "
    r"$e^A/(e^A+(n-1)e^{-A})$.",
    source=_AT,
    labels=("L5a",),
    statement=_monotone(Relation(others, ">=", least)),
    check=smt.decide(),
    expect=Verdict.PROVED,
    twin=Twin(r"$a_j\ge-A$ for the other positions", _monotone()),
    proof=r"""The weight is $x/(x+s)$ with $x=e^{a_i}\le X=e^A$ and
$s=\sum_{j\ne i}e^{a_j}\ge t=(n-1)e^{-A}$. It rises with $x$ and falls with $s$, so it is at most
$X/(X+t)$. This is attained by one logit $A$ and all others $-A$.""",
)

_ANY: dict[sp.Symbol, Domain] = {A: Reals(0), n: Integers(1)}

SHARPER = Claim(
    id="hahn2020.attention_weight.sharper",
    says=r"$e^A/(e^A+(n-1)e^{-A})\le e^{2A}/n$ for $n\ge1$, which is below the paper's bound.",
    source=OWN.at("Section 6, repaired"),
    labels=("L5a",),
    kind=Kind.OWN,
    statement=Inequality(WEIGHT_SHARP, "<=", WEIGHT_OVER_N, _ANY),
    check=_CHECK,
    expect=Verdict.PROVED,
    assumes=("hahn2020.attention_weight.largest",),
    twin=Twin(
        "the factor 2 in the exponent",
        Inequality(WEIGHT_SHARP, "<=", sp.exp(A) / n, _ANY),
    ),
    proof=r"""$e^{2A}+n-1\ge n$ because $e^{2A}\ge1$.""",
)
