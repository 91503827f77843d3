"""Run statements: expressions, assignments, definitions, loops, drawings, loads.

Main definitions: :class:`Result`, :class:`Executor`.

References
----------
Weiss, Goldberg & Yahav (2021), appendix on the language [weiss2021].
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

from rasp.errors import EvaluationError, LimitError, RaspError, RejectedError
from rasp.interpret.environment import Environment
from rasp.interpret.expressions import ExpressionEvaluator, bind
from rasp.interpret.values import Evaluated, Function, describe
from rasp.sops import Selector, SOp
from rasp.syntax.lexer import Source
from rasp.syntax.tree import (
    Assignment,
    Definition,
    Draw,
    Expression,
    ExpressionStatement,
    Load,
    Loop,
    Name,
    Statement,
)

if TYPE_CHECKING:
    from rasp.interpret.events import Event
    from rasp.interpret.session import Session

MOST_STEPS = 2_000_000
"""Steps one statement of the console may take: statements and entries run, ten for a call."""

DEEPEST_CALL = 400
"""How deep calls of RASP functions may nest."""


@final
@dataclass(frozen=True, slots=True)
class Result:
    """A value that a statement shows; ``name`` is ``None`` for an applied s-op."""

    name: str | None
    value: Any

    @property
    def exported(self) -> bool:
        """Whether a loading scope gets to see it: named, and the name is not private."""
        return self.name is not None and not self.name.startswith("_") and self.name != "out"


@final
class Executor:
    """Run statements in one environment on behalf of a session.

    Parameters
    ----------
    session
        Gives evaluations, loads files, takes drawings.
    source
        Where the statements come from, for messages.
    environment
        Where names live.
    depth, steps
        How deep in calls this executor is, and the shared counter of statements run.
    """

    def __init__(
        self,
        session: "Session",
        source: Source,
        environment: Environment,
        *,
        depth: int = 0,
        steps: list[int] | None = None,
    ) -> None:
        self.session = session
        self.source = source
        self.environment = environment
        self.depth = depth
        self.steps = steps if steps is not None else [0]
        self.evaluator = ExpressionEvaluator(
            environment,
            session.evaluate,
            self._call,
            self._located,
            self._made,
            self._step,
            tries=session.tries,
        )

    def run(self, statement: Statement) -> "list[Result | Event]":
        """Run one statement and return what it shows.

        Raises
        ------
        RaspError
            If it fails; variables are then as before it, loops excepted.
        """
        self._step(1)
        match statement:
            case ExpressionStatement():
                value = self.evaluator.value(statement.value)
                if isinstance(value, Evaluated):
                    return [Result(None, value)]
                self.environment.variables["out"] = value
                tree = statement.value
                return [Result(tree.name if isinstance(tree, Name) else "out", value)]
            case Assignment():
                return list(self._assign(statement))
            case Definition():
                function = Function(statement, self.environment, self.source)
                try:
                    self.environment.set(statement.name, function)
                except RaspError as error:
                    raise self._located(error, statement) from None
                return [Result(statement.name, function)]
            case Loop():
                self._loop(statement)
                return []
            case Load():
                try:
                    return self.session.load(statement.file, self.environment)
                except RaspError as error:
                    raise self._located(error, statement) from None
            case Draw():
                return [self._draw(statement)]
        raise AssertionError(f"unknown statement {statement!r}")

    def _step(self, count: int) -> None:
        """Count steps, so that no loop or recursion takes forever."""
        self.steps[0] += count
        if self.steps[0] > MOST_STEPS:
            raise LimitError(f"more than {MOST_STEPS} steps; does a loop or a recursion explode?")

    def _made(self, value: SOp | Selector, tree: Expression) -> None:
        """Remember where a node was written first."""
        self.session.origins.setdefault(value.node.digest, (self.source, tree.start, tree.end))

    def _located(self, error: RaspError, tree: Any) -> RaspError:
        if error.span is None:
            error.at(self.source.span(tree.start, max(tree.end, tree.start + 1)))
            error.source = self.source
        return error

    def _assign(self, statement: Assignment) -> Iterator[Result]:
        found: Any = self.evaluator.values(statement.values)
        if len(found) == 1:
            found = found[0]
        names = statement.names
        try:
            if len(names) == 1:
                pairs = [(names[0], found)]
            else:
                parts = _parts(found)
                if len(parts) != len(names):
                    raise RejectedError(f"expected {len(names)} values, but got: {len(parts)}")
                pairs = list(zip(names, parts, strict=True))
            for name, value in pairs:
                if isinstance(value, Evaluated):
                    raise RejectedError(
                        f"{name} cannot hold an s-op applied to an input",
                        hint="assign the s-op itself and apply it where its value is shown",
                    )
                if isinstance(value, (SOp, Selector)):
                    value = value.named(name)
                    self.session.remember(name, value)
                self.environment.set(name, value)
                self.environment.variables["out"] = value
                yield Result(name, value)
        except RaspError as error:
            raise self._located(error, statement) from None

    def _loop(self, statement: Loop) -> None:
        iterable = self.evaluator.value(statement.iterable)
        if not isinstance(iterable, (list, dict)):
            error = RejectedError(
                f"for loop needs to iterate over a list or dict, but got: {describe(iterable)}"
            )
            raise self._located(error, statement.iterable)
        for entry in list(iterable):
            try:
                bind(self.environment, statement.names, entry)
            except RaspError as error:
                raise self._located(error, statement) from None
            for inner in statement.body:
                self.run(inner)

    def _draw(self, statement: Draw) -> Result:
        example: Any = self.session.settings.sop_example
        if statement.input is not None:
            example = self.evaluator.value(statement.input)
        sop = self.evaluator.value_on(statement.sop, example)
        if not isinstance(sop, SOp):
            error = RejectedError(f"draw expects unfinished sequence, got: {describe(sop)}")
            raise self._located(error, statement.sop)
        values = self.session.evaluate(sop, example)
        self.session.draw(sop, example)
        return Result(None, Evaluated(values, example, matrix=False))

    def _call(self, function: Function, args: Sequence[Any]) -> Any:
        self._step(10)
        if self.depth >= DEEPEST_CALL:
            raise LimitError(
                f"maximum recursion depth exceeded: calls nested deeper than {DEEPEST_CALL}"
            )
        scope = function.environment.nested()
        for name, value in zip(function.parameters, args, strict=True):
            scope.set(name, value)
        inner = Executor(
            self.session, function.source, scope, depth=self.depth + 1, steps=self.steps
        )
        inner.evaluator.inherit(self.evaluator)
        for statement in function.definition.body:
            inner.run(statement)
        results = inner.evaluator.values(function.definition.results)
        return results[0] if len(results) == 1 else results


def _parts(value: Any) -> list[Any]:
    if isinstance(value, (list, str, dict)):
        return list(value)
    raise EvaluationError(f"expected several values, but got one: {describe(value)}")
