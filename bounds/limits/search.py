"""Tune a plan by coordinate descent in floating point; the result is a proposal, not a verdict.

Probabilities and the frame's share move by shrinking factors, widths by one; a move is kept when
the smallest length drops.  Deterministic.

Main definitions: `tune`, `propose`, `settled`.
"""

from __future__ import annotations

from math import inf

from bounds.limits.plan import Plan, Question, shapes, starting_plan
from bounds.limits.proposal_load import smallest_length, widths_of

FACTORS = (1.25, 1.08, 1.02, 1.005, 1.001)


def _moves(plan: Plan, name: str, factor: float) -> list[Plan]:
    value = plan.numbers[name]
    if name[0] == "y":
        return _width_moves(plan, name, factor)
    if name[0] in "wn":
        step = 1 if factor < 1.05 else max(1, round(value * (factor - 1) / 2))
        low = plan.question.heads if name.startswith("n") else 1
        rate = "p" + name[1:]
        if name.startswith("w") and plan.final == "last-three":
            return []  # this end needs values of depth one
        moved = [plan.with_number(name, v) for v in (value + step, value - step) if v >= low]
        if rate in plan.numbers:  # a deeper tree affords more stars: try both changes together
            p = plan.numbers[rate]
            moved += [
                m.with_number(rate, min(p * m.numbers[name] / value, 0.9)) for m in tuple(moved)
            ]
        return moved
    top = 0.49 if name == "share" else 0.9
    return [plan.with_number(name, v) for v in (value * factor, value / factor) if v < top]


def _width_moves(plan: Plan, name: str, factor: float) -> list[Plan]:
    """Move one width of the falling row, or (from the first one's turn) all of them."""
    step = 1 if factor < 1.05 else 2
    names = [k for k in plan.numbers if k[0] == "y"]
    groups = [[name], names] if name == "y1" else [[name]]
    moved = []
    for group in groups:
        for sign in (step, -step):
            new = plan
            for k in group:
                new = new.with_number(k, new.numbers[k] + sign)
            row = widths_of(new)
            if row[-1] >= 1 and list(row) == sorted(row, reverse=True):
                moved.append(new)
    return moved


def tune(plan: Plan, factors: tuple[float, ...] = FACTORS) -> tuple[Plan, float, int]:
    """Return the tuned plan, its smallest length (``inf`` if none) and its number of stars.

    Examples
    --------
    >>> plan, n, stars = tune(starting_plan(Question("parity", 2, 1), ("last-two",)))
    >>> n, stars
    (14.0, 4)
    """
    best, stars = smallest_length(plan)
    for factor in factors:
        if factor < 1.003 and plan.question.task == "dyck":
            continue  # the frame's share becomes a fraction of a small denominator anyway
        improved = True
        rounds = 0
        while improved and rounds < 12:
            improved, rounds = False, rounds + 1
            for name in sorted(plan.numbers):
                for move in _moves(plan, name, factor):
                    n, s = smallest_length(move, 0.0 if best == inf else best, stars)
                    if n < best * (1 - 1e-7):
                        plan, best, stars, improved = move, n, s, True
    again = smallest_length(plan, best) if best < inf else (inf, 0)
    return (plan, *min((best, stars), again))


def propose(
    question: Question, choice: str = "sets", shape: tuple[str, ...] | None = None
) -> tuple[Plan, float, int]:
    """Tune every shape (or the one given) and return the best plan, length and stars.

    All starts are tuned roughly; the best one, and the next if it is close, are tuned finely.
    """
    rough: list[tuple[float, int, Plan]] = []
    for candidate in (shape,) if shape else shapes(question):
        start = starting_plan(question, candidate, "sets" if choice == "sets" else "tuples")
        scales = (1.0, 0.7, 0.55) if len(candidate) > 2 else (1.0,)
        starts = [
            _scaled(start, scale) for scale in scales
        ]  # long chains have several local optima
        if candidate == ("two-layers", "last-two"):
            starts.append(start.with_number("p0", 1.2 * start.numbers["p0"]))
        for begun in starts:
            for widen in (True, False) if len(candidate) > 3 else (True,):
                plan, n, stars = tune(_feasible(begun, widen=widen), FACTORS[:2])
                rough.append((n, stars, plan))
    rough.sort(key=lambda item: item[0])
    near = [plan for n, _, plan in rough[:2] if n <= 1.05 * rough[0][0]]
    found = min((tune(plan, FACTORS[1:]) for plan in near), key=lambda item: item[1])
    return settled(*found, share=question.task == "dyck" and question.layers > 3)


def settled(plan: Plan, best: float, stars: int, *, share: bool = False) -> tuple[Plan, float, int]:
    """Put every star probability at the vertex of a parabola through three lengths.

    With ``share`` the frame's share is moved in turn with them.
    """
    names = [k for k in sorted(plan.numbers) if k[0] == "p"]
    for name in (["share", *names] * 4 if share else names) if best < inf else ():
        value, step = plan.numbers[name], 0.004
        sides = [plan.with_number(name, value * (1 + x)) for x in (-step, 0.0, step)]
        low, mid, high = (smallest_length(q, best, stars, close=1e-12)[0] for q in sides)
        bend = low - 2 * mid + high
        if 0 < bend < inf:
            moved = plan.with_number(name, value * (1 + step * (low - high) / 2 / bend))
            n, s = smallest_length(moved, best, stars, close=1e-12)
            if n <= mid:
                plan, best, stars = moved, n, s
    return plan, best, stars


def _scaled(plan: Plan, scale: float) -> Plan:
    for name, value in plan.numbers.items():
        if name.startswith("w") and value > 1:
            plan = plan.with_number(name, float(max(1, round(value * scale))))
    return plan


def _feasible(plan: Plan, *, widen: bool) -> Plan:
    """Lower the star probabilities (``widen``: and widen the trees) until something is proved."""
    start = plan
    for turn in range(16):
        if smallest_length(plan)[0] < inf:
            return plan
        for name, value in start.numbers.items():
            if name[0] == "p":
                plan = plan.with_number(name, value * 0.85**turn)
            elif widen and (name[0] in "yn" or (name[0] == "w" and value > 1)):
                plan = plan.with_number(name, float(round(value * 1.1**turn)))
    return start
