"""Decide an inequality of your own: state it, let a checker decide it, keep the certificate.

Run it with ``python examples/own_inequality.py``.  The question: under softmax no weight over n
positions exceeds u / (u + n - 1), where u = exp(2A) and A bounds the logits.  Is that at most
u / n, and is the hypothesis u >= 1 needed?
"""

import sympy as sp

from claims import (
    OWN,
    Certificate,
    Claim,
    Inequality,
    Integers,
    Kind,
    Reals,
    Twin,
    Verdict,
    certify,
    verify,
)
from proofs.checkers import smt

u, n = sp.symbols("u n", positive=True)

CLAIM = Claim(
    id="examples.weight_over_n",
    says=r"If $u \ge 1$ then $u / (u + n - 1) \le u / n$.",
    source=OWN.at("examples"),
    statement=Inequality(u / (u + n - 1), "<=", u / n, {u: Reals(1), n: Integers(1)}),
    check=smt.decide(),
    expect=Verdict.PROVED,
    kind=Kind.OWN,
    twin=Twin(
        r"$u \ge 1$ becomes $u > 0$",
        Inequality(u / (u + n - 1), "<=", u / n, {u: Reals(0, open_lo=True), n: Integers(1)}),
    ),
)


def main() -> None:
    """Decide the claim and its twin, then verify the certificate from its text alone."""
    outcome = CLAIM.check(CLAIM.statement)
    print(CLAIM.statement.text())
    print(f"  {outcome.verdict} by {outcome.by}")

    assert CLAIM.twin is not None
    without = CLAIM.check(CLAIM.twin.statement)
    print(CLAIM.twin.statement.text())
    print(f"  {without.verdict}: {dict(without.witness)}")

    text = certify(CLAIM, outcome).to_json()
    again = verify(Certificate.from_json(text), CLAIM)
    print(f"certificate of {len(text)} bytes, verified again: {again.verdict}")


if __name__ == "__main__":
    main()
