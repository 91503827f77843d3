"""How many unsatisfied heads an input serves after Stage 2, and how many k-neighbours (S2h).

References: Hahn (2020), Section 5.1, Stage 2 [hahn2020].
"""

import sympy as sp

from bounds.reduction.neighbours import HEADS_PER_INPUT, K_DEPENDENCE, NEIGHBOURS
from bounds.reduction.stage1 import FEED_THRESHOLD
from bounds.reduction.symbols import C, H, c, domains, eta, k
from claims import HAHN, Claim, ForAll, Inequality, Integers, Kind, Relation, Twin, Verdict
from proofs.checkers import exact, exhaustive, smt
from proofs.checkers.substitution import power_of_two
from proofs.hahn2020.combinatorics.cyclic_cases import SCOPE, Cyclic, cyclic_cases


def within_f(case: Cyclic) -> bool:
    """Tell whether a settled layer has at most f k-neighbours for every head."""
    f = NEIGHBOURS.exact(c=1, H=1, C=1, k=case.k, eta=case.eta)
    counts = case.counted()
    return case.settled(counts) and counts.neighbours <= f


_heads, _acts, _each = sp.symbols("heads activations each", integer=True, nonnegative=True)
_w = sp.Symbol("w", positive=True)
_COUNTS = {**domains(c * k * H * C * eta), **dict.fromkeys((_heads, _acts, _each), Integers(0))}
_TOTAL = Relation(_heads, "<=", _acts * _each)
_THIN = Relation(_acts, "<=", FEED_THRESHOLD.expression)
_UNPOPULAR = Relation(_each, "<=", 2**c * k * H)

HEADS = Claim(
    id="hahn2020.stage2.heads_per_input",
    says=r"After Stage 2 at most $(2^c/\eta) \cdot kcH/C$ unsatisfied heads $k$-depend on any one"
    r" free input.",
    source=HAHN.at("5.1, end of Stage 2"),
    statement=Inequality(
        _heads, "<=", HEADS_PER_INPUT.expression, _COUNTS, (_TOTAL, _THIN, _UNPOPULAR)
    ),
    check=smt.decide(power_of_two(c, _w)),
    expect=Verdict.PROVED,
    labels=("S2h",),
    twin=Twin(
        "the input feeds at most c/(eta C) activations (Stage 1)",
        Inequality(_heads, "<=", HEADS_PER_INPUT.expression, _COUNTS, (_TOTAL, _UNPOPULAR)),
    ),
    proof=r"""Let a head have an unsatisfied pair that $k$-depends on the free input $x$.  Then $x$
feeds into an activation of that pair's ranking not after the last selected one, so the head is
one of the dependents of this activation.  By Stage 1, $x$ feeds at most $c/(\eta C)$ activations;
when Stage 2 ends, each has at most $2^c kH$ such heads.  The product is the bound.  It is needed
that Stage 2 counts the same dependents as here: through the ranking up to the last selected
activation, not through the selected ones only.""",
)

NEIGHBOUR_COUNT = Claim(
    id="hahn2020.stage2.neighbours",
    says=r"Each unsatisfied head has at most $f = (2^{2c}/\eta) c^2 k^2 H/C$ unsatisfied"
    r" $k$-neighbours.",
    source=HAHN.at("5.1, end of Stage 2"),
    statement=Inequality(
        sp.Mul(K_DEPENDENCE.expression, HEADS_PER_INPUT.expression, evaluate=False),
        "==",
        NEIGHBOURS.expression,
        NEIGHBOURS.symbols,
    ),
    check=exact.decide(),
    expect=Verdict.PROVED,
    labels=("S2h",),
    assumes=("hahn2020.stage2.k_dependence", "hahn2020.stage2.heads_per_input"),
    twin=Twin(
        "a head has 2^c values",
        Inequality(
            K_DEPENDENCE.expression / 2**c * HEADS_PER_INPUT.expression,
            "==",
            NEIGHBOURS.expression,
            NEIGHBOURS.symbols,
        ),
    ),
    proof=r"""A $k$-neighbour shares one of the at most $2^c ck$ inputs that the head $k$-depends
on, and each of these serves at most $(2^c/\eta) kcH/C$ unsatisfied heads.  The product of the two
numbers is $f$ (the checked identity).""",
)

ENUMERATED = Claim(
    id="hahn2020.stage2.neighbours.enumerated",
    says=r"No head has more than $f$ unsatisfied $k$-neighbours (counted on executed layers that"
    r" Stages 1 and 2 leave as they are).",
    source=HAHN.at("5.1, end of Stage 2"),
    statement=ForAll("at most f k-neighbours", SCOPE, cyclic_cases, within_f),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    labels=("S2h",),
    proof=r"Heads are compared by the inputs that they $k$-depend on; the general argument is "
    r"the claim `hahn2020.stage2.neighbours`.",
)
