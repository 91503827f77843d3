"""B5, B7, B8 and B10: what the review counts in Stage 2, executed and repaired.

The review derives the number of repetitions twice: as n/k, counting heads, and as 2^c n/k; and it
multiplies the number of k-neighbours by eta where the paper divides by it.

References: Korean review of Hahn (2020), Stage 2; Hahn (2020), Section 5.1 [hahn2020].
"""

import sympy as sp

from bounds.reduction.neighbours import HEADS_PER_INPUT, K_DEPENDENCE, NEIGHBOURS
from bounds.reduction.seed import B7_REPETITIONS, B10_NEIGHBOURS
from bounds.reduction.stage1 import STARS
from bounds.reduction.stage2 import REPETITIONS, STARS_AFTER
from bounds.reduction.symbols import C, H, U, c, domains, eta, k, n
from claims import REVIEW_HAHN, Claim, ForAll, Inequality, Integers, Kind, Relation, Twin, Verdict
from proofs.checkers import exact, exhaustive, smt
from proofs.checkers.substitution import power_of_two
from proofs.hahn2020.combinatorics.cyclic_cases import SCOPE as CYCLIC
from proofs.hahn2020.combinatorics.cyclic_cases import Cyclic, cyclic_cases
from proofs.hahn2020.combinatorics.slow_layers import SCOPE as SLOW
from proofs.hahn2020.combinatorics.slow_layers import Slow, slow_layers
from proofs.hahn2020.stage2.neighbours import NEIGHBOUR_COUNT
from proofs.hahn2020.stage2.values import VALUE_COUNT

_AT = REVIEW_HAHN.at("3.1, Stage 2")
_w = sp.Symbol("w", positive=True)
_CHECK = smt.decide(power_of_two(c, _w))


def at_most_n_over_k(case: Slow) -> bool:
    """Tell whether Stage 2, executed, repeats at most n/k times."""
    return len(case.repetitions()) <= B7_REPETITIONS.exact(n=case.n, k=case.k)


def few_neighbours(case: Cyclic) -> bool:
    """Tell whether a settled layer has at most the review's number of k-neighbours."""
    stated = B10_NEIGHBOURS.exact(c=1, H=1, C=1, k=case.k, eta=case.eta)
    counts = case.counted()
    return not case.settled(counts) or counts.neighbours <= stated


B5 = Claim(
    id="seeds.hahn.b05",
    says=r"$|\{\text{values of } y_i^{(0)}\}| \le 2^c$.",
    source=_AT,
    statement=VALUE_COUNT.statement,
    check=VALUE_COUNT.check,
    expect=Verdict.PROVED,
    labels=("B5",),
    assumes=(VALUE_COUNT.id,),
    twin=VALUE_COUNT.twin,
    proof=VALUE_COUNT.proof,
)

B7_AS_STATED = Claim(
    id="seeds.hahn.b07.as_stated",
    says=r"One fixing settles $kH$ heads, so Stage 2 repeats at most $U \le nH/(kH) = n/k$ times.",
    source=_AT,
    statement=ForAll("U <= n/k", SLOW, slow_layers, at_most_n_over_k),
    check=exhaustive.decide(),
    expect=Verdict.REFUTED,
    labels=("B7",),
    difference="A repetition settles pairs of a head and a value z, of which there are 2^c n H.",
    proof=r"""Executed with $n = 11$, $k = 2$, $c = H = 1$: six repetitions, and $6 > 11/2$.  Each
fixes an activation on which more than $2^c kH = 4$ unsatisfied heads depend, to the value that
satisfies most pairs: 4, 4, 3, 3, 3 and 3 of them, more than $kH = 2$ every time.""",
)

_PAIRS = Relation(U * k * H, "<=", 2**c * H * n)

