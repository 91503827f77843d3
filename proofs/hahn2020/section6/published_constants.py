r"""L5b and L5c: the published constants of Lemma 5 fail, at fixed n and as n tends to infinity.

Two things are missing in C = 2(1 + exp(2A) + L_f).  The number of heads does not enter L5b, though
H heads that agree move f_act by up to sqrt(H) L_f.  And the attention weights move with the
exchanged symbol: to first order a head moves by A D at the exchanged position and by
(1 + 2A) exp(2A) D / n elsewhere, not by the frozen w D.

Main statements: L5B_FIXED, L5B_LARGE, L5B_LIMIT, L5B_FROZEN, L5B_ONE_HEAD, L5C_FIXED, L5C_LIMIT,
L5C_ONE_LAYER.

References
----------
Hahn (2020), Section 6, proof of Lemma 5 [hahn2020].
"""

from collections.abc import Iterator
from fractions import Fraction

import sympy as sp

from bounds.soft.attention_weight import A, u
from bounds.soft.published import L5B, L5C, L_F, PUBLISHED_C
from bounds.soft.recursion import D, E, w
from claims import (
    HAHN,
    OWN,
    Claim,
    Domain,
    Exists,
    ForAll,
    Inequality,
    Kind,
    Reals,
    Relation,
    Twin,
    Verdict,
)
from proofs.checkers import exhaustive, smt
from proofs.hahn2020.section6.executed import Run, within

_AT = HAHN.at("Section 6, proof of Lemma 5")
_HALF = 5 * 10**19
D_HALF = D / 2


def uniform_heads(heads: int, name: str) -> Run:
    """Return one layer of uniform attention over two symbols, f_act = 2 (y + sum b)/sqrt(H+1)."""
    root = sp.integer_nthroot(heads + 1, 2)[0]
    return Run(
        name, 0, heads, Fraction(2, root), 1, 1, Fraction(2), Fraction(0), Fraction(1, 100),
        ((Fraction(0), 1),),
    )  # fmt: skip


def steering_heads(half: int, *, frozen: bool = False) -> Run:
    """Return H = 135^2 - 1 heads whose query moves away from 0 between keys at +1 and -1."""
    return Run(
        "heads that turn between two clusters", 1, 18224, Fraction(8, 135), 1, 1, Fraction(8),
        Fraction(0), Fraction(1, 2000), ((Fraction(1), half), (Fraction(-1), half)), frozen=frozen,
    )  # fmt: skip


def spotlight(logit: int, lipschitz: int, rest: int) -> Run:
    """Return one head in which the exchanged key has logit A and all others -A."""
    return Run(
        "one key at +A, the others at -A", -logit, 1, Fraction(lipschitz), 0, 1,
        Fraction(lipschitz), Fraction(1), Fraction(99, 100), ((Fraction(-1), rest),),
        shift=Fraction(lipschitz - 1),
    )  # fmt: skip


def self_runs() -> Iterator[Run]:
    """Yield executed models for L5b at small n."""
    for heads in (3, 15, 4224):
        yield uniform_heads(heads, "uniform attention, agreeing heads")


def self_runs_long() -> Iterator[Run]:
    """Yield executed models for L5b at n = 10^20 + 1 and 10^6 + 1."""
    for half in (_HALF, 5 * 10**5):
        yield steering_heads(half)


def self_runs_frozen() -> Iterator[Run]:
    """Yield the same models with the weights kept at those of the word before the exchange."""
    for half in (5 * 10**5, _HALF):
        yield steering_heads(half, frozen=True)


def other_runs() -> Iterator[Run]:
    """Yield executed models for L5c; exp(20) = 485165195.4..., so L_f is about u."""
    yield spotlight(1, 8, 99)
    yield spotlight(10, 485165195, 10**24)


def l5b_holds(run: Run) -> bool:
    """Decide L5b for one run."""
    return within(run, L5B, elsewhere=False)


def l5c_holds(run: Run) -> bool:
    """Decide L5c for one run."""
    return within(run, L5C, elsewhere=True)


