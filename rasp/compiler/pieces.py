"""Functions of one linear form of numbers: affine, or in pieces.

Where the categorical operands of an expression are fixed, what remains is a function of numbers
that heads deliver.  A feed-forward layer can compute it if it is a function of *one* linear form
of them; an :class:`Affine` or a :class:`Pieces` value is that form with the function.

Main definitions: :class:`Affine`, :class:`Pieces`, :func:`apply`, :class:`Rank`.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias, final

from rasp.compiler.domains import Exact, exact, is_number
from rasp.compiler.findings import NotHere
from rasp.operations import operation

Form: TypeAlias = tuple[tuple[int, Exact], ...]
"""Digest of a number and its coefficient, the first coefficient 1."""


@final
class Rank:
    """Where a number stands among some points: ``2 j + 1`` at the ``j``-th, ``2 j`` below it."""

    def __init__(self, points: Sequence[Fraction]) -> None:
        self.points = sorted(set(points))

    def __call__(self, value: Any) -> int:
        """Return the rank of ``value``."""
        return bisect_left(self.points, value) + bisect_right(self.points, value)


COMPARE = ("==", "!=", "<", "<=", ">", ">=")


@final
@dataclass(frozen=True)
class Affine:
    """``slope * z + shift`` for the linear form ``z``; ``slope`` is not 0."""

    form: Form
    slope: Exact
    shift: Exact

    def at(self, z: Exact) -> Exact:
        """Return the value where the form is ``z``."""
        value = z if self.slope == 1 else self.slope * z
        return value + self.shift if self.shift else value


@final
@dataclass(frozen=True, eq=False)
class Pieces:
    """``function(z)``, constant between neighbouring ``cuts``; ``cuts=None``: known pointwise."""

    form: Form
    function: Callable[[Exact], Any]
    cuts: frozenset[Exact] | None

    def at(self, z: Exact) -> Any:
        """Return the value where the form is ``z``."""
        return self.function(z)


Value: TypeAlias = Any
"""An atom, an :class:`Affine` or a :class:`Pieces`."""


def number(digest: int) -> Affine:
    """Return the number that some head delivers, as a function of itself."""
    return Affine(((digest, 1),), 1, 0)


def apply(op: str, param: Hashable, args: Sequence[Value]) -> Value:
    """Return an elementwise operation of values.

    Raises
    ------
    NotHere
        If the result is no function of one linear form, or not of this shape.
    ArithmeticError, TypeError, RaspError
        If it fails on atoms.
    """
    function = operation(op, param, exact=True)
    open_ones = [arg for arg in args if isinstance(arg, (Affine, Pieces))]
    if not open_ones:
        return function(*args)
    if op == "if" and not isinstance(args[0], (Affine, Pieces)):
        return args[1] if args[0] else args[2]
    linear = _linear(op, args)
    if linear is not None:
        return linear
    if op == "map" and isinstance(args[0], Affine) and isinstance(function, Rank):
        return _ranked(function, args[0])
    if op in COMPARE and len(args) == 2 and any(isinstance(arg, Affine) for arg in args):
        compared = _compare(op, function, args)
        if compared is not None:
            return compared
    forms = {arg.form for arg in open_ones}
    if len(forms) > 1:
        raise NotHere("it needs several counts or means, not just one linear form of them")
    form = next(iter(forms))
    cuts: frozenset[Exact] | None = frozenset()
    for arg in open_ones:
        if isinstance(arg, Affine) or arg.cuts is None or cuts is None:
            cuts = None
        else:
            cuts |= arg.cuts
    members = tuple(args)

    def composed(z: Exact) -> Any:
        return function(
            *(arg.at(z) if isinstance(arg, (Affine, Pieces)) else arg for arg in members)
        )

    return Pieces(form, composed, cuts)


def _ranked(rank: Rank, affine: Affine) -> Pieces:
    cuts = frozenset(exact((point - affine.shift) / affine.slope) for point in rank.points)
    return Pieces(affine.form, lambda z: rank(affine.at(z)), cuts)


def _linear(op: str, args: Sequence[Value]) -> Value | None:
    if op in ("neg", "pos"):
        (arg,) = args
        return _scaled(arg, -1 if op == "neg" else 1)
    if op in ("+", "-"):
        left, right = args
        sign = 1 if op == "+" else -1
        if isinstance(left, Affine) and isinstance(right, Affine):
            return _sum(left, right, sign)
        if isinstance(left, Affine) and is_number(right):
            return Affine(left.form, left.slope, left.shift + sign * exact(right))
        if isinstance(right, Affine) and is_number(left):
            return Affine(right.form, sign * right.slope, sign * right.shift + exact(left))
    if op == "*":
        for arg, factor in (tuple(args), tuple(reversed(args))):
            if isinstance(arg, Affine) and is_number(factor):
                return _scaled(arg, exact(factor))
    if op == "/" and isinstance(args[0], Affine) and is_number(args[1]) and args[1]:
        return _scaled(args[0], exact(1 / Fraction(args[1])))
    return None


def _scaled(arg: Value, factor: Exact) -> Value | None:
    if not isinstance(arg, Affine):
        return None
    if not factor:
        return 0
    return Affine(arg.form, arg.slope * factor, arg.shift * factor)


def _sum(left: Affine, right: Affine, sign: int) -> Value:
    total: dict[int, Exact] = {digest: left.slope * c for digest, c in left.form}
    for digest, c in right.form:
        total[digest] = total.get(digest, 0) + sign * right.slope * c
    kept = [(digest, c) for digest, c in sorted(total.items()) if c]
    shift = left.shift + sign * right.shift
    if not kept:
        return shift
    first = kept[0][1]
    if first != 1:
        kept = [(digest, _over(c, first)) for digest, c in kept]
    return Affine(tuple(kept), first, shift)


def _over(a: Exact, b: Exact) -> Exact:
    """Return a quotient; of integers quickly if it is one."""
    if type(a) is int and type(b) is int and not a % b:
        return a // b
    return exact(Fraction(a) / b)


def _compare(op: str, function: Callable[..., Any], args: Sequence[Value]) -> Value | None:
    """Compare an affine number with an atom or with another affine number."""
    left, right = args
    if isinstance(left, Pieces) or isinstance(right, Pieces):
        return None
    if isinstance(left, Affine) and isinstance(right, Affine):
        difference = _sum(left, right, -1)
        if not isinstance(difference, Affine):
            return function(difference, 0)
        return _compare(op, function, (difference, 0))
    affine = left if isinstance(left, Affine) else right
    atom = right if isinstance(left, Affine) else left
    if not is_number(atom):
        return function(left, right) if op in ("==", "!=") else function(0, atom)
    cut = _over(exact(atom) - affine.shift, affine.slope)

    def holds(z: Exact) -> Any:
        value = affine.at(z)
        return function(value, atom) if affine is left else function(atom, value)

    return Pieces(affine.form, holds, frozenset({cut}))
