r"""The formulas of the Korean review of Hahn (2020) where they differ from the paper's.

Kept apart from the paper's so that nothing imports them by mistake; each has the paper's
counterpart in its text.

Main definitions: B4_RATIO, B7_REPETITIONS, B9_CONDITION, B10_NEIGHBOURS, B12_EVENT,
B12_EXPONENT.

References
----------
Korean review of Hahn (2020), Stages 1 to 3.
"""

import sympy as sp

from bounds.bound import Bound, Condition
from bounds.reduction.stage1 import OFFENDERS, PAIRS
from bounds.reduction.stage3 import SINGLE
from bounds.reduction.symbols import C, H, c, domains, eta, k, n
from claims.source import REVIEW_HAHN
from claims.statements import Relation

B4_RATIO = Bound(
    name="seed.b04.ratio",
    title="Pairs per offending input",
    symbols=domains(PAIRS.expression * OFFENDERS.expression),
    expression=sp.Mul(PAIRS.expression, 1 / OFFENDERS.expression, evaluate=False),
    direction="value",
    source=REVIEW_HAHN.at("Stage 1, note"),
    text="nc/(eta C n); equals stage1.threshold.",
)

B7_REPETITIONS = Bound(
    name="seed.b07.repetitions",
    title="Repetitions of the fixing loop, first form of the review",
    symbols=domains(n / k),
    expression=n / k,
    direction="upper",
    source=REVIEW_HAHN.at("Stage 2"),
    text="Counts heads instead of pairs; stage2.repetitions has the factor 2^c.",
)

B9_CONDITION = Condition(
    name="seed.b09.condition",
    title="Condition on k as the review states it",
    symbols=domains(c * n * k * eta),
    relation=Relation(2**c * n / k, "<=", eta),
    source=REVIEW_HAHN.at("Stage 2"),
    text="Has a factor n too many, so that k must grow with n; cf. stage2.condition.repaired.",
)

_F = 2 ** (2 * c) * eta * c**2 * k**2 * H / C

B10_NEIGHBOURS = Bound(
    name="seed.b10.neighbours",
    title="k-neighbours as the review states them",
    symbols=domains(_F),
    expression=_F,
    direction="upper",
    source=REVIEW_HAHN.at("Stage 2"),
    text="eta is multiplied instead of divided by; cf. stage2.f.",
)

B12_EXPONENT = eta * c**2 / (C * k)
"""The review's exponent of 1 - (q/2)^c; the paper's is its inverse up to eta and C."""

B12_EVENT = Bound(
    name="seed.b12.event",
    title="No selected activation attains its best value, as the review states it",
    symbols=domains(SINGLE.expression**B12_EXPONENT),
    expression=SINGLE.expression**B12_EXPONENT,
    direction="upper",
    source=REVIEW_HAHN.at("Stage 3"),
    text="The exponent is upside down, so that it falls with k; cf. stage3.e9.",
)
