"""How often Stage 2 repeats (S2e), executed with the repaired meaning of satisfied.

There are at most 2^c H n pairs ((h, i), z).  Satisfied pairs stay satisfied and each repetition
satisfies more than kH new ones.  By the paper's own rule for which heads count, repetitions may
achieve nothing, and there can be more of them than that.

References: Hahn (2020), Section 5.1, Stage 2 [hahn2020].
"""

from claims import HAHN, Claim, ForAll, Kind, Twin, Verdict
from proofs.checkers import exhaustive
from proofs.hahn2020.combinatorics.repetitions import run
from proofs.hahn2020.combinatorics.small_layers import (
    SCOPE,
    SCOPE_ONE,
    Stage2Case,
    layers_one_input,
    small_layers,
)
from proofs.hahn2020.combinatorics.vain_layers import SCOPE as VAIN
from proofs.hahn2020.combinatorics.vain_layers import Vain, vain_layers


def ends_in_time(case: Stage2Case) -> bool:
    """Tell whether Stage 2 repeats at most 2^c n / k times, choosing against the proof."""
    layer = case.layer
    repeated = list(run(layer, (None,) * layer.inputs, case.k, settle="fewest"))
    return len(repeated) * case.k <= len(layer.feeds) << layer.c


def ends_at_once(case: Stage2Case) -> bool:
    """Tell whether Stage 2 repeats at most n / (4k) times (which is not claimed)."""
    layer = case.layer
    repeated = list(run(layer, (None,) * layer.inputs, case.k, settle="fewest"))
    return len(repeated) * case.k * 4 <= len(layer.feeds)


def keeps_stars(case: Stage2Case) -> bool:
    """Tell whether r repetitions fix at most cr inputs, for every r."""
    layer = case.layer
    repeated = list(run(layer, (None,) * layer.inputs, case.k, settle="fewest"))
    return all(
        sum(bit is not None for bit in r.rho) <= layer.c * (done + 1)
        for done, r in enumerate(repeated)
    )


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
    twin=Twin(
        "2^c n/k, not n/(4k)",
        ForAll("U <= n / (4k)", SCOPE_ONE, layers_one_input, ends_at_once),
    ),
    proof=r"The loop is run on every layer of the family; the general argument is the claim "
    r"`hahn2020.stage2.repetitions`.",
)


def ends_in_time_by_own_rule(case: Vain) -> bool:
    """Tell whether Stage 2 by the paper's rule repeats at most 2^c n / k times."""
    return len(case.repetitions()) * case.k <= 2 * case.n


OWN_RULE = Claim(
    id="hahn2020.stage2.repetitions.own_rule",
    says=r"Stage 2 repeats at most $2^c n/k$ times when a head counts as dependent through any of"
    r" its pairs, satisfied or not.",
    source=HAHN.at("5.1, Stage 2, repetitions"),
    statement=ForAll("U <= 2^c n / k", VAIN, vain_layers, ends_in_time_by_own_rule),
    check=exhaustive.decide(),
    expect=Verdict.REFUTED,
    kind=Kind.OWN,
    labels=("S2e",),
    difference="Repetitions may satisfy no more than one pair, so the count of pairs does not bound"
    " them; with dependence through unsatisfied pairs it does.",
    proof=r"""Executed with $n = 22$, $k = 5$, $c = H = 1$: nine repetitions, and $9 > 44/5$.  The
first satisfies all pairs with $z = 0$; from the second on the activations $y_2, y_3, \dots$ are
fixed although only satisfied pairs depend on them, and each time one pair is satisfied, the one
that the fixing makes impossible.""",
)

STARS_ENUMERATED = Claim(
    id="hahn2020.stage2.stars.enumerated",
    says=r"After $r$ repetitions at most $cr$ more inputs are fixed (executed on every small layer"
    r" of the scope).",
    source=HAHN.at("5.1, Stage 2, repetitions"),
    statement=ForAll("at most c r inputs are fixed", SCOPE, small_layers, keeps_stars),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    labels=("S2f",),
    proof=r"The loop is run on every layer of the family; a repetition fixes only inputs that "
    r"feed one activation.",
)
