"""The forms that a statement can take.

A statement is data: it keeps left side, relation and right side apart (never a sympy relation,
which sympy may decide before a checker sees it) and names a domain for every free symbol.

Main definitions: :class:`Relation`, :class:`Inequality`, :class:`Limit`, :class:`Asymptotic`,
:class:`ForAll`, :class:`Exists`.
"""

import functools
import hashlib
import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, final

import sympy as sp

from claims.domains import Domain, Integers

Rel: TypeAlias = Literal["<=", "<", ">=", ">", "==", "!="]
RELATIONS: tuple[Rel, ...] = ("<=", "<", ">=", ">", "==", "!=")
_TEX = {"<=": r"\le", "<": "<", ">=": r"\ge", ">": ">", "==": "=", "!=": r"\ne"}


class StatementError(ValueError):
    """A statement that does not say anything definite."""


@final
@dataclass(frozen=True, slots=True)
class Relation:
    """``lhs rel rhs`` between sympy expressions, undecided.

    Examples
    --------
    >>> Relation(sp.Integer(0), "<=", sp.Symbol("x") ** 2).text()
    '0 <= x**2'
    """

    lhs: sp.Expr
    rel: Rel
    rhs: sp.Expr

    def __post_init__(self) -> None:
        if self.rel not in RELATIONS:
            raise StatementError(f"unknown relation {self.rel!r}: use one of {RELATIONS}")
        object.__setattr__(self, "lhs", _expression(self.lhs))
        object.__setattr__(self, "rhs", _expression(self.rhs))

    @property
    def symbols(self) -> frozenset[sp.Symbol]:
        """Free symbols of both sides."""
        return frozenset(self.lhs.free_symbols | self.rhs.free_symbols)

    def text(self) -> str:
        """Return the canonical plain text (used in digests)."""
        return f"{self.lhs} {self.rel} {self.rhs}"

    def latex(self) -> str:
        """Return LaTeX for the page."""
        return f"{sp.latex(self.lhs)} {_TEX[self.rel]} {sp.latex(self.rhs)}"


@final
@dataclass(frozen=True, slots=True)
class Inequality:
    """``lhs rel rhs`` for all values of the domain that satisfy every relation in ``given``.

    Raises
    ------
    StatementError
        If a symbol has no domain, or a relation is unknown.

    Examples
    --------
    >>> from claims.domains import Reals
    >>> x = sp.Symbol("x")
    >>> Inequality(x, "<=", x**2, {x: Reals(1)}).text()
    'for all x in [1, oo): x <= x**2'
    """

    lhs: sp.Expr
    rel: Rel
    rhs: sp.Expr
    domain: Mapping[sp.Symbol, Domain]
    given: tuple[Relation, ...] = ()

    def __post_init__(self) -> None:
        goal = Relation(self.lhs, self.rel, self.rhs)
        object.__setattr__(self, "lhs", goal.lhs)
        object.__setattr__(self, "rhs", goal.rhs)
        used = goal.symbols.union(*(g.symbols for g in self.given))
        missing = sorted(str(s) for s in used - set(self.domain))
        if missing:
            raise StatementError(f"no domain for {', '.join(missing)}: every symbol needs one")

    @property
    def goal(self) -> Relation:
        """The relation to be shown."""
        return Relation(self.lhs, self.rel, self.rhs)

    def text(self) -> str:
        """Return the canonical plain text (used in digests)."""
        return _quantified(self.domain, self.given) + self.goal.text()

    def latex(self) -> str:
        """Return LaTeX for the page."""
        if not self.given:
            return self.goal.latex()
        hypotheses = r",\; ".join(g.latex() for g in self.given)
        return rf"{hypotheses} \;\Longrightarrow\; {self.goal.latex()}"


@final
@dataclass(frozen=True, slots=True)
class Limit:
    """``expression`` tends to ``value`` as ``symbol`` tends to infinity, for all of the domain."""

    expression: sp.Expr
    symbol: sp.Symbol
    value: sp.Expr
    domain: Mapping[sp.Symbol, Domain]

    def text(self) -> str:
        """Return the canonical plain text (used in digests)."""
        head = _quantified(self.domain, ())
        return f"{head}{self.expression} -> {self.value} as {self.symbol} -> oo"

    def latex(self) -> str:
        """Return LaTeX for the page."""
        arrow = rf"\lim_{{{sp.latex(self.symbol)} \to \infty}}"
        return f"{arrow} {sp.latex(self.expression)} = {sp.latex(self.value)}"


