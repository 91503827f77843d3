"""Every claim comes out as expected, its twin is refuted, and its certificate verifies."""

from pathlib import Path

import pytest

from claims import Certificate, Verdict, certify, collect, verify
from proofs.checkers.exhaustive import Exhaustive

CLAIMS = collect("proofs")
STORED = Path(__file__).parent.parent.parent / "certificates" / "claims"


@pytest.mark.slow
@pytest.mark.parametrize("claim_id", list(CLAIMS))
def test_the_verdict_is_the_expected_one(claim_id: str) -> None:
    claim = CLAIMS[claim_id]
    outcome = claim.check(claim.statement)
    assert outcome.verdict is claim.expect, outcome.detail
    certificate = Certificate.from_json(certify(claim, outcome).to_json())
    assert verify(certificate, claim).verdict is outcome.verdict
    if claim.twin is not None:
        twin = claim.twin.check or claim.check
        assert twin(claim.twin.statement).verdict is Verdict.REFUTED


@pytest.mark.parametrize(
    "claim_id", [i for i, c in CLAIMS.items() if not isinstance(c.check, Exhaustive)]
)
def test_the_stored_certificate_verifies_and_says_what_is_expected(claim_id: str) -> None:
    claim = CLAIMS[claim_id]
    certificate = Certificate.from_json((STORED / f"{claim_id}.json").read_text())
    assert certificate.outcome.verdict is claim.expect
    assert verify(certificate, claim).verdict is claim.expect


def test_every_refuted_statement_of_a_source_says_what_is_wrong() -> None:
    refuted = {i: c for i, c in CLAIMS.items() if c.expect is Verdict.REFUTED}
    assert refuted
    assert [i for i, c in refuted.items() if len(c.difference) < 40] == []
