"""Say a statement in words and formulas: what it quantifies over, and what holds there.

Main definitions: :func:`quantifiers`, :func:`heading_formula`.
"""

import sympy as sp

from claims import (
    Asymptotic,
    Domain,
    Exists,
    ForAll,
    Inequality,
    Integers,
    Limit,
    Reals,
    Statement,
)


def quantifiers(statement: Statement) -> str:
    r"""Return the domain as text with LaTeX between dollars.

    Examples
    --------
    >>> x = sp.Symbol("x")
    >>> quantifiers(Inequality(x, ">=", 0, {x: Reals(0)}))
    'for all real $x \\in [0, \\infty)$'
    """
    match statement:
        case ForAll():
            return f"for all of: {statement.scope}"
        case Exists():
            return f"for some of: {statement.scope}"
        case Inequality() | Limit() | Asymptotic():
            domain = dict(statement.domain)
            if isinstance(statement, Limit):
                domain.pop(statement.symbol, None)
            if not domain:
                return ""
            return "for all " + _variables(domain) + _hypotheses(statement)


def sentence(statement: Statement) -> str:
    """Return the sentence of a statement that is said in words, else nothing."""
    return statement.says if isinstance(statement, (ForAll, Exists)) else ""


def _hypotheses(statement: Inequality | Limit | Asymptotic) -> str:
    # an Inequality's formula contains its hypotheses already
    if not isinstance(statement, Asymptotic) or not statement.given:
        return ""
    return " with " + ", ".join(f"${g.latex()}$" for g in statement.given)


def _variables(domain: dict[sp.Symbol, Domain]) -> str:
    ordered = sorted(domain.items(), key=lambda pair: str(pair[0]))
    whole = [_membership(s, d) for s, d in ordered if isinstance(d, Integers)]
    real = [_membership(s, d) for s, d in ordered if isinstance(d, Reals)]
    groups = []
    if whole:
        groups.append("integers " + ", ".join(whole))
    if real:
        groups.append("real " + ", ".join(real))
    return " and ".join(groups)


def _membership(symbol: sp.Symbol, domain: Domain) -> str:
    name = sp.latex(symbol)
    if isinstance(domain, Integers):
        if domain.hi is None:
            return f"${name}$" if domain.lo is None else rf"${name} \ge {domain.lo}$"
        if domain.lo is None:
            return rf"${name} \le {domain.hi}$"
        return rf"${name} \in \{{{domain.lo}, \ldots, {domain.hi}\}}$"
    left = "(" if domain.open_lo or domain.lo is None else "["
    right = ")" if domain.open_hi or domain.hi is None else "]"
    lo = r"-\infty" if domain.lo is None else sp.latex(sp.Rational(domain.lo))
    hi = r"\infty" if domain.hi is None else sp.latex(sp.Rational(domain.hi))
    return rf"${name} \in {left}{lo}, {hi}{right}$"
