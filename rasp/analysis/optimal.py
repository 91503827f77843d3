"""The narrowest schedule of least depth, with a certificate that none is narrower.

Least depth is the longest chain of operations, so the chain certifies it.  The least greatest
width is found by SAT over the layers each operation may take.  That no narrower schedule exists
is certified by counting where that suffices (more selectors must fall into some interval of
layers than fit), and otherwise by a proof of unsatisfiability that :mod:`rasp.analysis.rup`
checks.

Main definitions: :func:`narrowest`, :class:`Optimum`, :class:`Crowding`, :func:`encode`.

References
----------
The scheduling rule is that of Weiss, Goldberg & Yahav (2021), section 3.4 [weiss2021]; the
paper schedules greedily.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import final

from rasp.analysis.heads import Problem
from rasp.analysis.rup import proves_unsatisfiable

Clauses = list[list[int]]


@final
@dataclass(frozen=True, slots=True)
class Crowding:
    """``selectors`` patterns must be used within layers ``first .. last``, counted from 1."""

    first: int
    last: int
    selectors: int

    @property
    def bound(self) -> int:
        """The width this forces."""
        return -(-self.selectors // (self.last - self.first + 1))


@final
@dataclass(frozen=True, slots=True)
class Optimum:
    """A schedule of least depth and, among those, least greatest width.

    Attributes
    ----------
    layers
        Layer of each operation, from 1.
    heads
        Heads of each layer.
    chain
        Operations that certify the depth.
    crowding
        Counting certificate of the width, or ``None`` if counting does not suffice.
    proof
        Otherwise the clauses (added in this order, all by unit propagation) that refute one head
        less.
    """

    layers: tuple[int, ...]
    heads: tuple[int, ...]
    chain: tuple[int, ...]
    crowding: Crowding | None
    proof: tuple[tuple[int, ...], ...] = ()

    @property
    def width(self) -> int:
        """Greatest number of heads in a layer."""
        return max(self.heads, default=0)

    def verify(self, problem: Problem) -> bool:
        """Check the schedule and both certificates against ``problem`` without search."""
        if problem.heads(self.layers) != self.heads or len(self.heads) != len(self.chain):
            return False
        for here, then in zip(self.chain, self.chain[1:], strict=False):
            if here not in problem.operations[then].after:
                return False
        if self.width <= 1:
            return True
        if self.crowding is not None:
            return (
                crowd(problem, self.crowding.first, self.crowding.last) == self.crowding
                and self.crowding.bound == self.width
            )
        clauses, _ = encode(problem, self.width - 1)
        return proves_unsatisfiable(clauses, self.proof)


def crowd(problem: Problem, first: int, last: int) -> Crowding:
    """Count the patterns that some operation must use between two layers."""
    inside = {
        operation.head
        for operation, early, late in zip(
            problem.operations, problem.earliest, problem.latest, strict=True
        )
        if early >= first and late <= last
    }
    return Crowding(first, last, len(inside))


def encode(problem: Problem, width: int) -> tuple[Clauses, list[dict[int, int]]]:
    """Return clauses that are satisfiable iff ``width`` heads a layer suffice at least depth.

    Returns
    -------
    tuple
        The clauses, and per operation the variable of each layer it may take.
    """
    from pysat.card import CardEnc, EncType

    top = 0
    place: list[dict[int, int]] = []
    for early, late in zip(problem.earliest, problem.latest, strict=True):
        place.append({layer: top + layer - early + 1 for layer in range(early, late + 1)})
        top += late - early + 1
    used: dict[tuple[int, Hashable], int] = {}
    clauses: Clauses = []
    for operation, options in zip(problem.operations, place, strict=True):
        clauses.append(list(options.values()))
        for layer, variable in options.items():
            if (layer, operation.head) not in used:
                top += 1
                used[layer, operation.head] = top
            clauses.append([-variable, used[layer, operation.head]])
            for before in operation.after:
                for other, taken in place[before].items():
                    if other >= layer:
                        clauses.append([-variable, -taken])
    for layer in range(1, problem.depth + 1):
        heads = [variable for (at, _), variable in used.items() if at == layer]
        if len(heads) > width:
            card = CardEnc.atmost(heads, bound=width, top_id=top, encoding=EncType.seqcounter)
            clauses.extend(card.clauses)
            top = max(top, card.nv)
    return clauses, place


def narrowest(problem: Problem) -> Optimum:
    """Return an optimal schedule with its certificates.

    Notes
    -----
    Deterministic.  The search starts at the counting bound, so most programs need one SAT call.

    Examples
    --------
    >>> from rasp.analysis.heads import Operation
    >>> from rasp.graph import Constant, Indices, Select, Aggregate
    >>> s = Select(Indices(), Constant(0), "==")
    >>> def op(head, *after):
    ...     return Operation(Aggregate(s, Indices()), s, head, after)
    >>> chain_and_two = Problem((op(1), op(2, 0), op(3, 1), op(4), op(5)))
    >>> chain_and_two.heads(chain_and_two.earliest), narrowest(chain_and_two).heads
    ((3, 1, 1), (2, 2, 1))
    """
    chain = problem.critical_path()
    if not problem.operations:
        return Optimum((), (), (), None)
    depth = problem.depth
    best = max(
        (crowd(problem, i, j) for i in range(1, depth + 1) for j in range(i, depth + 1)),
        key=lambda crowding: (crowding.bound, crowding.first - crowding.last),
    )
    greedy = problem.heads(problem.earliest)
    if max(greedy) <= best.bound:
        return Optimum(problem.earliest, greedy, chain, best)
    proof: tuple[tuple[int, ...], ...] = ()
    for width in range(best.bound, max(greedy) + 1):
        layers, refutation = _solve(problem, width)
        if layers is not None:
            crowding = best if width == best.bound else None
            return Optimum(layers, problem.heads(layers), chain, crowding, proof)
        proof = refutation
    raise AssertionError("the greedy schedule is a schedule")


def _solve(
    problem: Problem, width: int
) -> tuple[tuple[int, ...] | None, tuple[tuple[int, ...], ...]]:
    from pysat.solvers import Solver

    clauses, place = encode(problem, width)
    with Solver(name="glucose4", bootstrap_with=clauses, with_proof=True) as solver:
        if solver.solve():
            model = set(solver.get_model() or ())
            layers = tuple(
                min(layer for layer, variable in options.items() if variable in model)
                for options in place
            )
            return layers, ()
        lines = solver.get_proof() or []
    proof = tuple(
        tuple(int(word) for word in line.split()[:-1]) for line in lines if not line.startswith("d")
    )
    return None, proof
