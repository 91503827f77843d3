"""Evaluate sympy expressions rigorously: exactly in rationals, or as an Arb ball.

An exact value is a ``Fraction``; a ball encloses the true value and only ever answers a question
when the whole ball agrees.  Overlapping balls make every comparison false, so callers test for
the conclusion they want and raise the precision otherwise.  Logarithms and powers of 1 + x go
through ``log1p``, so they keep their relative accuracy however small x is.

Main definitions: :func:`exact`, :func:`enclose`, :func:`sign`, :func:`holds`.

References
----------
F. Johansson, "Arb: efficient arbitrary-precision midpoint-radius interval arithmetic", 2017
[johansson2017].
"""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

import sympy as sp
from flint import arb, ctx, fmpq, fmpz

from claims import Relation

Exact: TypeAlias = int | Fraction
Values: TypeAlias = Mapping[sp.Symbol, Exact]

START_BITS = 64
_LARGEST_POWER_BITS = 2_000_000  # a larger power costs more than a ball ever needs

_FUNCTIONS: dict[Any, Callable[[arb], arb]] = {
    sp.exp: lambda x: x.exp(),
    sp.log: lambda x: x.log(),
    sp.sinh: lambda x: x.sinh(),
    sp.cosh: lambda x: x.cosh(),
    sp.tanh: lambda x: x.tanh(),
    sp.sin: lambda x: x.sin(),
    sp.cos: lambda x: x.cos(),
    sp.Abs: lambda x: abs(x),
}


class UnsupportedTermError(ValueError):
    """A term that has no rigorous evaluation here, such as a float."""


class UndefinedError(UnsupportedTermError):
    """A division by zero: the expression has no value at this point."""


