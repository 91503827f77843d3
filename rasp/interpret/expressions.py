"""Evaluate expressions to values; every s-op made is tried on the running example.

Trying is how the language checks types: a clash shows where it is written, not where it is used.

Main definitions: :class:`Interpreter` (expressions), used by
:class:`rasp.interpret.statements.Executor`.

References
----------
Weiss, Goldberg & Yahav (2021), appendix on the language [weiss2021].
"""

from collections.abc import Callable, Iterable
from typing import Any

from rasp import sops
from rasp.errors import EvaluationError, LimitError, RaspError, RejectedError
from rasp.interpret.apply import apply_binary, apply_index, apply_unary, contains
from rasp.interpret.environment import Environment
from rasp.interpret.values import Evaluated, Function, NativeFunction, describe, is_atom
from rasp.operations import LARGEST_TEXT
from rasp.sops import Selector, SOp
from rasp.syntax.tree import (
    AggregateExpression,
    Binary,
    Builtin,
    Call,
    DictComprehension,
    DictExpression,
    Expression,
    Index,
    ListComprehension,
    ListExpression,
    Literal,
    Name,
    SelectExpression,
    Ternary,
    Unary,
)


class NotCallableError(RejectedError):
    """A call of something that is neither function nor s-op nor selector."""


class ExpressionEvaluator:
    """Evaluate expressions in one environment.

    Parameters
    ----------
    environment
        Where names are looked up.
    attempt
        Evaluates an s-op or selector on a given input (or the running example when given
        ``None``) and raises if that fails.
    call
        Calls a function defined in RASP on argument values.
    located
        Attaches a place of the source to an error.
    made
        Is told where each s-op and selector was written.
    step
        Counts steps and refuses too many.
    tries
        Whether what was written is tried at once.
    """

    def __init__(
        self,
        environment: Environment,
        attempt: Callable[[SOp | Selector, Any], Any],
        call: Callable[[Function, list[Any]], Any],
        located: Callable[[RaspError, Expression], RaspError],
        made: Callable[[SOp | Selector, Expression], None],
        step: Callable[[int], None],
        *,
        tries: bool = True,
    ) -> None:
        self.environment = environment
        self._attempt = attempt
        self._call = call
        self._located = located
        self._made = made
        self._step = step
        self._tries = tries
        self._other_input: Any = None

    def value(self, tree: Expression) -> Any:
        """Return the value of ``tree``.

        Raises
        ------
        RaspError
            With the place of the innermost expression that failed.
        """
        try:
            result = _HANDLERS[type(tree)](self, tree)
            if isinstance(result, (SOp, Selector)):
                self._made(result, tree)
                self._check(result)
        except RaspError as error:
            raise self._located(error, tree) from None
        except RecursionError:
            raise
        except (ArithmeticError, TypeError, ValueError) as error:
            raise self._located(EvaluationError(_plain(str(error))), tree) from None
        return result

    def values(self, trees: Iterable[Expression]) -> list[Any]:
        """Return the values of several expressions."""
        return [self.value(tree) for tree in trees]

    def value_on(self, tree: Expression, example: Any) -> Any:
        """Return the value of ``tree``, which may also be tried on ``example``."""
        before = self._other_input
        self._other_input = example
        try:
            return self.value(tree)
        finally:
            self._other_input = before

    def inherit(self, caller: "ExpressionEvaluator") -> None:
        """Try s-ops on the same inputs as ``caller`` does."""
        self._other_input = caller._other_input

    def _check(self, result: SOp | Selector) -> None:
        if not self._tries:
            return
        if self._other_input is not None:
            try:
                self._attempt(result, self._other_input)
            except RaspError as error:
                try:
                    self._attempt(result, None)
                except RaspError:
                    raise error from None  # the input it is meant for says what is wrong
        else:
            self._attempt(result, None)

    def _binary(self, tree: Binary) -> Any:
        chain = [tree]
        while type(chain[-1].left) is Binary:  # long sums lean left; no recursion over them
            chain.append(chain[-1].left)
        value = self.value(chain[-1].left)
        for link in reversed(chain):
            right = self.value(link.right)
            if link.op == "in":
                value = contains(value, right)
            else:
                value = apply_binary(link.op, value, right)
            if link is not tree and isinstance(value, (SOp, Selector)):
                self._made(value, link)
                self._check(value)
        return value

    def _ternary(self, tree: Ternary) -> Any:
        condition = self.value(tree.condition)
        if isinstance(condition, (SOp, Selector)):
            then, other = self.value(tree.then), self.value(tree.other)
            return sops.where(sops.sequence(condition), then, other)
        return self.value(tree.then if condition else tree.other)  # lazy: recursion can end

    def _aggregate(self, tree: AggregateExpression) -> SOp:
        selector, values = self.value(tree.selector), self.value(tree.values)
        default = self.value(tree.default) if tree.default is not None else 0
        if not isinstance(selector, Selector):
            raise RejectedError(f"Expected selector, got: {describe(selector)}")
        if isinstance(values, (Selector, Function, NativeFunction, Evaluated)):
            raise RejectedError(f"Expected sequence, got: {describe(values)}")
        if isinstance(default, (SOp, Selector)):
            raise RejectedError(f"Expected atom, got: {describe(default)}")
        return sops.aggregate(selector, values, default)

    def _select(self, tree: SelectExpression) -> Selector:
        keys, queries = self.value(tree.keys), self.value(tree.queries)
        return sops.select(keys, queries, tree.op)

    def _call_expression(self, tree: Call) -> Any:
        before = self._other_input
        given: list[Any] | None = None
        if len(tree.args) == 1:
            given = [self.value(tree.args[0])]
            self._other_input = given[0] if _iterable(given[0]) else before
        try:
            target = self.value(tree.target)
        finally:
            self._other_input = before
        if isinstance(target, (SOp, Selector)):
            return self._application(target, tree, given)
        if not isinstance(target, (Function, NativeFunction)):
            raise NotCallableError(f"{describe(target)} is not a function, s-op or selector")
        args = given if given is not None else self.values(tree.args)
        least = len(target.parameters) - getattr(target, "optional", 0)
        if not least <= len(args) <= len(target.parameters):
            raise RejectedError(
                f"wrong number of args for {target.name}- "
                f"expected: {len(target.parameters)}, got: {len(args)}."
            )
        if isinstance(target, Function):
            result = self._call(target, args)
        else:
            result = target.call(*args)
        if isinstance(result, (SOp, Selector)):
            shown = " , ".join(describe(argument, cap=20) for argument in args)
            return result.named(f"{target.name}({shown})")
        return result

    def _application(self, target: SOp | Selector, tree: Call, given: list[Any] | None) -> Any:
        args = given if given is not None else self.values(tree.args)
        if len(args) != 1:
            raise RejectedError(
                f"wrong number of args for evaluate unfinished- expected: 1, got: {len(args)}."
            )
        if not _iterable(args[0]):
            raise RejectedError(
                f"Applying unfinished expects iterable input, got: {describe(args[0])}"
            )
        return Evaluated(self._attempt(target, args[0]), args[0], isinstance(target, Selector))

    def _builtin(self, tree: Builtin) -> Any:
        args = self.values(tree.args)
        if tree.name == "range":
            if len(args) > 3:
                raise RejectedError(
                    f"wrong number of inputs to range, expected: 1, 2, or 3, got: {len(args)}"
                )
            if not all(isinstance(argument, int) for argument in args):
                raise RejectedError(f"range expects all integer inputs, but got: {describe(args)}")
            if (size := _size(range(*args))) > LARGEST_TEXT:
                raise LimitError(f"a range of {size} numbers is more than {LARGEST_TEXT}")
            return list(range(*args))
        if tree.name == "len":
            if not isinstance(args[0], list):
                raise RejectedError(
                    f"attempting to compute length of non-list: {describe(args[0])}"
                )
            return len(args[0])
        for position, entry in enumerate(args, 1):
            if not isinstance(entry, list):
                raise RejectedError(
                    f"attempting to zip lists, but {position} -th element is not list: "
                    + describe(entry)
                )
        for position, entry in enumerate(args, 1):
            if len(entry) != len(args[0]):
                raise RejectedError(
                    f"attempting to zip lists of length {len(args[0])} , but {position} "
                    f"-th list has length {len(entry)}"
                )
        return [list(row) for row in zip(*args, strict=True)]

    def _key(self, tree: Expression) -> Any:
        key = self.value(tree)
        if not is_atom(key):
            raise RejectedError(
                f"dictionary keys can only be atoms, but instead got: {describe(key)}"
            )
        return key

    def _comprehension(self, tree: ListComprehension | DictComprehension) -> Any:
        iterable = self.value(tree.iterable)
        kind = "list" if isinstance(tree, ListComprehension) else "dict"
        if not isinstance(iterable, (list, dict)):
            raise RejectedError(
                f"{kind} comprehension should have got a list or dict to loop over, "
                f"but got: {iterable if is_atom(iterable) else describe(iterable)}"
            )
        items: list[Any] = []
        pairs: dict[Any, Any] = {}
        outer = self.environment
        try:
            for entry in list(iterable):
                self._step(1)
                self.environment = outer.nested()
                bind(self.environment, tree.names, entry)
                if isinstance(tree, ListComprehension):
                    items.append(self.value(tree.value))
                else:
                    key = self._key(tree.key)
                    pairs[key] = self.value(tree.value)
        finally:
            self.environment = outer
        return items if isinstance(tree, ListComprehension) else pairs


