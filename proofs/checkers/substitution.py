r"""Replace :math:`2^c` and :math:`e^x` by a fresh variable about which only checked facts are used.

A solver for real polynomial arithmetic knows no exponentials.  A substitution gives it a variable
``w`` for the power together with relations between ``w`` and the exponent.  Each relation is
established here, by induction on ``c`` or by a ladder of derivatives, before it is used.

Main definitions: :class:`Substitution`, :func:`power_of_two`, :func:`exponential`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

import sympy as sp

from bounds.ball import holds
from claims import Domain, Integers, Relation


class SubstitutionError(ValueError):
    """A fact about a power that could not be established, or a power that does not fit."""


@final
@dataclass(frozen=True, slots=True)
class Substitution:
    """``variable`` stands for ``base**exponent``, with ``facts`` about the two.

    ``base`` is 2 (integer exponents from 1 on) or :math:`e` (real exponents from 0 on).
    """

    base: sp.Expr
    exponent: sp.Expr
    variable: sp.Symbol
    facts: tuple[Relation, ...]

    def __repr__(self) -> str:
        facts = "; ".join(f.text() for f in self.facts)
        return f"{self.variable} = {self.base}**({self.exponent}) with {facts}"

    def apply(self, expression: sp.Expr) -> sp.Expr:
        """Return the expression with every integer power of ``base**exponent`` replaced.

        Raises
        ------
        SubstitutionError
            If a power of the base does not reduce to an integer power of the variable.
        """
        return expression.replace(self._matches, self._rewrite)

    def applies(self, domain: Mapping[sp.Symbol, Domain]) -> bool:
        """Tell whether the facts were established for all of ``domain``.

        Induction covers integers from 1 on, the ladder of derivatives nonnegative exponents.
        """
        exponent = sp.Poly(self.exponent, *sorted(self.exponent.free_symbols, key=str))
        ranges = [domain[s] for s in exponent.gens]
        if self.base == 2:
            return all(isinstance(d, Integers) and d.lo is not None and d.lo >= 1 for d in ranges)
        rising = all(bool(a.is_nonnegative) for a in exponent.coeffs())
        return rising and all(d.lo is not None and d.lo >= 0 for d in ranges)

    def _matches(self, term: sp.Expr) -> bool:
        if self.base is sp.E:
            return isinstance(term, sp.exp)
        return isinstance(term, sp.Pow) and _log2(term.base) > 0 and not term.exp.is_Rational

    def _rewrite(self, term: sp.Expr) -> sp.Expr:
        power = term.args[0] if isinstance(term, sp.exp) else _log2(term.base) * term.exp
        times = sp.Poly(sp.expand(power), *sorted(power.free_symbols, key=str))
        unit = sp.Poly(sp.expand(self.exponent), *times.gens)
        factor = times.coeff_monomial(unit.LM()) / unit.LC() if unit.gens else sp.nan
        rest = sp.expand(power - factor * self.exponent)
        if not (factor.is_Integer and rest.is_Integer) or (self.base is sp.E and rest != 0):
            raise SubstitutionError(
                f"{term} is no integer power of {self.base}**({self.exponent}): "
                "write it with that exponent or add a substitution"
            )
        return self.variable**factor * self.base**rest


def power_of_two(exponent: sp.Symbol, variable: sp.Symbol, *facts: Relation) -> Substitution:
    """Return a substitution for ``2**exponent``, exponent an integer from 1 on.

    Without ``facts`` the facts are ``w >= 2`` and ``w >= 2 c``.

    Raises
    ------
    SubstitutionError
        If induction does not establish a fact.

    Examples
    --------
    >>> c, w = sp.symbols("c w")
    >>> power_of_two(c, w).apply(4**c + 2 ** (c + 1))
    w**2 + 2*w
    """
    facts = facts or (
        Relation(variable, ">=", sp.Integer(2)),
        Relation(variable, ">=", 2 * exponent),
    )
    for fact in facts:
        _induct(fact, exponent, variable)
    return Substitution(sp.Integer(2), exponent, variable, facts)


def exponential(exponent: sp.Expr, variable: sp.Symbol, *facts: Relation) -> Substitution:
    """Return a substitution for ``exp(exponent)``, the exponent being nonnegative.

    Facts have the form ``u >= p(exponent)`` with a polynomial ``p``; the default is
    ``u >= 1 + exponent``.

    Raises
    ------
    SubstitutionError
        If the ladder of derivatives does not establish a fact.

    Examples
    --------
    >>> A, u = sp.symbols("A u")
    >>> exponential(2 * A, u).apply(sp.exp(4 * A) + sp.exp(-2 * A))
    u**2 + 1/u
    """
    facts = facts or (Relation(variable, ">=", 1 + exponent),)
    for fact in facts:
        _climb(fact, exponent, variable)
    return Substitution(sp.E, exponent, variable, facts)


def _induct(fact: Relation, exponent: sp.Symbol, variable: sp.Symbol) -> None:
    """Check ``fact`` at c = 1 and that it passes from (c, w) to (c + 1, 2 w)."""
    if fact.rel != ">=" or fact.lhs != variable:
        raise SubstitutionError(f"write the fact as {variable} >= ..., not {fact.text()}")
    lower = fact.rhs
    if holds(Relation(sp.Integer(2), ">=", lower), {exponent: 1}) is not True:
        raise SubstitutionError(f"{fact.text()} fails at {exponent} = 1")
    # w >= lower(c) gives 2 w >= 2 lower(c); enough: 2 lower(c) - lower(c + 1) >= 0 for c >= 1
    _nonnegative_from(
        2 * lower - lower.subs(exponent, exponent + 1), exponent, 1, f"induction for {fact.text()}"
    )


def _climb(fact: Relation, exponent: sp.Expr, variable: sp.Symbol) -> None:
    """Check exp(x) - p(x) >= 0 for x >= 0: every derivative is >= 0 at 0, the last is exp."""
    x = sp.Dummy("x")
    lower = sp.expand(fact.rhs.subs(exponent, x))
    if fact.rel != ">=" or fact.lhs != variable or lower.free_symbols - {x}:
        raise SubstitutionError(f"write the fact as {variable} >= polynomial in {exponent}")
    if not lower.is_polynomial(x):
        raise SubstitutionError(f"{lower} is not a polynomial")
    while lower != 0:
        if not (1 - lower.subs(x, 0)).is_nonnegative:
            raise SubstitutionError(f"{fact.text()}: a derivative is negative at 0")
        lower = sp.diff(lower, x)


def _nonnegative_from(expression: sp.Expr, symbol: sp.Symbol, start: int, what: str) -> None:
    """Check a polynomial for x >= start: all coefficients in (x - start) are nonnegative."""
    shifted = sp.Poly(sp.expand(expression.subs(symbol, symbol + start)), symbol)

    if not all(a.is_nonnegative for a in shifted.all_coeffs()):
        raise SubstitutionError(f"{what} does not go through")


def _log2(base: sp.Expr) -> int:
    """Return k for base 2**k with an integer k >= 1, else 0."""
    if not isinstance(base, sp.Integer) or base < 2:
        return 0
    exponent = int(base).bit_length() - 1
    return exponent if base == 2**exponent else 0
