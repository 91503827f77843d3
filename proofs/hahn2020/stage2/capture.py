"""Capture: an activation whose score is constant confines its head to a prefix of the ranking.

The paper states this for a satisfied pair ("it can only attend to k activations").  It is the
fact behind all of Stage 2, and needs no selection: one constant score is enough.

References: Hahn (2020), Section 5.1, Stage 2 [hahn2020].
"""

import sympy as sp

from claims import HAHN, Claim, ForAll, Inequality, Kind, Reals, Relation, Twin, Verdict
from proofs.checkers import exhaustive, smt
from proofs.hahn2020.combinatorics.families import SCOPE, Restricted, restricted_pairs
from proofs.hahn2020.combinatorics.pairs import completions


def stays_in_prefix(case: Restricted) -> bool:
    """On every input compatible with rho, the head attends up to the first constant score."""
    prefix = case.pair.captured(case.rho)
    return prefix is None or all(case.pair.attended(x) in prefix for x in completions(case.rho))


ENUMERATED = Claim(
    id="hahn2020.stage2.capture.enumerated",
    says=r"On every input compatible with the restriction, the head attends to a position of the"
    r" ranking (7) up to the first activation whose score is constant (every small case).",
    source=HAHN.at("5.1, Stage 2, satisfied heads"),
    statement=ForAll(
        "the attended position lies in the captured prefix",
        SCOPE,
        restricted_pairs,
        stays_in_prefix,
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    labels=("C2",),
    proof=r"Hard attention is run on every compatible input; the general argument is the claim "
    r"`hahn2020.stage2.capture`.",
)

_score, _best, _witness, _best_witness = sp.symbols("a_j m_j a_w m_w", real=True)
_DOMAIN = {s: Reals() for s in (_score, _best, _witness, _best_witness)}
_BELOW = (Relation(_score, "<=", _best), Relation(_best, "<=", _best_witness))
_CONSTANT = Relation(_witness, "==", _best_witness)

CAPTURE = Claim(
    id="hahn2020.stage2.capture",
    says=r"If the score of the activation at rank $w$ of the ranking (7) is constant, then on every"
    r" compatible input with $y_i^{(0)} = z$ the head attends to a position of rank at most $w$.",
    source=HAHN.at("5.1, Stage 2, satisfied heads"),
    statement=Inequality(_score, "<=", _witness, _DOMAIN, (*_BELOW, _CONSTANT)),
    check=smt.decide(),
    expect=Verdict.PROVED,
    kind=Kind.OWN,
    labels=("C2",),
    twin=Twin(
        "the score at rank w is constant", Inequality(_score, "<=", _witness, _DOMAIN, _BELOW)
    ),
    proof=r"""Let $w$ be the activation with the constant score and $j$ one of a later rank.  Write
$a_j(x)$ for the score of $j$ on the input $x$ and $m_j = \max_x a_j(x)$ for its greatest
attainable score (7).  For every compatible $x$
$$a_j(x) \le m_j \le m_w = a_w(x),$$
the second step because $w$ comes first in the ranking, the third because the score of $w$ is
constant.  So $j$ is attended to at most in a tie.  In a tie $m_j = m_w$, so the ranking had to
break the tie as well, by position, and $w$ has the lower position: hard attention prefers $w$.

Hence, given $z$, the head is a function of the activations up to rank $w$, and depends on no
free input but those that feed into them.  Fixing more inputs changes nothing in this argument.
(The checked inequality is the chain above; the enumerated claim runs the attention itself.)""",
)
