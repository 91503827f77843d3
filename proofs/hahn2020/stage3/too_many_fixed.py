r"""E8: the random restriction rarely fixes too many inputs, provided that delta is at most 1.

The published bound exp(-delta^2 q m/3) is the Chernoff upper tail in its convenient form, which
is valid for 0 < delta <= 1 only; the paper allows every delta > 0.  Exact binomial tails show the
failure.

Main statements: E8_AS_STATED, E8_REPAIRED.

References
----------
Hahn (2020), Section 5.1, eq. (8) [hahn2020]; Mitzenmacher & Upfal (2017), Theorem 4.4
[mitzenmacher2017].
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import comb, floor

import sympy as sp

from bounds.ball import holds
from bounds.reduction.stage3 import ALPHA
from bounds.reduction.symbols import C, delta, domains, eta, n, q
from claims import HAHN, Claim, ForAll, Inequality, Integers, Kind, Relation, Twin, Verdict
from proofs.checkers import exhaustive, smt

_AT = HAHN.at("Section 5.1, eq. (8)")
stars = sp.Symbol("m", integer=True, nonnegative=True)


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw of N among ``m`` inputs, each with probability ``q``; N > (1 + delta) q m is bad."""

    m: int
    q: Fraction
    delta: Fraction

    def __str__(self) -> str:
        return f"m = {self.m}, q = {self.q}, delta = {self.delta}"

    def tail(self) -> Fraction:
        """Return P(N > (1 + delta) q m) for N binomial, exactly."""
        first = floor((1 + self.delta) * self.q * self.m) + 1
        p, miss = self.q, 1 - self.q
        return sum(
            (comb(self.m, i) * p**i * miss ** (self.m - i) for i in range(first, self.m + 1)),
            Fraction(0),
        )


def draws(*deltas: Fraction) -> Iterator[Draw]:
    """Yield small experiments with (1 + delta) q < 1."""
    for m in (1, 2, 5, 10, 20, 40, 80, 160):
        for chance in (Fraction(1, 20), Fraction(1, 10), Fraction(1, 6), Fraction(1, 4)):
            for excess in deltas:
                if (1 + excess) * chance < 1:
                    yield Draw(m, chance, excess)


def all_deltas() -> Iterator[Draw]:
    """Yield experiments with delta up to 5."""
    return draws(*(Fraction(i, 2) for i in range(1, 11)))


def bounded(draw: Draw) -> bool:
    """Compare the exact tail with a ball of exp(-delta^2 q m/3)."""
    exponent = -sp.Rational(draw.delta**2 * draw.q * draw.m / 3)
    tail = Relation(sp.Rational(draw.tail()), "<=", sp.exp(exponent))
    return holds(tail, {}) is True


E8_AS_STATED = Claim(
    id="hahn2020.stage3.too_many_fixed.as_stated",
    says=r"For every $\delta>0$: $P(X_0)\le\exp(-\delta^2q(1-2\eta)Cn/3)$.",
    source=_AT,
    labels=("E8",),
    statement=ForAll(
        r"P(N > (1+delta) q m) <= exp(-delta^2 q m/3)",
        "m = (1 - 2 eta) C n up to 160, q up to 1/4, delta up to 5, (1 + delta) q < 1",
        all_deltas,
        bounded,
        tex=r"P(N>(1+\delta)qm)\le\exp(-\delta^2qm/3)",
    ),
    check=exhaustive.decide(),
    expect=Verdict.REFUTED,
    difference=r"The Chernoff form with $\delta^2/3$ is valid for $0<\delta\le1$ only; for larger "
    r"$\delta$ exact binomial tails exceed it. The proof uses small $\delta$, so nothing breaks.",
)

_DOMAIN = domains(ALPHA * n) | {stars: Integers(0)}


def _tail(*given: Relation) -> Inequality:
    """Compare the exponents of the two bounds."""
    return Inequality(ALPHA * n, "<=", delta**2 * q * stars / 3, _DOMAIN, given)


E8_REPAIRED = Claim(
    id="hahn2020.stage3.too_many_fixed.repaired",
    says=r"For $\delta\in(0,1]$: $P(X_0)\le\exp(-\delta^2q(1-2\eta)Cn/3)$.",
    source=_AT,
    labels=("E8",),
    kind=Kind.REPAIRED,
    repairs=E8_AS_STATED.id,
    difference=r"$\delta\in(0,1]$ instead of $\delta>0$.",
    statement=_tail(Relation(stars, ">=", (1 - 2 * eta) * C * n)),
    check=smt.decide(),
    expect=Verdict.PROVED,
    assumes=("textbook.chernoff", "hahn2020.stage2.enough.repaired"),
    twin=Twin(r"that $m\ge(1-2\eta)Cn$", _tail()),
    proof=r"""Let $m\ge(1-2\eta)Cn$ be the number of free inputs, a fixed number. Each is fixed
independently with probability $q$, so Chernoff's bound gives
$P(N>(1+\delta)qm)\le\exp(-\delta^2qm/3)$ for $\delta\in(0,1]$, and a larger $m$ only helps.""",
)
