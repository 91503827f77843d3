"""A certificate notices every alteration, and its evidence is re-established."""

import json
from dataclasses import replace

import pytest
import sympy as sp

from claims import (
    OWN,
    Certificate,
    CertificateError,
    Claim,
    Inequality,
    Kind,
    Reals,
    Twin,
    Verdict,
    certify,
    verify,
)
from proofs.checkers import smt

x = sp.Symbol("x")
CLAIM = Claim(
    id="test.square",
    says="squares",
    source=OWN.at("tests"),
    kind=Kind.OWN,
    statement=Inequality(2 * x, "<=", 1 + x**2, {x: Reals()}),
    check=smt.decide(),
    expect=Verdict.PROVED,
    twin=Twin("the 1", Inequality(2 * x, "<=", x**2, {x: Reals()})),
)


def test_round_trip_and_verification() -> None:
    certificate = certify(CLAIM, CLAIM.check(CLAIM.statement))
    again = Certificate.from_json(certificate.to_json())
    assert again == certificate
    assert verify(again, CLAIM).verdict is Verdict.PROVED


@pytest.mark.parametrize(
    ("field", "value"), [("statement", "x <= x**2"), ("claim", "other"), ("checker", "Smt()")]
)
def test_every_altered_field_is_noticed(field: str, value: str) -> None:
    data = json.loads(certify(CLAIM, CLAIM.check(CLAIM.statement)).to_json())
    data[field] = value
    with pytest.raises(CertificateError, match="altered"):
        Certificate.from_json(json.dumps(data))


def test_a_consistent_forgery_fails_on_its_evidence() -> None:
    false = replace(CLAIM, statement=CLAIM.twin.statement if CLAIM.twin else CLAIM.statement)
    forged = certify(false, CLAIM.check(CLAIM.statement))
    with pytest.raises(CertificateError, match="evidence supports"):
        verify(forged, false)


def test_a_changed_statement_or_checker_is_named() -> None:
    certificate = certify(CLAIM, CLAIM.check(CLAIM.statement))
    changed = replace(CLAIM, statement=Inequality(2 * x, "<", 2 + x**2, {x: Reals()}))
    with pytest.raises(CertificateError, match="statement has changed"):
        verify(certificate, changed)


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"schema": 1, "digest": ""}'])
def test_unreadable_files_are_named_so(text: str) -> None:
    with pytest.raises(CertificateError):
        Certificate.from_json(text)


def test_a_forged_witness_is_noticed_even_with_a_fitting_digest() -> None:
    twin = CLAIM.twin
    assert twin is not None
    refuted = replace(CLAIM, id="test.refuted", statement=twin.statement)
    outcome = refuted.check(refuted.statement)
    assert outcome.verdict is Verdict.REFUTED
    verify(certify(refuted, outcome), refuted)
    forged = certify(refuted, replace(outcome, witness={"x": "100"}))
    with pytest.raises(CertificateError, match="states the witness"):
        verify(Certificate.from_json(forged.to_json()), refuted)
