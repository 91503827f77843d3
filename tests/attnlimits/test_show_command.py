import json

import pytest

from attnlimits.boundary import run
from attnlimits.cli import build


def attnlimits(*arguments: str) -> int:
    return run(build(), [*arguments, "--package", "sample_claims"])


def test_the_page_of_a_claim_says_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert attnlimits("show", "Q1") == 0
    out = capsys.readouterr().out
    for part in ("sample.square", "Section 1", "EXHAUSTED by enumerate", "nothing but its own"):
        assert part in out
    assert "REFUTED without: the exponent 2 becomes 3" in out
    assert r"If $x \ge 1$ multiply" in out


def test_the_tree_shows_what_a_claim_rests_on(capsys: pytest.CaptureFixture[str]) -> None:
    assert attnlimits("show", "sample.cube.repaired") == 0
    out = capsys.readouterr().out
    assert "└─ EXHAUSTED sample.square" in out
    assert "corrects sample.cube.as_stated" in out


def test_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert attnlimits("show", "Q2", "--format", "json") == 0
    found = json.loads(capsys.readouterr().out)
    assert sorted(found) == ["sample.cube.as_stated", "sample.cube.repaired"]
    stated = found["sample.cube.as_stated"]
    assert stated["standing"] == "REFUTED"
    assert stated["rests_on"] == {"sample.square": "EXHAUSTED"}
    assert len(stated["certificate"]["digest"]) == 64


def test_an_unknown_name_is_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert attnlimits("show", "Q7") == 2
    assert "did you mean Q" in capsys.readouterr().err
