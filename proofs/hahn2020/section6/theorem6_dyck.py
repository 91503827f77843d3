r"""Theorem 6 for 2DYCK, its constant P_0, and footnote 4.

The prefix ends with a closing bracket and is unbalanced, so the innermost open bracket stands at
some i < n: exchanging its type leaves the prefix equally likely, swaps the closer that is due, and
moves the prediction by O(1/n).  P_0 depends on the law of prefixes; both readings are decided.

Main statements: DYCK, CLOSERS, EXCHANGE, FOOTNOTE_AS_STATED, FOOTNOTE, STATIONARY, P0_STREAM,
QUASI_STATIONARY, P0_SURVIVAL.

References
----------
Hahn (2020), Theorem 6 and footnote 4 [hahn2020].
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import sympy as sp

from claims import HAHN, OWN, Claim, Domain, ForAll, Inequality, Kind, Reals, Twin, Verdict
from languages.dyck_process import CLOSER, DyckProcess
from languages.next_symbol import END
from proofs.checkers import exact, exhaustive, smt

p, q, r, h, rho, t = sp.symbols("p q r h rho t", positive=True)
_AT = HAHN.at("Theorem 6, 2DYCK")
_NOTE = HAHN.at("footnote 4")
_ALL: dict[sp.Symbol, Domain] = {p: Reals(0, 1, open_lo=True, open_hi=True)}
_HALF: dict[sp.Symbol, Domain] = {p: Reals(0, Fraction(1, 2), open_lo=True, open_hi=True)}
_RATIO = p / (1 - p)
_SCOPE = "p in {1/4, 1/2, 3/4}, every unbalanced prefix of at most 7 symbols that ends closing"


@dataclass(frozen=True, slots=True)
class Prefix:
    """A prefix of the 2DYCK process."""

    p: Fraction
    word: str

    def __str__(self) -> str:
        return f"p={self.p}, prefix {self.word}"


def hidden_prefixes(*, closing: bool = True) -> Iterator[Prefix]:
    """Yield unbalanced prefixes; ``closing``: only those whose last symbol closes."""
    for chance in (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4)):
        process = DyckProcess(chance)
        words = [""]
        for _ in range(7):
            words = [w + s for w in words for s in process.after(w) if s != END]
            for w in words:
                if process.open_brackets(w) and (not closing or w[-1] in CLOSER.values()):
                    yield Prefix(chance, w)


def any_unbalanced() -> Iterator[Prefix]:
    """Yield unbalanced prefixes, whatever their last symbol."""
    return hidden_prefixes(closing=False)


def opener_is_earlier_and_free(case: Prefix) -> bool:
    """Decide that the due bracket opened before the last symbol and that its type is free."""
    process = DyckProcess(case.p)
    depth, at = 0, len(case.word)
    while depth < 1:
        at -= 1
        depth += 1 if case.word[at] in CLOSER else -1
    other = "[" if case.word[at] == "(" else "("
    twin = case.word[:at] + other + case.word[at + 1 :]
    laws = process.after(case.word), process.after(twin)
    swapped = {CLOSER[other] if s == CLOSER[case.word[at]] else s: v for s, v in laws[0].items()}
    return (
        at < len(case.word) - 1
        and process.probability(twin) == process.probability(case.word)
        and swapped == laws[1]
    )


EXCHANGE = Claim(
    id="hahn2020.theorem6.dyck.exchange",
    says="In an unbalanced prefix that ends with a closing bracket the innermost open bracket "
    "stands before the last symbol, and exchanging its type keeps the probability and swaps the "
    "closer that is due.",
    source=OWN.at("Theorem 6, 2DYCK"),
    kind=Kind.OWN,
    labels=("T6",),
    statement=ForAll(
        "exchange of the due opener", _SCOPE, hidden_prefixes, opener_is_earlier_and_free
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    twin=Twin(
        "the last symbol closes",
        ForAll("exchange of the due opener", _SCOPE, any_unbalanced, opener_is_earlier_and_free),
    ),
    proof=r"""The last symbol closes, so it is not the open bracket.  Types are chosen independently
