"""Certified subcubes: small optima reached, planted optima found, counts exact.

References: our own; Hahn (2020), Theorem 1 and Corollary 2 [hahn2020].
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from attention.bitparallel import model_truth_table
from attention.constructions.recognisers import tribes
from attention.families import tables
from claims import HAHN, OWN, Claim, ForAll, Kind, Verdict
from proofs.checkers import exhaustive
from restrictions.certify import Certified, certify
from restrictions.optimum import largest_constant_subcubes


@dataclass(frozen=True)
class Small:
    """A random two-layer table model on ten bits."""

    heads: int
    seed: int


def small_models() -> Iterator[Small]:
    """Yield 12 models."""
    for heads in (1, 2):
        for seed in range(6):
            yield Small(heads, seed)


def leaves_free_bits_and_is_right(case: Small) -> bool:
    """Enumerate the certified subcube: constant, and within two of the optimum."""
    model = tables(10, 2, case.heads, 6, rng=np.random.default_rng(case.seed))
    truth = model_truth_table(model)
    best, _ = next(largest_constant_subcubes(truth))
    found = certify(model, seconds=1, rng=np.random.default_rng(0), enough=len(best))
    if not isinstance(found, Certified):
        return False
    values = set()
    for word in found.restriction.completions():
        x = sum((s == "1") << j for j, s in enumerate(word))
        values.add(bool(int(truth.words[x // 64]) >> (x % 64) & 1))
    return values == {found.output} and 10 - found.restriction.dimension <= len(best) + 2


SMALL = Claim(
    id="restrictions.subcubes.small",
    says=r"Certified subcubes of two-layer table models on ten bits are constant by enumeration and"
    r" fix at most two positions more than any constant subcube must.",
    source=HAHN.at("Theorem 1"),
    statement=ForAll(
        "certified, right, and close to the optimum",
        "12 random table models, n = 10, L = 2, H = 1 or 2",
        small_models,
        leaves_free_bits_and_is_right,
    ),
    check=exhaustive.decide(sampled=True),
    expect=Verdict.SAMPLED,
    kind=Kind.OWN,
    labels=("T1",),
)


@dataclass(frozen=True)
class Blocks:
    """An AND of ORs."""

    n: int
    block: int


def blocks() -> Iterator[Blocks]:
    """Yield the sizes."""
    for n, block in ((16, 4), (36, 6), (64, 8), (64, 4), (100, 10)):
        yield Blocks(n, block)


def optimum_is_found(case: Blocks) -> bool:
    """Search: exactly min(block, n / block) positions get fixed."""
    optimum = min(case.block, case.n // case.block)
    model = tribes(case.n, case.block)
    found = certify(model, seconds=3, rng=np.random.default_rng(0), enough=optimum)
    return isinstance(found, Certified) and case.n - found.restriction.dimension == optimum


TRIBES = Claim(
    id="restrictions.subcubes.tribes",
    says=r"For the two-layer machine of an AND of ORs the search finds the optimum"
    r" $\min(B, n/B)$: the number of inputs to fix is not bounded in $n$ already for"
    r" $L = 2$, $H = 1$.",
    source=OWN.at("certified subcubes"),
    statement=ForAll(
        "the optimum is found", "n = 16 .. 100, five shapes", blocks, optimum_is_found
    ),
    check=exhaustive.decide(sampled=True),
    expect=Verdict.SAMPLED,
    kind=Kind.OWN,
)
