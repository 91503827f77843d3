r"""How many inputs Stage 2 leaves free, and how large k must be: a factor c is lost on the way.

The loop of Stage 2 runs at most U = 2^c n/k times and fixes at most c inputs each time, so it
fixes c 2^c n/k inputs.  The paper subtracts 2^c n/k, and its condition on k inherits the slip and
also compares with eta where eta C is needed.  The repaired condition asks more of k, but every k
that Stage 3 can use satisfies it, so nothing downstream changes.

Main statements: REPETITIONS (S2e), STARS_AS_STATED and STARS_REPAIRED (S2f), ENOUGH_AS_STATED and
ENOUGH_REPAIRED (S2g), IMPLIED_BY_E12.

References
----------
Hahn (2020), Section 5.1, Stage 2 [hahn2020].
"""

import sympy as sp

from bounds.reduction import stage2
from bounds.reduction.neighbours import F
from bounds.reduction.symbols import C, H, U, c, domains, eta, k, n
from claims import HAHN, OWN, Claim, Inequality, Kind, Reals, Relation, Twin, Verdict
from proofs.checkers import smt
from proofs.checkers.substitution import power_of_two

w = sp.Symbol("w", positive=True)
rate = sp.Symbol("r", positive=True)
_AT = HAHN.at("Section 5.1, Stage 2")
_CHECK = smt.decide(power_of_two(c, w))
_AT_MOST_U = Relation(U, "<=", stage2.REPETITIONS.expression)

_COUNT = domains(c * k * H * n * U)
_ALL_PAIRS = 2**c * H * n


def _repeats(*given: Relation) -> Inequality:
    return Inequality(U, "<=", stage2.REPETITIONS.expression, _COUNT, given)


REPETITIONS = Claim(
    id="hahn2020.stage2.repetitions",
    says=r"The loop of Stage 2 is repeated at most $U\le2^cHn/(kH)=2^cn/k$ times.",
    source=_AT,
    labels=("S2e",),
    statement=_repeats(Relation(U * k * H, "<=", _ALL_PAIRS)),
    check=_CHECK,
    expect=Verdict.PROVED,
    assumes=(
        "hahn2020.stage2.satisfied.monotone.repaired",
        "hahn2020.stage2.iteration.repaired",
        "hahn2020.stage2.values",
    ),
    twin=Twin(
        "that each repetition settles more than $kH$ pairs (here more than $H$)",
        _repeats(Relation(U * H, "<=", _ALL_PAIRS)),
    ),
    proof=r"""There are $nH$ heads with at most $2^c$ values $z$ each, so at most $2^cHn$ pairs
$((h,i),z)$. Each repetition settles more than $kH$ of them that were not settled before, and
settled pairs stay settled, so $U\cdot kH\le2^cHn$. The number is the paper's; its argument needs two
repairs, each a claim of its own: what "satisfied" means, so that it lasts, and which heads count as
dependent, so that every repetition achieves something.""",
)

_STARS = domains(eta * C * n * c * k * U)

STARS_AS_STATED = Claim(
    id="hahn2020.stage2.stars.as_stated",
    says=r"Stars left are at least $(1-\eta)Cn-cU\ge((1-\eta)C-2^c/k)\,n$.",
    source=_AT,
    labels=("S2f",),
    statement=Inequality(
        stage2.STARS_AFTER.expression,
        ">=",
        stage2.STARS_STATED.expression,
        _STARS,
        (_AT_MOST_U,),
    ),
    check=_CHECK,
    expect=Verdict.REFUTED,
    difference=r"Each repetition fixes up to $c$ inputs, so $c\,2^c/k$ is lost, not $2^c/k$; "
    r"the second inequality fails as soon as $c\ge2$ and $U$ comes near its bound.",
)

