r"""B15 to B18: the review's soft-attention formulas.

B16 and B17 restate Lemma 5 with C 2^k instead of C^(2k) (and H^(k-1) instead of H^k).  That is
linear in C and loses the growth L_f^k of plain residual layers, so both fail without any attention,
at every n; the paper's own form fails too, for other reasons (see hahn2020.lemma5).

Main statements: B15, B16, B16_ANY_CONSTANT, B17, B17_MANY_HEADS, B18_EVERY_LENGTH, B18.

References
----------
Korean review of Hahn (2020), Sections 4.1 to 4.4; Hahn (2020), Section 6 [hahn2020].
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import sympy as sp

from bounds.soft import published
from bounds.soft.attention_weight import WEIGHT_PAPER_U, WEIGHT_SHARP_U, n, u
from claims import (
    REVIEW_HAHN,
    Claim,
    Domain,
    ForAll,
    Inequality,
    Integers,
    Kind,
    Reals,
    Twin,
    Verdict,
)
from languages.dyck_process import DyckProcess
from languages.next_symbol import END
from proofs.checkers import exhaustive, smt
from proofs.hahn2020.section6.executed import Run, within
from proofs.hahn2020.section6.theorem6_dyck import DYCK

_AT = REVIEW_HAHN.at("4.1, 4.3")
_DOMAIN: dict[sp.Symbol, Domain] = {u: Reals(1), n: Integers(2)}
_LENGTHS = (3, 10**6, 10**20)


def own_only(factor: int, layers: int, length: int) -> Run:
    """Return layers y -> clip(factor y) without attention, F = 1."""
    small = Fraction(1, factor**layers)
    return Run(
        "residual layers that ignore attention", 0, 1, Fraction(factor), 1, 0, Fraction(factor),
        Fraction(0), small, ((Fraction(0), length - 1),), layers=layers,
    )  # fmt: skip


def means(factor: int, heads: int, root: int, layers: int, length: int) -> Run:
    """Return layers of uniform attention with H = root^2 agreeing heads, L_f = factor."""
    small = Fraction(1, (factor * root) ** layers)
    return Run(
        "uniform attention", 0, heads, Fraction(factor, root), 0, 1, Fraction(factor),
        Fraction(0), small, ((Fraction(0), length - 1),), layers=layers,
    )  # fmt: skip


def own_runs() -> Iterator[Run]:
    """Yield executed models for B16 at growing n."""
    for length in _LENGTHS:
        yield own_only(12, 2, length)


def mean_runs() -> Iterator[Run]:
    """Yield executed one-head models for B17 at growing n."""
    for length in _LENGTHS:
        yield means(4, 1, 1, 3, length)


def many_head_runs() -> Iterator[Run]:
    """Yield executed one-layer models with 16 heads for B17."""
    for length in _LENGTHS:
        yield means(4, 16, 4, 1, length)


def b16_holds(run: Run) -> bool:
    """Decide B16 for one run."""
    return within(run, published.B16, elsewhere=False)


def b17_holds(run: Run) -> bool:
    """Decide B17 for one run."""
    return within(run, published.B17, elsewhere=True)


B15 = Claim(
    id="seeds.hahn.b15",
    says=r"Attention weight $\le e^A/(e^A+(n-1)e^{-A})\le e^{2A}/(n-1)$ (the review writes the bound "
    r"next to the logit's symbol; it is the weight that obeys it), $u=e^{2A}$.",
    source=_AT,
    labels=("B15",),
    statement=Inequality(WEIGHT_SHARP_U, "<=", WEIGHT_PAPER_U, _DOMAIN),
    check=smt.decide(),
    expect=Verdict.PROVED,
    assumes=("hahn2020.attention_weight",),
    twin=Twin(
        "n - 1 in the denominator, not n",
        Inequality(WEIGHT_SHARP_U, "<=", u / (n + 1), _DOMAIN),
    ),
)

B16 = Claim(
    id="seeds.hahn.b16",
    says=r"$\|y_i^{(k)}-y_i'^{(k)}\|\le C2^kD$ with $C=2(1+e^{2A}+L_f)$.",
    source=_AT,
    labels=("B16",),
    statement=ForAll(
        "the change at the exchanged position is at most C 2^k D",
        "two residual layers with L_f = 12 and no attention, n in {3, 10^6, 10^20}",
        own_runs,
        b16_holds,
    ),
    check=exhaustive.decide(),
    expect=Verdict.REFUTED,
    difference="The paper has $C^{2k}$, not $C2^k$: residual layers alone grow like $L_f^k$, at "
    "every $n$, with the attention weights untouched.",
)

_K = sp.Symbol("k", integer=True, positive=True)
_C = sp.Symbol("C", positive=True)
B16_ANY_CONSTANT = Claim(
    id="seeds.hahn.b16.any_constant",
    says=r"$\|y_i^{(k)}-y_i'^{(k)}\|\le C2^kD$ for some $C$ that does not depend on $k$ (up to 100).",
    source=_AT,
    labels=("B16",),
    statement=Inequality(
        sp.Integer(3) ** _K,
        "<=",
        _C * sp.Integer(2) ** _K,
        {_K: Integers(60, 60), _C: Reals(1, 100)},
    ),
    check=smt.decide(),
    expect=Verdict.REFUTED,
    difference="With $L_f=3$ the residual path gives $3^kD$, which exceeds $C2^kD$ for every $C$ once "
    r"$k>\log C/\log1.5$.",
)

B17 = Claim(
    id="seeds.hahn.b17",
    says=r"$\|y_j^{(k)}-y_j'^{(k)}\|\le H^{k-1}C2^{k-1}D/n$ for $j\ne i$.",
    source=_AT,
    labels=("B17",),
    statement=ForAll(
        "the change at every other position is at most H^(k-1) C 2^(k-1) D / n",
        "three layers of uniform attention, one head, L_f = 4, n in {3, 10^6, 10^20}",
        mean_runs,
        b17_holds,
    ),
    check=exhaustive.decide(),
    expect=Verdict.REFUTED,
    difference="The paper has $H^kC^{2k}$: under uniform attention (no weight moves) the change "
    r"grows like $L_f^k/n$, at every $n$.",
)

B17_MANY_HEADS = Claim(
    id="seeds.hahn.b17.many_heads",
    says=r"$\|y_j^{(1)}-y_j'^{(1)}\|\le H^0CD/n$ for $j\ne i$ with many heads.",
    source=_AT,
    labels=("B17",),
    statement=ForAll(
        "the change at every other position is at most C D / n",
        "one layer of uniform attention, 16 agreeing heads, L_f = 4, n in {3, 10^6, 10^20}",
        many_head_runs,
        b17_holds,
    ),
    check=exhaustive.decide(),
    expect=Verdict.REFUTED,
    difference="The exponent of $H$ is one too small for the first layer: $H$ agreeing heads move "
    r"$f_{act}$ by $\sqrt HL_fD/n$.",
)


@dataclass(frozen=True, slots=True)
class Length:
    """Prefixes of n symbols of the 2DYCK process, read by uniform attention over one-hot rows."""

    p: Fraction
    n: int

    def __str__(self) -> str:
        return f"p={self.p}, n={self.n}, P_0={DyckProcess(self.p).unbalanced_closing(self.n)}"


def short_lengths() -> Iterator[Length]:
    """Yield the lengths 1, 2, 3."""
    for length in (1, 2, 3):
        yield Length(Fraction(1, 4), length)


def excess_reaches_floor(case: Length) -> bool:
    """Decide whether the executed transformer's excess is at least P_0 (1 - p) log 2.

    One head of uniform attention averages one-hot encodings of (position, symbol); f_act looks
    the average up.  If no two prefixes share an average the prediction is the exact law and the
    excess is 0.
    """
    process = DyckProcess(case.p)
    words = [""]
    for _ in range(case.n):
        words = [w + s for w in words for s in process.after(w) if s != END]
    averages = {
        tuple(Fraction(int(x == s), case.n) for x, s in itertools.product(w, "([)]")) for w in words
    }
    exact_prediction = len(averages) == len(words)
    return not exact_prediction or process.unbalanced_closing(case.n) == 0


B18_EVERY_LENGTH = Claim(
    id="seeds.hahn.b18.every_length",
    says=r"Cross-entropy exceeds the optimum by at least $P_0(1-p)\log2$ at every $n$.",
    source=REVIEW_HAHN.at("4.2, 4.4"),
    labels=("B18",),
    statement=ForAll(
        "excess >= P_0 (1 - p) log 2",
        "one layer of uniform attention over one-hot (position, symbol) rows, n in {1, 2, 3}",
        short_lengths,
        excess_reaches_floor,
    ),
    check=exhaustive.decide(),
    expect=Verdict.REFUTED,
    difference="The review drops that the statement is asymptotic: at any fixed $n$ one layer of "
    "uniform attention can read the whole prefix and predict optimally; at $n=3$ already $P_0>0$.",
)

B18 = Claim(
    id="seeds.hahn.b18",
    says=r"Cross-entropy on 2DYCK exceeds the optimum by at least $P_0(1-p)\log2-O(1/n)$, with "
    r"$P_0$ the probability of an unbalanced prefix that ends with a closing bracket.",
    source=REVIEW_HAHN.at("4.2, 4.4"),
    kind=Kind.REPAIRED,
    repairs="seeds.hahn.b18.every_length",
    difference="With the $O(1/n)$, and with $P_0$ for unbalanced prefixes (the review only asks for "
    "a closing bracket).",
    labels=("B18",),
    statement=DYCK.statement,
    check=DYCK.check,
    expect=Verdict.PROVED,
    assumes=("hahn2020.theorem6.dyck",),
    twin=DYCK.twin,
)
