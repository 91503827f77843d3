"""Find and replay counterexamples at exact points of a domain.

Every refutation, whoever proposed it, ends here: the point is substituted in exact rationals (or
enclosed by balls that leave no doubt), the domain and the hypotheses are checked, and only then
does a verdict say REFUTED.

Main definitions: :func:`replay`, :func:`search`, :func:`satisfiable`.
"""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction

import sympy as sp

from bounds.ball import Exact, UndefinedError, UnsupportedTermError, Values, exact, holds
from bounds.compiled import compiled
from claims import Domain, Inequality, Integers, Outcome, Reals, Relation, Verdict

POINTS_PER_SYMBOL = 9
MOST_POINTS = 6_000
MOST_REPLAYS = 300  # points that only balls can judge cost a thousand times more

_SIGNS = {"<=": (-1, 0), "<": (-1,), ">=": (0, 1), ">": (1,), "==": (0,), "!=": (-1, 1)}
"""Signs of ``lhs - rhs`` for which a relation holds."""


def replay(statement: Inequality, point: Values, by: str, *, bits: int = 4096) -> Outcome:
    """Return REFUTED if the point is a counterexample, else UNDECIDED.

    Parameters
    ----------
    statement
        What is to be refuted.
    point
        An exact value for each symbol.
    by
        Who proposed the point, for the outcome.
    bits
        Precision limit for irrational values; exact rationals need none.

    Examples
    --------
    >>> x = sp.Symbol("x")
    >>> claim = Inequality(x, "<=", x**2, {x: Reals(0)})
    >>> replay(claim, {x: Fraction(1, 2)}, "by hand").witness
    {'x': '1/2'}
    """
    outside = [s for s, d in statement.domain.items() if s not in point or point[s] not in d]
    if outside:
        return Outcome(Verdict.UNDECIDED, by, detail=f"{outside[0]} is outside its domain")
    if not allows(statement.given, point, bits=bits):
        return Outcome(Verdict.UNDECIDED, by, detail="the point does not satisfy the hypotheses")
    undefined = _undefined(statement.goal, point)
    if not undefined and _holds(statement.goal, point, bits) is not False:
        return Outcome(Verdict.UNDECIDED, by, detail="the point is no counterexample")
    shown = {str(s): str(point[s]) for s in sorted(statement.domain, key=str)}
    at = ", ".join(f"{s} = {v}" for s, v in shown.items())
    return Outcome(
        Verdict.REFUTED,
        by,
        witness=shown or {"no variables": statement.goal.text()},
        detail=f"{'is undefined' if undefined else 'fails'} {f'at {at}' if shown else 'as it stands'}",
        evidence={"point": shown},
    )


def replay_evidence(statement: Inequality, evidence: Mapping[str, object], by: str) -> Outcome:
    """Replay the point stored in a refutation's evidence."""
    stored = evidence.get("point")
    if not isinstance(stored, Mapping):
        return Outcome(Verdict.UNDECIDED, by, detail="the evidence has no point")
    try:
        point = {s: Fraction(str(stored[str(s)])) for s in statement.domain}
    except (KeyError, ValueError, ZeroDivisionError) as damage:
        return Outcome(Verdict.UNDECIDED, by, detail=f"unreadable point: {damage!r}")
    return replay(statement, point, by)


def search(statement: Inequality, by: str) -> Outcome:
    """Try a fixed list of simple points; REFUTED at the first counterexample, else UNDECIDED."""
    tried = 0
    replays = 0
    worth_replaying = _screen(statement)
    for point in candidates(statement.domain):
        tried += 1
        if not worth_replaying(point):
            continue
        replays += 1
        if replays > MOST_REPLAYS:
            break
        found = replay(statement, point, by, bits=256)
        if found.verdict is Verdict.REFUTED:
            return found
    return Outcome(Verdict.UNDECIDED, by, detail=f"no counterexample among {tried} simple points")


def satisfiable(statement: Inequality) -> Values | None:
    """Return a simple point that satisfies all hypotheses, or ``None`` if none was found."""
    for point in candidates(statement.domain):
        if allows(statement.given, point, bits=256):
            return point
    return None


