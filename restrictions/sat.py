"""Hard attention as clauses: cross-checks of certificates, and proofs that no witness exists.

Every activation (position, layer) gets one variable per attainable value.  A head's decision list
becomes a chain: the inputs that reach place p of the list are those for which no earlier
(position, value) pair is true.  The list ends as soon as it contains all values of a position.

Main definitions: :func:`constant_by_sat`, :func:`insensitive_edge`, :class:`SatAnswer`.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, final

import numpy as np

from attention.scoring import score_rows
from attention.transformer import AbstractHardTransformer, visible
from restrictions.restriction import Restriction
from restrictions.rows import BlowUp

Answer: TypeAlias = Literal["yes", "no", "undecided"]


@final
@dataclass(frozen=True)
class SatAnswer:
    """What two solvers agreed on.

    Attributes
    ----------
    answer
        ``"undecided"`` when the encoding or the solving exceeded its limit.
    word, position
        For a found word: the input, and the flipped position if there is one.
    clauses
        Size of the problem.
    """

    answer: Answer
    word: tuple[Hashable, ...] | None = None
    position: int | None = None
    clauses: int = 0


@final
class _Encoding:
    """Clauses of one model; several copies may share it."""

    def __init__(self, model: AbstractHardTransformer, limit: int) -> None:
        self.model, self.limit = model, limit
        self.clauses: list[list[int]] = []
        self.top = 0

    def fresh(self) -> int:
        self.top += 1
        return self.top

    def add(self, *clause: int) -> None:
        self.clauses.append(list(clause))
        if len(self.clauses) > self.limit:
            raise BlowUp(f"more than {self.limit} clauses")

    def inputs(self, rho: Restriction) -> list[dict[Hashable, int]]:
        """Return, per position, the variable of each allowed symbol."""
        return [self._one_of(choices) for choices in rho.choices]

    def _one_of(self, values: Sequence[Hashable]) -> dict[Hashable, int]:
        variables = {value: self.fresh() for value in values}
        self._exactly_one(list(variables.values()))
        return variables

    def _exactly_one(self, variables: list[int]) -> None:
        self.add(*variables)
        if len(variables) <= 6:
            for a, first in enumerate(variables):
                for second in variables[:a]:
                    self.add(-first, -second)
            return
        before = variables[0]
        for variable in variables[1:]:
            self.add(-before, -variable)
            after = self.fresh()
            self.add(-before, after)
            self.add(-variable, after)
            before = after

    def outputs(self, word: list[dict[Hashable, int]]) -> dict[Hashable, int]:
        """Encode one run on the given input variables; return the variable of each output."""
        model = self.model
        layer: list[dict[Any, int]] = []
        for i, symbols in enumerate(word):
            made: dict[Any, list[int]] = {}
            for symbol, variable in symbols.items():
                made.setdefault(model.embed(i, symbol), []).append(variable)
            layer.append(self._joined(made))
        for k in range(1, model.layers + 1):
            wanted = range(model.n) if k < model.layers else (model.n - 1,)
            layer = [self._step(k, i, layer) for i in wanted]
        made = {}
        for value, variable in layer[-1].items():
            made.setdefault(model.readout(value), []).append(variable)
        return self._joined(made)

    def _joined(self, made: dict[Any, list[int]]) -> dict[Any, int]:
        """Return one variable per value, equivalent to the disjunction of its causes."""
        joined = {}
        for value, causes in made.items():
            if len(causes) == 1:
                joined[value] = causes[0]
                continue
            joined[value] = variable = self.fresh()
            self.add(-variable, *causes)
            for cause in causes:
                self.add(-cause, variable)
        return joined

    def _step(self, k: int, i: int, layer: list[dict[Any, int]]) -> dict[Any, int]:
        model = self.model
        pairs = [(j, value) for j in range(visible(model, i)) for value in layer[j]]
        if model.ties == "rightmost":
            pairs.reverse()
        columns, keys = [j for j, _ in pairs], [value for _, value in pairs]
        made: dict[Any, list[int]] = {}
        for own, own_variable in layer[i].items():
            cases: list[tuple[tuple[Any, ...], int]] = [((), own_variable)]
            for head in range(model.heads):
                scores = score_rows(model, k, head, [i], [own], columns, keys)[0]
                order = np.argsort(-scores, kind="stable").tolist()
                attended = self._attended(layer, [pairs[t] for t in order], i, own)
                if len(cases) * len(attended) > 5000:
                    raise BlowUp("too many combinations of attended values")
                cases = [
                    ((*values, value), self._both(condition, variable))
                    for values, condition in cases
                    for value, variable in attended.items()
                ]
            for values, variable in cases:
                made.setdefault(model.act(k, i, own, values), []).append(variable)
        return self._joined(made)

    def _attended(
        self, layer: list[dict[Any, int]], order: list[tuple[int, Any]], i: int, own: Any
    ) -> dict[Any, int]:
        """Return a variable per attended value: its pair is the first true one of the list."""
        left = {j: len(values) for j, values in enumerate(layer)}
        found: dict[Any, list[int]] = {}
        reached: int | None = None  # None: always reached
        for j, value in order:
            if j == i and value != own:
                continue
            left[j] -= 1
            last = left[j] == 0 or j == i
            variable = layer[j][value]
            hit = variable if reached is None else self._both(reached, variable)
            if last and reached is not None:
                hit = reached
            if last and reached is None:
                hit = self._true()
            found.setdefault(value, []).append(hit)
            if last:
                break
            following = self.fresh()  # reached and not variable
            clauses = [(-following, -variable), (following, variable)]
            if reached is None:
                for clause in clauses:
                    self.add(*clause)
            else:
                self.add(-following, -variable)
                self.add(-following, reached)
                self.add(following, variable, -reached)
            reached = following
        return self._joined(found)

    def _true(self) -> int:
        variable = self.fresh()
        self.add(variable)
        return variable

    def _both(self, a: int, b: int) -> int:
        variable = self.fresh()
        self.add(-variable, a)
        self.add(-variable, b)
        self.add(variable, -a, -b)
        return variable


def constant_by_sat(
    model: AbstractHardTransformer,
    rho: Restriction,
    output: Hashable,
    *,
    limit: int = 2_000_000,
    conflicts: int = 200_000,
) -> SatAnswer:
    """Decide whether the output is ``output`` on the whole subcube.

    Parameters
    ----------
    model, rho, output
        The claim.
    limit
        Greatest number of clauses.
    conflicts
        Greatest number of conflicts of each solver.

    Returns
    -------
    SatAnswer
        ``"yes"`` when two solvers find the negation unsatisfiable; ``"no"`` with a word.
    """
    encoding = _Encoding(model, limit)
    try:
        word = encoding.inputs(rho)
        outputs = encoding.outputs(word)
    except BlowUp:
        return SatAnswer("undecided")
    others = [variable for found, variable in outputs.items() if found != output]
    if not others:
        return SatAnswer("yes", clauses=len(encoding.clauses))
    encoding.add(*others)
    solution = _solve(encoding.clauses, conflicts)
    size = len(encoding.clauses)
    if solution == "undecided":
        return SatAnswer("undecided", clauses=size)
    if solution is None:
        return SatAnswer("yes", clauses=size)
    return SatAnswer("no", _read(word, solution), clauses=size)


def insensitive_edge(
    model: AbstractHardTransformer, *, limit: int = 2_000_000, conflicts: int = 200_000
) -> SatAnswer:
    """Search a word and a position whose flip does not change the output, or prove there is none.

    For a model with boolean outputs, none exists exactly when it decides PARITY or its complement.

    Returns
    -------
    SatAnswer
        ``"yes"`` with the word and the position; ``"no"`` when two solvers prove it.
    """
    encoding = _Encoding(model, limit)
    rho = Restriction.free(model.alphabet, model.n)
    try:
        first, second = encoding.inputs(rho), encoding.inputs(rho)
        flips = [encoding.fresh() for _ in range(model.n)]
        encoding._exactly_one(flips)
        for flip, a, b in zip(flips, first, second, strict=True):
            for symbol in model.alphabet:
                encoding.add(flip, -a[symbol], b[symbol])
                encoding.add(-flip, -a[symbol], -b[symbol])
        before, after = encoding.outputs(first), encoding.outputs(second)
    except BlowUp:
        return SatAnswer("undecided")
    for output, variable in before.items():
        if output in after:
            encoding.add(-variable, after[output])
        else:
            encoding.add(-variable)
    solution = _solve(encoding.clauses, conflicts)
    size = len(encoding.clauses)
    if solution == "undecided":
        return SatAnswer("undecided", clauses=size)
    if solution is None:
        return SatAnswer("no", clauses=size)
    position = next(j for j, flip in enumerate(flips) if flip in solution)
    return SatAnswer("yes", _read(first, solution), position, size)


def _read(word: list[dict[Hashable, int]], solution: set[int]) -> tuple[Hashable, ...]:
    return tuple(
        next(symbol for symbol, variable in symbols.items() if variable in solution)
        for symbols in word
    )


def _solve(clauses: list[list[int]], conflicts: int) -> set[int] | Literal["undecided"] | None:
    """Return the true variables, ``None`` if two solvers find no solution, or undecided."""
    from pysat.solvers import Solver

    for name in ("glucose4", "minisat22"):
        with Solver(name=name, bootstrap_with=clauses) as solver:
            solver.conf_budget(conflicts)
            answer = solver.solve_limited()
            if answer is None:
                return "undecided"
            if answer:
                return {literal for literal in solver.get_model() if literal > 0}
    return None
