"""Turn a tuned plan into a stored limit: rational numbers in, exact arithmetic decides.

The float search only proposes.  Here the smallest provable length is found with enclosures and
decided with the verifier's integers, and single lengths below the open range are added where an
exact stage reaches them.

Main definitions: `certify`, `limit`, `Certificate`.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil
from typing import Any

from flint import ctx

from bounds.limits.ball_dyck import ball_dyck_load
from bounds.limits.ball_load import BITS, ball_load
from bounds.limits.decide import load_at
from bounds.limits.plan import LimitError, Plan, Question
from bounds.limits.proposal_load import free_variables, smallest_length, widths_of
from bounds.limits.search import propose, settled
from bounds.limits.verifier import SCHEMA

Certificate = dict[str, Any]
FINEST = 4000  # largest denominator of a frame's share


def certificate(question: Question, ranges: list[dict[str, Any]]) -> Certificate:
    """Return the stored form of a limit; its first range's start is n0."""
    return {
        "schema": SCHEMA,
        "task": question.task,
        "layers": question.layers,
        "heads": question.heads,
        "padding": question.padding,
        "modulus": question.modulus,
        "n0": ranges[0]["from"],
        "ranges": ranges,
    }


def _proved(question: Question, part: dict[str, Any], n: int, *, open_end: bool) -> bool:
    one = {**part, "from": n, "to": None if open_end else n}
    try:
        return load_at(certificate(question, [one]), one, n) < 1
    except ValueError:  # the verifier's refusal: these numbers prove nothing at this length
        return False


def _stages(plan: Plan, stars: int) -> list[dict[str, Any]]:
    stages: list[dict[str, Any]] = []
    for i, kind in enumerate(plan.shape[:-1]):
        stage: dict[str, Any] = {"kind": kind, "w": round(plan.numbers[f"w{i}"])}
        stage["p"] = str(Fraction(plan.numbers[f"p{i}"]).limit_denominator(10**6))
        if kind == "two-layers":
            stage["narrow"] = round(plan.numbers[f"narrow{i}"])
        if plan.question.task == "dyck" and i == 0:
            stage["lift"] = str(Fraction(plan.lift).limit_denominator(10**6))
        stages.append(stage)
    final: dict[str, Any] = {"kind": plan.final, "s": stars, "choice": plan.choice}
    if plan.final == "last-three":
        final["w"] = list(widths_of(plan))
    return [*stages, final]


def _likely(question: Question, part: dict[str, Any], n: int) -> bool:
    """Whether the second evaluation, faster at many lengths, finds a load below 1 here."""
    one = {**part, "from": n, "to": None}
    ball = ball_dyck_load if question.task == "dyck" else ball_load
    before, ctx.prec = ctx.prec, BITS
    try:
        return bool(ball(certificate(question, [one]), one, n) < 1)
    except (ValueError, ZeroDivisionError):
        return False
    finally:
        ctx.prec = before


def _open_range(plan: Plan, guess: float, stars: int) -> dict[str, Any]:
    """Return the open range with the smallest start that enclosures find; it is decided later."""
    question, step = plan.question, plan.question.step
    part: dict[str, Any] = {"stages": _stages(plan, stars)}
    if question.task == "dyck":
        part["share"] = str(_rational_share(plan))
    good = step * ceil(guess / step)
    gap = step
    while not _likely(question, part, good):
        good, gap = good + gap, 2 * gap
        if good > 2 * guess + 200:
            raise LimitError(f"the proposal {plan.numbers} at length {guess} does not hold exactly")
    bad, gap = good - step, step
    while bad > 0 and _likely(question, part, bad):
        good, bad, gap = bad, bad - 2 * gap, 2 * gap
    while good - bad > step:
        mid = bad + step * ((good - bad) // (2 * step))
        if mid > 0 and _likely(question, part, mid):
            good = mid
        else:
            bad = mid
    return {**part, "from": good, "to": None}


def _single_lengths(plan: Plan, below: dict[str, Any]) -> list[dict[str, Any]]:
    """Return ranges of one length each, directly below the open range, that hold on their own."""
    question, found = plan.question, []
    n, stars = below["from"] - question.step, below["stages"][-1]["s"]
    while n > 2 * question.heads + 2:
        accepted = next(
            (p for p in _candidates(plan, n, stars) if _proved(question, p, n, open_end=False)),
            None,
        )
        if accepted is None:
            break
        found.append({**accepted, "from": n, "to": n})
        stars, n = accepted["stages"][-1]["s"], n - question.step
    return found[::-1]


def _candidates(plan: Plan, n: int, stars: int) -> Iterator[dict[str, Any]]:
    if plan.question.task == "parity":
        for s in (stars, stars - 1, stars + 1, stars - 2, stars + 2, stars - 3):
            yield {"stages": [{"kind": "two-exactly", "s": s}]}
    elif plan.question.task == "dyck":
        side = round(n * plan.numbers["share"])
        for s in (stars, stars - 2, stars + 2):
            for a in (side, side + 1, side - 1, side + 2, side - 2, side + 3):
                final = {"kind": "last-two", "s": s, "choice": plan.choice}
                yield {"share": str(Fraction(a, n)), "stages": [final]}


def certify(plan: Plan, guess: float, stars: int) -> Certificate:
    """Return a stored limit for a tuned plan; every number in it was decided by the verifier.

    Raises
    ------
    LimitError
        If the proposal does not survive exact arithmetic.
    """
    if plan.question.task == "dyck":
        plan = _round_share(plan, guess)
        plan, guess, stars = settled(plan, *smallest_length(plan, guess))
    best = min(
        (_open_range(plan, guess, s) for s in _near(plan, stars)), key=lambda part: part["from"]
    )
    while not _proved(plan.question, best, best["from"], open_end=True):
        best["from"] += plan.question.step
    extra = plan.question.layers == 2 and plan.choice == "sets" and plan.question.task != "mod"
    return certificate(plan.question, [*(_single_lengths(plan, best) if extra else []), best])


def _near(plan: Plan, stars: int) -> tuple[int, ...]:
    step = 2 if plan.question.task == "dyck" else 1
    return (stars,) if plan.question.layers > 3 else (stars, stars + step, max(1, stars - step))


def _rational_share(plan: Plan) -> Fraction:
    return Fraction(plan.numbers["share"]).limit_denominator(FINEST)


def _round_share(plan: Plan, guess: float) -> Plan:
    """Return the plan with the best share among fractions of small denominators."""
    options = [
        plan.with_number("share", float(Fraction(plan.numbers["share"]).limit_denominator(k)))
        for k in (16, 32, 64, 128, 256, 512, 1000, 2000, FINEST)
    ]
    return min(
        (p for p in options if p.numbers["share"] > 0), key=lambda p: smallest_length(p, guess)
    )


def limit(question: Question, *, choice: str = "sets") -> Certificate:
    """Tune and certify from scratch: the best limit this package can prove for a question.

    Examples
    --------
    >>> limit(Question("parity", 2, 1))["n0"]
    13
    """
    h, free = question.heads, question.free
    if question.layers == 1:
        n0 = 4 * h if question.task == "dyck" else h + 1 + free
        part: dict[str, Any] = {"from": n0, "to": None, "stages": [{"kind": "last"}]}
        if question.task == "dyck":
            part["share"] = "1/4"
        return certificate(question, [part])
    return certify(*propose(question, choice))


def remaining(plan: Plan, n: int) -> tuple[float, int]:
    """Return (free variables, depth) before the final stage: how much the stages leave."""
    return free_variables(plan, float(n))