@final
@dataclass(frozen=True, slots=True)
class Asymptotic:
    """``lhs rel rhs`` for every integer ``symbol >= threshold``, the threshold being explicit.

    ``threshold`` may contain the other symbols; their values range over ``domain``.
    """

    goal: Relation
    symbol: sp.Symbol
    threshold: sp.Expr
    domain: Mapping[sp.Symbol, Domain]
    given: tuple[Relation, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "threshold", _expression(self.threshold))
        if not isinstance(self.domain.get(self.symbol), Integers):
            raise StatementError(f"{self.symbol} must range over Integers")

    def text(self) -> str:
        """Return the canonical plain text (used in digests)."""
        eventually = f"for all {self.symbol} >= {self.threshold}: "
        return _quantified(self.domain, self.given) + eventually + self.goal.text()

    def latex(self) -> str:
        """Return LaTeX for the page."""
        bound = rf"{sp.latex(self.symbol)} \ge {sp.latex(self.threshold)}"
        return rf"{bound} \;\Longrightarrow\; {self.goal.latex()}"


@final
@dataclass(frozen=True, slots=True)
class ForAll:
    """A property of every member of a finite, named family.

    ``says`` is the sentence, ``scope`` names the family in words, ``cases`` enumerates it (each
    call anew, in a fixed order), ``holds`` decides one case.
    """

    says: str
    scope: str
    cases: Callable[[], Iterable[Any]] = field(repr=False)
    holds: Callable[[Any], bool] = field(repr=False)
    tex: str = ""

    def text(self) -> str:
        """Return the canonical plain text (used in digests); it covers the code of the check."""
        code = _code_digest(self.cases, self.holds)
        return f"for all of [{self.scope}]: {self.says} [code {code}]"

    def latex(self) -> str:
        """Return LaTeX for the page, empty when the sentence says it all."""
        return self.tex


@final
@dataclass(frozen=True, slots=True)
class Exists:
    """Some member of a finite, named family has a property.

    ``cases`` enumerates the family in a fixed order; ``holds`` decides one case.
    """

    says: str
    scope: str
    cases: Callable[[], Iterable[Any]] = field(repr=False)
    holds: Callable[[Any], bool] = field(repr=False)
    tex: str = ""

    def text(self) -> str:
        """Return the canonical plain text (used in digests); it covers the code of the check."""
        code = _code_digest(self.cases, self.holds)
        return f"exists in [{self.scope}]: {self.says} [code {code}]"

    def latex(self) -> str:
        """Return LaTeX for the page, empty when the sentence says it all."""
        return self.tex


Statement: TypeAlias = Inequality | Limit | Asymptotic | ForAll | Exists


def _expression(value: Any) -> sp.Expr:
    """Return ``value`` as an exact sympy expression, or say why it is none."""
    if isinstance(value, float):
        raise StatementError(f"{value!r} is a float: write an exact rational")
    expression = sp.sympify(value)
    if expression.atoms(sp.Float):
        raise StatementError(f"{expression} contains a float: write exact rationals")
    if expression.has(sp.zoo, sp.nan, sp.oo, -sp.oo):
        raise StatementError(f"{expression} is not finite: the statement divides by zero")
    if not isinstance(expression, sp.Expr):
        raise StatementError(f"{expression} is not an expression (sympy decided it already?)")
    return expression


def _quantified(domain: Mapping[sp.Symbol, Domain], given: tuple[Relation, ...]) -> str:
    if not domain:
        return ""
    variables = ", ".join(f"{s} in {d}" for s, d in sorted(domain.items(), key=lambda p: str(p[0])))
    suppose = " with " + " and ".join(g.text() for g in given) if given else ""
    return f"for all {variables}{suppose}: "


def _code_digest(*functions: Callable[..., Any]) -> str:
    sources = "\n".join(_code(f) for f in functions)
    return hashlib.sha256(sources.encode()).hexdigest()[:12]


def _code(function: Callable[..., Any]) -> str:
    if isinstance(function, functools.partial):
        return f"{_code(function.func)}{function.args}{sorted(function.keywords.items())}"
    return inspect.getsource(function)
