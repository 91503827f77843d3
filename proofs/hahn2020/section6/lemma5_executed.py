r"""Lemma 5 executed: enclosed influences of random transformers stay below the repaired bound.

Each case is a transformer with heads, ReLU block and periodic encoding whose logits are bounded by
A = 1 through norms, a word of length up to 2^50, and one exchange.  The influence is a ball (two
runs in ball arithmetic), the bound comes from the weights alone.

Main statements: EXECUTED.

References
----------
Hahn (2020), Lemma 5 [hahn2020].
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from flint import arb

from attention.soft import SoftTransformer
from attention.soft_random import aligned_transformer, random_transformer
from bounds.soft.apriori import apriori_influence, rescaled_logits
from bounds.soft.norms import vector_norm
from claims import OWN, Claim, ForAll, Kind, Twin, Verdict
from influence.enclosure import enclose_change
from influence.words import RepeatedWord, TypeTable, type_table
from proofs.checkers import exhaustive

_SCOPE = "random 1- and 2-layer models (seeds 0-2), n in {2^6, 2^20, 2^50}, one exchange each"


@dataclass(frozen=True, slots=True)
class Case:
    """One transformer, length and exchange; ``kind`` is ``"random"`` or ``"aligned"``."""

    kind: str
    seed: int
    layers: int
    power: int

    def __str__(self) -> str:
        return f"{self.kind} model, seed {self.seed}, {self.layers} layers, n = 2^{self.power}"


def cases() -> Iterator[Case]:
    """Yield random models."""
    for layers in (1, 2):
        for seed in range(3):
            for power in (6, 20, 50):
                yield Case("random", seed, layers, power)


def aligned_cases() -> Iterator[Case]:
    """Yield the head with one logit at +2 and the others at -2."""
    for power in (6, 20):
        yield Case("aligned", 0, 1, power)


def _setting(case: Case) -> tuple[SoftTransformer, TypeTable, arb, arb]:
    """Return model, word, the enclosed size of the influence, and D."""
    if case.kind == "aligned":
        model, pattern = aligned_transformer(2.0), "0"
    else:
        drawn = random_transformer(
            np.random.default_rng(case.seed), layers=case.layers, heads=2, width=4,
            logit_bound=None, period=2,
        )  # fmt: skip
        model, pattern = rescaled_logits(drawn, 1.0), "001"
    table = type_table(model, RepeatedWord(tuple(pattern), 2**case.power))
    target = 1 - int(table.symbols[0])
    balls = enclose_change(
        model, table, exchanged=0, target=target, readout=np.eye(model.width), bits=300
    )
    rows = model.embedding[int(table.symbols[0])], model.embedding[target]
    change = vector_norm([arb(float(a)) - arb(float(b)) for a, b in zip(*rows, strict=True)])
    return model, table, vector_norm(balls), change


def below_repaired_bound(case: Case) -> bool:
    """Decide influence <= repaired bound at this length."""
    model, table, size, change = _setting(case)
    return bool(size <= apriori_influence(model, change, table.n)[1])


def below_frozen_bound(case: Case) -> bool:
    """Decide influence <= D times the attention weight before the exchange (not claimed)."""
    _, table, size, change = _setting(case)
    return bool(size <= change / table.n)


EXECUTED = Claim(
    id="hahn2020.lemma5.executed",
    says=r"Executed transformers obey the repaired recursion: the enclosed influence is at most the "
    "bound from their weights, up to $n=2^{50}$.",
    source=OWN.at("repaired recursion of Lemma 5, executed"),
    kind=Kind.OWN,
    labels=("L5",),
    statement=ForAll("influence <= repaired bound", _SCOPE, cases, below_repaired_bound),
    check=exhaustive.decide(sampled=True),
    expect=Verdict.SAMPLED,
    twin=Twin(
        "attention weights move",
        ForAll(
            "influence <= w D with the weights before the exchange",
            "one key at +2 and the others at -2, n in {2^6, 2^20}",
            aligned_cases,
            below_frozen_bound,
        ),
    ),
)
