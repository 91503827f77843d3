"""Which parameter moves a certified limit, and how far: every number of a proof, one step each way.

The open range of a limit is taken, one of its numbers is changed by a step (integers by 1, star
probabilities, lifts and frames by one percent), and the least length that the verifier then
accepts is found again with exact arithmetic.  A minimum in every direction is what a tuned proof
should show; the changes say which numbers matter.

Main definitions: `Move`, `sensitivity`, `least_length`.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from bounds.limits.decide import load_at

Certificate = dict[str, Any]
_FARTHEST = 4  # times the stored length; beyond it the changed proof counts as proving nothing


@dataclass(frozen=True, slots=True)
class Move:
    """One changed number: where, from what to what, and the least length that results.

    ``stage`` counts from 0 and is None for numbers of the whole range; ``n0`` is None if no length
    up to four times the stored one is proved.
    """

    stage: int | None
    kind: str
    parameter: str
    before: str
    after: str
    n0: int | None
    change: int | None


def _proved(cert: Certificate, part: dict[str, Any], n: int) -> bool:
    try:
        return load_at(cert, {**part, "from": n}, n) < 1
    except (ValueError, ZeroDivisionError):
        return False


def least_length(cert: Certificate, part: dict[str, Any], near: int) -> int | None:
    """Return the least length from which on the open range ``part`` is accepted, near ``near``.

    Notes
    -----
    Loads fall with the length, so doubling steps and a bisection find it.
    """
    step = 2 if cert["task"] == "dyck" else 1
    good, gap = near, step
    while not _proved(cert, part, good):
        good, gap = good + gap, 2 * gap
        if good > _FARTHEST * near:
            return None
    bad, gap = good - step, step
    while bad > 0 and _proved(cert, part, bad):
        good, bad, gap = bad, bad - 2 * gap, 2 * gap
    bad = max(bad, 0)
    while good - bad > step:
        middle = bad + step * ((good - bad) // (2 * step))
        good, bad = (middle, bad) if _proved(cert, part, middle) else (good, middle)
    return good


def _steps(value: Any, parameter: str) -> list[Any]:
    if isinstance(value, int):
        size = 2 if parameter == "s, even" else 1
        return [value + size, value - size]
    if isinstance(value, list):
        rows = [[*value[:i], v + d, *value[i + 1 :]] for i, v in enumerate(value) for d in (1, -1)]
        return [row for row in rows if row == sorted(row, reverse=True) and row[-1] >= 1]
    exact = Fraction(value)
    if parameter == "lift":  # a base just above 1: what counts is its distance from 1
        return [str(1 + (exact - 1) * Fraction(k, 100)) for k in (101, 99)]
    return [str(exact * Fraction(k, 100)) for k in (101, 99)]


def _changed(cert: Certificate) -> Iterator[tuple[int | None, str, str, Any, Any, Certificate]]:
    last = len(cert["ranges"]) - 1
    for i, stage in enumerate(cert["ranges"][last]["stages"]):
        for name in sorted(set(stage) - {"kind", "choice"}):
            even = name == "s" and cert["task"] == "dyck"
            for after in _steps(stage[name], "s, even" if even else name):
                other = deepcopy(cert)
                other["ranges"][last]["stages"][i][name] = after
                yield i, stage["kind"], name, stage[name], after, other
    if "share" in cert["ranges"][last]:
        before = cert["ranges"][last]["share"]
        for after in _steps(before, "share"):
            other = deepcopy(cert)
            other["ranges"][last]["share"] = after
            yield None, "frame", "share", before, after, other
    for name in ("padding", "heads"):
        other = {**deepcopy(cert), name: cert[name] + 1}
        yield None, "size", name, cert[name], cert[name] + 1, other


def sensitivity(cert: Certificate) -> list[Move]:
    """Return the effect of one step of every number of a limit's open range.

    Examples
    --------
    >>> from bounds.limits.certify import limit
    >>> from bounds.limits.plan import Question
    >>> moves = sensitivity(limit(Question("parity", 2, 1)))
    >>> [(m.parameter, m.after, m.n0) for m in moves if m.parameter in ("s", "padding")]
    [('s', '5', 15), ('s', '3', 14), ('padding', '1', 14)]
    """
    start = cert["ranges"][-1]["from"]
    moves = []
    for stage, kind, name, before, after, other in _changed(cert):
        n0 = least_length(other, other["ranges"][-1], start)
        change = None if n0 is None else n0 - start
        moves.append(Move(stage, kind, name, str(before), str(after), n0, change))
    return moves
