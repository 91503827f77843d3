"""Behind E9: how many of the k selected activations are mutually independent.

The paper infers k/d independent events from "each depends on at most d others".  That inference
needs d to count the event itself.  Counted greedily the number is right.

References: Hahn (2020), Section 5.1, Stage 3, before eq. (9) [hahn2020].
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import prod
from typing import final

import sympy as sp

from bounds.reduction.symbols import c, domains, k
from claims import HAHN, Claim, ForAll, Inequality, Integers, Kind, Relation, Twin, Verdict
from proofs.checkers import exhaustive, smt
from proofs.hahn2020.combinatorics.independence import (
    Missed,
    greedy,
    missed_families,
    most_shared,
)
from proofs.hahn2020.combinatorics.orders import Selecting, irredundant
from proofs.hahn2020.stage2.selection import SCOPE, small_orders

_AT = HAHN.at("5.1, Stage 3, before eq. (9)")
EVENTS = "<= 3 activations over <= 3 inputs, c <= 2, every best assignment, q = 1/3"


@final
@dataclass(frozen=True, slots=True)
class Graph:
    """Events 0, ..., k - 1; an edge joins two that depend on each other."""

    k: int
    edges: tuple[tuple[int, int], ...]

    def __str__(self) -> str:
        joined = ", ".join(f"{i + 1}-{j + 1}" for i, j in self.edges)
        return f"k={self.k} events, dependent pairs {joined}"


def graphs() -> Iterator[Graph]:
    """Yield all graphs on 4 or 5 vertices in which some vertex has at least 3 neighbours."""
    for vertices in (4, 5):
        pairs = list(combinations(range(vertices), 2))
        for size in range(len(pairs) + 1):
            for edges in combinations(pairs, size):
                if _degree(Graph(vertices, edges)) > 2:
                    yield Graph(vertices, edges)


def enough_independent(graph: Graph) -> bool:
    """Tell whether k/d vertices are pairwise not joined, d being the largest degree."""
    least = Fraction(graph.k, _degree(graph))
    return any(
        not any(i in chosen and j in chosen for i, j in graph.edges)
        for size in range(graph.k + 1)
        if size >= least
        for chosen in combinations(range(graph.k), size)
    )


def _degree(graph: Graph) -> int:
    return max(sum(v in edge for edge in graph.edges) for v in range(graph.k))


def greedy_is_enough(case: Selecting) -> bool:
    """Tell whether greedy choice keeps k/(c(D - 1) + 1) of k irredundant sets, pairwise disjoint.

    D is the largest number of sets that share an input.
    """
    masks = case.order.masks
    if not irredundant(masks) or not masks:
        return True
    kept = greedy(masks)
    disjoint = not any(masks[i] & masks[j] for i, j in combinations(kept, 2))
    return disjoint and len(kept) * (case.c * (most_shared(masks) - 1) + 1) >= len(masks)


def mutually_independent(case: Missed) -> bool:
    """Tell whether the greedy events multiply exactly, and E9 holds with their number."""
    kept = greedy(case.order.masks)
    products = all(
        case.probability(some) == prod(case.probability([s]) for s in some)
        for size in range(2, len(kept) + 1)
        for some in combinations(kept, size)
    )
    single = 1 - Fraction(1, 6) ** case.c
    return products and case.probability(range(len(case.order))) <= single ** len(kept)


INFERENCE = Claim(
    id="hahn2020.stage3.independent.inference.as_stated",
    says=r"If each of $k$ events depends on at most $d$ others, $d > 2$ as for $c^2/(\eta C)$, then"
    r" at least $k/d$ of them are mutually independent.",
    source=_AT,
    statement=ForAll(
        "at least k/d events are pairwise independent, d the largest number of others",
        "dependency graphs on 4 or 5 events with d >= 3",
        graphs,
        enough_independent,
    ),
    check=exhaustive.decide(),
    expect=Verdict.REFUTED,
    labels=("E9",),
    difference="Choosing one event rules out d others and itself: only k/(d + 1) follow.",
    proof="Four events that all depend on each other: $d = 3$, $k/d > 1$, but only one can be"
    " chosen.",
)

ENUMERATED = Claim(
    id="hahn2020.stage3.independent.enumerated",
    says=r"Of $k$ selected activations, each with at most $c$ free inputs, no input feeding more"
    r" than $\Delta$ of them, a greedy choice keeps at least $k/(c(\Delta-1)+1)$ with disjoint"
    r" inputs (every small case).",
    source=_AT,
    statement=ForAll("the greedy choice is large", SCOPE, small_orders, greedy_is_enough),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    labels=("E9",),
    proof=r"Checked on every irredundant family; the general argument is the claim "
    r"`hahn2020.stage3.independent.greedy`.",
)

EXACT = Claim(
    id="hahn2020.stage3.independent.exact",
    says=r"The events of activations with disjoint inputs multiply exactly, and the probability"
    r" that all activations miss their best values is at most $(1-(q/2)^c)^g$ for $g$ greedily"
    r" chosen ones (exact probabilities).",
    source=_AT,
    statement=ForAll(
        "probabilities multiply, E9 holds", EVENTS, missed_families, mutually_independent
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    labels=("E9",),
    proof=r"Probabilities are sums over all $3^m$ outcomes of the $m$ inputs, as exact "
    r"rationals.",
)

_g, _ruled = sp.symbols("g ruled_out", integer=True, nonnegative=True)
_feeds = sp.Symbol("Delta", integer=True, positive=True)
_DOMAIN = {**domains(c * k), _feeds: Integers(1), _g: Integers(0), _ruled: Integers(0)}
_COVER = Relation(_g * (_ruled + 1), ">=", k)
_FEW = Relation(_ruled, "<=", c * (_feeds - 1))

GREEDY = Claim(
    id="hahn2020.stage3.independent.greedy",
    says=r"Of $k$ selected activations, each with at most $c$ free inputs, no input feeding more"
    r" than $\Delta$ of them, at least $k/(c(\Delta-1)+1)$ have pairwise disjoint inputs, and their"
    r" events are mutually independent.",
    source=_AT,
    statement=Inequality(_g * (c * (_feeds - 1) + 1), ">=", k, _DOMAIN, (_COVER, _FEW)),
    check=smt.decide(),
    expect=Verdict.PROVED,
    kind=Kind.REPAIRED,
    labels=("E9",),
    repairs="hahn2020.stage3.independent.inference.as_stated",
    difference="The activation itself is among those that choosing it rules out.",
    twin=Twin(
        "each input feeds at most Delta of the activations",
        Inequality(_g * (c * (_feeds - 1) + 1), ">=", k, _DOMAIN, (_COVER,)),
    ),
    proof=r"""Go through the selected activations and keep each one whose inputs are disjoint from
those of all kept before.  A kept activation has at most $c$ inputs, each of which feeds at most
$\Delta - 1$ other selected ones, so it rules out at most $c(\Delta-1)$ others and itself.  Every
selected activation is kept or ruled out, so $g$ kept ones give
$g\,(c(\Delta-1)+1) \ge k$ (the checked inequality).

Whether an activation is fixed to its best value is a function of the random choices at its own
inputs.  Choices at different inputs are independent, and functions of disjoint groups of
independent variables are mutually independent.""",
)
