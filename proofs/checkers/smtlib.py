"""Write an inequality's negation as an SMT-LIB text over the reals, exactly.

Every term is translated by its own rule and anything else is refused, floats first.  Quotients
are multiplied out, and the text also asks whether a denominator can vanish, so that ``unsat``
means: defined everywhere on the domain, and true.

Main definitions: :func:`negation`, :func:`hypotheses`.

References
----------
C. Barrett, P. Fontaine, C. Tinelli, "The SMT-LIB Standard", 2.6 [smtlib].
"""

from collections.abc import Sequence
from fractions import Fraction

import sympy as sp

from bounds.ball import UnsupportedTermError
from claims import Domain, Inequality, Integers, Reals, Relation
from proofs.checkers.substitution import Substitution

_NEGATED = {"<=": ">", "<": ">=", ">=": "<", ">": "<=", "==": "!=", "!=": "=="}


def negation(
    statement: Inequality, substitutions: Sequence[Substitution] = (), *, integers: bool = False
) -> str:
    """Return SMT-LIB text that is satisfiable iff the statement can fail or be undefined.

    Parameters
    ----------
    statement
        The inequality.
    substitutions
        Powers to be replaced by variables.  Their facts become hypotheses, provided that they
        were established for the whole domain; otherwise nothing is known of the variable.
    integers
        Declare integer variables as ``Int`` (for finding counterexamples).  Otherwise they are
        reals, which only strengthens what is proved.

    Raises
    ------
    UnsupportedTermError
        For a term outside polynomial arithmetic, a float included.

    Examples
    --------
    >>> from claims import Reals
    >>> x = sp.Symbol("x")
    >>> print(negation(Inequality(x, "<=", x**2, {x: Reals(1)})))
    (set-logic QF_NRA)
    (declare-const x Real)
    (assert (>= x 1))
    (assert (or (= 1 0) (> (* 1 (+ x (* (- 1) (* x x)))) 0)))
    (check-sat)
    """
    failure = _relation(
        Relation(statement.lhs, _NEGATED[statement.rel], statement.rhs),  # type: ignore[arg-type]
        statement,
        substitutions,
        integers=integers,
        undefined=True,
    )
    lines = _preamble(statement, substitutions, integers=integers)
    return "\n".join([*lines, f"(assert {failure})", "(check-sat)"])


def hypotheses(statement: Inequality, substitutions: Sequence[Substitution] = ()) -> str:
    """Return SMT-LIB text that is satisfiable iff the hypotheses are."""
    return "\n".join([*_preamble(statement, substitutions, integers=False), "(check-sat)"])


def _preamble(
    statement: Inequality, substitutions: Sequence[Substitution], *, integers: bool
) -> list[str]:
    domain = sorted(statement.domain.items(), key=lambda p: str(p[0]))
    mixed = integers and any(isinstance(d, Integers) for _, d in domain)
    lines = [f"(set-logic {'QF_NIRA' if mixed else 'QF_NRA'})"]
    for symbol, kind in domain:
        sort = "Int" if mixed and isinstance(kind, Integers) else "Real"
        lines.append(f"(declare-const {_name(symbol)} {sort})")
    lines += [f"(declare-const {_name(s.variable)} Real)" for s in substitutions]
    for symbol, kind in domain:
        lines += [f"(assert {bound})" for bound in _bounds(symbol, kind)]
    facts = [f for s in substitutions if s.applies(statement.domain) for f in s.facts]
    for relation in (*facts, *statement.given):
        encoded = _relation(relation, statement, substitutions, integers=integers, undefined=False)
        lines.append(f"(assert {encoded})")
    return lines


def _bounds(symbol: sp.Symbol, domain: Domain) -> list[str]:
    open_lo = isinstance(domain, Reals) and domain.open_lo
    open_hi = isinstance(domain, Reals) and domain.open_hi
    bounds = []
    if domain.lo is not None:
        bounds.append(f"({'>' if open_lo else '>='} {_name(symbol)} {_number(domain.lo)})")
    if domain.hi is not None:
        bounds.append(f"({'<' if open_hi else '<='} {_name(symbol)} {_number(domain.hi)})")
    return bounds


def _relation(
    relation: Relation,
    statement: Inequality,
    substitutions: Sequence[Substitution],
    *,
    integers: bool,
    undefined: bool,
) -> str:
    """Encode ``lhs - rhs rel 0`` after multiplying out the denominator's square."""
    ints = {s for s, d in statement.domain.items() if integers and isinstance(d, Integers)}
    gap = relation.lhs - relation.rhs
    for substitution in substitutions:
        gap = substitution.apply(gap)
    over, under = sp.fraction(sp.together(gap))
    over, under = sp.expand(over), sp.expand(under)
    top, bottom = _term(over, ints), _term(under, ints)
    product = f"(* {bottom} {top})"
    body = {
        "==": f"(= {top} 0)",
        "!=": f"(distinct {top} 0)",
    }.get(relation.rel, f"({relation.rel} {product} 0)")
    if undefined:
        return f"(or (= {bottom} 0) {body})"
    return body if under == 1 else f"(and (distinct {bottom} 0) {body})"


def _term(term: sp.Expr, integers: set[sp.Symbol]) -> str:
    match term:
        case sp.Rational():
            return _number(Fraction(int(term.p), int(term.q)))
        case sp.Symbol():
            return f"(to_real {_name(term)})" if term in integers else _name(term)
        case sp.Add() | sp.Mul():
            op = "+" if isinstance(term, sp.Add) else "*"
            parts = [_term(a, integers) for a in sorted(term.args, key=sp.default_sort_key)]
            return f"({op} {' '.join(parts)})"
        case sp.Pow() if term.exp.is_Integer and 1 < int(term.exp) <= 64:
            base = _term(term.base, integers)
            return f"(* {' '.join([base] * int(term.exp))})"
    raise UnsupportedTermError(
        f"cannot encode {term!r} (a {type(term).__name__}) as a polynomial: add a substitution"
    )


def _number(value: Fraction | int) -> str:
    value = Fraction(value)
    size = abs(value)
    text = str(size.numerator)
    if size.denominator != 1:
        text = f"(/ {size.numerator} {size.denominator})"
    return f"(- {text})" if value < 0 else text


def _name(symbol: sp.Symbol) -> str:
    name = str(symbol)
    if "|" in name or "\\" in name:
        raise UnsupportedTermError(f"symbol name {name!r} cannot be written in SMT-LIB")
    return name if name.isidentifier() and name.isascii() else f"|{name}|"
