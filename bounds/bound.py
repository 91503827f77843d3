r"""A bound: one expression with its symbols, direction and source, evaluated three ways.

The expression is data (sympy); :meth:`Bound.exact` evaluates it in rationals,
:meth:`Bound.ball` encloses it, and :meth:`Bound.at` takes the first where it can.  All three
refuse floats and values outside the domain.  A :class:`Condition` is a pair of expressions with a
relation between them, such as a hypothesis of the local lemma.

Main definitions: :class:`Bound`, :class:`Condition`, :class:`BoundError`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias, final

import sympy as sp
from flint import arb

from bounds import ball
from bounds.rounding import MAX_BITS, PrecisionError
from bounds.values import BoundError as BoundError
from bounds.values import Exact, exact_value, shown
from claims.domains import Domain
from claims.source import Source
from claims.statements import Relation

Direction: TypeAlias = Literal["upper", "lower", "value"]
Values: TypeAlias = Mapping[sp.Symbol, Exact]

DEFAULT_BITS = 96
"""Working precision of a ball when none is asked for."""


class IrrationalError(BoundError):
    """The value is not rational, or too large to be written out; ask for a ball."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    r"""An upper bound, a lower bound or a value, as an expression over exact domains.

    Attributes
    ----------
    name
        Dotted, unique, e.g. ``"stage3.e9"``.
    title
        What is bounded, in a few words.
    symbols
        A domain for every free symbol.
    expression
        The bound itself; no floats.
    direction
        ``"upper"``, ``"lower"``, or ``"value"`` for an exact quantity.
    source
        Where it stands.
    text
        One sentence: what is bounded, under which assumption.
    given
        Relations between the symbols that must hold, e.g. ``(1 + delta) q < 1``.

    Examples
    --------
    >>> from claims import OWN, Integers
    >>> m = sp.Symbol("m")
    >>> b = Bound(name="square", title="a square", symbols={m: Integers(1)}, expression=m**2,
    ...           direction="value", source=OWN.at("example"), text="The square of m.")
    >>> b.at(m=3)
    Fraction(9, 1)
    >>> b.at(m=0)
    Traceback (most recent call last):
    ...
    bounds.values.BoundError: m = 0 is outside integers >= 1: choose a value inside
    """

    name: str
    title: str
    symbols: Mapping[sp.Symbol, Domain]
    expression: sp.Expr
    direction: Direction
    source: Source
    text: str
    given: tuple[Relation, ...] = ()

    def __post_init__(self) -> None:
        _check(self.name, self.symbols, self.given, self.expression)

    def bind(self, **values: object) -> dict[sp.Symbol, Exact]:
        """Return the values by symbol, checked against domains and ``given``.

        Raises
        ------
        BoundError
            If a value is missing, superfluous, not exact, outside its domain, or breaks a
            relation; the message names value and fix.
        """
        return bind(self.symbols, self.given, values)

    def exact(self, **values: object) -> Fraction:
        """Evaluate in rationals.

        Raises
        ------
        IrrationalError
            If the value is irrational or too large to write out.
        BoundError
            As :meth:`bind`.
        """
        value = ball.exact(self.expression, self.bind(**values))
        if value is None:
            raise IrrationalError(f"{self.name} is irrational or too large there: ask for a ball")
        return value

    def ball(self, *, bits: int = DEFAULT_BITS, **values: object) -> arb:
        """Enclose the value in a ball computed at ``bits`` bits; raises as :meth:`bind`."""
        return ball.enclose(self.expression, self.bind(**values), bits=bits)

    def at(self, *, bits: int = DEFAULT_BITS, **values: object) -> Fraction | arb:
        """Return the exact rational value if there is one of bearable size, else a ball.

        The ball is computed at ``bits`` bits, or more where a value is a larger integer.
        """
        bound = self.bind(**values)
        bits = max(bits, 64 + max((v.numerator.bit_length() for v in bound.values()), default=0))
        value = ball.exact(self.expression, bound)
        return ball.enclose(self.expression, bound, bits=bits) if value is None else value


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """A relation between two expressions, decided exactly or by certified signs.

    Attributes are those of :class:`Bound`, with ``relation`` for the expression and direction.
    """

    name: str
    title: str
    symbols: Mapping[sp.Symbol, Domain]
    relation: Relation
    source: Source
    text: str
    given: tuple[Relation, ...] = ()

    def __post_init__(self) -> None:
        _check(self.name, self.symbols, (*self.given, self.relation), self.relation.lhs)

    def bind(self, **values: object) -> dict[sp.Symbol, Exact]:
        """Return the values by symbol; see :meth:`Bound.bind`."""
        return bind(self.symbols, self.given, values)

    def holds(self, **values: object) -> bool:
        """Decide the relation at a point.

        Raises
        ------
        PrecisionError
            If both sides agree to the largest precision and equality is not shown.
        BoundError
            As :meth:`bind`.
        """
        return holds(self.relation, self.bind(**values))


def holds(relation: Relation, values: Values) -> bool:
    """Decide ``relation`` at exact values: in rationals if possible, else by a certified sign.

    Raises
    ------
    PrecisionError
        If the two sides cannot be told apart.

    Examples
    --------
    >>> x = sp.Symbol("x")
    >>> holds(Relation(sp.exp(x), ">", 1 + x), {x: Fraction(1, 1000)})
    True
    """
    answer = ball.holds(relation, values, bits=MAX_BITS)
    if answer is None:
        raise PrecisionError(f"{relation.text()}: both sides agree to {MAX_BITS} bits")
    return answer


def bind(
    symbols: Mapping[sp.Symbol, Domain],
    given: tuple[Relation, ...],
    values: Mapping[str, object],
) -> dict[sp.Symbol, Exact]:
    """Check named values against domains and relations; see :meth:`Bound.bind`."""
    known = {str(s): s for s in symbols}
    if superfluous := sorted(set(values) - set(known)):
        raise BoundError(f"unknown {', '.join(superfluous)}: give {', '.join(sorted(known))}")
    if missing := sorted(set(known) - set(values)):
        raise BoundError(f"no value for {', '.join(missing)}: give {', '.join(sorted(known))}")
    bound: dict[sp.Symbol, Exact] = {}
    for name, symbol in known.items():
        value = exact_value(name, values[name])
        if value not in symbols[symbol]:
            raise BoundError(
                f"{name} = {shown(value)} is outside {symbols[symbol]}: choose a value inside"
            )
        bound[symbol] = value
    for relation in given:
        if not holds(relation, bound):
            at = ", ".join(f"{s} = {shown(bound[s])}" for s in sorted(relation.symbols, key=str))
            raise BoundError(f"{relation.text()} fails at {at}: choose values that satisfy it")
    return bound


def _check(
    name: str,
    symbols: Mapping[sp.Symbol, Domain],
    relations: tuple[Relation, ...],
    expression: sp.Expr,
) -> None:
    if expression.atoms(sp.Float):
        raise BoundError(f"{name}: {expression} contains a float: write exact rationals")
    used = expression.free_symbols.union(*(r.symbols for r in relations))
    if missing := sorted(str(s) for s in used - set(symbols)):
        raise BoundError(f"{name}: no domain for {', '.join(missing)}: every symbol needs one")
