"""Exact numbers from text and from callers: integers and fractions in, a clear error otherwise.

Floats never enter a bound: 0.1 is not 1/10.  Text such as ``0.1``, ``1/10``, ``1e-3`` or
``10^400`` is read exactly, and sizes are capped before anything large is built.

Main definitions: :class:`BoundError`, :func:`parse`, :func:`exact_value`, :func:`shown`.
"""

import math
import operator
import re
from fractions import Fraction
from typing import TypeAlias

import sympy as sp

Exact: TypeAlias = int | Fraction

MAX_DIGITS = 20_000
"""Largest number of decimal digits that :func:`parse` builds."""

_DECIMAL = re.compile(r"([+-]?)(\d+)?(?:\.(\d+))?(?:[eE]([+-]?\d+))?")
_POWER = re.compile(r"(\d+)\s*(?:\^|\*\*)\s*(\d+)")


class BoundError(ValueError):
    """A bound was asked for with values that it does not accept; names the value and the fix."""


def parse(text: str) -> Exact:
    """Read an exact number.

    Parameters
    ----------
    text
        An integer, a decimal (``0.25``, ``1e-3``), a fraction (``1/4``) or a power (``10^400``);
        dimensionless.

    Returns
    -------
    int or Fraction
        The number itself; an ``int`` when it is one.

    Raises
    ------
    BoundError
        If the text is no such number, is NaN or infinite, or has more than ``MAX_DIGITS`` digits.

    Notes
    -----
    Deterministic.

    Examples
    --------
    >>> parse("0.1"), parse("3/4"), parse("1e3")
    (Fraction(1, 10), Fraction(3, 4), 1000)
    >>> parse("nan")
    Traceback (most recent call last):
    ...
    bounds.values.BoundError: 'nan' is not a number: write an integer, a decimal or a fraction
    """
    compact = text.strip().replace("_", "")
    if power := _POWER.fullmatch(compact):
        return _power(_integer(power[1], text), _integer(power[2], text), text)
    top, slash, bottom = compact.partition("/")
    number = _decimal(top, text)
    if slash:
        divisor = _decimal(bottom, text)
        if divisor == 0:
            raise BoundError(f"{_clip(text)} divides by zero: write a nonzero denominator")
        number = number / divisor
    return number.numerator if number.denominator == 1 else number


def exact_value(name: str, value: object) -> Exact:
    """Return ``value`` as an ``int`` or a ``Fraction``, or say what to write instead.

    Raises
    ------
    BoundError
        For floats (NaN included), booleans, symbols and anything else that is not exact.

    Examples
    --------
    >>> exact_value("q", sp.Rational(1, 3))
    Fraction(1, 3)
    """
    match value:
        case bool():
            raise BoundError(f"{name} = {value} is a truth value: write a number")
        case int() | Fraction():
            return value
        case sp.Rational():
            return Fraction(int(value.p), int(value.q))
        case float() if math.isnan(value) or math.isinf(value):
            raise BoundError(f"{name} = {value} is not a finite number: write a finite exact value")
        case float():
            near = Fraction(value).limit_denominator(10**6)
            raise BoundError(
                f"{name} = {value!r} is a float, which is not exact: "
                f"write an exact value such as Fraction({near.numerator}, {near.denominator})"
            )
        case str():
            raise BoundError(f"{name} = {value!r} is text: read it with bounds.values.parse first")
    try:
        return operator.index(value)  # type: ignore[arg-type]  # e.g. numpy integers
    except TypeError:
        kind = type(value).__name__
        raise BoundError(f"{name} is a {kind}: write an int or a Fraction") from None


def shown(value: Exact) -> str:
    """Return ``value`` for a message; long numbers are abbreviated.

    Examples
    --------
    >>> shown(Fraction(1, 2)), shown(10**100)
    ('1/2', 'an integer of 333 bits')
    """
    size = max(abs(value.numerator).bit_length(), value.denominator.bit_length())
    if size <= 160:
        return str(value)
    return f"{'an integer' if value.denominator == 1 else 'a fraction'} of {size} bits"


def _decimal(part: str, text: str) -> Fraction:
    match = _DECIMAL.fullmatch(part.strip())
    if match is None or (match[2] is None and match[3] is None):
        raise BoundError(
            f"{_clip(text)} is not a number: write an integer, a decimal or a fraction"
        )
    sign, whole, digits, exponent = match[1], match[2] or "", match[3] or "", match[4] or "0"
    mantissa = _integer(whole + digits, text)
    if len(exponent) > 8 or abs(int(exponent)) > MAX_DIGITS:
        raise BoundError(f"{_clip(text)} has an exponent beyond {MAX_DIGITS}: use a smaller one")
    shift = int(exponent) - len(digits)
    scale = Fraction(10) ** shift
    return (-mantissa if sign == "-" else mantissa) * scale


def _integer(digits: str, text: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise BoundError(f"{_clip(text)} has more than {MAX_DIGITS} digits: use a shorter number")
    number = 0
    for start in range(0, len(digits), 4000):  # Python refuses to read more than 4300 at once
        chunk = digits[start : start + 4000]
        number = number * 10 ** len(chunk) + int(chunk)
    return number


def _power(base: int, exponent: int, text: str) -> int:
    if base > 1 and exponent * math.log10(base) > MAX_DIGITS:
        raise BoundError(f"{_clip(text)} has more than {MAX_DIGITS} digits: use a shorter number")
    return int(base**exponent) if base > 1 else (1 if exponent == 0 else base)


def _clip(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:37] + "...")
