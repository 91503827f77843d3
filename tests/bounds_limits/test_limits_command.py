"""The verbs ``bound parity-n0``, ``mod-n0`` and ``dyck-n0``."""

import json
from pathlib import Path

import pytest

from attnlimits.boundary import run
from attnlimits.cli import build


def call(*words: str) -> int:
    return run(build(), ["bound", *words])


def test_one_limit_is_printed_as_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("parity-n0", "--layers", "2", "--heads", "1") == 0
    out = capsys.readouterr().out
    assert "for any length n >= 13." in out
    assert "verified from its own numbers" in out


def test_json_holds_certificates_and_csv_holds_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("dyck-n0", "--layers", "1..2", "--heads", "1", "--format", "json") == 0
    data = json.loads(capsys.readouterr().out)
    assert [c["n0"] for c in data["limits"]] == [4, 72]
    assert data["proved"] == [True, True]
    assert call("mod-n0", "--modulus", "3", "--layers", "1", "--format", "csv") == 0
    assert capsys.readouterr().out.splitlines()[1] == "mod,1,1,0,3,4,True"


def test_certificates_are_written_and_resumed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "table.json"
    assert call("parity-n0", "--layers", "1", "--heads", "1..3", "--out", str(path)) == 0
    stored = json.loads(path.read_text(encoding="utf-8"))
    stored["limits"][0]["n0"] = 2  # an altered certificate must be noticed on the next use
    stored["limits"][0]["ranges"][0]["from"] = 2
    path.write_text(json.dumps(stored), encoding="utf-8")
    assert call("parity-n0", "--layers", "1", "--heads", "1..3", "--out", str(path)) == 1
    assert "not below 1" in capsys.readouterr().err


@pytest.mark.slow
def test_every_method_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("parity-n0", "--layers", "3", "--heads", "1", "--method", "all") == 0
    out = capsys.readouterr().out
    for word in ("greedy", "closed form", "switching", "encoding, sets", "machine"):
        assert word in out


@pytest.mark.parametrize(
    "words",
    [
        ("--heads", "0"),
        ("--layers", "0"),
        ("--layers", "two"),
        ("--layers", "3..2"),
        ("--heads", "1000"),
        ("--padding", "-1"),
        ("--method", "magic"),
        ("--workers", "0"),
    ],
)
def test_wrong_parameters_are_one_line_and_exit_two(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("parity-n0", *words) == 2
    err = capsys.readouterr().err
    assert err.startswith("error: ")
    assert err.count("\n") == 1


def test_one_method_is_printed_with_its_proof(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("parity-n0", "--layers", "2", "--heads", "1", "--method", "alteration") == 0
    out = capsys.readouterr().out
    assert "69  random and alteration" in out
    assert "*Proof.*" in out


def test_each_number_of_a_proof_is_moved(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("parity-n0", "--layers", "2", "--heads", "1", "--sensitivity")
    assert call(*words, "--format", "csv") == 0
    rows = capsys.readouterr().out.splitlines()
    assert rows[0].startswith("layers,heads,from,stage,kind,parameter,before,after,n0,change")
    assert "2,1,14,0,last-two,s,4,5,15,1" in rows


def test_a_damaged_table_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "table.json"
    path.write_text('{"limits": [', encoding="utf-8")
    assert call("parity-n0", "--layers", "1", "--heads", "1", "--out", str(path)) == 2
    assert capsys.readouterr().err.count("\n") == 1
