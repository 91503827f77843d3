"""Cubes: where to cut a formula in two, by looking ahead with unit propagation.

A cube is a sequence of named literals.  Cutting a cube at a variable gives two cubes that cover
it whatever the variable is, so any choice is sound; a good one fixes much on both sides.

Main definitions: `cut`, `with_units`, `Cube`.
"""

from collections import Counter

from synthesis.formula import Cnf, Lit

Cube = tuple[Lit, ...]
"""Literals that are assumed, in the order in which they were cut."""

CANDIDATES = 48
"""Variables that are looked at, the most frequent first."""


def cut(cnf: Cnf, cube: Cube) -> tuple[Cube, Cube] | None:
    """Return the cube with one more variable, true and false, or ``None`` if nothing is left.

    Parameters
    ----------
    cnf
        The formula.
    cube
        Literals over its names.

    Notes
    -----
    Deterministic.  A variable is as good as the product of how much its two values fix by unit
    propagation.  A value that propagates to a conflict fixes everything.

    Examples
    --------
    >>> cut(Cnf((("a",), ("b",), ("c",)), ((1, 2), (-1, 3), (2, 3))), ())
    (((True, ('a',)),), ((False, ('a',)),))
    """
    from pysat.solvers import Solver

    place = {name: v for v, name in enumerate(cnf.names, start=1)}
    assumed = [place[name] if sign else -place[name] for sign, name in cube]
    count = Counter(abs(lit) for clause in cnf.clauses for lit in clause)
    with Solver(name="minisat22", bootstrap_with=cnf.clauses) as solver:
        consistent, fixed = solver.propagate(assumptions=assumed)
        if not consistent:
            return None
        known = {abs(lit) for lit in fixed} | {abs(lit) for lit in assumed}
        free = sorted((v for v in count if v not in known), key=lambda v: (-count[v], v))
        best, score = 0, -1
        for v in free[:CANDIDATES]:
            gains = []
            for lit in (v, -v):
                consistent, more = solver.propagate(assumptions=[*assumed, lit])
                gains.append(len(more) - len(fixed) if consistent else len(cnf.names))
            if gains[0] * gains[1] > score:
                best, score = v, gains[0] * gains[1]
    if not best:
        return None
    literal: Lit = (True, cnf.names[best - 1])
    return (*cube, literal), (*cube, (False, literal[1]))


def with_units(cnf: Cnf, cube: Cube) -> Cnf:
    """Return the formula with the cube's literals as its last clauses."""
    place = {name: v for v, name in enumerate(cnf.names, start=1)}
    units = tuple((place[name] if sign else -place[name],) for sign, name in cube)
    return Cnf(cnf.names, (*cnf.clauses, *units))
