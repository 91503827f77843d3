"""Syntax trees of RASP: plain data, each node with the place it came from.

Main definitions: the expression classes, the statement classes, :data:`Expression`,
:data:`Statement`.

References
----------
Weiss, Goldberg & Yahav (2021), appendix on the language [weiss2021].
"""

from dataclasses import dataclass, field
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Tree:
    """Anything parsed; ``start`` and ``end`` are offsets into the source and not compared."""

    start: int = field(default=0, compare=False, kw_only=True)
    end: int = field(default=0, compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Literal(Tree):
    """A number or a string."""

    value: int | float | str


@dataclass(frozen=True, slots=True)
class Name(Tree):
    """A variable; ``True`` and ``False`` are variables too."""

    name: str


@dataclass(frozen=True, slots=True)
class ListExpression(Tree):
    """``[a, b]``."""

    items: tuple["Expression", ...]


@dataclass(frozen=True, slots=True)
class DictExpression(Tree):
    """``{k: v}``."""

    pairs: tuple[tuple["Expression", "Expression"], ...]


@dataclass(frozen=True, slots=True)
class Index(Tree):
    """``target[index]``."""

    target: "Expression"
    index: "Expression"


@dataclass(frozen=True, slots=True)
class Call(Tree):
    """``target(args)``: a function call, or an s-op applied to an input."""

    target: "Expression"
    args: tuple["Expression", ...]


@dataclass(frozen=True, slots=True)
class Unary(Tree):
    """``not``, ``-``, ``+``, ``round`` or ``indicator`` of one operand."""

    op: str
    operand: "Expression"


@dataclass(frozen=True, slots=True)
class Binary(Tree):
    """Arithmetic, comparison, ``and``, ``or``, and ``in``."""

    op: str
    left: "Expression"
    right: "Expression"


@dataclass(frozen=True, slots=True)
class Ternary(Tree):
    """``then if condition else other``."""

    then: "Expression"
    condition: "Expression"
    other: "Expression"


@dataclass(frozen=True, slots=True)
class SelectExpression(Tree):
    """``select(keys, queries, op)``."""

    keys: "Expression"
    queries: "Expression"
    op: str


@dataclass(frozen=True, slots=True)
class AggregateExpression(Tree):
    """``aggregate(selector, values[, default])``."""

    selector: "Expression"
    values: "Expression"
    default: "Expression | None" = None


@dataclass(frozen=True, slots=True)
class Builtin(Tree):
    """``range(…)``, ``zip(…)`` or ``len(…)``."""

    name: str
    args: tuple["Expression", ...]


@dataclass(frozen=True, slots=True)
class ListComprehension(Tree):
    """``[value for names in iterable]``."""

    value: "Expression"
    names: tuple[str, ...]
    iterable: "Expression"


@dataclass(frozen=True, slots=True)
class DictComprehension(Tree):
    """``{key: value for names in iterable}``."""

    key: "Expression"
    value: "Expression"
    names: tuple[str, ...]
    iterable: "Expression"


Expression: TypeAlias = (
    Literal
    | Name
    | ListExpression
    | DictExpression
    | Index
    | Call
    | Unary
    | Binary
    | Ternary
    | SelectExpression
    | AggregateExpression
    | Builtin
    | ListComprehension
    | DictComprehension
)


@dataclass(frozen=True, slots=True)
class ExpressionStatement(Tree):
    """``expression;``."""

    value: Expression


@dataclass(frozen=True, slots=True)
class Assignment(Tree):
    """``a, b = e1, e2;``."""

    names: tuple[str, ...]
    values: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Definition(Tree):
    """``def name(parameters) { body return results; }``."""

    name: str
    parameters: tuple[str, ...]
    body: tuple["Statement", ...]
    results: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Loop(Tree):
    """``for names in iterable { body }``."""

    names: tuple[str, ...]
    iterable: Expression
    body: tuple["Statement", ...]


@dataclass(frozen=True, slots=True)
class Draw(Tree):
    """``draw(sop[, input]);``."""

    sop: Expression
    input: Expression | None = None


@dataclass(frozen=True, slots=True)
class Load(Tree):
    """``load "file";``."""

    file: str


@dataclass(frozen=True, slots=True)
class Command(Tree):
    """A line for the session: ``set``, ``show``, ``examples``, ``full``, ``exit``.

    ``which`` is ``both``, ``s-op`` or ``selector``; ``value`` the new example, ``on`` the switch.
    """

    word: str
    which: str = "both"
    value: Expression | None = None
    on: bool = False


Statement: TypeAlias = ExpressionStatement | Assignment | Definition | Loop | Draw | Load | Command
