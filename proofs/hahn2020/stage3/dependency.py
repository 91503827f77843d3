"""The dependency degree for the local lemma: the set that the paper names, and the one needed.

The paper takes the events of all heads that are not k-neighbours and says that at most f events
are missing from that set.  Each missing head has up to 2^c events.  What the lemma needs is the
number of events that share an input with a given one, and that is at most f.

References: Hahn (2020), Section 5.1, Stage 3, before eqs. (10) and (11) [hahn2020].
"""

from fractions import Fraction

import sympy as sp

from bounds.reduction.neighbours import HEADS_PER_INPUT, NEIGHBOURS
from bounds.reduction.symbols import C, H, c, domains, eta, k
from claims import HAHN, Claim, ForAll, Inequality, Integers, Kind, Relation, Twin, Verdict
from proofs.checkers import exhaustive, smt
from proofs.checkers.substitution import power_of_two
from proofs.hahn2020.combinatorics.cyclic_cases import SCOPE, Cyclic, cyclic_cases

_AT = HAHN.at("5.1, Stage 3, before eqs. (10) and (11)")


def few_missing(case: Cyclic) -> bool:
    """Tell whether the events of k-neighbours and of the head's other values are at most f."""
    counts = case.counted()
    missing = 2 * (counts.neighbours + 1) - 1
    return not case.settled(counts) or missing <= _f(case)


def few_adjacent(case: Cyclic) -> bool:
    """Tell whether at most f other events share an input with one event."""
    counts = case.counted()
    return case.settled(counts) and counts.events <= _f(case)


def _f(case: Cyclic) -> Fraction:
    return NEIGHBOURS.exact(c=1, H=1, C=1, k=case.k, eta=case.eta)


AS_STATED = Claim(
    id="hahn2020.stage3.dependency.as_stated",
    says=r"At most $f$ events are missing from the set of all $X_{j,h'}^{(z')}$ of heads $(j,h')$"
    r" that are not $k$-neighbours of $(i,h)$.",
    source=_AT,
    statement=ForAll("at most f events are missing", SCOPE, cyclic_cases, few_missing),
    check=exhaustive.decide(),
    expect=Verdict.REFUTED,
    labels=("LLL",),
    difference="f counts heads; each has an event for each of its up to 2^c values, and the head's"
    " own other events are missing too.",
    proof=r"""In the executed layer every head has 105 unsatisfied $k$-neighbours, within
$f = 100/0.49 < 205$.  Their events and the head's own other event are $2 \cdot 106 - 1 = 211$.""",
)

ENUMERATED = Claim(
    id="hahn2020.stage3.dependency.enumerated",
    says=r"At most $f$ other events share an input with $X_{i,h}^{(z)}$ (counted on executed layers"
    r" that Stages 1 and 2 leave as they are).",
    source=_AT,
    statement=ForAll("at most f adjacent events", SCOPE, cyclic_cases, few_adjacent),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    labels=("LLL",),
    proof=r"Events are compared by the inputs that decide them; the general argument is the "
    r"repaired claim beside it.",
)

_events, _inputs, _heads, _each = sp.symbols(
    "events inputs heads each", integer=True, nonnegative=True
)
_w = sp.Symbol("w", positive=True)
_COUNTS = {
    **domains(c * k * H * C * eta),
    **dict.fromkeys((_events, _inputs, _heads, _each), Integers(0)),
}
_TOTAL = Relation(_events, "<=", _inputs * _heads * _each)
_OWN_INPUTS = Relation(_inputs, "<=", c * k)
_SERVED = Relation(_heads, "<=", HEADS_PER_INPUT.expression)
_VALUES = Relation(_each, "<=", 2**c)

REPAIRED = Claim(
    id="hahn2020.stage3.dependency.repaired",
    says=r"$X_{i,h}^{(z)}$ is mutually independent of all but at most $f$ of the other events of"
    r" this form.",
    source=_AT,
    statement=Inequality(
        _events, "<=", NEIGHBOURS.expression, _COUNTS, (_TOTAL, _OWN_INPUTS, _SERVED, _VALUES)
    ),
    check=smt.decide(power_of_two(c, _w)),
    expect=Verdict.PROVED,
    kind=Kind.REPAIRED,
    labels=("LLL",),
    assumes=(
        "hahn2020.stage2.values",
        "hahn2020.stage2.selected_inputs.repaired",
        "hahn2020.stage2.heads_per_input",
    ),
    repairs="hahn2020.stage3.dependency.as_stated",
    difference="f bounds the events adjacent to one event, not those of all k-neighbours.",
    twin=Twin(
        "the event depends on the inputs of one value z only (at most ck)",
        Inequality(_events, "<=", NEIGHBOURS.expression, _COUNTS, (_TOTAL, _SERVED, _VALUES)),
    ),
    proof=r"""Whether $X_{i,h}^{(z)}$ happens is decided by the random choices at the inputs of the
$k$ activations selected for this one $z$: at most $ck$ free inputs, without a factor $2^c$.  On
each of them at most $(2^c/\eta)kcH/C$ unsatisfied heads $k$-depend, and each head has at most
$2^c$ events.  So at most
$$ck \cdot \frac{2^c}{\eta}\frac{kcH}{C} \cdot 2^c = \frac{2^{2c}c^2k^2H}{\eta C} = f$$
events share an input with it.  It is a function of choices that the remaining events do not look
at, hence mutually independent of them.  The number $f$ is the paper's; its factor $2^c$ now
counts the other events' values instead of the head's own.""",
)
