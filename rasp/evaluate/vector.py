"""Elementwise operations on columns: exact integer arithmetic where it fits, Python elsewhere.

The fast paths cover arithmetic, comparisons and Boolean operations of exact columns and of
doubles.  Everything else is computed once per distinct combination of operands by the scalar
function of :mod:`rasp.operations`, which is the definition.

Main definitions: :func:`apply`.
"""

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rasp.evaluate.columns import (
    DOUBLE,
    FLOAT,
    FRACTION,
    INT,
    SAFE,
    Column,
    Ints,
    booleans,
    column_of,
    distinct,
    integers,
)
from rasp.operations import operation

_COMPARISONS = {
    "==": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}


def apply(op: str, param: Hashable, args: Sequence[Column], *, exact: bool) -> Column:
    """Return the column of ``op`` on columns of equal size.

    Raises
    ------
    ArithmeticError, TypeError, RaspError
        What the scalar operation raises on some position.
    """
    fast = _fast(op, args, exact)
    return fast if fast is not None else _by_distinct(op, param, args, exact)


def _by_distinct(op: str, param: Hashable, args: Sequence[Column], exact: bool) -> Column:
    function = operation(op, param, exact=exact)
    factored = [column.factor() for column in args]
    codes, first = distinct([part for part, _ in factored])
    pools = [[values[code] for code in part[first].tolist()] for part, values in factored]
    results = list(map(function, *pools))
    return column_of(results).take(codes)


def _fast(op: str, args: Sequence[Column], exact: bool) -> Column | None:
    first = args[0]
    if op in ("and", "or"):
        left, right = first.truth(), args[1].truth()
        return booleans(left & right if op == "and" else left | right)
    if op == "not":
        return booleans(~first.truth())
    if op == "indicator":
        return integers(first.truth().astype(np.int64), 1)
    if op == "if":
        return _choose(first.truth(), args[1], args[2])
    kinds = {column.kind for column in args}
    if kinds == {"exact"}:
        return _exact(op, args, exact)
    if kinds <= {"exact", "float"}:
        return _floats(op, args)
    if kinds == {"text"} and op in ("==", "!="):
        return _texts(op, first, args[1])
    if kinds == {"exact", "text"} and op in ("==", "!="):
        return booleans(np.full(first.size, op == "!="))
    return None


def _choose(condition: npt.NDArray[np.bool_], then: Column, other: Column) -> Column | None:
    if then.kind != other.kind or then.kind == "object":
        if condition.all():
            return then
        return None if condition.any() else other
    if then.kind == "text":
        table, codes = _merged(then, other)
        return Column("text", np.where(condition, codes[0], codes[1]), table=table)
    den: Ints | None = None
    if then.den is not None or other.den is not None:
        den = np.where(condition, _den(then), _den(other))
    tag: Any = then.tag
    if not (isinstance(tag, int) and isinstance(other.tag, int) and tag == other.tag):
        tag = np.where(condition, then.tags(), other.tags())
    num = np.where(condition, then.num, other.num)
    return Column(then.kind, num, den, tag, (), max(then.bound, other.bound))


def choose(condition: npt.NDArray[np.bool_], then: Column, other: Column) -> Column:
    """Return ``then`` where ``condition`` holds and ``other`` elsewhere, of whatever kinds."""
    fast = _choose(condition, then, other)
    return (
        fast
        if fast is not None
        else _by_distinct("if", None, (booleans(condition), then, other), True)
    )


def _merged(left: Column, right: Column) -> tuple[tuple[str, ...], tuple[Ints, Ints]]:
    if left.table == right.table:
        return left.table, (left.num, right.num)
    places = {text: code for code, text in enumerate(left.table)}
    moved = np.fromiter(
        (places.setdefault(text, len(places)) for text in right.table), np.int64, len(right.table)
    )
    return tuple(places), (left.num, moved[right.num])


def _texts(op: str, left: Column, right: Column) -> Column:
    _, (one, other) = _merged(left, right)
    return booleans(_COMPARISONS[op](one, other))


def _den(column: Column) -> Ints:
    return np.ones(column.size, np.int64) if column.den is None else column.den


def _tag(args: Sequence[Column]) -> Any:
    if all(isinstance(column.tag, int) for column in args):
        return max(INT, *(column.tag for column in args))
    tags = np.full(args[0].size, INT, np.uint8)
    for column in args:
        tags = np.maximum(tags, column.tags())
    return tags


