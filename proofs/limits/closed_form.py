"""The closed form for every number of layers: its constant, and its parameters decided exactly."""

from collections.abc import Iterator
from fractions import Fraction
from math import log

import sympy as sp

from bounds.limits.closed_form import smallest, width
from bounds.limits.verifier import load
from claims import Claim, ForAll, Inequality, Kind, Reals, Twin, Verdict
from claims.source import OWN
from proofs.checkers import ball, exhaustive

Size = tuple[int, int]


def _sizes() -> Iterator[Size]:
    return ((layers, heads) for layers in (2, 3, 4) for heads in (1, 2, 3, 5))


def _closed_load(case: Size, divisor: int) -> Fraction:
    """Return the exact load of the corollary's own parameters at its length over a divisor."""
    layers, heads = case
    n, w = smallest(layers, heads) // divisor, width(layers, heads)
    stage = {"p": str(Fraction(1, 16 * w)), "w": w}
    stages = [{"kind": "first-layer", "p": "1/16", "w": w}] if layers > 2 else []
    stages += [{"kind": "next-layer", **stage}] * (layers - 3)
    cert = {"task": "parity", "layers": layers, "heads": heads, "padding": 0, "modulus": 2}
    s = round(heads * log(n) + 0.7 * heads**2)  # where the proof's sum over s has its largest part
    final = {"kind": "last-two", "s": s, "choice": "tuples"}
    return load(cert, {"from": n, "to": None, "stages": [*stages, final]}, n)


_x = sp.Symbol("x")


def _factor(most: Fraction) -> Inequality:
    """State that a list multiplies the tail bound by at most 1.671 while q w <= most."""
    factor = sp.exp(_x) / (1 - sp.exp(3 * _x) + sp.exp(_x))
    return Inequality(factor, "<=", sp.Rational(1671, 1000), {_x: Reals(0, most)})


FACTOR = Claim(
    id="limits.method.list_factor",
    says=r"While $x = qw \le \tfrac18$, one list multiplies the bound $P(s)$ by at most"
    r" $e^x / (1 - e^{3x} + e^x) < 1.671$.",
    source=OWN.at("explicit limits, closed form"),
    statement=_factor(Fraction(1, 8)),
    check=ball.decide(),
    expect=Verdict.PROVED,
    kind=Kind.OWN,
    twin=Twin("that q w is at most 1/8: 1/7 allowed", _factor(Fraction(1, 7))),
    proof=r"""Let $P_M(s) \le C 2^{-s}$.  Try $P(s) \le B C 2^{-s}$ in the recursion for a list:
$\sum_y \binom wy q^y(1-q)^{w-y}[(2^y-1)2^y B + 2^y] C 2^{-s}$.  Here
$\sum_y \binom wy q^y (1-q)^{w-y} 2^y = (1+q)^w \le e^x$ and with $4^y$ it is $(1+3q)^w \le e^{3x}$, so
$B = e^x/(1-(e^{3x}-e^x))$ is enough: the difference $(1+3q)^w-(1+q)^w$ is at most $e^{3x}-e^x$, term by
term in powers of $q$.""",
)

CLOSED = Claim(
    id="limits.method.closed_form",
    says=r"Closed form: PARITY is impossible from"
    r" $n \ge 32^{L-2}W^{L-3}[(8W+1)(H\ln n + 0.704H^2 + H/4) + (H+1)W]$ on, where"
    r" $W \ge \tfrac34H + \tfrac3{10} + (L-2)\log_2(32W)$; for $L = 2$ with $W = 1$ and the factor 1.",
    source=OWN.at("explicit limits, closed form"),
    statement=ForAll(
        "its own parameters have a load below 1 at its length",
        "L = 2, 3, 4; H = 1, 2, 3, 5; one number of stars each",
        _sizes,
        lambda c: _closed_load(c, 1) < 1,
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    assumes=(
        "limits.final.two",
        "limits.stage.next_layer",
        "limits.stage.first_layer_kept",
        "limits.method.list_factor",
    ),
    twin=Twin(
        "the length: a fifth of it",
        ForAll(
            "load below 1 at a fifth of the length",
            "L = 2; H = 1, 2, 3, 5",
            lambda: ((2, heads) for heads in (1, 2, 3, 5)),
            lambda c: _closed_load(c, 5) < 1,
        ),
    ),
    proof=r"""Star probability $p = 1/(16W)$, first layer $1/16$.  For widths $w \le W$ then $qw \le 1/8$ and
Lemma H gives $P(s) \le B^H E 2^{-s}$: a list multiplies by at most
$B = e^{1/8}/(1-(e^{3/8}-e^{1/8})) < 1.671$, a tree by $E = e^{3/16} < 1.2063$.  If
$2^W \ge 1.2063 \cdot 1.671^H (32W)^k$, which the choice of $W$ grants for $k \le L-2$
($\log_2 B < 0.741$, $\log_2 E < 0.271$), the repairs cost at most half of the stars: a stage leaves
$m/(32W)$, the first one $m/32$.

For the last two layers add the counting conditions over $s$ with weights $(z/2)^s$ at
$z = 1/(4W)$: it suffices that $(1+\tfrac1{8W})^{m'} > 1 + n^H \tfrac12 (e^{1/4}2.0212^H)^H$, and
$\ln(1+\tfrac1{8W}) \ge \tfrac1{8W+1}$.  The right side grows like $\ln n$, the left like $n$.""",
)
