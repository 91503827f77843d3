"""Decide the sign of an expression on a box with Arb balls.

The box is cut into smaller ones until on each the ball of ``rhs - lhs`` lies on one side of zero;
the list of boxes is the certificate, and re-evaluating it needs no search.  A box that is a point
only needs precision.  Where both sides touch, no subdivision ends: the outcome is UNDECIDED.

Main definitions: :func:`decide`, :class:`Ball`.

References
----------
F. Johansson, "Arb", 2017 [johansson2017]; W. Tucker, "Validated Numerics", 2011 [tucker2011].
"""

import heapq
import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias, final

import sympy as sp
from flint import arb, fmpq

from bounds.ball import enclose, holds
from claims import (
    AbstractChecker,
    Budget,
    Domain,
    Inequality,
    Integers,
    Outcome,
    Statement,
    UnsupportedStatementError,
    Verdict,
)
from proofs.checkers import points

BY = "ball: Arb"
_BITS = (64, 256, 1024)

Box: TypeAlias = tuple[tuple[Fraction, Fraction], ...]


@final
@dataclass(frozen=True, slots=True)
class Ball(AbstractChecker):
    """Certify an inequality on a bounded box by adaptive subdivision.

    Attributes
    ----------
    boxes
        Largest number of boxes before giving up.
    """

    boxes: int = 20_000

    def __call__(self, statement: Statement, budget: Budget | None = None) -> Outcome:
        """Subdivide until every box is decided; see :class:`claims.AbstractChecker`."""
        budget = budget or Budget()
        inequality = _supported(statement)
        found = points.search(inequality, BY)
        if found.verdict is Verdict.REFUTED:
            return found
        done: list[tuple[int, Box]] = []
        for fixed, whole in _pieces(inequality):
            queue = [(Fraction(-1), 0, whole)]
            counter = itertools.count(1)
            while queue:
                box = heapq.heappop(queue)[2]
                bits = _decided(inequality, fixed, box, budget)
                if bits:
                    done.append((bits, box))
                    continue
                middle = {
                    s: (lo + hi) / 2 for s, (lo, hi) in zip(_reals(inequality), box, strict=True)
                }
                found = points.replay(inequality, {**fixed, **middle}, BY)
                if found.verdict is Verdict.REFUTED:
                    return found
                if len(done) + len(queue) >= self.boxes or not any(hi > lo for lo, hi in box):
                    return Outcome(Verdict.UNDECIDED, BY, detail=f"undecided on {_show(box)}")
                for half in _halves(box):
                    heapq.heappush(queue, (-_width(half), next(counter), half))
        evidence = {"boxes": [[bits, [[str(a), str(b)] for a, b in box]] for bits, box in done]}
        return Outcome(
            Verdict.PROVED, BY, detail=f"certified on {len(done)} boxes", evidence=evidence
        )

    def verify(self, statement: Statement, evidence: Mapping[str, Any]) -> Outcome:
        """Re-evaluate the stored boxes and check that they cover the domain."""
        inequality = _supported(statement)
        if "point" in evidence:
            return points.replay_evidence(inequality, evidence, BY)
        stored = [
            (int(bits), tuple((Fraction(a), Fraction(b)) for a, b in box))
            for bits, box in evidence["boxes"]
        ]
        place = 0
        for fixed, whole in _pieces(inequality):
            seen: list[Box] = []
            missing = _volume(whole, whole)
            while missing > 0:
                if place >= len(stored):
                    return _unsupported("the boxes do not cover the domain")
                bits, box = stored[place]
                place += 1
                if not _inside(box, whole) or not _certain(inequality, fixed, box, bits):
                    return _unsupported(f"not certain on {_show(box)}")
                if not _volume(box, whole):
                    return _unsupported(f"{_show(box)} covers nothing")
                seen.append(box)
                missing -= _volume(box, whole)
            if not _disjoint(seen, whole):
                return _unsupported("stored boxes overlap")
        if place != len(stored):
            return _unsupported("there are boxes to spare")
        return Outcome(Verdict.PROVED, BY, detail=f"{len(stored)} boxes hold", evidence=evidence)


def decide(*, boxes: int = 20_000) -> Ball:
    """Return the ball-arithmetic checker.

    Parameters
    ----------
    boxes
        Largest number of boxes; at least 1.

    Examples
    --------
    >>> from claims import Reals
    >>> x = sp.Symbol("x")
    >>> on = {x: Reals(0, 3)}
    >>> decide()(Inequality(x - 1, "<", sp.exp(x) / 2 + sp.Rational(1, 5), on)).verdict
    <Verdict.PROVED: 'PROVED'>
    """
    return Ball(boxes=boxes)


