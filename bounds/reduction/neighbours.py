r"""How many inputs a head k-depends on, how many heads an input serves, and how many neighbours.

The published number of neighbours f is the product of three counts; kept apart here so that
each can be checked by itself.

Main definitions: K_DEPENDENCE, HEADS_PER_INPUT, NEIGHBOURS, F, EVENTS_NEARBY.

References
----------
Hahn (2020), Section 5.1, Stage 2 [hahn2020].
"""

from bounds.bound import Bound
from bounds.reduction.symbols import C, H, c, domains, eta, k
from claims.source import HAHN, OWN

_AT = HAHN.at("Section 5.1, Stage 2")

K_DEPENDENCE = Bound(
    name="stage2.k_dependence",
    title="Inputs that a head k-depends on",
    symbols=domains(c * k),
    expression=2**c * c * k,
    direction="upper",
    source=_AT,
    text="For each of 2^c values, k selected activations with at most c inputs each.",
)

HEADS_PER_INPUT = Bound(
    name="stage2.heads_per_input",
    title="Open heads that select an activation fed by one input",
    symbols=domains(c * k * H * C * eta),
    expression=2**c / eta * k * c * H / C,
    direction="upper",
    source=_AT,
    text="At most c/(eta C) activations, each selected by at most 2^c k H open heads.",
)

F = 2 ** (2 * c) * c**2 * k**2 * H / (eta * C)
"""The published f as an expression."""

NEIGHBOURS = Bound(
    name="stage2.f",
    title="Open k-neighbours of an open head",
    symbols=domains(F),
    expression=F,
    direction="upper",
    source=_AT,
    text="K_DEPENDENCE times HEADS_PER_INPUT.",
)

EVENTS_NEARBY = Bound(
    name="stage2.events_nearby",
    title="Events of an open head and of its k-neighbours, all values counted",
    symbols=domains(F),
    expression=2**c * (F + 1),
    direction="upper",
    source=OWN.at("Stage 2, dependency"),
    text=(
        "The events of all heads that are not ruled out as non-neighbours; the dependency of one "
        "single event is still at most f, counted over values as well."
    ),
)