def exact(expression: sp.Expr, values: Values) -> Fraction | None:
    """Return the exact rational value, or ``None`` when rational operations do not reach it.

    Raises
    ------
    UnsupportedTermError
        For a float, an unknown symbol, or a division by zero.

    Examples
    --------
    >>> x = sp.Symbol("x")
    >>> exact(2**x / 3, {x: 5})
    Fraction(32, 3)
    """
    match expression:
        case sp.Rational():
            return Fraction(int(expression.p), int(expression.q))
        case sp.Symbol():
            return Fraction(_value(expression, values))
        case sp.Add() | sp.Mul():
            parts = [exact(a, values) for a in expression.args]
            known = [p for p in parts if p is not None]
            if len(known) < len(parts):
                return None
            total = Fraction(0 if isinstance(expression, sp.Add) else 1)
            for part in known:
                total = total + part if isinstance(expression, sp.Add) else total * part
            return total
        case sp.Pow():
            base, power = (exact(a, values) for a in expression.args)
            if base is None or power is None:
                return None
            if base == 0 and power < 0:
                raise UndefinedError(f"{expression} divides by zero at {_show(values)}")
            return _exact_power(base, power)
        case sp.ceiling() | sp.floor():
            inner = exact(expression.args[0], values)
            if inner is None:
                return None
            down = inner.numerator // inner.denominator
            return Fraction(down if isinstance(expression, sp.floor) else -((-inner) // 1))
        case sp.Min() | sp.Max():
            parts = [exact(a, values) for a in expression.args]
            known = [p for p in parts if p is not None]
            if len(known) < len(parts):
                return None
            return min(known) if isinstance(expression, sp.Min) else max(known)
    if isinstance(expression, sp.exp) and exact(expression.args[0], values) == 0:
        return Fraction(1)
    if isinstance(expression, sp.log) and exact(expression.args[0], values) == 1:
        return Fraction(0)
    _supported(expression)
    return None


def enclose(expression: sp.Expr, values: Mapping[sp.Symbol, Any], *, bits: int) -> arb:
    """Return a ball that contains the value, computed at ``bits`` of precision.

    ``values`` may be integers, Fractions, or balls (an enclosure of a whole box then).

    Raises
    ------
    UnsupportedTermError
        For a float or an unknown symbol.

    Examples
    --------
    >>> x = sp.Symbol("x")
    >>> enclose(sp.exp(x), {x: 1}, bits=64).overlaps(arb(1).exp())
    True
    """
    with ctx.workprec(bits):
        return _ball(expression, values)


def sign(expression: sp.Expr, values: Values, *, bits: int = 8192) -> int | None:
    """Return the sign (-1, 0, 1) at a rational point, or ``None`` if ``bits`` do not settle it.

    Zero is returned only for an exact rational zero.  Precision doubles from 64 to ``bits``.

    Examples
    --------
    >>> x = sp.Symbol("x")
    >>> sign(sp.exp(x) - 1 - x, {x: Fraction(1, 10**9)})
    1
    """
    value = exact(expression, values)
    if value is not None:
        return (value > 0) - (value < 0)
    for precision in _precisions(bits):
        ball = enclose(expression, values, bits=precision)
        if ball > 0:
            return 1
        if ball < 0:
            return -1
    return None


def holds(relation: Relation, values: Values, *, bits: int = 8192) -> bool | None:
    """Return whether a relation holds at a rational point; ``None`` if ``bits`` do not settle it.

    Examples
    --------
    >>> x = sp.Symbol("x")
    >>> holds(Relation(1 + x, "<=", sp.exp(x)), {x: 2})
    True
    """
    side = sign(relation.rhs - relation.lhs, values, bits=bits)
    if side is None:
        return None
    return {
        "<=": side >= 0,
        "<": side > 0,
        ">=": side <= 0,
        ">": side < 0,
        "==": side == 0,
        "!=": side != 0,
    }[relation.rel]


def _exact_power(base: Fraction, power: Fraction) -> Fraction | None:
    if base in (0, 1) or power == 1:
        return base if power else Fraction(1)
    p, r = power.numerator, power.denominator
    if r > 1:  # rational only for a perfect r-th power
        size = max(base.numerator.bit_length(), base.denominator.bit_length())
        if base < 0 or r > size:
            return None
        root = Fraction(int(fmpz(base.numerator).root(r)), int(fmpz(base.denominator).root(r)))
        if root**r != base:
            return None
        base = root
    size = max(base.numerator.bit_length(), base.denominator.bit_length())
    if base != -1 and abs(p) * size > _LARGEST_POWER_BITS:
        return None
    return base**p


def _precisions(bits: int) -> Iterator[int]:
    precision = START_BITS
    while precision < bits:
        yield precision
        precision *= 2
    yield bits


def _ball(term: Any, values: Mapping[sp.Symbol, Any]) -> arb:
    match term:
        case sp.Rational():
            return arb(fmpq(int(term.p), int(term.q)))
        case sp.Symbol():
            value = _value(term, values)
            if isinstance(value, Fraction):
                return arb(fmpq(value.numerator, value.denominator))
            return arb(value)
        case sp.Add():
            return sum((_ball(a, values) for a in term.args), arb(0))
        case sp.Mul():
            product = arb(1)
            for a in term.args:
                product *= _ball(a, values)
            return product
        case sp.Pow():
            return _power(term, values)
        case sp.Min() | sp.Max():
            balls = [_ball(a, values) for a in term.args]
            best = balls[0]
            for b in balls[1:]:
                best = best.min(b) if isinstance(term, sp.Min) else best.max(b)
            return best
        case sp.floor():
            return _ball(term.args[0], values).floor()
        case sp.ceiling():
            return _ball(term.args[0], values).ceil()
        case sp.log():
            return _log(term.args[0], values)
    if term is sp.pi:
        return arb.pi()
    if term is sp.E:
        return arb(1).exp()
    _supported(term)
    return _FUNCTIONS[term.func](_ball(term.args[0], values))


def _power(term: sp.Pow, values: Mapping[sp.Symbol, Any]) -> arb:
    base, power = term.args
    if base is sp.E:
        return _ball(power, values).exp()
    if isinstance(power, sp.Integer):
        return _ball(base, values) ** int(power)
    if power == sp.Rational(1, 2):
        return _ball(base, values).sqrt()
    below, exponent = _ball(base, values), _ball(power, values)
    if below.is_zero() and exponent > 0:
        return arb(0)
    if isinstance(base, sp.Add) and sp.Integer(1) in base.args and below > 0:
        return (exponent * _log(base, values)).exp()  # keeps 1 - x accurate for tiny x
    return below**exponent


def _log(of: Any, values: Mapping[sp.Symbol, Any]) -> arb:
    """Logarithm through ``log1p`` of 1 + x, and of powers and products part by part."""
    match of:
        case sp.Rational() if of > 0:
            return _ball(of, values).log()
        case sp.exp():
            return _ball(of.args[0], values)
        case sp.Pow() if _ball(of.base, values) > 0:
            return _ball(of.exp, values) * _log(of.base, values)
        case sp.Mul() if all(_ball(a, values) > 0 for a in of.args):
            return sum((_log(a, values) for a in of.args), arb(0))
        case sp.Add() if sp.Integer(1) in of.args:
            return sum((_ball(a, values) for a in of.args if a != 1), arb(0)).log1p()
    return _ball(of, values).log()


def _supported(term: Any) -> None:
    if term in (sp.pi, sp.E) or getattr(term, "func", None) in _FUNCTIONS:
        return
    raise UnsupportedTermError(f"cannot evaluate {term!r} (a {type(term).__name__}) rigorously")


def _value(symbol: sp.Symbol, values: Mapping[sp.Symbol, Any]) -> Any:
    if symbol not in values:
        raise UnsupportedTermError(f"no value for {symbol}: give one of each symbol")
    value = values[symbol]
    if isinstance(value, float):
        raise UnsupportedTermError(f"{symbol}={value!r} is a float: give an exact rational")
    return value


def _show(values: Mapping[sp.Symbol, Any]) -> str:
    return ", ".join(f"{s}={v}" for s, v in values.items())
