"""How often Stage 2 repeats (S2e), with the repaired meaning of satisfied and of k-dependent.

There are at most 2^c H n pairs ((h, i), z).  Satisfied pairs stay satisfied and each repetition
satisfies more than kH new ones.

References: Hahn (2020), Section 5.1, Stage 2 [hahn2020].
"""

import sympy as sp

from bounds.reduction.stage2 import REPETITIONS, VALUES
from bounds.reduction.symbols import H, U, c, domains, k, n
from claims import HAHN, Claim, ForAll, Inequality, Integers, Kind, Relation, Twin, Verdict
from proofs.checkers import exhaustive, smt
from proofs.checkers.substitution import power_of_two
from proofs.hahn2020.combinatorics.repetitions import run
from proofs.hahn2020.combinatorics.small_layers import SCOPE_ONE, Stage2Case, layers_one_input


def ends_in_time(case: Stage2Case) -> bool:
    """Tell whether Stage 2 repeats at most 2^c n / k times, choosing against the proof."""
    layer = case.layer
    repeated = list(run(layer, (None,) * layer.inputs, case.k, settle="fewest"))
    return len(repeated) * case.k <= len(layer.feeds) << layer.c


ENUMERATED = Claim(
    id="hahn2020.stage2.repetitions.enumerated",
    says=r"Stage 2 repeats at most $2^c n/k$ times (executed on every small layer of the"
    r" scope, choosing against the proof).",
    source=HAHN.at("5.1, Stage 2, repetitions"),
    statement=ForAll("U <= 2^c n / k", SCOPE_ONE, layers_one_input, ends_in_time),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    labels=("S2e",),
)

_settled = sp.Symbol("s", integer=True, nonnegative=True)
_w = sp.Symbol("w", positive=True)
_DOMAIN = {**domains(U * k * H * c * n), _settled: Integers(0)}
_EACH = Relation(_settled, ">=", U * k * H)
_PAIRS = Relation(_settled, "<=", VALUES.expression * H * n)

REPETITIONS_BOUND = Claim(
    id="hahn2020.stage2.repetitions",
    says=r"Stage 2 repeats at most $U \le 2^c H n/(kH) = 2^c n/k$ times.",
    source=HAHN.at("5.1, Stage 2, repetitions"),
    statement=Inequality(U, "<=", REPETITIONS.expression, _DOMAIN, (_EACH, _PAIRS)),
    check=smt.decide(power_of_two(c, _w)),
    expect=Verdict.PROVED,
    labels=("S2e",),
    assumes=(
        "hahn2020.stage2.satisfied_stays.repaired",
        "hahn2020.stage2.progress.repaired",
        "hahn2020.stage2.values",
    ),
    twin=Twin(
        "each repetition satisfies at least kH new pairs",
        Inequality(U, "<=", REPETITIONS.expression, _DOMAIN, (_PAIRS,)),
    ),
    proof=r"""Each of the $H$ heads at each of the $n$ positions has at most $2^c$ pairs
$((h,i),z)$, so there are at most $2^c Hn$ pairs.  Each repetition satisfies more than $kH$ pairs
that were not satisfied before, and satisfied pairs stay satisfied, so after $U$ repetitions at
least $UkH$ different pairs are satisfied: $UkH \le 2^c Hn$.

The number is the paper's.  Its argument needs two repairs, both claims of their own: what
satisfied means, so that it lasts; and which heads count as dependent, so that every repetition
achieves something.""",
)
