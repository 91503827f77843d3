"""Certificates: an outcome bound to its statement, its checker and the versions that made it.

The digest covers the statement's canonical text, the checker with its parameters, the versions
and the outcome, so a changed file, statement or checker is noticed.  A digest is no proof:
:func:`verify` re-establishes the verdict from the evidence.

Main definitions: :class:`Certificate`, :func:`certify`, :func:`verify`.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from claims.claim import Claim
from claims.outcome import Outcome
from claims.verdict import Verdict

SCHEMA = "attention-limits/claim-certificate/1"
_TOOLS = ("sympy", "z3-solver", "cvc5", "python-flint", "python-sat")


class CertificateError(ValueError):
    """A certificate that is damaged, was altered, or belongs to another statement."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """An outcome with what it was established for and with."""

    claim: str
    statement: str
    checker: str
    versions: Mapping[str, str]
    outcome: Outcome

    def body(self) -> dict[str, Any]:
        """Return the content that the digest covers, JSON-compatible."""
        o = self.outcome
        return {
            "schema": SCHEMA,
            "claim": self.claim,
            "statement": self.statement,
            "checker": self.checker,
            "versions": dict(self.versions),
            "outcome": {
                "verdict": o.verdict.value,
                "by": o.by,
                "scope": o.scope,
                "witness": dict(o.witness),
                "detail": o.detail,
                "evidence": dict(o.evidence),
            },
        }

    def to_json(self) -> str:
        """Return the certificate as JSON with sorted keys, digest included."""
        body = self.body()
        return json.dumps({**body, "digest": _digest(body)}, sort_keys=True, indent=1) + "\n"

    @staticmethod
    def from_json(text: str) -> "Certificate":
        """Read a certificate.

        Raises
        ------
        CertificateError
            If the text is not a certificate or does not match its digest.
        """
        try:
            data = json.loads(text)
            digest = data.pop("digest")
            if data.get("schema") != SCHEMA:
                raise CertificateError(f"schema {data.get('schema')!r}: expected {SCHEMA!r}")
            if digest != _digest(data):
                raise CertificateError("content does not match its digest: the file was altered")
            o = data["outcome"]
            outcome = Outcome(
                Verdict(o["verdict"]), o["by"], o["scope"], o["witness"], o["detail"], o["evidence"]
            )
            return Certificate(
                data["claim"], data["statement"], data["checker"], data["versions"], outcome
            )
        except (KeyError, TypeError, AttributeError, json.JSONDecodeError) as damage:
            raise CertificateError(f"not a readable certificate: {damage}") from damage


def certify(claim: Claim, outcome: Outcome) -> Certificate:
    """Bind ``outcome`` to ``claim`` as it is now."""
    versions = {name: version(name) for name in _TOOLS}
    return Certificate(claim.id, claim.statement.text(), repr(claim.check), versions, outcome)


def verify(certificate: Certificate, claim: Claim) -> Outcome:
    """Re-establish the certificate's verdict from its evidence, without search.

    Returns
    -------
    Outcome
        What the evidence supports now; equal in verdict to the certificate's when all is well.

    Raises
    ------
    CertificateError
        If the certificate is for another claim, statement or checker, or its evidence supports
        another verdict, witness or scope than it states.
    """
    if certificate.claim != claim.id:
        raise CertificateError(f"certificate of {certificate.claim}, not of {claim.id}")
    if certificate.statement != claim.statement.text():
        raise CertificateError(f"{claim.id}: the statement has changed since; run `check` again")
    if certificate.checker != repr(claim.check):
        raise CertificateError(f"{claim.id}: the checker has changed since; run `check` again")
    stated = certificate.outcome
    if stated.verdict is Verdict.UNDECIDED:
        return stated
    found = claim.check.verify(claim.statement, stated.evidence)
    if found.verdict is not stated.verdict:
        raise CertificateError(
            f"{claim.id}: states {stated.verdict}, its evidence supports {found.verdict}"
        )
    if dict(found.witness) != dict(stated.witness):
        raise CertificateError(
            f"{claim.id}: states the witness {dict(stated.witness)}, "
            f"its evidence gives {dict(found.witness)}"
        )
    if found.scope != stated.scope:
        raise CertificateError(
            f"{claim.id}: states the scope {stated.scope!r}, its evidence covers {found.scope!r}"
        )
    return found


def _digest(body: Mapping[str, Any]) -> str:
    canonical = json.dumps(body, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()