STARS_REPAIRED = Claim(
    id="hahn2020.stage2.stars.repaired",
    says=r"Stars left are at least $(1-\eta)Cn-cU\ge((1-\eta)C-c\,2^c/k)\,n$.",
    source=_AT,
    labels=("S2f",),
    kind=Kind.REPAIRED,
    repairs=STARS_AS_STATED.id,
    difference=r"The factor $c$ is kept.",
    statement=Inequality(
        stage2.STARS_AFTER.expression,
        ">=",
        stage2.STARS_REPAIRED.expression,
        _STARS,
        (_AT_MOST_U,),
    ),
    check=_CHECK,
    expect=Verdict.PROVED,
    assumes=(REPETITIONS.id, "hahn2020.stage1.stars"),
    twin=Twin("the factor $c$", STARS_AS_STATED.statement),
    proof=r"""Each repetition fixes the at most $c$ free inputs of one activation, so after $U$
repetitions at least $(1-\eta)Cn-cU$ of the $(1-\eta)Cn$ free inputs are left; $U\le2^cn/k$.""",
)


def _enough(condition: Relation) -> Inequality:
    return Inequality(
        stage2.STARS_AFTER.expression,
        ">=",
        stage2.STARS_GOAL.expression,
        _STARS,
        (_AT_MOST_U, condition),
    )


ENOUGH_AS_STATED = Claim(
    id="hahn2020.stage2.enough.as_stated",
    says=r"If $2^c/k\le\eta$ then at least $(1-2\eta)Cn$ inputs stay free after Stage 2.",
    source=_AT,
    labels=("S2g",),
    statement=_enough(stage2.CONDITION_STATED.relation),
    check=_CHECK,
    expect=Verdict.REFUTED,
    difference=r"The condition must be $c\,2^c/k\le\eta C$: a factor $c$ was dropped in the count, "
    r"and $\eta$ stands where $\eta C$ is needed (so that it fails for $c=1$, $C<1$ too).",
)

ENOUGH_REPAIRED = Claim(
    id="hahn2020.stage2.enough.repaired",
    says=r"If $c\,2^c/k\le\eta C$ then at least $(1-2\eta)Cn$ inputs stay free after Stage 2.",
    source=_AT,
    labels=("S2g",),
    kind=Kind.REPAIRED,
    repairs=ENOUGH_AS_STATED.id,
    difference=r"Condition $c\,2^c/k\le\eta C$ instead of $2^c/k\le\eta$.",
    statement=_enough(stage2.CONDITION_REPAIRED.relation),
    check=_CHECK,
    expect=Verdict.PROVED,
    assumes=(STARS_REPAIRED.id,),
    twin=Twin(r"the factors $c$ and $C$", ENOUGH_AS_STATED.statement),
    proof=r"""$(1-\eta)C-c\,2^c/k\ge(1-2\eta)C$ exactly when $c\,2^c/k\le\eta C$.""",
)

_E12 = domains(c * k * H * eta * C) | {rate: Reals(0, open_lo=True)}
_CONDITION = stage2.CONDITION_REPAIRED.relation


def _implied(*given: Relation) -> Inequality:
    return Inequality(_CONDITION.lhs, _CONDITION.rel, _CONDITION.rhs, _E12, given)


_RATE_SMALL = Relation(rate, "<=", eta * C / c**2)

IMPLIED_BY_E12 = Claim(
    id="hahn2020.stage2.condition.implied",
    says=r"Every $k$ that satisfies (12) with $A=1/k^2$ satisfies $c\,2^c/k\le\eta C$: "
    r"the slip in Stage 2 does no harm.",
    source=OWN.at("Stage 2, repaired"),
    labels=("S2g",),
    kind=Kind.OWN,
    statement=_implied(Relation(rate * k, ">=", F / k**2), _RATE_SMALL),
    check=_CHECK,
    expect=Verdict.PROVED,
    twin=Twin("that $k$ satisfies (12)", _implied(_RATE_SMALL)),
    proof=r"""Write (12) as $rk\ge 2\ln k+\ln2-f\ln(1-1/k^2)$ with
$r=-\ln(1-(q/2)^c)\,\eta C/c^2$. Since $-\ln(1-A)\ge A$, it gives
$rk\ge f/k^2=2^{2c}c^2H/(\eta C)$. And $(q/2)^c\le\frac12$, so $r\le\ln2\cdot\eta C/c^2$, below
$\eta C/c^2$. Both together give $k\ge2^{2c}c^4H/(\eta C)^2\ge c\,2^c/(\eta C)$.""",
)
