"""What one repetition of Stage 2 achieves: more than kH satisfied heads, or pairs, or nothing.

The paper counts heads that k-depend on an activation and concludes that some value of it
satisfies more than kH of them.  A head has up to 2^c pairs, and it may depend on the activation
only through a pair that is satisfied already.  Counting unsatisfied pairs repairs both.

References: Hahn (2020), Section 5.1, Stage 2 [hahn2020].
"""

from collections.abc import Iterator
from itertools import permutations, product

import sympy as sp

from bounds.reduction.stage2 import VALUES
from bounds.reduction.symbols import H, c, domains, k
from claims import HAHN, Claim, ForAll, Inequality, Integers, Kind, Relation, Twin, Verdict
from proofs.checkers import exhaustive, smt
from proofs.checkers.substitution import power_of_two
from proofs.hahn2020.combinatorics.literal_stage2 import repetitions
from proofs.hahn2020.combinatorics.pairs import Restriction
from proofs.hahn2020.combinatorics.repetitions import run
from proofs.hahn2020.combinatorics.small_layers import (
    SCOPE,
    SCOPE_ONE,
    Stage2Case,
    layers_one_input,
    small_layers,
)


def heads_are_satisfied(case: Stage2Case) -> bool:
    """Tell whether some value of each popular activation satisfies more than kH whole heads."""
    least = case.k * case.layer.width
    return all(r.heads > least for r in repetitions(case.layer, _stars(case), case.k))


def pairs_are_satisfied(case: Stage2Case) -> bool:
    """Tell whether every repetition that the paper's rule allows satisfies more than kH pairs."""
    rho, least = _stars(case), case.k * case.layer.width
    while allowed := list(repetitions(case.layer, rho, case.k)):
        if any(r.pairs <= least for r in allowed):
            return False
        rho = allowed[0].rho
    return True


def layers_with_shared_wishes() -> Iterator[Stage2Case]:
    """Yield layers with y_j = x_j, n = 10, k = 2; all heads agree on 2 or 3 wishes for each z."""
    lists = [permutations(range(5), wished) for wished in (2, 3)]
    for at_zero, at_one in product(*lists):
        way = tuple(tuple((j, 1) for j in wished) for wished in (at_zero, at_one))
        yield Stage2Case(tuple((j,) for j in range(10)), (way,) * 10, 2)


def every_repetition_settles(case: Stage2Case) -> bool:
    """Tell whether each repetition of the repaired loop satisfies more than kH pairs."""
    layer, least = case.layer, case.k * case.layer.width
    return all(len(r.settled) > least for r in run(layer, _stars(case), case.k, settle="fewest"))


def _stars(case: Stage2Case) -> Restriction:
    return (None,) * case.layer.inputs


AS_STATED = Claim(
    id="hahn2020.stage2.iteration.as_stated",
    says=r"If more than $2^c kH$ unsatisfied heads $k$-depend on a layer-0 activation, then some"
    r" value of it satisfies more than $kH$ of these heads.",
    source=HAHN.at("5.1, Stage 2, repetitions"),
    statement=ForAll(
        "some value satisfies more than kH heads",
        SCOPE_ONE,
        layers_one_input,
        heads_are_satisfied,
    ),
    check=exhaustive.decide(),
    expect=Verdict.REFUTED,
    labels=("S2e",),
    difference="Fixing the activation satisfies pairs ((h,i),z); a head is satisfied only when"
    " all of its pairs are.",
    proof=r"""If every head attends to $y_1$ for one value $z$ and to $y_2$ for the other, fixing
$y_1$ leaves every head with an unsatisfied pair.""",
)

