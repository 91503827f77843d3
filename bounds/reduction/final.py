r"""After Stage 3: how many inputs stay free, and how many each new activation depends on.

Main definitions: SHARE, STARS, REACHES, THROUGH_HEADS, C_OUT.

References
----------
Hahn (2020), Section 5.1, end of Stage 3, and Lemma 4 [hahn2020].
"""

from bounds.bound import Bound, Condition
from bounds.reduction.symbols import (
    FEW_FIXED,
    TARGET_BELOW,
    C,
    Cp,
    H,
    c,
    delta,
    domains,
    eta,
    k,
    n,
    q,
)
from claims.source import HAHN
from claims.statements import Relation

_AT = HAHN.at("Section 5.1, Stage 3")

SHARE = (1 - 2 * eta) * (1 - (1 + delta) * q)
"""Share of the free inputs that survives one step; must be at least C'/C."""

STARS = Bound(
    name="final.stars",
    title="Free inputs after one step",
    symbols=domains(SHARE * C * n),
    expression=SHARE * C * n,
    direction="lower",
    source=_AT,
    text="Stage 3 fixes at most (1 + delta) q of the (1 - 2 eta) C n inputs left by Stage 2.",
    given=(FEW_FIXED,),
)

REACHES = Condition(
    name="final.reaches",
    title="The parameters reach the target share exactly",
    symbols=domains(SHARE * C * Cp),
    relation=Relation(SHARE, "==", Cp / C),
    source=_AT,
    text="(1 - 2 eta)(1 - (1 + delta) q) = C'/C.",
    given=(FEW_FIXED, TARGET_BELOW),
)

THROUGH_HEADS = Bound(
    name="final.through_heads",
    title="Inputs that a layer-1 activation depends on through its heads",
    symbols=domains(H * c * k),
    expression=H * c * 2**c * k,
    direction="upper",
    source=_AT,
    text="H heads, 2^c values each, k selected activations with at most c inputs.",
)

C_OUT = Bound(
    name="final.c_out",
    title="Inputs that a layer-1 activation depends on",
    symbols=domains(c * k * H),
    expression=c * (2**c * k * H + 1),
    direction="upper",
    source=HAHN.at("Lemma 4"),
    text="THROUGH_HEADS and the at most c inputs of its own layer-0 activation.",
)