and uniformly, and the partner of an open bracket is not in the prefix.""",
)

CLOSERS = Claim(
    id="hahn2020.theorem6.dyck.mixture",
    says=r"Mixing the two laws raises the entropy by exactly $(1-p)\ln2$.",
    source=OWN.at("Theorem 6, 2DYCK"),
    kind=Kind.OWN,
    labels=("T6",),
    statement=Inequality(
        -(1 - p) * sp.log((1 - p) / 2) + (1 - p) * sp.log(1 - p), "==", (1 - p) * sp.log(2), _ALL
    ),
    check=exact.decide(),
    expect=Verdict.PROVED,
    twin=Twin(
        "two types",
        Inequality(
            -(1 - p) * sp.log((1 - p) / 3) + (1 - p) * sp.log(1 - p),
            "==",
            (1 - p) * sp.log(2),
            _ALL,
        ),
    ),
)

DYCK = Claim(
    id="hahn2020.theorem6.dyck",
    says=r"On 2DYCK the cross-entropy exceeds the optimum by at least $P_0(1-p)\ln2-O(1/n)$, "
    r"$P_0$ the probability of an unbalanced prefix that ends with a closing bracket.",
    source=_AT,
    labels=("T6",),
    statement=Inequality(
        4 * q * r, "<=", (q + r) ** 2, {q: Reals(0, 1), r: Reals(0, 1)}
    ),
    check=smt.decide(),
    expect=Verdict.PROVED,
    assumes=("hahn2020.theorem6.dyck.exchange", "hahn2020.theorem6.dyck.mixture",
             "hahn2020.theorem6.pair", "hahn2020.lemma5"),
    twin=Twin(
        "4, not 5",
        Inequality(5 * q * r, "<=", (q + r) ** 2, {q: Reals(0, 1), r: Reals(0, 1)}),
    ),
    proof=r"""A common prediction gives $q$ to `)` and $r$ to `]`; the two prefixes need one each, and
$-\frac12\ln q-\frac12\ln r\ge\ln2-\ln(q+r)$ is $4qr\le(q+r)^2$.  With Gibbs' inequality for
"some closer" against the openers, the pair's cost exceeds the optimum by $(1-p)\ln2$, up to the
$O(1/n)$ by which predictions differ (Lemma 5, as $i<n$, for log-probabilities Lipschitz in
$y_n^{(L)}$).  Everywhere else the excess is at least $0$.  The statement is about every prefix
length $n$, under any law of prefixes in which both members of a pair are equally likely: the
stationary stream, or one word given survival to $n$.""",
)  # fmt: skip

FOOTNOTE_AS_STATED = Claim(
    id="hahn2020.theorem6.footnote4.as_stated",
    says=r"The bracket height has a stationary distribution $\propto r^h$, $r=p/(1-p)<1$, for "
    r"every $p$.",
    source=_NOTE,
    labels=("T6",),
    statement=Inequality(_RATIO, "<", sp.Integer(1), _ALL),
    check=smt.decide(),
    expect=Verdict.REFUTED,
    difference="Positive recurrence needs $p<1/2$; at $p=1/2$ the height is null recurrent, above "
    "it escapes to infinity.",
)

FOOTNOTE = Claim(
    id="hahn2020.theorem6.footnote4",
    says=r"For $p<1/2$ the height is positive recurrent: $r=p/(1-p)<1$.",
    source=_NOTE,
    kind=Kind.REPAIRED,
    repairs="hahn2020.theorem6.footnote4.as_stated",
    difference="With the condition $p<1/2$.",
    labels=("T6",),
    statement=Inequality(_RATIO, "<", sp.Integer(1), _HALF),
    check=smt.decide(),
    expect=Verdict.PROVED,
    assumes=("hahn2020.theorem6.footnote4.stationary",),
    twin=Twin("p < 1/2", Inequality(_RATIO, "<", sp.Integer(1), _ALL)),
    proof=r"""$\sum_h(1-r)r^h=1$ exactly if $r<1$; each height then has positive weight.  For
