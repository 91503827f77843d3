import json
from pathlib import Path

import pytest

from attnlimits.boundary import run
from attnlimits.cli import build


def attnlimits(*arguments: str) -> int:
    return run(build(), [*arguments, "--package", "sample_claims"])


@pytest.fixture
def certificates(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    folder = tmp_path / "certificates" / "claims"
    assert attnlimits("check", "--certify", str(folder)) == 0
    capsys.readouterr()
    return folder


def test_untouched_certificates_hold(
    certificates: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(certificates.parents[1])
    assert attnlimits("verify") == 0
    assert capsys.readouterr().out == "4 of 4 certificates hold\n"


def test_results_of_a_run_are_certificates_too(tmp_path: Path) -> None:
    assert attnlimits("check", "--out", str(tmp_path)) == 0
    assert attnlimits("verify", str(tmp_path / "results")) == 0


def test_a_claim_without_a_certificate_is_missed(
    certificates: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (certificates / "sample.square.twin.json").unlink()
    monkeypatch.chdir(certificates.parents[1])
    assert attnlimits("verify") == 1
    assert "no certificate of sample.square.twin" in capsys.readouterr().out


def forged(text: str, **outcome: object) -> str:
    """Change the outcome and make the digest fit again, as a forger would."""
    from claims.certificate import _digest

    body = json.loads(text)
    del body["digest"]
    body["outcome"].update(outcome)
    return json.dumps({**body, "digest": _digest(body)})


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda t: t.replace("EXHAUSTED", "PROVED"), "altered"),
        (lambda t: t[:-20], "Expecting|Unterminated|delimiter|readable"),
        (lambda t: "", "Expecting"),
        (lambda t: "[]", "no .schema"),
        (lambda t: t.replace("claim-certificate/1", "claim-certificate/9"), "unknown schema"),
        (lambda t: forged(t, verdict="PROVED"), "supports EXHAUSTED"),
        (lambda t: forged(t, verdict="REFUTED", witness={"case": "1"}), "supports EXHAUSTED"),
    ],
    ids=["edited", "cut", "empty", "list", "schema", "forged-proof", "forged-refutation"],
)
def test_tampering_is_detected(
    certificates: Path, change: object, complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert callable(change)
    path = certificates / "sample.square.json"
    path.write_text(change(path.read_text()))
    assert attnlimits("verify", str(certificates), "--format", "json") == 1
    found = json.loads(capsys.readouterr().out)
    assert found["invalid"] == 1
    assert found["valid"] == 3
    with pytest.raises(AssertionError, match=complaint):
        raise AssertionError(found["files"][str(path)]["says"])


def test_a_certificate_of_another_claim_is_refused(certificates: Path) -> None:
    text = (certificates / "sample.square.json").read_text()
    path = certificates / "sample.cube.repaired.json"
    path.write_text(text.replace("sample.square", "sample.cube.repaired"))
    assert attnlimits("verify", str(path)) == 1


def test_a_missing_file_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert attnlimits("verify", str(tmp_path / "absent.json")) == 1
    assert "absent.json: cannot be read" in capsys.readouterr().out


def test_only_stale_certificates_are_renewed(
    certificates: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ("check", "--certify", str(certificates), "--stale", "--format", "json")
    assert attnlimits(*options) == 0
    assert json.loads(capsys.readouterr().out)["claims"] == {}
    (certificates / "sample.square.twin.json").unlink()
    (certificates / "sample.cube.repaired.json").write_text("{}")
    assert attnlimits(*options) == 0
    renewed = json.loads(capsys.readouterr().out)["claims"]
    assert sorted(renewed) == ["sample.cube.repaired", "sample.square"]
    assert attnlimits("verify", str(certificates)) == 0
    assert attnlimits("check", "--stale") == 2