def bind(environment: Environment, names: tuple[str, ...], entry: Any) -> None:
    """Assign ``entry`` to one name, or its parts to several.

    Raises
    ------
    RejectedError
        If there are not as many parts as names.
    """
    if len(names) == 1:
        environment.set(names[0], entry)
        return
    if not _iterable(entry):
        raise RejectedError(
            "iterating with multiple iterator names, but got single iterator value: "
            + (str(entry) if is_atom(entry) else describe(entry))
        )
    if len(entry) != len(names):
        raise RejectedError(
            f"iterating with {len(names)} names but got {len(entry)} values ( {describe(entry)} )"
        )
    for name, part in zip(names, entry, strict=True):
        environment.set(name, part)


def _iterable(value: Any) -> bool:
    return isinstance(value, (str, list, dict))


def _size(numbers: range) -> int:
    towards = 1 if numbers.step > 0 else -1  # len() refuses what an index cannot hold
    return max(0, (numbers.stop - numbers.start + numbers.step - towards) // numbers.step)


def _plain(message: str) -> str:
    """Use the language's words in a message of Python's."""
    return message.replace("'SOp'", "'s-op'").replace("'Selector'", "'selector'")


_HANDLERS: dict[type, Callable[[ExpressionEvaluator, Any], Any]] = {
    Literal: lambda self, tree: tree.value,
    Name: lambda self, tree: self.environment.get(tree.name),
    ListExpression: lambda self, tree: [self.value(item) for item in tree.items],
    DictExpression: lambda self, tree: {
        self._key(key): self.value(value) for key, value in tree.pairs
    },
    Index: lambda self, tree: apply_index(
        self.value(tree.target), self.value(tree.index), lambda: self.environment.get("length")
    ),
    Call: lambda self, tree: self._call_expression(tree),
    Unary: lambda self, tree: apply_unary(tree.op, self.value(tree.operand)),
    Binary: lambda self, tree: self._binary(tree),
    Ternary: lambda self, tree: self._ternary(tree),
    SelectExpression: lambda self, tree: self._select(tree),
    AggregateExpression: lambda self, tree: self._aggregate(tree),
    Builtin: lambda self, tree: self._builtin(tree),
    ListComprehension: lambda self, tree: self._comprehension(tree),
    DictComprehension: lambda self, tree: self._comprehension(tree),
}
