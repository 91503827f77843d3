"""A session: feed it source text, get events back.

A session is the interpreter without a terminal.  It never prints and never stops on an error; the
commands decide where events go.

Main definitions: :class:`Session`; events are in :mod:`rasp.interpret.events`.

References
----------
Weiss, Goldberg & Yahav (2021), appendix on the language [weiss2021].
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, final

from rasp.errors import EvaluationError, LimitError, RaspError, RejectedError
from rasp.evaluate.engine import Evaluation, evaluation
from rasp.graph import atom_key
from rasp.interpret.display import Display, Settings
from rasp.interpret.environment import RESERVED, Environment
from rasp.interpret.events import Event, failure, kind_of, note
from rasp.interpret.library import library_environment, library_names
from rasp.interpret.statements import Executor, Result
from rasp.interpret.values import Evaluated, exceeds
from rasp.sops import Selector, SOp, tokens
from rasp.syntax.lexer import Source
from rasp.syntax.statements import Unit, parse_units
from rasp.syntax.tree import Command, Load, Statement

LARGEST_SHOWN = 200_000
"""Most entries of a list or dict that are shown."""

FRAMES = 12_000
"""Python frames a statement may use; RASP calls nest to about a tenth of it."""


@final
class Session:
    r"""An interpreter with its variables, examples and settings.

    Parameters
    ----------
    exact
        Means as fractions; otherwise floats as in the authors' interpreter.
    strict
        Refuse the extensions of the language.
    read
        Returns the text of a file that ``load`` names, or raises ``FileNotFoundError``.
    draw
        Called with the s-op and the input of a ``draw`` statement.
    base
        Scope of the library; the packaged one by default.
    tries
        Try every s-op and selector on the running example where it is written, and refuse those
        that fail, as the language does.

    Examples
    --------
    >>> [event.text for event in Session().run("1 + 2;")]
    ['    value: out =  3\n']
    """

    def __init__(
        self,
        *,
        exact: bool = True,
        strict: bool = False,
        read: Callable[[str], str] | None = None,
        draw: Callable[[SOp, Any], None] | None = None,
        base: Environment | None = None,
        tries: bool = True,
    ) -> None:
        self.exact = exact
        self.strict = strict
        self.tries = tries
        self.settings = Settings()
        self.finished = False
        self.base = library_environment() if base is None else base
        reserved = RESERVED if base is not None else RESERVED | library_names()
        self.console = Environment("console", self.base, reserved=reserved)
        self.console.variables["tokens"] = tokens
        self._read = read
        self._draw = draw
        self.names: dict[int, str] = {}
        self.origins: dict[int, tuple[Source, int, int]] = {}
        self._named: dict[str, int] = {}
        for name, value in self.base.variables.items():
            if isinstance(value, (SOp, Selector)):
                self.remember(name, value)
        self._evaluations: dict[tuple[str, ...], Evaluation] = {}
        self._latest: tuple[Any, Evaluation] | None = None
        self._loading: list[str] = []

    def remember(self, name: str, value: SOp | Selector) -> None:
        """Keep the first name of a computed node; further nodes of that name are numbered."""
        digest = value.node.digest
        if value.node.parents and digest not in self.names:
            self._named[name] = self._named.get(name, 0) + 1
            again = self._named[name]
            self.names[digest] = name if again == 1 else f"{name}_{again}"

    def evaluation(self, example: Any) -> Evaluation:
        """Return the (kept) evaluation of ``example``."""
        if self._latest is not None and self._latest[0] is example:
            return self._latest[1]
        if exceeds(list(example), 2 * LARGEST_SHOWN):
            raise LimitError(f"an input of more than {2 * LARGEST_SHOWN} entries")
        key = tuple(map(atom_key, example))
        found = self._evaluations.pop(key, None)
        if found is None:
            found = evaluation(list(example), exact=self.exact)
            if len(self._evaluations) >= 4:
                self._evaluations.pop(next(iter(self._evaluations)))
        self._evaluations[key] = found
        self._latest = (example, found)
        return found

    def evaluate(self, value: SOp | Selector, example: Any) -> list[Any]:
        """Return the sequence or the rows of ``value`` on ``example``, or on the running one."""
        chosen = self.settings.sop_example if example is None else example
        found = self.evaluation(chosen)
        if isinstance(value, Selector):
            return found.rows(value.node)
        return found.sequence(value.node)

    @property
    def display(self) -> Display:
        """The display under the present settings."""
        return Display(self.settings, self.evaluate)

    def run(self, text: str, name: str = "<input>", first_line: int = 1) -> Iterator[Event]:
        """Run ``text`` and yield what it has to say; ends after ``exit``."""
        source = Source(text, name, first_line)
        for unit in parse_units(source, strict=self.strict):
            yield from self.run_unit(unit, source)
            if self.finished:
                return

    def run_unit(self, unit: Unit, source: Source) -> Iterator[Event]:
        """Run the statements of one unit in the console, each to its own error."""
        if unit.error is not None:
            yield failure(unit.error, source)
            return
        for statement in unit.statements:
            try:
                results = self.execute(statement, source, self.console)
            except RaspError as error:
                yield failure(error, source)
                continue
            for result in results:
                yield self.shown(result, source)
            if self.finished:
                return

    def execute(
        self, statement: Statement, source: Source, environment: Environment
    ) -> list[Result | Event]:
        """Run one statement; what it shows is returned, what it breaks is raised."""
        if isinstance(statement, Command):
            return self._command(statement, source, environment)
        executor = Executor(self, source, environment)
        try:
            with deep_recursion():
                return executor.run(statement)
        except RecursionError:
            raise LimitError("maximum recursion depth exceeded") from None
        except MemoryError:
            raise LimitError("out of memory") from None

    def _command(
        self, command: Command, source: Source, environment: Environment
    ) -> list[Result | Event]:
        if command.word == "exit":
            self.finished = True
            return []
        if command.word == "full":
            self.settings = replace(self.settings, full=command.on)
            return []
        both = command.which == "both"
        if command.word == "show":
            return [Event("example", self.display.examples(command.which))]
        change: dict[str, Any] = {}
        setting: Any
        if command.word == "set":
            assert command.value is not None
            example = Executor(self, source, environment).evaluator.value(command.value)
            if not isinstance(example, (str, list, dict)):
                shown = example.name if isinstance(example, (SOp, Selector)) else example
                raise RejectedError(f"example not iterable: {shown}")
            if not example:
                raise RejectedError(
                    "example not iterable: it is empty", hint="every program needs an input token"
                )
            keep = list(example) if not isinstance(example, str) else example
            names, setting = ("sop_example", "selector_example"), keep
        else:
            names, setting = ("sop_examples", "selector_examples"), command.on
        if both or command.which == "s-op":
            change[names[0]] = setting
        if both or command.which == "selector":
            change[names[1]] = setting
        self.settings = replace(self.settings, **change)
        return []

    def shown(self, result: Result | Event, source: Source) -> Event:
        """Return the event that shows ``result``; failing to show it is an event too."""
        if isinstance(result, Event):
            return result
        value = result.value
        try:
            if exceeds(value, LARGEST_SHOWN):
                raise LimitError(f"more than {LARGEST_SHOWN} entries: too many to show")
            if isinstance(value, Evaluated):
                return Event("evaluated", self.display.applied(value), value=value)
            text = self.display.named(result.name, value)
        except RejectedError as error:
            text = (
                f"\t!!statement executed, but result fails on evaluation:\n\t\t {error.message}\n"
            )
            return Event("reject", text, result.name, error=error, note=note(error, source))
        except RaspError as error:
            return failure(error, source)
        except RecursionError:
            return failure(LimitError("nested too deeply to be shown"), source)
        except (
            ValueError,
            ArithmeticError,
        ) as error:  # integers of thousands of digits have no decimal text
            return failure(EvaluationError(str(error)), source)
        return Event(kind_of(value), text, result.name, value)

    def load(self, file: str, environment: Environment) -> list[Result | Event]:
        """Run a file in a scope of its own that exports to ``environment``.

        Raises
        ------
        RejectedError
            If there is no such file, or it is being loaded already.
        """
        name = file.removesuffix(".rasp")
        if self._read is None:
            raise RejectedError(f"could not find file: {name}.rasp")
        try:
            text = self._read(file)
        except FileNotFoundError:
            raise RejectedError(f"could not find file: {name}.rasp") from None
        except (OSError, UnicodeDecodeError) as error:
            raise RejectedError(f"could not read file: {name}.rasp ({error})") from None
        if name in self._loading:
            raise RejectedError(f"{name}.rasp loads itself: {' -> '.join([*self._loading, name])}")
        scope = Environment(name, self.base, exports_to=environment)
        source = Source(text, f"{name}.rasp")
        self._loading.append(name)
        before = self.settings
        self.settings = replace(before, sop_examples=False, selector_examples=False)
        try:
            return self._run_file(source, scope)
        finally:
            self._loading.pop()
            self.finished = False
            self.settings = replace(
                self.settings,
                sop_examples=before.sop_examples,
                selector_examples=before.selector_examples,
            )

    def _run_file(self, source: Source, scope: Environment) -> list[Result | Event]:
        settled: list[Result | Event] = []
        found: list[Result | Event] = []
        broken = False
        for unit in parse_units(source, strict=self.strict):
            if unit.error is not None:
                found.append(failure(unit.error, source))
                continue
            for statement in unit.statements:
                try:
                    results = self.execute(statement, source, scope)
                except RaspError as error:
                    found.append(failure(error, source))
                    broken = True
                    continue
                found.extend(r for r in results if isinstance(r, Event) or r.exported)
                if isinstance(statement, Load):  # what came before it is settled
                    settled += found if broken else _last_of_each_name(found)
                    found, broken = [], False
                if self.finished:
                    break
            if self.finished:
                break
        settled += found if broken else _last_of_each_name(found)
        # shown here: examples are off inside a file, and on again when the caller prints
        return [
            result if isinstance(result, Event) else self.shown(result, source)
            for result in settled
        ]

    def draw(self, sop: SOp, example: Any) -> None:
        """Hand a drawing to whoever writes files; without one, drawing has no effect."""
        if self._draw is not None:
            self._draw(sop, example)


def _last_of_each_name(found: list[Result | Event]) -> list[Result | Event]:
    kept: list[Result | Event] = []
    seen: set[str] = set()
    for result in reversed(found):
        name = result.name
        if name is not None and not (isinstance(result, Event) and result.error):
            if name in seen:
                continue
            seen.add(name)
        kept.append(result)
    return kept[::-1]


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Allow :data:`FRAMES` Python frames for the time being, so that RASP may recurse."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
