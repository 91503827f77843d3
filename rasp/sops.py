"""The Python front end: s-ops and selectors with operators, on the graph of :mod:`rasp.graph`.

``tokens``, ``indices``, ``select``, ``aggregate`` … build the same nodes as the concrete
language.  Handles are immutable: an operator returns a new one, and naming a result never
renames what it was made from.

Main definitions: :class:`SOp`, :class:`Selector`, :func:`select`, :func:`aggregate`.

References
----------
Weiss, Goldberg & Yahav (2021), section 3 [weiss2021].
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeAlias, final

from rasp.errors import RejectedError, SequenceTypeError
from rasp.graph import (
    Aggregate,
    And,
    Atom,
    Best,
    Constant,
    Elementwise,
    HostFunction,
    Indices,
    Not,
    Or,
    Select,
    SelectorNode,
    SOpNode,
    Tokens,
    Width,
)

LONGEST_NAME = 30
"""Names longer than this are shown as ``s-op`` or ``sel``, as in the authors' interpreter."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class SOp:
    """A sequence-to-sequence function; ``==`` and the other operators build new ones.

    Examples
    --------
    >>> (indices + 1)("abc")
    [1, 2, 3]
    >>> (tokens == "a").named("is_a")("aba")
    [True, False, True]
    """

    node: SOpNode
    name: str = "s-op"

    def named(self, name: str) -> "SOp":
        """Return the same s-op under another name, for messages and drawings."""
        return replace(self, name=name if len(name) <= LONGEST_NAME else "s-op")

    def __call__(self, values: Sequence[Any], *, exact: bool = True) -> list[Any]:
        """Evaluate on one input; see :mod:`rasp.evaluate`."""
        from rasp.evaluate.engine import evaluate

        return evaluate(self.node, values, exact=exact)

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        raise TypeError("an s-op has no truth value: use &, |, ~, or where(condition, a, b)")

    def _with(self, op: str, other: Any, *, reverse: bool = False) -> "SOp":
        left, right = lift(self), lift(other)
        if reverse:
            left, right = right, left
        name = f"( {left.name} {op} {right.name} )"
        return SOp(Elementwise(op, (left.node, right.node))).named(name)

    def _alone(self, op: str) -> "SOp":
        return SOp(Elementwise(op, (self.node,))).named(f"( {op} {self.name} )")

    def __add__(self, other: Any) -> "SOp":
        return self._with("+", other)

    def __radd__(self, other: Any) -> "SOp":
        return self._with("+", other, reverse=True)

    def __sub__(self, other: Any) -> "SOp":
        return self._with("-", other)

    def __rsub__(self, other: Any) -> "SOp":
        return self._with("-", other, reverse=True)

    def __mul__(self, other: Any) -> "SOp":
        return self._with("*", other)

    def __rmul__(self, other: Any) -> "SOp":
        return self._with("*", other, reverse=True)

    def __truediv__(self, other: Any) -> "SOp":
        return self._with("/", other)

    def __rtruediv__(self, other: Any) -> "SOp":
        return self._with("/", other, reverse=True)

    def __mod__(self, other: Any) -> "SOp":
        return self._with("%", other)

    def __rmod__(self, other: Any) -> "SOp":
        return self._with("%", other, reverse=True)

    def __pow__(self, other: Any) -> "SOp":
        return self._with("^", other)

    def __rpow__(self, other: Any) -> "SOp":
        return self._with("^", other, reverse=True)

    def __eq__(self, other: object) -> "SOp":  # type: ignore[override]
        return self._with("==", other)

    def __ne__(self, other: object) -> "SOp":  # type: ignore[override]
        return self._with("!=", other)

    def __lt__(self, other: Any) -> "SOp":
        return self._with("<", other)

    def __le__(self, other: Any) -> "SOp":
        return self._with("<=", other)

    def __gt__(self, other: Any) -> "SOp":
        return self._with(">", other)

    def __ge__(self, other: Any) -> "SOp":
        return self._with(">=", other)

    def __and__(self, other: Any) -> "SOp":
        return self._with("and", other)

    def __rand__(self, other: Any) -> "SOp":
        return self._with("and", other, reverse=True)

    def __or__(self, other: Any) -> "SOp":
        return self._with("or", other)

    def __ror__(self, other: Any) -> "SOp":
        return self._with("or", other, reverse=True)

    def __invert__(self) -> "SOp":
        return self._alone("not")

    def __neg__(self) -> "SOp":
        return self._alone("neg")

    def __pos__(self) -> "SOp":
        return self._alone("pos")

    def __abs__(self) -> "SOp":
        return self._alone("abs")

    def __round__(self) -> "SOp":
        return self._alone("round")

    def isin(self, items: Sequence[Atom]) -> "SOp":
        """Return whether each value is one of ``items``."""
        node = Elementwise("in", (self.node,), tuple(items))
        return SOp(node).named(f"{self.name} in {list(items)}")

    def lookup(self, table: Mapping[Atom, Atom] | Sequence[Atom] | str) -> "SOp":
        """Return the entry of ``table`` under each value."""
        return SOp(Elementwise("get", (self.node,), table_parameter(table)))

    def _repr_svg_(self) -> str:
        """Show layers and heads on "hello" in a notebook."""
        from rasp.draw.flow import flow_svg

        return flow_svg(self, "hello")


