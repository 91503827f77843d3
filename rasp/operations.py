"""The elementwise operations: one Python function of atoms for each, exact or as IEEE floats.

An operation is the same in both modes except division and powers of integers: exactly, a
quotient of integers is a :class:`~fractions.Fraction`; as floats, it is what the authors'
interpreter computes.  Growth is bounded here (:data:`LARGEST_TEXT`, :data:`LARGEST_BITS`), so
that no statement, however nested its loops, can eat the machine's memory.

Main definitions: :data:`ARITIES`, :func:`operation`, :func:`binary`.

References
----------
Weiss, Goldberg & Yahav (2021), section 3 [weiss2021].
"""

import operator
import re
from collections.abc import Callable, Hashable
from fractions import Fraction
from typing import Any

from rasp.errors import EvaluationError, LimitError, RejectedError
from rasp.graph import HostFunction
from rasp.sequences import show_literal

ARITIES = {
    "+": 2, "-": 2, "*": 2, "/": 2, "%": 2, "^": 2,
    "==": 2, "!=": 2, "<": 2, "<=": 2, ">": 2, ">=": 2,
    "and": 2, "or": 2, "not": 1, "neg": 1, "pos": 1, "abs": 1,
    "round": 1, "indicator": 1, "if": 3, "in": 1, "get": 1, "map": -1,
}  # fmt: skip
"""Operation to number of operands; ``map`` takes any number."""

LARGEST_TEXT = 1_000_000
"""Longest string or list a statement may build, in items."""

LARGEST_BITS = 1_000_000
"""Largest integer a statement may build, in bits."""

LARGEST_FRACTION = 20_000
"""Most bits that numerators and denominators of two operands may have together."""

_WIDE_FORMAT = re.compile(r"\*|[0-9]{5}")


def _bound_fractions(a: Any, b: Any) -> None:
    """Refuse fractions that squaring in a loop would make endless."""
    if type(a) is Fraction or type(b) is Fraction:
        bits = sum(
            value.numerator.bit_length() + value.denominator.bit_length()
            for value in (a, b)
            if isinstance(value, (int, Fraction))
        )
        if bits > LARGEST_FRACTION:
            raise LimitError(
                f"fractions of more than {LARGEST_FRACTION} bits: floats would do (--compat floats)"
            )


def _subtract(a: Any, b: Any) -> Any:
    _bound_fractions(a, b)
    return a - b


def _add(a: Any, b: Any) -> Any:
    _bound_fractions(a, b)
    if isinstance(a, (str, list)) and isinstance(b, (str, list)) and len(a) + len(b) > LARGEST_TEXT:
        raise LimitError(f"the result would have more than {LARGEST_TEXT} items")
    return a + b


def _bound_repetition(repeated: Any, times: Any) -> None:
    if isinstance(times, int) and len(repeated) * times > LARGEST_TEXT:
        raise LimitError(f"the result would have more than {LARGEST_TEXT} items")


def _multiply(a: Any, b: Any) -> Any:
    kinds = type(a), type(b)
    if kinds == (int, int):
        if a.bit_length() + b.bit_length() > LARGEST_BITS:
            raise LimitError(f"the product would have more than {LARGEST_BITS} bits")
    elif isinstance(a, (str, list)) or isinstance(b, (str, list)):
        _bound_repetition(*((a, b) if isinstance(a, (str, list)) else (b, a)))
    else:
        _bound_fractions(a, b)
    return operator.mul(a, b)


def _remainder(a: Any, b: Any) -> Any:
    if isinstance(a, str) and _WIDE_FORMAT.search(a):
        raise LimitError("a string format with such a width could fill the memory")
    if isinstance(b, Fraction) and not b:
        raise ZeroDivisionError("integer modulo by zero")
    return a % b


def _exact_divide(a: Any, b: Any) -> Any:
    if isinstance(a, (int, Fraction)) and isinstance(b, (int, Fraction)):
        if not b:
            raise ZeroDivisionError("division by zero")
        _bound_fractions(a, b)
        return Fraction(a, b)
    return a / b


