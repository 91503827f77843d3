"""Every claim comes out as expected, its twin is refuted, and its certificate verifies."""

import pytest

from claims import Certificate, Verdict, certify, collect, verify

CLAIMS = collect("proofs")


@pytest.mark.parametrize("claim_id", list(CLAIMS))
def test_the_verdict_is_the_expected_one(claim_id: str) -> None:
    claim = CLAIMS[claim_id]
    outcome = claim.check(claim.statement)
    assert outcome.verdict is claim.expect, outcome.detail
    certificate = Certificate.from_json(certify(claim, outcome).to_json())
    assert verify(certificate, claim).verdict is outcome.verdict


@pytest.mark.parametrize("claim_id", [i for i, c in CLAIMS.items() if c.twin is not None])
def test_the_negative_twin_is_refuted(claim_id: str) -> None:
    claim = CLAIMS[claim_id]
    assert claim.twin is not None
    check = claim.twin.check or claim.check
    assert check(claim.twin.statement).verdict is Verdict.REFUTED


def test_every_refuted_statement_of_a_source_has_a_repair_or_says_why_not() -> None:
    repaired = {c.repairs for c in CLAIMS.values()}
    unrepaired = [
        i
        for i, c in CLAIMS.items()
        if c.expect is Verdict.REFUTED and i.endswith(".as_stated") and i not in repaired
    ]
    without_reason = [i for i in unrepaired if len(CLAIMS[i].difference) < 40]
    assert without_reason == []
