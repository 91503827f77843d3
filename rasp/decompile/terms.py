"""Coordinates as RASP expressions: a text, and a table where few values are possible.

A *base* is an s-op with known values: the tokens, the positions, a selector's width, or tokens
that a head fetched.  A *term* is a coordinate of the residual rows.  If it depends on few values
of few bases, it is known as a table, computed from the weights, and its text is made from the
table; else its text repeats the arithmetic of the weights.

Main definitions: :class:`Base`, :class:`Term`, :func:`linear`, :func:`tabulated`.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any, final

from rasp.decompile.wording import combination, worded

LARGEST = 4000
"""Tables have at most this many entries."""


@final
@dataclass(frozen=True)
class Base:
    """An s-op by its text, and the values it can have (``None``: not a short list)."""

    text: str
    domain: tuple[Any, ...] | None = field(compare=False)


@final
@dataclass(frozen=True, eq=False)
class Term:
    """A coordinate: its text, the bases it depends on, and its value for each of their values."""

    text: str
    bases: tuple[Base, ...] = ()
    table: Mapping[tuple[Any, ...], Fraction] | None = None

    @classmethod
    def constant(cls, value: Fraction) -> "Term":
        """Return the term that is the same everywhere."""
        return cls(combination([], value), (), {(): value})

    @property
    def value(self) -> Fraction | None:
        """The value of a constant term."""
        return self.table[()] if self.table is not None and not self.bases else None


def joint(terms: Sequence[Term]) -> tuple[Base, ...] | None:
    """Return the bases of all terms, or nothing if a table over them is not possible."""
    if any(term.table is None for term in terms):
        return None
    bases = tuple(dict.fromkeys(base for term in terms for base in term.bases))
    sizes = [len(base.domain or ()) for base in bases]
    return bases if math.prod(sizes) <= LARGEST else None


def tabulated(
    bases: tuple[Base, ...],
    terms: Sequence[Term],
    function: Callable[[list[Fraction]], Fraction],
    text: Callable[[], str],
) -> Term:
    """Return a function of terms as a table over bases; bases without influence are dropped."""
    places = [[bases.index(base) for base in term.bases] for term in terms]
    tables = [term.table or {} for term in terms]
    table = {}
    for values in product(*(base.domain or () for base in bases)):
        entries = [
            t[tuple(values[p] for p in place)] for t, place in zip(tables, places, strict=True)
        ]
        table[values] = function(entries)
    return simplified(bases, table, text)


def simplified(
    bases: tuple[Base, ...],
    table: Mapping[tuple[Any, ...], Fraction],
    text: Callable[[], str],
) -> Term:
    """Return a table as a term; its text is made from the table if that is possible."""
    for place, _ in enumerate(bases):
        rest: dict[tuple[Any, ...], Fraction] = {}
        for values, value in table.items():
            if rest.setdefault(values[:place] + values[place + 1 :], value) != value:
                break
        else:
            return simplified(bases[:place] + bases[place + 1 :], rest, text)
    found = worded([(base.text, base.domain or ()) for base in bases], table)
    return Term(text() if found is None else found, bases, table)


def linear(parts: Sequence[tuple[Fraction, Term]], constant: Fraction = Fraction(0)) -> Term:
    """Return a linear combination of terms."""
    shift = constant + sum(
        (factor * term.value for factor, term in parts if term.value is not None), Fraction(0)
    )
    moving = [(factor, term) for factor, term in parts if factor and term.value is None]
    if not moving:
        return Term.constant(shift)
    if len(moving) == 1 and moving[0][0] == 1 and not shift:
        return moving[0][1]

    def text() -> str:
        return combination([(factor, term.text) for factor, term in moving], shift)

    terms = [term for _, term in moving]
    bases = joint(terms)
    if bases is None:
        return Term(text(), tuple(dict.fromkeys(b for t in terms for b in t.bases)))
    factors = [factor for factor, _ in moving]
    return tabulated(
        bases,
        terms,
        lambda entries: sum((f * e for f, e in zip(factors, entries, strict=True)), start=shift),
        text,
    )


def rectified(term: Term) -> Term:
    """Return the positive part of a term."""
    if term.table is None:
        return Term(f"relu({term.text})", term.bases)
    return tabulated(
        term.bases,
        [term],
        lambda entries: max(entries[0], Fraction(0)),
        lambda: f"relu({term.text})",
    )
