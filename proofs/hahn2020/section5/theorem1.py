r"""Theorem 1: a restriction leaves C n inputs free but lets the output depend on boundedly many.

Lemma 4 is applied L times, each time keeping the share C^(1/L) of the free inputs.

Main statements: THEOREM_1 (T1), SHARES_FALL, GROWTH.

References
----------
Hahn (2020), Theorem 1 [hahn2020].
"""

import sympy as sp

from bounds.reduction import final
from bounds.reduction.symbols import C, H, L, c, domains, k
from claims import HAHN, Claim, Domain, Inequality, Integers, Reals, Twin, Verdict
from proofs.checkers import exact, smt
from proofs.checkers.substitution import power_of_two

w = sp.Symbol("w", positive=True)
_STEP = C ** (1 / L)
_SHARES: dict[sp.Symbol, Domain] = {C: Reals(0, 1, open_lo=True, open_hi=True), L: Integers(1)}

THEOREM_1 = Claim(
    id="hahn2020.theorem1",
    says=r"Theorem 1: for every hard-attention transformer and every $C\in(0,1)$ there are a "
    r"restriction $\rho$ with at least $Cn$ stars for all large $n$ and a constant $c$ such that "
    r"the restricted output depends on at most $c$ inputs.",
    source=HAHN.at("Theorem 1"),
    labels=("T1",),
    statement=Inequality(_STEP**L, "==", C, _SHARES),
    check=exact.decide(),
    expect=Verdict.PROVED,
    assumes=("hahn2020.lemma4", "hahn2020.theorem1.finite"),
    twin=Twin(
        "one application per layer (here one more)", Inequality(_STEP ** (L + 1), "==", C, _SHARES)
    ),
    proof=r"""A transformer is a 1-transformer with $n$ stars. Apply Lemma 4 once per layer, from
share $C^{(l-1)/L}$ to $C^{l/L}<C^{(l-1)/L}$. After $L$ applications at least $Cn$ inputs are free,
no layer is left, and $y_n$ depends on at most $c_L$ inputs, where $c_0=1$ and
$c_{l}=c_{l-1}(2^{c_{l-1}}k_lH+1)$. Every $k_l$ depends on $c_{l-1}$, $H$ and $C$ only, so $c_L$ is
free of $n$; "for all large $n$" takes the largest of the $L$ thresholds.""",
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
