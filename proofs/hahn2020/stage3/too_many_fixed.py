r"""E8: the random restriction rarely fixes too many inputs, provided that delta is at most 1.

The published bound exp(-delta^2 q m/3) is the Chernoff upper tail in its convenient form, which
is valid for 0 < delta <= 1 only; the paper allows every delta > 0.  Exact binomial tails show the
failure, and the repaired bound follows from Chernoff's bound exp(-q m g(delta)) with
g(delta) = (1+delta) ln(1+delta) - delta.

Main statements: E8_AS_STATED, LOGARITHM, EXPONENT, E8_REPAIRED, E8_TAILS.

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
from claims import HAHN, OWN, Claim, ForAll, Inequality, Kind, Reals, Relation, Twin, Verdict
from proofs.checkers import asymptotic, exhaustive, smt

_AT = HAHN.at("Section 5.1, eq. (8)")
stars = sp.Symbol("m", positive=True)
decay = sp.Symbol("g", positive=True)


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw of N among ``m`` inputs, each with probability ``q``; N > (1 + delta) q m is bad."""

    m: int
    q: Fraction
    delta: Fraction

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


def small_deltas() -> Iterator[Draw]:
    """Yield experiments with delta in (0, 1]."""
    return draws(*(Fraction(i, 10) for i in range(1, 11)))


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

E8_TAILS = Claim(
    id="hahn2020.stage3.too_many_fixed.tails",
    says=r"For $\delta\in(0,1]$ the exact binomial tails obey $\exp(-\delta^2qm/3)$.",
    source=_AT,
    labels=("E8",),
    kind=Kind.OWN,
    statement=ForAll(
        r"P(N > (1+delta) q m) <= exp(-delta^2 q m/3)",
        "m = (1 - 2 eta) C n up to 160, q up to 1/4, delta = 0.1, 0.2, ..., 1",
        small_deltas,
        bounded,
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
)

_LN = Inequality(2 * delta / (2 + delta), "<=", sp.log(1 + delta), {delta: Reals(0)})

LOGARITHM = Claim(
    id="hahn2020.stage3.logarithm",
    says=r"$\ln(1+\delta)\ge2\delta/(2+\delta)$ for $\delta\ge0$.",
    source=OWN.at("Stage 3, repaired"),
    kind=Kind.OWN,
    statement=_LN,
    check=asymptotic.rising(delta, smt.decide()),
    expect=Verdict.PROVED,
    twin=Twin(
        r"$\delta\ge0$ (here $\delta\ge-\frac12$)",
        Inequality(_LN.lhs, "<=", _LN.rhs, {delta: Reals(Fraction(-1, 2))}),
    ),
    proof=r"""Both sides vanish at $0$, and the derivative of the difference is
$\delta^2/((1+\delta)(2+\delta)^2)\ge0$.""",
)

_G = (1 + delta) * LOGARITHM.statement.lhs - delta  # type: ignore[union-attr]


def _exponent(largest: int) -> Inequality:
    return Inequality(delta**2 / 3, "<=", _G, {delta: Reals(0, largest, open_lo=True)})


EXPONENT = Claim(
    id="hahn2020.stage3.exponent",
    says=r"$(1+\delta)\ln(1+\delta)-\delta\ge\delta^2/3$ for $\delta\in(0,1]$.",
    source=OWN.at("Stage 3, repaired"),
    kind=Kind.OWN,
    statement=_exponent(1),
    check=smt.decide(),
    expect=Verdict.PROVED,
    assumes=(LOGARITHM.id,),
    twin=Twin(r"$\delta\le1$ (here $\delta\le4$)", _exponent(4)),
    proof=r"""By the logarithm bound the left side is at least
$(1+\delta)\,2\delta/(2+\delta)-\delta=\delta^2/(2+\delta)$, and $2+\delta\le3$.""",
)

_DOMAIN = domains(ALPHA * n) | {stars: Reals(0), decay: Reals(0)}
_MORE = Relation(stars, ">=", (1 - 2 * eta) * C * n)


def _tail(*given: Relation) -> Inequality:
    """Compare the exponents of the two bounds."""
    return Inequality(ALPHA * n, "<=", q * stars * decay, _DOMAIN, given)


E8_REPAIRED = Claim(
    id="hahn2020.stage3.too_many_fixed.repaired",
    says=r"For $\delta\in(0,1]$: $P(X_0)\le\exp(-\delta^2q(1-2\eta)Cn/3)$.",
    source=_AT,
    labels=("E8",),
    kind=Kind.REPAIRED,
    repairs=E8_AS_STATED.id,
    difference=r"$\delta\in(0,1]$ instead of $\delta>0$.",
    statement=_tail(_MORE, Relation(decay, ">=", delta**2 / 3)),
    check=smt.decide(),
    expect=Verdict.PROVED,
    assumes=("textbook.chernoff", EXPONENT.id, "hahn2020.stage2.enough.repaired"),
    twin=Twin("that $m$ is at least $(1-2\\eta)Cn$", _tail(Relation(decay, ">=", delta**2 / 3))),
    proof=r"""Let $m\ge(1-2\eta)Cn$ be the number of free inputs, a fixed number. Each is fixed
independently with probability $q$, so Chernoff's bound gives
$P(N>(1+\delta)qm)\le\exp(-qm\,g(\delta))$ with $g(\delta)=(1+\delta)\ln(1+\delta)-\delta$. For
$\delta\in(0,1]$ the exponent satisfies $g(\delta)\ge\delta^2/3$, and a larger $m$ only helps.""",
)
