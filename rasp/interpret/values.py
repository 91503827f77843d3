"""What a RASP variable can hold, and how messages describe it.

Main definitions: :class:`Function`, :class:`NativeFunction`, :class:`Evaluated`,
:func:`describe`.

References
----------
Weiss, Goldberg & Yahav (2021), appendix on the language [weiss2021].
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias, final

from rasp.sequences import show_literal
from rasp.sops import Selector, SOp
from rasp.syntax.lexer import Source
from rasp.syntax.tree import Definition

if TYPE_CHECKING:
    from rasp.interpret.environment import Environment


@final
@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A function defined in RASP; it sees its defining environment, later changes included."""

    definition: Definition
    environment: "Environment"
    source: Source
    """The file it was written in, for messages."""

    @property
    def name(self) -> str:
        """The name it was defined under."""
        return self.definition.name

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of its arguments."""
        return self.definition.parameters

    def __str__(self) -> str:
        return f"{self.environment.name} function: {self.name}({', '.join(self.parameters)})"


@final
@dataclass(frozen=True, slots=True, eq=False)
class NativeFunction:
    """A function of the library that is a primitive of the graph."""

    name: str
    parameters: tuple[str, ...]
    call: Callable[..., Any]
    creator: str
    optional: int = 0
    """How many of the last parameters may be left out."""

    def __str__(self) -> str:
        return f"{self.creator} function: {self.name}({', '.join(self.parameters)})"


@final
@dataclass(frozen=True, slots=True, eq=False)
class Evaluated:
    """An s-op or selector applied to an input: something to show, not to compute with.

    ``values`` is the sequence, or the rows of the matrix.
    """

    values: list[Any]
    input: Any
    matrix: bool


Value: TypeAlias = Any
"""An atom, list, dict, :class:`SOp`, :class:`Selector` or function."""


def is_atom(value: Value) -> bool:
    """Return whether ``value`` is a number, string or Boolean."""
    return isinstance(value, (int, float, str, Fraction))


def type_name(value: Value) -> str:
    """Return the language's word for the type of ``value``."""
    names: tuple[tuple[Any, str], ...] = (
        (SOp, "s-op"),
        (Selector, "selector"),
        ((Function, NativeFunction), "function"),
        (Evaluated, "evaluated sequence"),
        (bool, "bool"),
        (int, "int"),
        (float, "float"),
        (str, "str"),
        (list, "list"),
        (dict, "dict"),
    )
    return next((name for kind, name in names if isinstance(value, kind)), type(value).__name__)


def exceeds(value: Value, limit: int) -> bool:
    """Return whether showing ``value`` takes more than ``limit`` entries; stops counting there.

    Lists share their parts, so a few statements can make one that would fill any page.

    Examples
    --------
    >>> exceeds([1, [2, 3]], 3), exceeds([1, [2, 3]], 5)
    (True, False)
    """
    stack = [value]
    count = 0
    while stack:
        count += 1
        if count > limit:
            return True
        here = stack.pop()
        if isinstance(here, (list, dict)):
            if len(here) > limit:
                return True
            stack.extend(here.values() if isinstance(here, dict) else here)
    return False


def describe(value: Value, cap: int | None = None) -> str:
    """Return ``value`` as messages quote it; beyond ``cap`` characters just its type.

    Examples
    --------
    >>> describe(["a", 1]), describe({"a": [1, 2, 3]}, cap=5)
    ('["a", 1]', '(dict)')
    """
    if isinstance(value, (SOp, Selector)):
        return value.name
    if isinstance(value, (list, dict)) and exceeds(value, cap or 1000):
        return f"({type(value).__name__})"
    if isinstance(value, list):
        text = "[" + ", ".join(describe(item) for item in value) + "]"
        return "(list)" if cap is not None and len(text) > cap else text
    if isinstance(value, dict):
        pairs = (f"{describe(key)}: {describe(item)}" for key, item in value.items())
        text = "{" + ", ".join(pairs) + "}"
        return "(dict)" if cap is not None and len(text) > cap else text
    if is_atom(value):
        return show_literal(value)
    return str(value)
