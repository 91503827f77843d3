"""How often Stage 2 repeats (S2e), executed with the repaired meaning of satisfied.

There are at most 2^c H n pairs ((h, i), z).  Satisfied pairs stay satisfied and each repetition
satisfies more than kH new ones.  Free inputs are counted along with the repetitions.

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
)