def _supported(statement: Statement) -> Inequality:
    if not isinstance(statement, Inequality) or statement.given or statement.rel in ("==", "!="):
        raise UnsupportedStatementError(f"{BY} decides inequalities on boxes without hypotheses")
    for symbol, domain in statement.domain.items():
        if domain.lo is None or domain.hi is None:
            raise UnsupportedStatementError(
                f"{symbol} ranges over {domain}: {BY} needs a bounded box"
            )
    return statement


def _reals(statement: Inequality) -> list[sp.Symbol]:
    return sorted((s for s, d in statement.domain.items() if not isinstance(d, Integers)), key=str)


def _pieces(statement: Inequality) -> Iterator[tuple[dict[sp.Symbol, int], Box]]:
    """Yield each assignment of the integer symbols with the box of the real ones."""
    integers = {s: d for s, d in statement.domain.items() if isinstance(d, Integers)}
    symbols = sorted(integers, key=str)
    box = tuple(_ends(statement.domain[s]) for s in _reals(statement))
    ranges = [range(int(integers[s].lo or 0), int(integers[s].hi or 0) + 1) for s in symbols]
    for values in itertools.product(*ranges):
        yield dict(zip(symbols, values, strict=True)), box


def _ends(domain: Domain) -> tuple[Fraction, Fraction]:
    assert domain.lo is not None
    assert domain.hi is not None
    return Fraction(domain.lo), Fraction(domain.hi)


def _decided(
    statement: Inequality, fixed: Mapping[sp.Symbol, int], box: Box, budget: Budget
) -> int:
    """Return the precision that certifies the inequality on the box, or 0."""
    for bits in _BITS:
        if bits <= budget.bits and _certain(statement, fixed, box, bits):
            return bits
    return 0


def _certain(statement: Inequality, fixed: Mapping[sp.Symbol, int], box: Box, bits: int) -> bool:
    values: dict[sp.Symbol, Any] = dict(fixed)
    if all(lo == hi for lo, hi in box):  # a point: rational values are compared exactly
        values |= {s: lo for s, (lo, _) in zip(_reals(statement), box, strict=True)}
        return holds(statement.goal, values, bits=bits) is True
    for symbol, (lo, hi) in zip(_reals(statement), box, strict=True):
        values[symbol] = _interval(lo, hi, bits)
    ball = enclose(statement.rhs - statement.lhs, values, bits=bits)
    return {
        "<=": bool(ball >= 0),
        "<": bool(ball > 0),
        ">=": bool(ball <= 0),
        ">": bool(ball < 0),
    }[statement.rel]


def _interval(lo: Fraction, hi: Fraction, bits: int) -> arb:
    from flint import ctx

    with ctx.workprec(bits):
        left = arb(fmpq(lo.numerator, lo.denominator))
        return left.union(arb(fmpq(hi.numerator, hi.denominator)))


def _halves(box: Box) -> list[Box]:
    widest = max(range(len(box)), key=lambda i: box[i][1] - box[i][0])
    lo, hi = box[widest]
    middle = (lo + hi) / 2
    return [(*box[:widest], part, *box[widest + 1 :]) for part in ((lo, middle), (middle, hi))]


def _width(box: Box) -> Fraction:
    return max((hi - lo for lo, hi in box), default=Fraction(0))


def _volume(box: Box, whole: Box) -> Fraction:
    """Return the volume over the axes along which ``whole`` is no point."""
    axes = [i for i, (lo, hi) in enumerate(whole) if hi > lo]
    return math.prod((box[i][1] - box[i][0] for i in axes), start=Fraction(1))


def _inside(box: Box, whole: Box) -> bool:
    return all(c <= a <= b <= d for (a, b), (c, d) in zip(box, whole, strict=True))


def _disjoint(boxes: Sequence[Box], whole: Box) -> bool:
    """Check that no two boxes share inner points (sweep along the first axis that is no point)."""
    axes = [i for i, (lo, hi) in enumerate(whole) if hi > lo]
    if not axes:
        return len(boxes) <= 1
    ordered = sorted(boxes, key=lambda box: box[axes[0]])
    for i, first in enumerate(ordered):
        for second in ordered[i + 1 :]:
            if second[axes[0]][0] >= first[axes[0]][1]:
                break
            if all(first[x][0] < second[x][1] and second[x][0] < first[x][1] for x in axes):
                return False
    return True


def _unsupported(why: str) -> Outcome:
    return Outcome(Verdict.UNDECIDED, BY, detail=why)


def _show(box: Box) -> str:
    return " x ".join(f"[{lo}, {hi}]" for lo, hi in box) or "the point"
