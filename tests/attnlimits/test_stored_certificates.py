"""The stored certificates belong to the claims as they are; `attnlimits verify` re-checks them."""

from pathlib import Path

from attnlimits.selection import known_claims
from attnlimits.twins import with_twins
from claims import Certificate

FOLDER = Path(__file__).parents[2] / "certificates" / "claims"
CLAIMS = with_twins(known_claims(["proofs"]))
RENEW = "renew them with `attnlimits check --certify certificates/claims --stale`"


def test_every_claim_and_twin_has_a_certificate_and_nothing_else_has() -> None:
    stored = {path.stem for path in FOLDER.glob("*.json")}
    assert sorted(set(CLAIMS) - stored) == [], RENEW
    assert sorted(stored - set(CLAIMS)) == [], "remove the certificates of claims that are gone"


def test_the_certificates_are_of_the_present_statements_and_checkers() -> None:
    stale = []
    for path in sorted(FOLDER.glob("*.json")):
        certificate = Certificate.from_json(path.read_text())
        claim = CLAIMS.get(certificate.claim)
        if claim is None or path.stem != claim.id or certificate.outcome.verdict != claim.expect:
            stale.append(path.name)
            continue
        present = (claim.statement.text(), repr(claim.check))
        if (certificate.statement, certificate.checker) != present:
            stale.append(path.name)
    assert stale == [], RENEW
