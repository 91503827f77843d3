"""The whole lemma executed: growth of c, the function kept, the output constant in the end.

References: Hahn (2020), Lemma 4 and Theorem 1 [hahn2020].
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from attention.families import oracle
from attention.hard import evaluate
from claims import HAHN, OWN, Claim, ForAll, Kind, Verdict
from proofs.checkers import exhaustive
from proofs.restrictions.models import SCOPE, Run, runs
from restrictions.checker import attainable_outputs
from restrictions.plainmodel import PlainCalls
from restrictions.probe import positions
from restrictions.reduction import force_last_layer


def grows_within_the_bound(run: Run) -> bool:
    """Compare the measured c of the reduced transformer with c (2^c k H + 1)."""
    step = run.step()
    bound = 2 * run.k * run.heads + 1
    return step.c_after <= step.c_bound and step.c_bound == bound


def keeps_the_function(run: Run) -> bool:
    """Model and reduced c-transformer agree on drawn words of the subcube."""
    step, model = run.step(), run.model()
    fixing, rng = step.transformer.fixing, np.random.default_rng(1)
    word = ["01"[b] for b in rng.integers(0, 2, run.n)]
    for j in positions(fixing.true | fixing.false):
        word[j] = "01"[fixing.true >> j & 1]
    return bool(step.transformer.evaluate(word) == evaluate(model, word))


GROWTH = Claim(
    id="restrictions.lemma4.growth.executed",
    says=r"Executed on concrete models, one step turns $c = 1$ into a measured $c'$ of at most"
    r" $c(2^c k H + 1)$ with one layer fewer.",
    source=HAHN.at("Lemma 4"),
    statement=ForAll("c stays within the lemma's bound", SCOPE, runs, grows_within_the_bound),
    check=exhaustive.decide(sampled=True),
    expect=Verdict.SAMPLED,
    kind=Kind.OWN,
    labels=("L4", "S3''"),
)

FUNCTION = Claim(
    id="restrictions.lemma4.function.executed",
    says=r"The $c'$-transformer with one layer fewer computes the restricted function.",
    source=HAHN.at("Lemma 4"),
    statement=ForAll(
        "model and reduced model agree on a drawn word", SCOPE, runs, keeps_the_function
    ),
    check=exhaustive.decide(sampled=True),
    expect=Verdict.SAMPLED,
    kind=Kind.OWN,
    labels=("L4",),
)


@dataclass(frozen=True)
class OneLayer:
    """A random one-layer model."""

    n: int
    heads: int
    seed: int


def one_layer_models() -> Iterator[OneLayer]:
    """Yield 24 models, n = 12, H = 1 .. 4."""
    for heads in (1, 2, 3, 4):
        for seed in range(6):
            yield OneLayer(12, heads, seed)


def few_inputs_decide(case: OneLayer) -> bool:
    """Fix at most H + 1 inputs; the independent checker must see a constant output."""
    from restrictions.ctransformer import lift

    model = oracle(case.n, 1, case.heads, seed=case.seed)
    fixing, output = force_last_layer(lift(model))
    choices = [
        ("1",) if fixing.true >> j & 1 else ("0",) if fixing.false >> j & 1 else ("0", "1")
        for j in range(case.n)
    ]
    return len(fixing) <= case.heads + 1 and attainable_outputs(PlainCalls(model), choices) == [
        output
    ]


LAST_LAYER = Claim(
    id="restrictions.last_layer.executed",
    says=r"For one layer, fixing the own symbol and each head's preferred literal, at most $H + 1$"
    r" inputs, makes the output constant; the independent checker confirms each run.",
    source=OWN.at("last layer"),
    statement=ForAll(
        "the checker accepts the constant",
        "random one-layer models, n = 12, H = 1 .. 4, six seeds each",
        one_layer_models,
        few_inputs_decide,
    ),
    check=exhaustive.decide(sampled=True),
    expect=Verdict.SAMPLED,
    kind=Kind.OWN,
    labels=("E3",),
)
