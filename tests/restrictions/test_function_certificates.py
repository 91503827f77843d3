import json

import pytest

from attention.constructions.recognisers import tribes
from attnlimits.boundary import run
from attnlimits.cli import build
from restrictions.certificate import certificate, verify_file, write
from restrictions.checker import CertificateRejectedError
from restrictions.plainmodel import CertificateFileError
from restrictions.restriction import Restriction

MODEL = "attention.constructions.recognisers:tribes(16, 4)"


def main(arguments) -> int:
    return run(build(), arguments)


@pytest.fixture
def stored(tmp_path):
    path = tmp_path / "c.json"
    rho = Restriction.free("01", 16).fix(dict.fromkeys(range(4), "0"))
    write(certificate(tribes(16, 4), rho, {"output": False}, reference=MODEL), path)
    return path


def test_code_is_run_only_when_named_and_unaltered(stored) -> None:
    assert "12 of 16 positions free" in verify_file(stored, model=MODEL)
    with pytest.raises(CertificateFileError, match="unasked"):
        verify_file(stored)
    with pytest.raises(CertificateFileError, match="another source"):
        verify_file(stored, model="attention.constructions.recognisers:tribes(16, 2)")
    data = json.loads(stored.read_text())
    data["model"]["source_digest"] = "0" * 64
    write(data, stored)
    with pytest.raises(CertificateFileError, match="another source"):
        verify_file(stored, model=MODEL)


def test_a_false_claim_about_code_is_rejected(stored) -> None:
    data = json.loads(stored.read_text())
    del data["narrowed"]["2"]
    write(data, stored)
    with pytest.raises(CertificateRejectedError, match="attainable"):
        verify_file(stored, model=MODEL)


def test_commands_take_code_by_name(tmp_path, capsys) -> None:
    path = tmp_path / "c.json"
    fooled = ["fool", MODEL, "--seconds", "2", "--enough", "4", "--certificate", str(path)]
    assert main([*fooled, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["subcube"]["free"] == 12
    assert main(["verify", str(path), "--model", MODEL]) == 0
    capsys.readouterr()
    assert main(["verify", str(path), "--model", MODEL.replace("16", "32")]) == 1
    assert "another source" in capsys.readouterr().out
    assert main(["reduce", MODEL, "--k", "2", "--no-theory"]) == 0
    assert main(["reduce", "attention.constructions.recognisers:tribes(16, 3)"]) == 2
    assert main(["reduce", MODEL, "--symbols", "0x"]) == 2
    assert "the model reads" in capsys.readouterr().err
