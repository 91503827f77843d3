"""Exact domains of variables; an empty one cannot be built.

A claim over an empty domain is vacuously true, so emptiness is an error at construction.
Endpoints are exact rationals; floats are refused.

Main definitions: :class:`Reals`, :class:`Integers`.
"""

import numbers
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias, final

Exact: TypeAlias = int | Fraction


class DomainError(ValueError):
    """A domain that is empty or not exact."""


@final
@dataclass(frozen=True, slots=True)
class Reals:
    """Real numbers between ``lo`` and ``hi``; ``None`` means unbounded.

    ``open_lo`` and ``open_hi`` exclude the endpoints.

    Raises
    ------
    DomainError
        If the interval is empty or an endpoint is a float.

    Examples
    --------
    >>> Fraction(1, 4) in Reals(0, Fraction(1, 2), open_lo=True, open_hi=True)
    True
    >>> Reals(1, 0)
    Traceback (most recent call last):
    ...
    claims.domains.DomainError: empty domain [1, 0]: every claim over it is vacuous
    """

    lo: Exact | None = None
    hi: Exact | None = None
    open_lo: bool = False
    open_hi: bool = False

    def __post_init__(self) -> None:
        for name in ("lo", "hi"):
            object.__setattr__(self, name, _exact(getattr(self, name)))
        if self.lo is None or self.hi is None:
            return
        if self.lo > self.hi or (self.lo == self.hi and (self.open_lo or self.open_hi)):
            raise DomainError(f"empty domain {self}: every claim over it is vacuous")

    def __contains__(self, value: object) -> bool:
        if isinstance(value, bool) or not isinstance(value, (int, Fraction)):
            return False
        above = self.lo is None or value > self.lo or (value == self.lo and not self.open_lo)
        below = self.hi is None or value < self.hi or (value == self.hi and not self.open_hi)
        return above and below

    def __str__(self) -> str:
        left = "(" if self.open_lo or self.lo is None else "["
        right = ")" if self.open_hi or self.hi is None else "]"
        return f"{left}{_end(self.lo, '-oo')}, {_end(self.hi, 'oo')}{right}"


@final
@dataclass(frozen=True, slots=True)
class Integers:
    """Integers between ``lo`` and ``hi``, both included; ``None`` means unbounded.

    Raises
    ------
    DomainError
        If there is no such integer, or an endpoint is not an integer.

    Examples
    --------
    >>> str(Integers(1))
    'integers >= 1'
    """

    lo: int | None = None
    hi: int | None = None

    def __post_init__(self) -> None:
        for end in (self.lo, self.hi):
            if end is not None and (isinstance(end, bool) or not isinstance(end, int)):
                raise DomainError(f"integer domain with endpoint {end!r}: use an int")
        if self.lo is not None and self.hi is not None and self.lo > self.hi:
            raise DomainError(f"empty domain {self}: every claim over it is vacuous")

    def __contains__(self, value: object) -> bool:
        if isinstance(value, Fraction) and value.denominator == 1:
            value = value.numerator
        if isinstance(value, bool) or not isinstance(value, int):
            return False
        return (self.lo is None or value >= self.lo) and (self.hi is None or value <= self.hi)

    def __str__(self) -> str:
        if self.hi is None:
            return "integers" if self.lo is None else f"integers >= {self.lo}"
        if self.lo is None:
            return f"integers <= {self.hi}"
        return f"integers {self.lo}..{self.hi}"


Domain: TypeAlias = Reals | Integers


def _exact(end: object) -> Exact | None:
    """Return an endpoint as an int or Fraction; sympy's rationals are exact too."""
    if end is None or (isinstance(end, (int, Fraction)) and not isinstance(end, bool)):
        return end
    if isinstance(end, numbers.Rational) and not isinstance(end, bool):
        return Fraction(int(end.numerator), int(end.denominator))
    raise DomainError(f"endpoint {end!r} is not exact: use an int or a Fraction")


def _end(end: Exact | None, unbounded: str) -> str:
    return unbounded if end is None else str(end)
