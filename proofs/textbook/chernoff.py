"""The Chernoff bound for the upper tail of a binomial, against exact tails, for delta up to 1.

The tail is constant between lattice points while the bound falls, so for given m and q it is
enough to compare at the lattice points up to twice the mean, and at delta = 1 with the next one.

References: M. Mitzenmacher, E. Upfal, "Probability and Computing" (2005), Theorem 4.4
[mitzenmacher2005]; originally H. Chernoff (1952) [chernoff1952].
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import final

import sympy as sp
from flint import arb, ctx

from bounds.reduction.binomial import e8_exponent, tails
from claims import Claim, ForAll, Inequality, Kind, Paper, Reals, Twin, Verdict
from proofs.checkers import ball, exhaustive, smt

TEXTBOOK = Paper(
    "mitzenmacher2005",
    "Mitzenmacher & Upfal",
    "Probability and Computing",
    2005,
    "Cambridge University Press",
)
SCOPE = (
    "m <= 60 trials with every q in (0, 1) of denominator <= 10, m = 100, 200, 400 with q = 1/20;"
    " all delta in (0, 1]"
)


@final
@dataclass(frozen=True, slots=True)
class Tail:
    """The exact probability ``value`` of at least (1 + delta) q m successes in m trials."""

    m: int
    q: Fraction
    delta: Fraction
    value: Fraction

    def __str__(self) -> str:
        return f"m={self.m}, q={self.q}, delta={self.delta}: P = {float(self.value):.6g}"


def lattice_tails() -> Iterator[Tail]:
    """Yield, for each m and q, the tails that decide the bound for all delta in (0, 1]."""
    small = [(m, q) for m in range(1, 61) for q in _shares()]
    for m, q in [*small, *((m, Fraction(1, 20)) for m in (100, 200, 400))]:
        values, mean = tails(m, q), q * m
        for j in range(int(mean // 1) + 1, min(int(2 * mean // 1), m) + 1):
            yield Tail(m, q, j / mean - 1, values[j])
        beyond = int(2 * mean // 1) + 1
        if beyond <= m:
            yield Tail(m, q, Fraction(1), values[beyond])


def far_tails() -> Iterator[Tail]:
    """Yield tails with delta from 1 to 6, where the bound is not claimed."""
    for m in range(100, 500, 100):
        q = Fraction(1, 20)
        values = tails(m, q)
        for delta in range(1, 7):
            yield Tail(m, q, Fraction(delta), values[int((1 + delta) * q * m)])


def below_chernoff(case: Tail) -> bool:
    """Decide whether the tail is at most exp(-delta^2 q m / 3), by balls.

    The two are never equal: e to a nonzero rational power is irrational.
    """
    exponent = e8_exponent(case.m, case.q, case.delta)
    bits = 64
    while True:
        with ctx.workprec(bits):
            size = arb(case.value.numerator).log() - arb(case.value.denominator).log()
            gap = -arb(exponent.numerator) / exponent.denominator - size
            if gap >= 0:
                return True
            if gap < 0:
                return False
        bits *= 2


def _shares() -> list[Fraction]:
    return sorted({Fraction(a, b) for b in range(2, 11) for a in range(1, b)})


CHERNOFF = Claim(
    id="textbook.chernoff",
    says=r"Chernoff bound: if $N$ is binomial with $m$ trials of probability $q$ and"
    r" $0 < \delta \le 1$, then $P(N \ge (1+\delta) q m) \le \exp(-\delta^2 q m / 3)$.",
    source=TEXTBOOK.at("Theorem 4.4 (2)"),
    statement=ForAll(
        "P(N >= (1 + delta) q m) <= exp(-delta^2 q m / 3)", SCOPE, lattice_tails, below_chernoff
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.TEXTBOOK,
    twin=Twin(
        "delta is at most 1",
        ForAll("the bound for large delta", "delta = 1, ..., 6", far_tails, below_chernoff),
    ),
    assumes=("textbook.chernoff.exponent.slope", "textbook.chernoff.exponent.curvature"),
    proof=r"""Let $\mu = qm$ and $t = \ln(1+\delta)$.  By Markov's inequality for $e^{tN}$ and
$1 + x \le e^x$,
$$P(N \ge (1+\delta)\mu) \le \frac{(1 + q(e^t - 1))^m}{e^{t(1+\delta)\mu}}
  \le \exp\bigl(\mu(\delta - (1+\delta)\ln(1+\delta))\bigr).$$
It remains to see that $h(\delta) = (1+\delta)\ln(1+\delta) - \delta - \delta^2/3 \ge 0$ on
$(0,1]$.  Both $h$ and $h'(\delta) = \ln(1+\delta) - 2\delta/3$ vanish at 0.  On $[0, 1/2]$,
$h''(\delta) = 1/(1+\delta) - 2/3 \ge 0$, so $h' \ge 0$ there; on $[1/2, 1]$, $h' \ge 0$ directly.
Both facts are claims of their own; for $\delta > 1$ the second fails from about 1.1 on, and $h$
is negative from about 1.8 on.""",
)

_delta = sp.Symbol("delta", positive=True)
_HALF = Fraction(1, 2)
_SLOPE = sp.Rational(2, 3) * _delta

SLOPE = Claim(
    id="textbook.chernoff.exponent.slope",
    says=r"$\ln(1+\delta) \ge 2\delta/3$ for $1/2 \le \delta \le 1$.",
    source=TEXTBOOK.at("proof of Theorem 4.4 (2)"),
    statement=Inequality(_SLOPE, "<=", sp.log(1 + _delta), {_delta: Reals(_HALF, 1)}),
    check=ball.decide(),
    expect=Verdict.PROVED,
    kind=Kind.OWN,
    twin=Twin(
        "delta is at most 1",
        Inequality(_SLOPE, "<=", sp.log(1 + _delta), {_delta: Reals(_HALF, 2)}),
    ),
    proof=r"""Certified on boxes that cover the interval; at $\delta = 1$ it says
$\ln 2 > 2/3$.""",
)

CURVATURE = Claim(
    id="textbook.chernoff.exponent.curvature",
    says=r"$1/(1+\delta) \ge 2/3$ for $0 \le \delta \le 1/2$.",
    source=TEXTBOOK.at("proof of Theorem 4.4 (2)"),
    statement=Inequality(sp.Rational(2, 3), "<=", 1 / (1 + _delta), {_delta: Reals(0, _HALF)}),
    check=smt.decide(),
    expect=Verdict.PROVED,
    kind=Kind.OWN,
    twin=Twin(
        "delta is at most 1/2",
        Inequality(sp.Rational(2, 3), "<=", 1 / (1 + _delta), {_delta: Reals(0, 1)}),
    ),
    proof=r"""$2(1+\delta) \le 3$.""",
)