L5B_FIXED = Claim(
    id="hahn2020.lemma5.self.as_stated",
    says=r"$\|y_i^{(k)}-y_i'^{(k)}\|\le C^{2k}D$ with $C=2(1+e^{2A}+L_f)$, for every $n$.",
    source=_AT,
    labels=("L5b",),
    statement=ForAll(
        "the change at the exchanged position is at most C^(2k) D",
        "uniform attention (A = 0), n = 2, H in {3, 15, 4224} agreeing heads, L_f = 2",
        self_runs,
        l5b_holds,
    ),
    check=exhaustive.decide(),
    expect=Verdict.REFUTED,
    difference="$C$ does not contain the number of heads: $H$ agreeing heads move $f_{act}$ by "
    r"about $\sqrt H L_f w D$, which exceeds $C^2D$ for large $H$ even under uniform attention.",
)

_TURN = sp.Rational(1, 2000)
_TANH = (sp.exp(_TURN) - sp.exp(-_TURN)) / (sp.exp(_TURN) + sp.exp(-_TURN))

L5B_LARGE = Claim(
    id="hahn2020.lemma5.self.as_stated.large_n",
    says=r"$\|y_i^{(k)}-y_i'^{(k)}\|\le C^{2k}D$ with $C=2(1+e^{2A}+L_f)$, at least for large $n$.",
    source=_AT,
    labels=("L5b",),
    statement=ForAll(
        "the change at the exchanged position is at most C^(2k) D",
        "dot-product logits with A = 1, H = 18224, L_f = 8, n in {10^20 + 1, 10^6 + 1}",
        self_runs_long,
        l5b_holds,
    ),
    check=exhaustive.decide(),
    expect=Verdict.REFUTED,
    difference="The exchanged position turns its own attention: each head moves by "
    r"$\tanh(AD)\approx AD$ at every $n$, while with frozen weights it would move by $D/n$.",
)

L5B_LIMIT = Claim(
    id="hahn2020.lemma5.self.as_stated.limit",
    says=r"$\liminf_{n\to\infty}\|y_i^{(1)}-y_i'^{(1)}\|\le C^2D$ for every model.",
    source=_AT,
    labels=("L5b",),
    statement=Inequality(
        sp.Rational(8, 135) * (_TURN + 18224 * _TANH),
        "<=",
        PUBLISHED_C**2 * _TURN,
        {A: Reals(1, 1), L_F: Reals(8, 8)},
    ),
    check=smt.decide(),
    expect=Verdict.REFUTED,
    difference="The left side bounds the executed counterexample from below at every odd $n$, "
    "so no threshold on $n$ repairs the constant.",
    proof=r"""The exchanged activation is a query at $0$ between as many keys at $+1$ as at $-1$.
Moved to $D$, its head output is a mean of $\tanh(AD)$ (over the other keys) and of $D$ (its own
value), at every odd $n$.  For $A=1$ both are at least $\tanh D$, so the change is at least
$L_f(D+H\tanh D)/\sqrt{H+1}$.""",
)