def candidates(domain: Mapping[sp.Symbol, Domain]) -> Iterator[dict[sp.Symbol, Exact]]:
    """Yield simple points of a box, simplest first; at most :data:`MOST_POINTS`.

    Deterministic.  Simple means small integers and small fractions near the ends of the ranges.
    """
    symbols = sorted(domain, key=str)
    values = [_simple(domain[s]) for s in symbols]
    budget = MOST_POINTS
    for total in range(sum(len(v) - 1 for v in values) + 1):
        for ranks in _compositions(total, [len(v) for v in values]):
            yield {s: v[r] for s, v, r in zip(symbols, values, ranks, strict=True)}
            budget -= 1
            if not budget:
                return


def allows(given: tuple[Relation, ...], point: Values, *, bits: int) -> bool:
    """Return whether every hypothesis certainly holds at the point."""
    return all(_holds(g, point, bits) is True for g in given)


def _screen(statement: Inequality) -> Callable[[Values], bool]:
    """Return a fast test that drops points which certainly are no counterexamples."""
    given = [(compiled(g.lhs - g.rhs), _SIGNS[g.rel]) for g in statement.given]
    goal, right = compiled(statement.lhs - statement.rhs), _SIGNS[statement.rel]

    def worth_replaying(point: Values) -> bool:
        for gap, signs in given:
            value = gap(point)
            if value is not None and (value > 0) - (value < 0) not in signs:
                return False
        value = goal(point)
        return value is None or (value > 0) - (value < 0) not in right

    return worth_replaying


def _undefined(relation: Relation, point: Values) -> bool:
    """Tell whether a side divides by zero, so that the statement is not true at the point."""
    try:
        for side in (relation.lhs, relation.rhs):
            exact(side, point)
    except UndefinedError:
        return True
    except UnsupportedTermError:
        return False
    return False


def _holds(relation: Relation, point: Values, bits: int) -> bool | None:
    try:
        return holds(relation, point, bits=bits)
    except UnsupportedTermError:  # a division by zero: the statement says nothing here
        return None


def _simple(domain: Domain) -> list[Exact]:
    wanted: list[Exact]
    if isinstance(domain, Integers):
        lo = domain.lo if domain.lo is not None else -3
        wanted = [lo, lo + 1, lo + 2, lo + 3, lo + 4, lo + 7, lo + 15, lo + 99, lo + 9999]
        if domain.hi is not None:
            wanted.append(domain.hi)
    else:
        wanted = _simple_reals(domain)
    inside = [v for v in dict.fromkeys(wanted) if v in domain]
    return inside[:POINTS_PER_SYMBOL] or list(_inner(domain))


def _simple_reals(domain: Reals) -> list[Exact]:
    plain: list[Exact] = [1, Fraction(1, 2), 2, Fraction(1, 4), Fraction(9, 10), 0, 5]
    plain += [Fraction(1, 100), -1, 40, Fraction(-1, 2)]
    if domain.lo is None or domain.hi is None:
        return plain
    width = Fraction(domain.hi - domain.lo)
    shares = [(1, 2), (1, 4), (9, 10), (1, 20), (49, 50), (1, 1000), (999, 1000)]
    return [domain.lo + width * Fraction(*s) for s in shares] + [domain.lo, domain.hi]


def _inner(domain: Domain) -> Iterator[Exact]:
    """Yield some values of a domain that misses every preferred value."""
    if isinstance(domain, Integers):
        end = domain.lo if domain.lo is not None else domain.hi
        yield end if end is not None else 0
    elif domain.lo is not None:
        yield from (domain.lo + 1, domain.lo + Fraction(1, 2), domain.lo + 100)
    elif domain.hi is not None:
        yield from (domain.hi - 1, domain.hi - Fraction(1, 2), domain.hi - 100)


def _compositions(total: int, sizes: list[int]) -> Iterator[tuple[int, ...]]:
    if not sizes:
        if total == 0:
            yield ()
        return
    for first in range(min(total, sizes[0] - 1) + 1):
        for rest in _compositions(total - first, sizes[1:]):
            yield (first, *rest)
