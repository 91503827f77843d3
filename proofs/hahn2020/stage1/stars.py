r"""Stage 1 keeps at least (1 - eta) C n inputs free.

Inputs that feed into more than c/(eta C) layer-0 activations are few, because there are at most
n c pairs (input, activation it feeds into); they are fixed, and what is left is thinly connected.

Main statements: OFFENDERS_FEW (S1), STARS_LEFT (S1').

References
----------
Hahn (2020), Section 5.1, Stage 1 [hahn2020].
"""

import sympy as sp

from bounds.reduction import stage1
from bounds.reduction.symbols import C, domains, eta, n
from claims import HAHN, Claim, Inequality, Integers, Relation, Twin, Verdict
from proofs.checkers import smt

offenders = sp.Symbol("b", integer=True, nonnegative=True)
free = sp.Symbol("m", integer=True, nonnegative=True)

_DOMAIN = domains(stage1.FEED_THRESHOLD.expression * stage1.PAIRS.expression) | {
    offenders: Integers(0)
}


def _pairs(at_least: sp.Expr) -> Relation:
    """Each of ``b`` offending inputs makes at least that many of the at most n c pairs."""
    return Relation(offenders * at_least, "<=", stage1.PAIRS.expression)


OFFENDERS_FEW = Claim(
    id="hahn2020.stage1.offenders",
    says=r"At most $\eta C n$ inputs feed into more than $c/(\eta C)$ layer-0 activations.",
    source=HAHN.at("Section 5.1, Stage 1"),
    labels=("S1",),
    statement=Inequality(
        offenders,
        "<=",
        stage1.OFFENDERS.expression,
        _DOMAIN,
        (_pairs(stage1.FEED_THRESHOLD.expression),),
    ),
    check=smt.decide(),
    expect=Verdict.PROVED,
    twin=Twin(
        r"each offender feeds into more than $c/(\eta C)$ activations (half as many here)",
        Inequality(
            offenders,
            "<=",
            stage1.OFFENDERS.expression,
            _DOMAIN,
            (_pairs(stage1.FEED_THRESHOLD.expression / 2),),
        ),
    ),
    proof=r"""Each of the $n$ layer-0 activations depends on at most $c$ inputs, so at most $nc$
pairs (input, activation it feeds into) exist. If $b$ inputs each feed into more than $c/(\eta C)$
activations, they alone make more than $b\,c/(\eta C)$ pairs when $b>0$, hence $b\,c/(\eta C)<nc$
and $b<\eta C n$. No largeness of $n$ and no rounding is needed.""",
)

_STARS = domains(eta * C * n) | {offenders: Integers(0), free: Integers(0)}
_ENOUGH = Relation(free, ">=", C * n)

STARS_LEFT = Claim(
    id="hahn2020.stage1.stars",
    says=r"After Stage 1 at least $(1-\eta)Cn$ inputs are free.",
    source=HAHN.at("Section 5.1, Stage 1"),
    labels=("S1'",),
    statement=Inequality(
        free - offenders,
        ">=",
        stage1.STARS.expression,
        _STARS,
        (_ENOUGH, Relation(offenders, "<=", stage1.OFFENDERS.expression)),
    ),
    check=smt.decide(),
    expect=Verdict.PROVED,
    assumes=(OFFENDERS_FEW.id,),
    twin=Twin(
        r"at most $\eta C n$ inputs are fixed",
        Inequality(free - offenders, ">=", stage1.STARS.expression, _STARS, (_ENOUGH,)),
    ),
    proof=r"""Of the $m\ge Cn$ free inputs Stage 1 fixes $b\le\eta Cn$, to anything:
$m-b\ge(1-\eta)Cn$. This holds for every $n$ with $m\ge Cn$, not only for large ones.""",
)