def _exact(op: str, args: Sequence[Column], exact: bool) -> Column | None:
    left = args[0]
    if op in ("neg", "pos", "abs"):
        num = left.num if op == "pos" else -left.num if op == "neg" else np.abs(left.num)
        return Column("exact", num, left.den, _tag(args), (), left.bound)
    if op == "round":
        return integers(left.num if left.den is None else _half_even(left.num, left.den))
    if op not in ("+", "-", "*", "/", "%") and op not in _COMPARISONS:
        return None
    right = args[1]
    if left.den is None and right.den is None:
        return _whole(op, left, right, exact)
    if not exact and op in ("/", "%"):
        return None
    return _rational(op, left, right)


def _whole(op: str, left: Column, right: Column, exact: bool) -> Column | None:
    a: Ints = left.num
    b: Ints = right.num
    if op in _COMPARISONS:
        return booleans(_COMPARISONS[op](a, b))
    if op in ("+", "-"):
        bound = left.bound + right.bound
        if bound >= SAFE:
            return None
        return Column("exact", a + b if op == "+" else a - b, None, _tag((left, right)), (), bound)
    if op == "*":
        bound = left.bound * right.bound
        if bound >= SAFE:
            return None
        return Column("exact", a * b, None, _tag((left, right)), (), bound)
    if not b.all():
        return None  # the scalar operation says which error this is
    if op == "%":
        return Column("exact", np.mod(a, b), None, _tag((left, right)), (), right.bound)
    if exact:
        return _reduced(a, b, FRACTION)
    if max(left.bound, right.bound) >= DOUBLE:
        return None
    return Column("float", a / b, None, FLOAT)


def _rational(op: str, left: Column, right: Column) -> Column | None:
    a: Ints = left.num
    c: Ints = right.num
    b, d = _den(left), _den(right)
    if left.bound * right.bound * 2 >= SAFE:
        return None
    if op in _COMPARISONS:
        if op in ("==", "!="):
            same = (a == c) & (b == d)
            return booleans(same if op == "==" else ~same)
        return booleans(_COMPARISONS[op](a * d, c * b))
    tag = _tag((left, right))
    if op == "+":
        return _reduced(a * d + c * b, b * d, tag)
    if op == "-":
        return _reduced(a * d - c * b, b * d, tag)
    if op == "*":
        return _reduced(a * c, b * d, tag)
    if not c.all():
        return None
    if op == "/":
        return _reduced(a * d, b * c, FRACTION)
    return _reduced(np.mod(a * d, c * b), b * d, tag)


def _reduced(num: Ints, den: Ints, tag: Any) -> Column:
    divisor = np.gcd(num, den)
    divisor = np.where(den < 0, -divisor, divisor)
    num, den = num // divisor, den // divisor
    bound = max(int(np.abs(num).max()), int(den.max())) if len(num) else 0
    whole = bool((den == 1).all())  # the tag alone says that these are fractions
    return Column("exact", num, None if whole else den, tag, (), bound)


def _half_even(num: Ints, den: Ints) -> Ints:
    whole = num // den
    twice = 2 * (num - whole * den)
    up = (twice > den) | ((twice == den) & (whole % 2 == 1))
    rounded: Ints = whole + up
    return rounded


def _floats(op: str, args: Sequence[Column]) -> Column | None:
    for column in args:
        if column.kind == "exact" and (column.den is not None or column.bound >= DOUBLE):
            return None
        if column.kind == "float" and not isinstance(column.tag, int):
            return None
    left = args[0].num.astype(np.float64)
    if op in ("neg", "pos", "abs"):
        value = left if op == "pos" else -left if op == "neg" else np.abs(left)
        return Column("float", value, None, FLOAT)
    if len(args) != 2:
        return None
    right = args[1].num.astype(np.float64)
    if op in _COMPARISONS:
        return booleans(_COMPARISONS[op](left, right))
    with np.errstate(all="ignore"):  # as in Python, sums and products overflow to infinity
        if op == "+":
            return Column("float", left + right, None, FLOAT)
        if op == "-":
            return Column("float", left - right, None, FLOAT)
        if op == "*":
            return Column("float", left * right, None, FLOAT)
        if op == "/" and right.all():
            return Column("float", left / right, None, FLOAT)
    return None
