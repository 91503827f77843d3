r"""What Theorem 6 rests on: a predictor that cannot tell two prefixes apart pays for their mixture.

Main statements: GIBBS, PAIR.

References
----------
Hahn (2020), Theorem 6 [hahn2020].
"""

import sympy as sp

from claims import OWN, Claim, Domain, Inequality, Kind, Reals, Relation, Twin, Verdict
from proofs.checkers import smt

a, b, c, q, r, s = sp.symbols("a b c q r s", positive=True)
x, y, z, delta = sp.symbols("x y z Delta", real=True)
_OPEN = Reals(0, 1, open_lo=True)
_DOMAIN: dict[sp.Symbol, Domain] = {
    a: _OPEN, b: _OPEN, c: _OPEN, q: _OPEN, r: _OPEN, s: _OPEN,
    x: Reals(), y: Reals(), z: Reals(),
}  # fmt: skip
_LAWS = (Relation(a + b + c, "==", sp.Integer(1)), Relation(q + r + s, "<=", sp.Integer(1)))
# x, y, z stand for ln(q/a), ln(r/b), ln(s/c); all that is used is ln t <= t - 1
_LOGS = (
    Relation(a * x, "<=", q - a),
    Relation(b * y, "<=", r - b),
    Relation(c * z, "<=", s - c),
)

GIBBS = Claim(
    id="hahn2020.theorem6.gibbs",
    says=r"No prediction $q$ has less cross-entropy under a law $a$ than $a$ itself: "
    r"$\sum_i a_i\ln(q_i/a_i)\le0$ (three outcomes written out).",
    source=OWN.at("Theorem 6, pairs of prefixes"),
    kind=Kind.OWN,
    labels=("T6",),
    statement=Inequality(a * x + b * y + c * z, "<=", sp.Integer(0), _DOMAIN, (*_LAWS, *_LOGS)),
    check=smt.decide(),
    expect=Verdict.PROVED,
    twin=Twin(
        "ln t <= t - 1 for the third outcome",
        Inequality(a * x + b * y + c * z, "<=", sp.Integer(0), _DOMAIN, (*_LAWS, *_LOGS[:2])),
    ),
    proof=r"""$\sum_ia_i\ln(q_i/a_i)\le\sum_ia_i(q_i/a_i-1)=\sum_iq_i-1\le0$; outcomes of probability
$0$ only help.""",
)

_COST: dict[sp.Symbol, Domain] = {
    a: Reals(0, 1), x: Reals(0), y: Reals(0), z: Reals(0), delta: Reals(0),
}  # fmt: skip
# x, y: costs of the two prefixes with their own predictions; z: cost of the second prefix with
# the first one's prediction; r: entropy of the mixture
_FACTS = (Relation(y, ">=", z - delta), Relation(a * x + (1 - a) * z, ">=", r))

PAIR = Claim(
    id="hahn2020.theorem6.pair",
    says=r"If log-probabilities differ by at most $\Delta$ between two prefixes of weights $\alpha$ "
    r"and $1-\alpha$, their mean cross-entropy is at least the entropy of the mixed law minus "
    r"$\Delta$.",
    source=OWN.at("Theorem 6, pairs of prefixes"),
    kind=Kind.OWN,
    labels=("T6",),
    statement=Inequality(r - delta, "<=", a * x + (1 - a) * y, {**_COST, r: Reals(0)}, _FACTS),
    check=smt.decide(),
    expect=Verdict.PROVED,
    assumes=("hahn2020.theorem6.gibbs",),
    twin=Twin(
        "the log-probabilities differ by at most Delta",
        Inequality(r - delta, "<=", a * x + (1 - a) * y, {**_COST, r: Reals(0)}, _FACTS[1:]),
    ),
    proof=r"""Use the first prefix's prediction for both: by Gibbs' inequality this costs at least
the entropy of the mixture, and the second prefix's own prediction is at most $\Delta$ better.
Lemma 5 gives $\Delta=O(1/n)$ for prefixes that differ in one symbol before the last, if the
log-probabilities are Lipschitz in $y_n^{(L)}$.""",
)
