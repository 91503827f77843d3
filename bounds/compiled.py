"""Compile an expression into nested closures, for evaluating it at thousands of points.

The closures compute exactly what :func:`bounds.ball.exact` computes, about ten times faster; where
that needs an irrational function they return ``None``.  They only screen points: whatever a point
is found to show is replayed by :mod:`bounds.ball`.

Main definitions: :func:`compiled`.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

import sympy as sp

Evaluator: TypeAlias = Callable[[Mapping[sp.Symbol, Any]], Fraction | None]

_LARGEST_EXPONENT = 20_000


def compiled(expression: sp.Expr) -> Evaluator:
    """Return a function from points (symbol to exact value) to the value, or ``None``.

    ``None`` stands for irrational, undefined (a division by zero) and too large alike.

    Examples
    --------
    >>> x = sp.Symbol("x")
    >>> compiled(1 / (x - 1) + 2**x)({x: Fraction(3)})
    Fraction(17, 2)
    """
    if isinstance(expression, sp.Rational):
        value = Fraction(int(expression.p), int(expression.q))
        return lambda at: value
    if isinstance(expression, sp.Symbol):
        return lambda at: Fraction(at[expression])
    parts = [compiled(a) for a in expression.args]
    if isinstance(expression, sp.Add):
        return lambda at: _sum(parts, at)
    if isinstance(expression, sp.Mul):
        return lambda at: _product(parts, at)
    if isinstance(expression, sp.Pow):
        base, power = parts
        return lambda at: _power(base(at), power(at))
    return lambda at: None


def _sum(parts: list[Evaluator], at: Mapping[sp.Symbol, Any]) -> Fraction | None:
    total = Fraction(0)
    for part in parts:
        value = part(at)
        if value is None:
            return None
        total += value
    return total


def _product(parts: list[Evaluator], at: Mapping[sp.Symbol, Any]) -> Fraction | None:
    total = Fraction(1)
    for part in parts:
        value = part(at)
        if value is None:
            return None
        total *= value
    return total


def _power(base: Fraction | None, power: Fraction | None) -> Fraction | None:
    if base is None or power is None or power.denominator != 1:
        return None
    if abs(power) > _LARGEST_EXPONENT or (base == 0 and power < 0):
        return None
    return base**power.numerator