SATISFIED_VALUE = Claim(
    id="hahn2020.stage2.iteration.counted_in_pairs",
    says=r"The same counted in pairs: if more than $2^c kH$ unsatisfied heads $k$-depend on an"
    r" activation, some value of it satisfies more than $kH$ pairs that were unsatisfied.",
    source=HAHN.at("5.1, Stage 2, repetitions"),
    statement=ForAll(
        "every repetition satisfies more than kH pairs",
        "layers with n = 10, c = 1, k = 2, H = 1, all heads with the same wishes for each z",
        layers_with_shared_wishes,
        pairs_are_satisfied,
    ),
    check=exhaustive.decide(),
    expect=Verdict.REFUTED,
    labels=("S2e",),
    difference="An unsatisfied head may k-depend on the activation only through a value z whose"
    " pair is satisfied already; then fixing the activation achieves nothing.",
    proof=r"""Let every head rank $y_1, y_2$ first for $z = 0$ and others for $z = 1$.  The
first repetition fixes $y_1$ and satisfies all pairs with $z = 0$.  The heads stay unsatisfied
because of $z = 1$, and through $z = 0$ they still $k$-depend on $y_2$: the rule fixes $y_2$ next,
which satisfies nothing.""",
)

ENUMERATED = Claim(
    id="hahn2020.stage2.iteration.enumerated",
    says=r"With $k$-dependence through unsatisfied pairs, every repetition satisfies more than"
    r" $kH$ pairs (every small layer of the scope, choosing against the proof).",
    source=HAHN.at("5.1, Stage 2, repetitions"),
    statement=ForAll(
        "every repetition settles > kH pairs", SCOPE, small_layers, every_repetition_settles
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    labels=("S2e",),
    proof=r"The loop is run on every layer of the family, taking the allowed value that "
    r"satisfies fewest pairs; the general argument is the repaired claim beside it.",
)

_d, _v, _s = sp.symbols("d v s", integer=True, nonnegative=True)
_w = sp.Symbol("w", positive=True)
_DOMAIN = {**domains(c * k * H), _d: Integers(0), _v: Integers(1), _s: Integers(0)}
_SHARED = Relation(_d, "<=", _v * _s)
_FEW_VALUES = Relation(_v, "<=", VALUES.expression)
_POPULAR = Relation(_d, ">", VALUES.expression * k * H)

REPAIRED = Claim(
    id="hahn2020.stage2.iteration.repaired",
    says=r"If more than $2^c kH$ heads have an unsatisfied pair that $k$-depends on an activation,"
    r" then some assignment of its free inputs satisfies more than $kH$ pairs that were not.",
    source=HAHN.at("5.1, Stage 2, repetitions"),
    statement=Inequality(_s, ">", k * H, _DOMAIN, (_SHARED, _FEW_VALUES, _POPULAR)),
    check=smt.decide(power_of_two(c, _w)),
    expect=Verdict.PROVED,
    kind=Kind.REPAIRED,
    labels=("S2e",),
    assumes=(
        "hahn2020.stage2.capture",
        "hahn2020.stage2.selected_inputs.repaired",
        "hahn2020.stage2.satisfied.monotone.repaired",
    ),
    repairs="hahn2020.stage2.iteration.as_stated",
    difference="Heads count as dependent through their unsatisfied pairs, and pairs are counted.",
    twin=Twin(
        "more than 2^c kH heads depend on the activation",
        Inequality(_s, ">", k * H, _DOMAIN, (_SHARED, _FEW_VALUES)),
    ),
    proof=r"""An unsatisfied pair has a selection, because more than $ck$ free inputs feed its
activations.  Take one unsatisfied pair that $k$-depends on $y_j$ from each of the $d > 2^c kH$
heads: $y_j$ has free inputs and stands in the ranking (7) of the pair not after the last selected
activation, so at most $ck$ free inputs feed the ranking up to $y_j$.  For each of these pairs some
assignment of the free inputs of $y_j$ attains (7).  There are $v \le 2^c$ assignments; if each
served at most $s$ of the pairs, then $2^c kH < d \le vs \le 2^c s$, hence $s > kH$ (the checked
inequality).

Fix $y_j$ to an assignment that serves $s$ pairs.  Each of them either has an impossible $z$ now or
a constant score at $y_j$ that equals its earlier (7), so everything that came after $y_j$ still
does, and at most $ck$ free inputs feed the ranking up to this witness: the pair is satisfied.""",
)
