r"""The symbols of the depth reduction, with their domains.

One symbol stands for one quantity everywhere, so expressions from different files combine.

Main definitions: the symbols, :data:`DOMAINS`, :func:`domains`.

References
----------
Hahn (2020), Section 5 [hahn2020].
"""

from fractions import Fraction

import sympy as sp

from claims.domains import Domain, Integers, Reals
from claims.statements import Relation


def _integer(name: str) -> sp.Symbol:
    return sp.Symbol(name, integer=True, positive=True)


def _real(name: str) -> sp.Symbol:
    return sp.Symbol(name, positive=True)


c = _integer("c")
"""Inputs that one activation of the reduced layer may depend on."""
k = _integer("k")
"""Activations selected per head and value of its own activation."""
H = _integer("H")
"""Heads per layer."""
n = _integer("n")
"""Positions, hence inputs."""
L = _integer("L")
"""Layers."""
U = sp.Symbol("U", integer=True, nonnegative=True)
"""Repetitions of the fixing loop of Stage 2."""
C = _real("C")
"""Share of inputs that are free before the step."""
Cp = _real("Cprime")
r"""C': share of inputs that are to stay free, below C."""
eta = _real("eta")
"""Share of the free inputs given up by each of Stage 1 and Stage 2."""
q = _real("q")
"""Probability with which Stage 3 fixes a free input."""
delta = _real("delta")
"""Relative excess of fixed inputs that Stage 3 tolerates."""
f = _real("f")
"""Largest number of neighbours of an event in the local lemma."""
A = _real("A")
"""Local-lemma weight of an event 'no selected activation is fixed to its maximum'."""
B = _real("B")
"""Local-lemma weight of the event 'too many inputs get fixed'."""
a = _real("a")
"""Share of positions in the forced prefix, and in the forced suffix, of a bracket word."""

_UNIT = Reals(0, 1, open_lo=True, open_hi=True)

DOMAINS: dict[sp.Symbol, Domain] = {
    c: Integers(1),
    k: Integers(1),
    H: Integers(1),
    n: Integers(1),
    L: Integers(1),
    U: Integers(0),
    C: Reals(0, 1, open_lo=True),
    Cp: Reals(0, 1, open_lo=True, open_hi=True),
    eta: Reals(0, Fraction(1, 2), open_lo=True, open_hi=True),
    q: _UNIT,
    delta: Reals(0, 1, open_lo=True),
    f: Reals(0, open_lo=True),
    A: _UNIT,
    B: _UNIT,
    a: Reals(0, Fraction(1, 2), open_lo=True, open_hi=True),
}
"""Default domains; a bound whose source allows more says so itself."""

TARGET_BELOW = Relation(Cp, "<", C)
"""C' < C."""

FEW_FIXED = Relation((1 + delta) * q, "<", sp.Integer(1))
"""(1 + delta) q < 1: Stage 3 leaves some input free."""


def domains(*expressions: sp.Expr) -> dict[sp.Symbol, Domain]:
    """Return the default domains of the free symbols of ``expressions``, in name order.

    Examples
    --------
    >>> [str(s) for s in domains(c / (eta * C))]
    ['C', 'c', 'eta']
    """
    used = set().union(*(e.free_symbols for e in expressions))
    return {s: DOMAINS[s] for s in sorted(used, key=str)}