@final
@dataclass(frozen=True, slots=True, eq=False)
class Selector:
    """A Boolean matrix, made by :func:`select`; combine with ``&``, ``|`` and ``~``.

    Examples
    --------
    >>> before = select(indices, indices, "<")
    >>> before("abc")
    [[False, False, False], [True, False, False], [True, True, False]]
    """

    node: SelectorNode
    name: str = "plain select"

    def named(self, name: str) -> "Selector":
        """Return the same selector under another name."""
        return replace(self, name=name if len(name) <= LONGEST_NAME else "sel")

    def __call__(self, values: Sequence[Any], *, exact: bool = True) -> list[list[bool]]:
        """Evaluate on one input; rows are queries, columns keys."""
        from rasp.evaluate.engine import matrix

        return matrix(self.node, values, exact=exact)

    def __and__(self, other: "Selector") -> "Selector":
        return Selector(And(self.node, other.node))

    def _repr_svg_(self) -> str:
        """Show the matrix on "hello" in a notebook."""
        from rasp.draw.matrix import matrix_scene
        from rasp.draw.svg import svg

        return svg(matrix_scene(self, "hello"))

    def __or__(self, other: "Selector") -> "Selector":
        return Selector(Or(self.node, other.node))

    def __invert__(self) -> "Selector":
        return Selector(Not(self.node))


Liftable: TypeAlias = SOp | Atom


def lift(value: Any) -> SOp:
    """Return ``value`` as an s-op: itself, or a constant."""
    return value if isinstance(value, SOp) else SOp(Constant(value), str(value))


def sequence(value: Any) -> SOp:
    """Return ``value`` as an s-op that is a sequence of its own, so a list is refused.

    Raises
    ------
    SequenceTypeError
        If ``value`` is neither an s-op nor an atom.
    """
    if isinstance(value, (SOp, int, float, str, Fraction)):
        return lift(value)
    raise SequenceTypeError(
        "attempted to create sequence with illegal val types "
        f"(vals must be bool, float, int or string):\n\t\t {value}"
    )


def table_parameter(table: Any) -> tuple[str, Any]:
    """Return the parameter of a ``get`` node for a list, string or dict.

    Raises
    ------
    RejectedError
        If an entry is not an atom.
    """
    if isinstance(table, str):
        return ("str", table)
    entries = list(table.values()) if isinstance(table, Mapping) else list(table)
    for entry in entries:
        if not isinstance(entry, (int, float, str, bool, Fraction)):
            raise RejectedError(f"a table indexed by an s-op can only hold atoms, got: {entry}")
    if isinstance(table, Mapping):
        return ("dict", tuple(table.items()))
    return ("list", tuple(entries))


tokens = SOp(Tokens("str"), "tokens")
tokens_str = SOp(Tokens("str"), "tokens_str")
tokens_int = SOp(Tokens("int"), "tokens_int")
tokens_float = SOp(Tokens("float"), "tokens_float")
tokens_bool = SOp(Tokens("bool"), "tokens_bool")
tokens_asis = SOp(Tokens("asis"), "tokens_asis")
indices = SOp(Indices(), "indices")


def select(keys: Liftable, queries: Liftable, op: str) -> Selector:
    """Return the selector whose cell ``(i, j)`` holds ``keys[j] op queries[i]``.

    Parameters
    ----------
    keys, queries
        S-ops, or atoms that stand for constant s-ops.
    op
        ``==``, ``!=``, ``<``, ``<=``, ``>`` or ``>=``.
    """
    return Selector(Select(sequence(keys).node, sequence(queries).node, op))


def aggregate(selector: Selector, values: Liftable, default: Atom = 0) -> SOp:
    """Return the mean of ``values`` over each row's selected positions, see :mod:`rasp.graph`."""
    return SOp(Aggregate(selector.node, sequence(values).node, default))


def selector_width(selector: Selector) -> SOp:
    """Return how many positions each row of ``selector`` selects."""
    return SOp(Width(selector.node))


def best(selector: Selector, keys: Liftable, queries: Liftable = 0, op: str = "+") -> Selector:
    """Return ``selector`` cut down, in each row, to the key with the highest ``key op query``."""
    return Selector(Best(selector.node, sequence(keys).node, sequence(queries).node, op))


def indicator(condition: SOp) -> SOp:
    """Return 1 where ``condition`` is true and 0 elsewhere."""
    return SOp(Elementwise("indicator", (condition.node,)), f"I({condition.name})")


def where(condition: SOp, then: Liftable, other: Liftable) -> SOp:
    """Return ``then`` where ``condition`` is true and ``other`` elsewhere; both are evaluated."""
    chosen, rest = sequence(then), sequence(other)
    name = f"{chosen.name} if {condition.name} else {rest.name}"
    return SOp(Elementwise("if", (condition.node, chosen.node, rest.node))).named(name)


def elementwise(function: Callable[..., Atom], *args: SOp, label: str = "") -> SOp:
    """Return a Python function of atoms applied position by position.

    Such programs have no text in the concrete language.
    """
    host = HostFunction(function, label or getattr(function, "__name__", "function"))
    return SOp(Elementwise("map", tuple(a.node for a in args), host), host.label)


full_s = select(1, 1, "==").named("full_s")
length = SOp(
    Elementwise(
        "round",
        (
            Elementwise(
                "/",
                (
                    Constant(1),
                    Aggregate(
                        full_s.node,
                        Elementwise("indicator", (Elementwise("==", (Indices(), Constant(0))),)),
                    ),
                ),
            ),
        ),
    ),
    "length",
)
