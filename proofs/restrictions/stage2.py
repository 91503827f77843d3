"""Stage 2 executed: capture, what a satisfied head depends on, selections, stars.

References: Hahn (2020), Section 5.1, Stage 2 [hahn2020].
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from attention.hard import trace
from claims import HAHN, Claim, ForAll, Kind, Verdict
from proofs.checkers import exhaustive
from proofs.restrictions.models import SCOPE, Run, runs
from restrictions.attainable import ScoreTable
from restrictions.ctransformer import lift
from restrictions.probe import positions
from restrictions.selection import select


def attends_inside_the_prefix(run: Run) -> bool:
    """On drawn completions every head attends inside the prefix that its witness captures."""
    step, model = run.step(), run.model()
    lifted = lift(model)
    fixing = step.transformer.fixing
    pairs = list(ScoreTable(lifted).pairs(fixing, run.n))
    rng = np.random.default_rng(run.n)
    for _ in range(3):
        word = ["01"[b] for b in rng.integers(0, 2, run.n)]
        for j in positions(fixing.true | fixing.false):
            word[j] = "01"[fixing.true >> j & 1]
        ran = trace(model, word)
        for pair in pairs:
            own = lifted.activations[pair.position][pair.leaf][0]
            place = ran.attended[0][pair.head][pair.position]
            if own == ran.activations[0][pair.position] and place not in (
                *pair.prefix,
                pair.witness,
            ):
                return False
    return True


def depends_on_few(run: Run) -> bool:
    """Each new activation depends on at most H 2 k + 1 inputs (c = 1): S2b for H heads."""
    step = run.step()
    return all(
        step.transformer.sources(i).bit_count() <= run.heads * 2 * run.k + 1 for i in range(run.n)
    )


def keeps_the_stars(run: Run) -> bool:
    """Stage 2 makes at most 2^c n / k choices above its threshold, each costing c inputs."""
    step = run.step()
    large = sum(choice.pairs > run.k * run.heads for choice in step.choices)
    return large * run.k <= 2 * run.n and step.stage2 <= large


CAPTURE = Claim(
    id="restrictions.stage2.capture.executed",
    says=r"In executed reductions every head attends inside the prefix of the ranking (7) that ends"
    r" at its witness.",
    source=HAHN.at("5.1, Stage 2, satisfied heads"),
    statement=ForAll("the attended position is captured", SCOPE, runs, attends_inside_the_prefix),
    check=exhaustive.decide(sampled=True),
    expect=Verdict.SAMPLED,
    kind=Kind.OWN,
    labels=("C2",),
)

SATISFIED = Claim(
    id="restrictions.stage2.satisfied_heads.executed",
    says=r"After an executed reduction each layer-1 activation depends on at most $2kH + 1$ inputs"
    r" (S2b for all $H$ heads, $c = 1$), measured on its exact table.",
    source=HAHN.at("5.1, Stage 2, S2b"),
    statement=ForAll("few inputs feed a satisfied head", SCOPE, runs, depends_on_few),
    check=exhaustive.decide(sampled=True),
    expect=Verdict.SAMPLED,
    kind=Kind.OWN,
    labels=("S2b",),
)

STARS = Claim(
    id="restrictions.stage2.stars.executed",
    says=r"Executed, Stage 2 makes at most $2^c n/k$ choices that satisfy more than $kH$ pairs each,"
    r" and fixes at most one input a choice ($c = 1$).",
    source=HAHN.at("5.1, Stage 2, S2e and S2f"),
    statement=ForAll("few choices, few inputs", SCOPE, runs, keeps_the_stars),
    check=exhaustive.decide(sampled=True),
    expect=Verdict.SAMPLED,
    kind=Kind.OWN,
    labels=("S2e", "S2f"),
)


@dataclass(frozen=True)
class Ranked:
    """Activations in the order (7), as the masks of the inputs that feed them."""

    c: int
    k: int
    sources: tuple[int, ...]


def ranked() -> Iterator[Ranked]:
    """Draw 300 rankings of 6 to 9 activations over as many inputs, c <= 3, k <= 3."""
    rng = np.random.default_rng(5)
    for _ in range(300):
        n, c, k = int(rng.integers(6, 10)), int(rng.integers(1, 4)), int(rng.integers(1, 4))
        sources = []
        for _ in range(n):
            size = int(rng.integers(1, c + 1))
            sources.append(sum(1 << int(x) for x in rng.choice(n, size=size, replace=False)))
        yield Ranked(c, k, tuple(sources))


def prefix_has_few_inputs(case: Ranked) -> bool:
    """At most c k inputs feed the activations up to the last selected one."""
    chosen = select(case.sources, case.k)
    if chosen is None:
        return True
    feeding = 0
    for mask in case.sources[: chosen[-1] + 1]:
        feeding |= mask
    return feeding.bit_count() <= case.c * case.k


SELECTION = Claim(
    id="restrictions.stage2.k_dependence.executed",
    says=r"For the executed selection with least $i_k$, at most $ck$ inputs feed the activations up"
    r" to $j_{i_k}$ for each value $z$, hence at most $2^c c k$ for the head (S2d).",
    source=HAHN.at("5.1, Stage 2, S2d"),
    statement=ForAll(
        "few inputs feed the prefix of a least selection",
        "300 random rankings of 6 to 9 activations, c <= 3, k <= 3",
        ranked,
        prefix_has_few_inputs,
    ),
    check=exhaustive.decide(sampled=True),
    expect=Verdict.SAMPLED,
    kind=Kind.OWN,
    labels=("S2d",),
)
