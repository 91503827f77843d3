"""Stage 1 executed on every small layer: the number of offending inputs (S1), and the rest (S1').

The arithmetic of the counting argument is a claim of its own; here the counts themselves are
taken.

References: Hahn (2020), Section 5.1, Stage 1 [hahn2020].
"""

from claims import HAHN, Claim, ForAll, Kind, Twin, Verdict
from proofs.checkers import exhaustive
from proofs.hahn2020.combinatorics.stage1 import SCOPE, Feeding, feedings


def few_offenders(case: Feeding) -> bool:
    """Tell whether fewer than eta C n inputs feed more than c/(eta C) activations."""
    return case.offenders() < case.allowance


def thin_after(case: Feeding) -> bool:
    """Tell whether fixing the offenders leaves enough inputs, each feeding few activations."""
    limit = case.threshold // 1
    kept = case.free_inputs - case.offenders()
    enough = kept >= (1 - case.eta) * case.share * len(case.order)
    return enough and all(count <= limit or count > case.threshold for count in case.fed())


def few_at_half(case: Feeding) -> bool:
    """Tell whether few inputs feed more than half the threshold (which is not claimed)."""
    return sum(2 * count > case.threshold for count in case.fed()) < case.allowance


OFFENDERS = Claim(
    id="hahn2020.stage1.offenders.enumerated",
    says=r"Fewer than $\eta C n$ free inputs feed into more than $c/(\eta C)$ activations (every"
    r" small layer; strict, and from $n = 1$ on).",
    source=HAHN.at("5.1, Stage 1"),
    statement=ForAll("#offenders < eta C n", SCOPE, feedings, few_offenders),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    labels=("S1",),
    twin=Twin(
        "the threshold is c/(eta C), not half of it",
        ForAll("#inputs over half the threshold < eta C n", SCOPE, feedings, few_at_half),
    ),
    proof=r"Counted on every member of the family; the general argument is the claim "
    r"`hahn2020.stage1.offenders`.",
)

STARS = Claim(
    id="hahn2020.stage1.stars.enumerated",
    says=r"After fixing the offenders at least $(1-\eta)Cn$ inputs are free, and each feeds at most"
    r" $\lfloor c/(\eta C) \rfloor$ activations (every small layer).",
    source=HAHN.at("5.1, Stage 1"),
    statement=ForAll("enough inputs stay, thinly connected", SCOPE, feedings, thin_after),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    labels=("S1'",),
    proof=r"Counted on every member of the family; the general argument is the claim "
    r"`hahn2020.stage1.stars`.",
)