B7_REPAIRED = Claim(
    id="seeds.hahn.b07.repaired",
    says=r"With up to $2^c$ values for each head, $U \le 2^c n/k$ (the review's second form).",
    source=_AT,
    statement=Inequality(U, "<=", REPETITIONS.expression, domains(U * k * H * c * n), (_PAIRS,)),
    check=_CHECK,
    expect=Verdict.PROVED,
    kind=Kind.REPAIRED,
    labels=("B7",),
    assumes=(
        "hahn2020.stage2.satisfied.monotone.repaired",
        "hahn2020.stage2.iteration.repaired",
    ),
    repairs="seeds.hahn.b07.as_stated",
    difference="Pairs are counted instead of heads, which brings the factor 2^c.",
    twin=Twin(
        "the number of repetitions is compared with 2^c n/k, not n/k",
        Inequality(U, "<=", B7_REPETITIONS.expression, domains(U * k * H * c * n), (_PAIRS,)),
    ),
    proof=r"""There are at most $2^c Hn$ pairs and each repetition satisfies more than $kH$ new
ones.  (The review explains the factor by $2^c$ repetitions per activation; it is the number of
pairs per head.)""",
)

_m, _fixed = sp.symbols("m fixed", integer=True, nonnegative=True)
_STARS = {**domains(eta * C * n * c * U), _m: Integers(0), _fixed: Integers(0)}
_START = Relation(_m, ">=", STARS.expression)
_EACH = Relation(_fixed, "<=", c * U)

B8 = Claim(
    id="seeds.hahn.b08",
    says=r"After one repetition at least $(1-\eta)Cn - c$ inputs are free, after all $U$ at least"
    r" $(1-\eta)Cn - cU$.",
    source=_AT,
    statement=Inequality(_m - _fixed, ">=", STARS_AFTER.expression, _STARS, (_START, _EACH)),
    check=smt.decide(),
    expect=Verdict.PROVED,
    labels=("B8",),
    twin=Twin(
        "each repetition fixes at most c inputs",
        Inequality(_m - _fixed, ">=", STARS_AFTER.expression, _STARS, (_START,)),
    ),
    proof=r"""Stage 1 leaves $m \ge (1-\eta)Cn$ inputs free and a repetition fixes the at most $c$
free inputs of one activation, so $U$ repetitions leave at least $m - cU$; $U = 1$ is the first
statement.""",
)

B10_AS_STATED = Claim(
    id="seeds.hahn.b10.as_stated",
    says=r"An unsatisfied head has at most $f = 2^{2c} \eta c^2 k^2 H/C$ unsatisfied"
    r" $k$-neighbours.",
    source=_AT,
    statement=ForAll("at most the review's f neighbours", CYCLIC, cyclic_cases, few_neighbours),
    check=exhaustive.decide(),
    expect=Verdict.REFUTED,
    labels=("B10",),
    difference="The number is inversely proportional to eta: an input feeds up to c/(eta C)"
    " activations.",
    proof=r"""The executed layer has passed Stages 1 and 2 and $k$ satisfies
$c 2^c/k \le \eta C$; each head has 41 unsatisfied $k$-neighbours, and the review's number is
$4 \cdot \frac25 \cdot 25 = 40$.""",
)

B10_REPAIRED = Claim(
    id="seeds.hahn.b10.repaired",
    says=r"An unsatisfied head has at most $f = (2^{2c}/\eta) c^2 k^2 H/C$ unsatisfied"
    r" $k$-neighbours (the paper's number).",
    source=_AT,
    statement=Inequality(
        sp.Mul(K_DEPENDENCE.expression, HEADS_PER_INPUT.expression, evaluate=False),
        "==",
        NEIGHBOURS.expression,
        NEIGHBOURS.symbols,
    ),
    check=exact.decide(),
    expect=Verdict.PROVED,
    kind=Kind.REPAIRED,
    labels=("B10",),
    assumes=(NEIGHBOUR_COUNT.id,),
    repairs="seeds.hahn.b10.as_stated",
    difference="eta moves into the denominator.",
    twin=Twin(
        "eta divides",
        Inequality(
            K_DEPENDENCE.expression * HEADS_PER_INPUT.expression,
            "==",
            B10_NEIGHBOURS.expression,
            NEIGHBOURS.symbols,
        ),
    ),
    proof=r"""The number of inputs that a head $k$-depends on times the number of unsatisfied heads
on each of them; the review's number results when the second factor is multiplied by $\eta^2$.""",
)