def _power(a: Any, b: Any) -> Any:
    if isinstance(a, (int, Fraction)) and isinstance(b, (int, Fraction)):
        size = a.numerator.bit_length() + a.denominator.bit_length()
        times: Any = abs(b)
        if size > 2 and size * times > LARGEST_BITS:
            raise LimitError(f"the power would have more than {LARGEST_BITS} bits")
    result = a**b
    if isinstance(result, complex):
        raise EvaluationError(f"({a})^{b} is not a real number")
    return result


def _exact_power(a: Any, b: Any) -> Any:
    if isinstance(a, int) and isinstance(b, int) and b < 0:
        if not a:
            raise ZeroDivisionError("0.0 cannot be raised to a negative power")
        return _power(Fraction(a), int(b))
    return _power(a, b)


def _round(a: Any) -> Any:
    if type(a) is Fraction:  # to even, as round() does, but without making fractions
        whole, rest = divmod(a.numerator, a.denominator)
        twice = 2 * rest - a.denominator
        return whole + (twice > 0 or (twice == 0 and whole % 2 == 1))
    return round(a)


def _both(a: Any, b: Any) -> bool:
    return bool(a) and bool(b)


def _either(a: Any, b: Any) -> bool:
    return bool(a) or bool(b)


def _choose(condition: Any, then: Any, other: Any) -> Any:
    return then if condition else other


def _indicator(a: Any) -> int:
    return 1 if a else 0


_FLOATS: dict[str, Callable[..., Any]] = {
    "+": _add, "-": _subtract, "*": _multiply, "/": operator.truediv, "%": _remainder,
    "^": _power, "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le,
    ">": operator.gt, ">=": operator.ge, "and": _both, "or": _either, "not": operator.not_,
    "neg": operator.neg, "pos": operator.pos, "abs": abs, "round": _round,
    "indicator": _indicator, "if": _choose,
}  # fmt: skip
_EXACT = {**_FLOATS, "/": _exact_divide, "^": _exact_power}


def binary(op: str) -> Callable[[Any, Any], Any]:
    """Return ``op`` on two atoms or lists, as the language computes it outside sequences.

    Examples
    --------
    >>> binary("/")(7, 2), binary("^")(2, 100) == 2**100
    (3.5, True)
    """
    return _FLOATS[op]


def operation(op: str, param: Hashable, *, exact: bool) -> Callable[..., Any]:
    """Return the function of atoms that an elementwise node applies.

    Parameters
    ----------
    op
        A key of :data:`ARITIES`.
    param
        The node's parameter: items of ``in``, table of ``get``, function of ``map``.
    exact
        Whether quotients of integers are fractions.

    Raises
    ------
    KeyError
        If there is no such operation.

    Examples
    --------
    >>> operation("/", None, exact=True)(1, 3)
    Fraction(1, 3)
    >>> operation("in", ("a", "b"), exact=True)("a")
    True
    """
    if op == "in":
        items: Any = param
        return _member(items)
    if op == "get":
        pair: Any = param
        return _lookup(pair[0], pair[1])
    if op == "map":
        if not isinstance(param, HostFunction):
            raise ValueError(f"map needs a HostFunction, got {param!r}")
        return param.function
    return (_EXACT if exact else _FLOATS)[op]


def _member(items: tuple[Any, ...]) -> Callable[[Any], bool]:
    ordinary = frozenset(item for item in items if item == item)
    return lambda value: value in ordinary


def _lookup(kind: str, table: Any) -> Callable[[Any], Any]:
    if kind == "dict":
        found = dict(table)

        def from_dict(key: Any) -> Any:
            if key not in found:
                raise RejectedError(f"index [ {show_literal(key)} ] not in dict.")
            return found[key]

        return from_dict
    name = "list" if kind == "list" else "string"

    def from_sequence(index: Any) -> Any:
        if not isinstance(index, int):
            kind_of_index = type(index).__name__
            raise EvaluationError(f"{name} indices must be integers, not {kind_of_index}")
        if not -len(table) <= index < len(table):
            raise RejectedError(f"index {index} out of range for {name} of length {len(table)}")
        return table[index]

    return from_sequence
