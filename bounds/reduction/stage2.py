r"""Stage 2: counts of values, repetitions, free inputs, and the condition on k.

A head with a given value z of its own activation selects k activations.  While some activation
is selected by more than 2^c k H open heads, fixing its inputs settles more than k H of them; this
can happen at most 2^c n / k times and costs at most c inputs each time.  The published condition
on k drops a factor c and a factor C; the repaired one keeps them.

Main definitions: VALUES, CAPTURED, REPETITIONS, STARS_AFTER, STARS_STATED, STARS_REPAIRED,
STARS_GOAL, CONDITION_STATED, CONDITION_REPAIRED, LEAST_K.

References
----------
Hahn (2020), Section 5.1, Stage 2 [hahn2020].
"""

import sympy as sp

from bounds.bound import Bound, Condition
from bounds.reduction.symbols import C, U, c, domains, eta, k, n
from claims.source import HAHN, OWN
from claims.statements import Relation

_AT = HAHN.at("Section 5.1, Stage 2")
_OURS = OWN.at("Stage 2, repaired")

VALUES = Bound(
    name="stage2.values",
    title="Values of one layer-0 activation",
    symbols=domains(2**c),
    expression=2**c,
    direction="upper",
    source=_AT,
    text="An activation that depends on at most c bits takes at most 2^c values.",
)

CAPTURED = Bound(
    name="stage2.captured",
    title="Inputs that a satisfied head depends on",
    symbols=domains(c * k),
    expression=c * (2**c * k + 1),
    direction="upper",
    source=_AT,
    text="At most c k inputs for each of 2^c values, and the c inputs of its own activation.",
)

REPETITIONS = Bound(
    name="stage2.repetitions",
    title="Repetitions of the fixing loop",
    symbols=domains(c * n * k),
    expression=2**c * n / k,
    direction="upper",
    source=_AT,
    text="2^c H n pairs in all, more than k H of them settled by each repetition.",
)

STARS_AFTER = Bound(
    name="stage2.stars_after",
    title="Free inputs after U repetitions",
    symbols=domains(eta * C * n * c * U),
    expression=(1 - eta) * C * n - c * U,
    direction="lower",
    source=_AT,
    text="Each repetition fixes at most c further inputs.",
)

STARS_STATED = Bound(
    name="stage2.stars.as_stated",
    title="Free inputs after Stage 2, as published",
    symbols=domains(eta * C * n * c * k),
    expression=((1 - eta) * C - 2**c / k) * n,
    direction="lower",
    source=_AT,
    text="The published count; it drops the factor c of the inputs fixed per repetition.",
)

STARS_REPAIRED = Bound(
    name="stage2.stars.repaired",
    title="Free inputs after Stage 2, repaired",
    symbols=domains(eta * C * n * c * k),
    expression=((1 - eta) * C - c * 2**c / k) * n,
    direction="lower",
    source=_OURS,
    text="(1 - eta) C n - c U with U at its bound 2^c n / k.",
)

STARS_GOAL = Bound(
    name="stage2.stars.goal",
    title="Free inputs after Stage 2 under the condition on k",
    symbols=domains(eta * C * n),
    expression=(1 - 2 * eta) * C * n,
    direction="lower",
    source=_AT,
    text="What Stage 3 starts from, once k is large enough.",
)

CONDITION_STATED = Condition(
    name="stage2.condition.as_stated",
    title="Condition on k, as published",
    symbols=domains(c * k * eta),
    relation=Relation(2**c / k, "<=", eta),
    source=_AT,
    text="Published as enough for (1 - 2 eta) C n free inputs.",
)

CONDITION_REPAIRED = Condition(
    name="stage2.condition.repaired",
    title="Condition on k, repaired",
    symbols=domains(c * k * eta * C),
    relation=Relation(c * 2**c / k, "<=", eta * C),
    source=_OURS,
    text="Makes STARS_REPAIRED at least STARS_GOAL.",
)

LEAST_K = Bound(
    name="stage2.least_k",
    title="Least k allowed by the repaired condition",
    symbols=domains(c * eta * C),
    expression=sp.ceiling(c * 2**c / (eta * C)),
    direction="value",
    source=_OURS,
    text="Every k from here on satisfies the repaired condition.",
)
