r"""Theorem 1: a restriction leaves C n inputs free but lets the output depend on boundedly many.

Lemma 4 is applied L times, along shares that fall from 1 to C in equal steps.

Main statements: THEOREM_1 (T1), SHARES_FALL, GROWTH.

References
----------
Hahn (2020), Theorem 1 [hahn2020].
"""

import sympy as sp

from bounds.reduction import final
from bounds.reduction.symbols import C, H, L, c, domains, k
from claims import HAHN, Claim, Domain, Inequality, Integers, Reals, Relation, Twin, Verdict
from proofs.checkers import smt
from proofs.checkers.substitution import power_of_two

w = sp.Symbol("w", positive=True)
layer = sp.Symbol("l", integer=True, positive=True)
_SHARES: dict[sp.Symbol, Domain] = {
    C: Reals(0, 1, open_lo=True, open_hi=True),
    L: Integers(1),
    layer: Integers(1),
}
_WITHIN = Relation(layer, "<=", L)


def _share(removed: sp.Expr) -> sp.Expr:
    """Share of the inputs that is kept when ``removed`` layers are gone: from 1 down to C."""
    return 1 - removed * (1 - C) / L


SHARES_FALL = Claim(
    id="hahn2020.theorem1.shares_fall",
    says=r"The shares $C_l=1-l(1-C)/L$ fall from layer to layer, as Lemma 4 asks of $C'<C$.",
    source=HAHN.at("Theorem 1"),
    labels=("T1",),
    statement=Inequality(_share(layer), "<", _share(layer - 1), _SHARES, (_WITHIN,)),
    check=smt.decide(),
    expect=Verdict.PROVED,
    twin=Twin(
        "$C<1$ (here $C\\le1$)",
        Inequality(
            _share(layer),
            "<",
            _share(layer - 1),
            {**_SHARES, C: Reals(0, 1, open_lo=True)},
            (_WITHIN,),
        ),
    ),
    proof=r"""$C_{l-1}-C_l=(1-C)/L>0$.""",
)

THEOREM_1 = Claim(
    id="hahn2020.theorem1",
    says=r"Theorem 1: for every hard-attention transformer and every $C\in(0,1)$ there are a "
    r"restriction $\rho$ with at least $Cn$ stars for all large $n$ and a constant $c$ such that "
    r"the restricted output depends on at most $c$ inputs. (Computed here: after each of the $L$ "
    r"applications of Lemma 4 the share kept is still at least $C$. The rest is in the claims that "
    r"this one rests on, and in the proof text.)",
    source=HAHN.at("Theorem 1"),
    labels=("T1",),
    statement=Inequality(_share(layer), ">=", C, _SHARES, (_WITHIN,)),
    check=smt.decide(),
    expect=Verdict.PROVED,
    assumes=("hahn2020.lemma4", SHARES_FALL.id, "hahn2020.theorem1.finite"),
    twin=Twin(r"at most $L$ applications", Inequality(_share(layer), ">=", C, _SHARES)),
    proof=r"""A transformer is a 1-transformer with $n$ stars, a share $C_0=1$. Apply Lemma 4 once per
layer, from share $C_{l-1}$ to $C_l=1-l(1-C)/L<C_{l-1}$. After $L$ applications at least $C_Ln=Cn$
inputs are free, no layer is left, and $y_n$ depends on at most $c_L$ inputs, where $c_0=1$ and
$c_{l}=c_{l-1}(2^{c_{l-1}}k_lH+1)$. Every $k_l$ depends on $c_{l-1}$, $H$ and the shares only, so
$c_L$ is free of $n$; "for all large $n$" takes the largest of the $L$ thresholds.""",
)

_GROWS = domains(c * k * H)

GROWTH = Claim(
    id="hahn2020.theorem1.finite",
    says=r"$c\mapsto c(2^ckH+1)$ grows strictly and stays free of $n$.",
    source=HAHN.at("Theorem 1"),
    labels=("T1",),
    statement=Inequality(final.C_OUT.expression, ">=", 3 * c, _GROWS),
    check=smt.decide(power_of_two(c, w)),
    expect=Verdict.PROVED,
    twin=Twin("the exact factor (here 4)", Inequality(final.C_OUT.expression, ">=", 4 * c, _GROWS)),
    proof=r"""$2^ckH+1\ge3$ for $c,k,H\ge1$. The recursion contains no $n$.""",
)