L5B_FROZEN = Claim(
    id="hahn2020.lemma5.self.frozen",
    says="The same models satisfy the published bound if the attention weights are frozen: the "
    "moving weights are what breaks it for large $n$.",
    source=OWN.at("Lemma 5, what freezing the weights hides"),
    kind=Kind.OWN,
    labels=("L5b",),
    statement=ForAll(
        "with frozen weights the change is at most C^(2k) D",
        "the models of the large-n counterexample, n in {10^6 + 1, 10^20 + 1}",
        self_runs_frozen,
        l5b_holds,
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
)

L5C_FIXED = Claim(
    id="hahn2020.lemma5.other.as_stated",
    says=r"$\|y_j^{(k)}-y_j'^{(k)}\|\le H^kC^{2k}D/n$ for $j\ne i$, $C=2(1+e^{2A}+L_f)$.",
    source=_AT,
    labels=("L5c",),
    statement=ForAll(
        "the change at every other position is at most H^k C^(2k) D / n",
        "one head, one layer: A = 1 at n = 100, and A = 10, L_f = 485165195 at n = 10^24 + 1",
        other_runs,
        l5c_holds,
    ),
    check=exhaustive.decide(),
    expect=Verdict.REFUTED,
    difference="The weight of the exchanged key moves with its logit: the head moves by "
    r"$(1+2A)e^{2A}D/n$, not $e^{2A}D/n$; with $L_f\approx e^{2A}$ that exceeds $C^2D/n$ once "
    "$1+2A>16$.",
)

_STEP = sp.Rational(1, 100)
L5C_LIMIT = Claim(
    id="hahn2020.lemma5.other.as_stated.limit",
    says=r"$\lim_{n\to\infty} n\|y_j^{(1)}-y_j'^{(1)}\|\le C^2D$ for one head.",
    source=_AT,
    labels=("L5c",),
    statement=Inequality(
        L_F * sp.exp(A) * (2 * sp.exp(A) - (2 - _STEP) * sp.exp(A * (1 - _STEP))),
        "<=",
        PUBLISHED_C**2 * _STEP,
        {A: Reals(10, 10), L_F: Reals(485165195, 485165195)},
    ),
    check=smt.decide(),
    expect=Verdict.REFUTED,
    difference=r"The left side is the exact limit of the executed counterexample with $D=1/100$; "
    "it exceeds the right side, so no threshold on $n$ repairs the constant.",
)

L5C_ONE_LAYER = Claim(
    id="hahn2020.lemma5.other.small_logits",
    says=r"For one layer and one head the published constant does suffice as long as $A\le15/2$: "
    r"$L_f(1+2A)e^{2A}\le C^2$.",
    source=OWN.at("Lemma 5, where the published constant holds"),
    kind=Kind.OWN,
    labels=("L5c",),
    statement=Inequality(
        L_F * (1 + 2 * A) * u,
        "<=",
        (PUBLISHED_C**2).subs(sp.exp(2 * A), u),
        {A: Reals(0), u: Reals(1), L_F: Reals(0)},
        (Relation(A, "<=", sp.Rational(15, 2)),),
    ),
    check=smt.decide(),
    expect=Verdict.PROVED,
    assumes=("hahn2020.lemma5.recursion.other",),
    twin=Twin(
        "A <= 15/2",
        Inequality(
            L_F * (1 + 2 * A) * u,
            "<=",
            (PUBLISHED_C**2).subs(sp.exp(2 * A), u),
            {A: Reals(0), u: Reals(1), L_F: Reals(0)},
        ),
    ),
    proof=r"""Here $u$ stands for $e^{2A}$ and is treated as free, which is stronger.  By the
inequality of the means $4(1+u+L_f)^2\ge 16uL_f$.""",
)

_ONE_HEAD = L_F * E + L_F * (A + w * (1 + 4 * A)) * E
_ONE_HEAD_DOMAIN: dict[sp.Symbol, Domain] = {
    A: Reals(0), u: Reals(1), L_F: Reals(0), w: Reals(0, 1), E: Reals(0),
}  # fmt: skip
_SQUARE = (PUBLISHED_C**2).subs(sp.exp(2 * A), u)

L5B_ONE_HEAD = Claim(
    id="hahn2020.lemma5.self.one_head",
    says=r"For one layer and one head the published bound at the exchanged position does hold, for "
    r"every $A$ and $n$: $L_f(1+A+w(1+4A))D\le C^2D$.",
    source=OWN.at("Lemma 5, where the published constant holds"),
    kind=Kind.OWN,
    labels=("L5b",),
    statement=Inequality(
        _ONE_HEAD, "<=", _SQUARE * E, _ONE_HEAD_DOMAIN, (Relation(u, ">=", 1 + 2 * A),)
    ),
    check=smt.decide(),
    expect=Verdict.PROVED,
    assumes=("hahn2020.lemma5.recursion.self",),
    twin=Twin("u >= 1 + 2A", Inequality(_ONE_HEAD, "<=", _SQUARE * E, _ONE_HEAD_DOMAIN)),
    proof=r"""$u=e^{2A}\ge1+2A$, and $4(1+u+L_f)^2\ge8L_f(1+u)\ge16L_f(1+A)\ge L_f(2+5A)$.""",
)

TURNING_EXISTS = Claim(
    id="hahn2020.lemma5.self.turning",
    says=r"At every length tried, a head whose query moves by $D$ moves by more than $D/2$, "
    r"however large $n$ is.",
    source=OWN.at("Lemma 5, first-order change of a head"),
    kind=Kind.OWN,
    labels=("L5b",),
    statement=Exists(
        "one head moves the exchanged position by more than D/2 at n = 10^20 + 1",
        "A = 1, one head, keys in two equal clusters",
        lambda: [
            Run(
                "one turning head", 1, 1, Fraction(1), 0, 1, Fraction(1), Fraction(0),
                Fraction(1, 1000), ((Fraction(1), _HALF), (Fraction(-1), _HALF)),
            )
        ],
        lambda run: not within(run, D_HALF, elsewhere=False),
    ),
    check=exhaustive.decide(),
    expect=Verdict.PROVED,
    no_twin="an existence statement: its witness is executed",
)  # fmt: skip
