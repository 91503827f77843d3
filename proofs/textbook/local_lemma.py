"""The asymmetric Lovász local lemma, checked on all small exact instances.

An instance is a joint distribution of three events whose atoms are multiples of 1/12, a dependency
graph, and a weight for each event.  Everything is rational, so the check is exact.

References: P. Erdős, L. Lovász (1975) [erdos1975]; J. Spencer (1977) [spencer1977].
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import final

from claims import Claim, ForAll, Kind, Paper, Twin, Verdict
from proofs.checkers import exhaustive

ERDOS_LOVASZ = Paper(
    "erdos1975",
    "Erdős & Lovász",
    "Problems and results on 3-chromatic hypergraphs and some related questions",
    1975,
    "Infinite and Finite Sets, 609-627",
)
PARTS = 12
WEIGHTS = (Fraction(1, 4), Fraction(1, 3), Fraction(1, 2))
GRAPHS: tuple[frozenset[tuple[int, int]], ...] = (
    frozenset(),
    frozenset({(0, 1)}),
    frozenset({(0, 1), (1, 2)}),
    frozenset({(0, 1), (1, 2), (0, 2)}),
)
SCOPE = (
    "3 events, atoms multiples of 1/12, each of the 4 graphs, weights 1/4, 1/3, 1/2,"
    " hypotheses true"
)


@final
@dataclass(frozen=True, slots=True)
class Instance:
    """A joint distribution of three events with a dependency graph and weights.

    ``atoms[a]`` twelfths is the probability that exactly the events in the bit mask a happen.
    """

    atoms: tuple[int, ...]
    edges: frozenset[tuple[int, int]]
    weights: tuple[Fraction, ...]

    def __str__(self) -> str:
        edges = ",".join(f"{i + 1}-{j + 1}" for i, j in sorted(self.edges)) or "none"
        weights = ", ".join(map(str, self.weights))
        return f"atoms {self.atoms} twelfths, edges {edges}, weights {weights}"


def twelfths(atoms: tuple[int, ...], yes: int, no: int = 0) -> int:
    """Return 12 times the probability that all events in ``yes`` happen and none in ``no``."""
    return sum([p for a, p in enumerate(atoms) if a & yes == yes and not a & no])


def neighbours(edges: frozenset[tuple[int, int]], event: int) -> tuple[int, ...]:
    """Return the events joined to ``event``."""
    return tuple(j for j in range(3) if (event, j) in edges or (j, event) in edges)


def independent(atoms: tuple[int, ...], edges: frozenset[tuple[int, int]]) -> bool:
    """Tell whether each event is mutually independent of all that it is not joined to."""
    for event in range(3):
        others = [j for j in range(3) if j != event and j not in neighbours(edges, event)]
        for signs in product((0, 1), repeat=len(others)):
            yes = sum(1 << j for j, s in zip(others, signs, strict=True) if s)
            no = sum(1 << j for j, s in zip(others, signs, strict=True) if not s)
            alone, both = twelfths(atoms, 1 << event), twelfths(atoms, yes | 1 << event, no)
            if PARTS * both != alone * twelfths(atoms, yes, no):
                return False
    return True


def instances() -> Iterator[Instance]:
    """Yield all instances in the scope that satisfy the hypotheses of the lemma."""
    return _instances(factors=True)


def without_factors() -> Iterator[Instance]:
    """Yield the instances that satisfy P(A_i) <= x_i only."""
    return _instances(factors=False)


def avoidable(case: Instance) -> bool:
    """Tell whether no event happens with probability at least prod (1 - x_i)."""
    return case.atoms[0] >= PARTS * prod(1 - x for x in case.weights)


def _instances(*, factors: bool) -> Iterator[Instance]:
    allowed = {
        edges: {weights: _limits(edges, weights, factors) for weights in product(WEIGHTS, repeat=3)}
        for edges in GRAPHS
    }
    most = {
        edges: [max(m) for m in zip(*by.values(), strict=True)] for edges, by in allowed.items()
    }
    for atoms in _compositions(PARTS, 8):
        marginals = [twelfths(atoms, 1 << event) for event in range(3)]
        for edges in GRAPHS:
            if _below(marginals, most[edges]) and independent(atoms, edges):
                for weights, limits in allowed[edges].items():
                    if _below(marginals, limits):
                        yield Instance(atoms, edges, weights)


def _limits(
    edges: frozenset[tuple[int, int]], weights: tuple[Fraction, ...], factors: bool
) -> list[int]:
    """Return 12 times the greatest probabilities that the hypotheses allow, rounded down."""
    near = [neighbours(edges, i) if factors else () for i in range(3)]
    return [int(PARTS * x * prod(1 - weights[j] for j in near[i])) for i, x in enumerate(weights)]


def _below(marginals: list[int], limits: list[int]) -> bool:
    return all(m <= x for m, x in zip(marginals, limits, strict=True))


def _compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """Yield all ways to write ``total`` as an ordered sum, the first part large first."""
    if parts == 1:
        yield (total,)
        return
    for first in range(total, -1, -1):
        for rest in _compositions(total - first, parts - 1):
            yield (first, *rest)


LOCAL_LEMMA = Claim(
    id="textbook.local_lemma",
    says=r"Asymmetric local lemma (Erdős and Lovász; Spencer): if each event $A_i$ is mutually"
    r" independent of all but its neighbours $\Gamma(i)$ and"
    r" $P(A_i) \le x_i \prod_{j \in \Gamma(i)} (1 - x_j)$ with $x_i \in [0,1)$, then with"
    r" probability at least $\prod_i (1 - x_i) > 0$ none happens.",
    source=ERDOS_LOVASZ.at("local lemma, asymmetric form"),
    statement=ForAll("P(no event) >= prod (1 - x_i)", SCOPE, instances, avoidable),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.TEXTBOOK,
    twin=Twin(
        "the factors 1 - x_j of the neighbours",
        ForAll("P(no event) >= prod (1 - x_i)", SCOPE, without_factors, avoidable),
    ),
    proof=r"""By induction on $|S|$ one shows $P(A_i \mid \bigcap_{j \in S} \bar A_j) \le x_i$ for
every set $S$ without $i$.  Split $S$ into the neighbours $S_1 = S \cap \Gamma(i)$ and the rest
$S_2$.  Then
$$P\Bigl(A_i \Bigm| \bigcap_{S} \bar A_j\Bigr)
  = \frac{P(A_i \cap \bigcap_{S_1} \bar A_j \mid \bigcap_{S_2} \bar A_j)}
         {P(\bigcap_{S_1} \bar A_j \mid \bigcap_{S_2} \bar A_j)}
  \le \frac{P(A_i)}{\prod_{j \in S_1} (1 - x_j)} \le x_i :$$
the numerator is at most $P(A_i \mid \bigcap_{S_2} \bar A_j) = P(A_i)$, and the denominator is a
product of conditional probabilities, each at least $1 - x_j$ by induction.  The chain rule gives
$P(\bigcap_i \bar A_i) \ge \prod_i (1 - x_i)$.""",
)