$p\ge1/2$ under survival $P_0$ still stays away from $0$: the height is then above $0$ with
probability tending to $1$, so $P_0\to1-p$.""",
)

STATIONARY = Claim(
    id="hahn2020.theorem6.footnote4.stationary",
    says=r"$\pi_h=(1-r)r^h$ is invariant: $\pi_h=p\pi_{h-1}+(1-p)\pi_{h+1}$.",
    source=OWN.at("footnote 4"),
    kind=Kind.OWN,
    labels=("T6",),
    statement=Inequality(
        _RATIO**h, "==", p * _RATIO ** (h - 1) + (1 - p) * _RATIO ** (h + 1),
        {**_HALF, h: Reals(1, 50)},
    ),
    check=exact.decide(),
    expect=Verdict.PROVED,
    twin=Twin(
        "r = p/(1-p)",
        Inequality(p**h, "==", p * p ** (h - 1) + (1 - p) * p ** (h + 1),
                   {**_HALF, h: Reals(1, 50)}),
    ),
)  # fmt: skip

P0_STREAM = Claim(
    id="hahn2020.theorem6.p0.stream",
    says=r"In the stationary stream $P_0=(1-p)\sum_{h\ge1}\pi_{h+1}=(1-p)r^2=p^2/(1-p)$.",
    source=OWN.at("P_0, stream"),
    kind=Kind.OWN,
    labels=("T6",),
    statement=Inequality(sp.Mul(1 - p, _RATIO**2, evaluate=False), "==", p**2 / (1 - p), _HALF),
    check=exact.decide(),
    expect=Verdict.PROVED,
    assumes=("hahn2020.theorem6.footnote4.stationary",),
    twin=Twin(
        "height at least 1 after the closer",
        Inequality(sp.Mul(1 - p, _RATIO, evaluate=False), "==", p**2 / (1 - p), _HALF),
    ),
)

QUASI_STATIONARY = Claim(
    id="hahn2020.theorem6.p0.quasi_stationary",
    says=r"$\nu_h\propto(h+1)\rho^h$, $\rho=\sqrt r$, is reproduced by one step of the walk killed "
    r"below $0$, with decay $2\sqrt{p(1-p)}$.",
    source=OWN.at("P_0, survival"),
    kind=Kind.OWN,
    labels=("T6",),
    statement=Inequality(
        h * rho ** (h - 1) * rho**2 / (1 + rho**2) + (h + 2) * rho ** (h + 1) / (1 + rho**2),
        "==",
        2 * rho / (1 + rho**2) * (h + 1) * rho**h,
        {rho: Reals(Fraction(1, 10), 1), h: Reals(0, 40)},
    ),
    check=exact.decide(),
    expect=Verdict.PROVED,
    twin=Twin(
        "the factor h + 1",
        Inequality(
            rho ** (h - 1) * rho**2 / (1 + rho**2) + rho ** (h + 1) / (1 + rho**2),
            "==",
            2 * rho / (1 + rho**2) * (h + 1) * rho**h,
            {rho: Reals(Fraction(1, 10), 1), h: Reals(0, 40)},
        ),
    ),
    proof=r"""Here $p=\rho^2/(1+\rho^2)$, $1-p=1/(1+\rho^2)$ and $\sqrt{p(1-p)}=\rho/(1+\rho^2)$.""",
)


@dataclass(frozen=True, slots=True)
class Length:
    """A length at which P_0 given survival is compared with its limit."""

    p: Fraction
    n: int
    factor: Fraction

    def __str__(self) -> str:
        return f"p={self.p}, n={self.n}: |P_0(n) - limit| n <= {self.factor}"


def lengths(factor: Fraction = Fraction(5)) -> Iterator[Length]:
    """Yield the lengths of the scope."""
    for chance in (Fraction(1, 10), Fraction(1, 4), Fraction(2, 5)):
        for n in range(4, 60):
            yield Length(chance, n, factor)


def tight_lengths() -> Iterator[Length]:
    """Yield the same with a factor that is too small."""
    return lengths(Fraction(1, 100))


def close_to_limit(case: Length) -> bool:
    """Decide |P_0(n) - limit| <= factor / n exactly."""
    process = DyckProcess(case.p)
    gap = process.unbalanced_closing(case.n) - process.limit("survival", even=case.n % 2 == 0)
    return abs(gap) * case.n <= case.factor


P0_SURVIVAL = Claim(
    id="hahn2020.theorem6.p0.survival",
    says=r"Given survival to $n$ and $p<1/2$: $P_0(n)\to p(2-3p)/(1-p)$ for even $n$ and "
    r"$(3-r)/4$ for odd $n$, with error at most $2/n$ (exact to $n=59$).",
    source=OWN.at("P_0, survival"),
    kind=Kind.OWN,
    labels=("T6",),
    statement=ForAll(
        "|P_0(n) - limit| <= 5/n", "p in {1/10, 1/4, 2/5}, 4 <= n <= 59", lengths, close_to_limit
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    assumes=("hahn2020.theorem6.p0.quasi_stationary",),
    twin=Twin(
        "5/n, not 1/(100 n)",
        ForAll(
            "|P_0(n) - limit| <= 1/(100 n)", "p in {1/10, 1/4, 2/5}, 4 <= n <= 59",
            tight_lengths, close_to_limit,
        ),
    ),
)  # fmt: skip
