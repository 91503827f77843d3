r"""Stage 1: few inputs feed into many activations; fixing those leaves the rest thinly connected.

Every layer-0 activation depends on at most c inputs, so there are at most n c pairs (input,
activation it feeds into).  Inputs above the threshold c/(eta C) are therefore fewer than eta C n.

Main definitions: FEED_THRESHOLD, FEED_LIMIT, PAIRS, OFFENDERS, STARS.

References
----------
Hahn (2020), Section 5.1, Stage 1 [hahn2020].
"""

import sympy as sp

from bounds.bound import Bound
from bounds.reduction.symbols import C, c, domains, eta, n
from claims.source import HAHN

_AT = HAHN.at("Section 5.1, Stage 1")

FEED_THRESHOLD = Bound(
    name="stage1.threshold",
    title="Activations fed by one input",
    symbols=domains(c / (eta * C)),
    expression=c / (eta * C),
    direction="upper",
    source=_AT,
    text="Inputs that feed into more than c/(eta C) layer-0 activations are fixed by Stage 1.",
)

FEED_LIMIT = Bound(
    name="stage1.limit",
    title="Activations fed by one free input, as an integer",
    symbols=domains(c / (eta * C)),
    expression=sp.floor(c / (eta * C)),
    direction="upper",
    source=_AT,
    text="After Stage 1 a free input feeds into at most floor(c/(eta C)) layer-0 activations.",
)

PAIRS = Bound(
    name="stage1.pairs",
    title="Pairs (input, activation it feeds into)",
    symbols=domains(n * c),
    expression=n * c,
    direction="upper",
    source=_AT,
    text="n activations depend on at most c inputs each.",
)

OFFENDERS = Bound(
    name="stage1.offenders",
    title="Inputs above the threshold",
    symbols=domains(eta * C * n),
    expression=eta * C * n,
    direction="upper",
    source=_AT,
    text="Inputs that feed into more than c/(eta C) activations; equals pairs over threshold.",
)

STARS = Bound(
    name="stage1.stars",
    title="Free inputs after Stage 1",
    symbols=domains((1 - eta) * C * n),
    expression=(1 - eta) * C * n,
    direction="lower",
    source=_AT,
    text="Of at least C n free inputs Stage 1 fixes at most eta C n.",
)
