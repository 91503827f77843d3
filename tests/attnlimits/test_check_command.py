import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from attnlimits.boundary import run
from attnlimits.cli import build

SUPPORT = str(Path(__file__).parents[1] / "support")


def attnlimits(*arguments: str) -> int:
    return run(build(), list(arguments))


def start(*arguments: str) -> subprocess.Popen[str]:
    """Start the real command line as a process of its own."""
    code = f"import sys; sys.path.insert(0, {SUPPORT!r}); from attnlimits.cli import main; main()"
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_everything_as_expected_is_code_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert attnlimits("check", "--package", "sample_claims") == 0
    out = capsys.readouterr().out
    assert "REFUTED    sample.cube.as_stated  [Q2]" in out
    assert "witness: case = -3" in out
    assert "negative twins: 1" in out
    assert out.endswith("all as expected\n")


def test_a_twin_that_survives_is_code_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert attnlimits("check", "bad.vacuous", "--package", "bad_claims", "--format", "json") == 1
    found = json.loads(capsys.readouterr().out)
    assert found["differences"] == ["bad.vacuous.twin: EXHAUSTED, expected REFUTED"]


def test_an_unknown_claim_is_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert attnlimits("check", "sample.squar", "--package", "sample_claims") == 2
    assert "did you mean sample.square" in capsys.readouterr().err


@pytest.mark.parametrize(
    "option", [("--seconds", "0"), ("--seconds", "nan"), ("--workers", "0"), ("--package", "no!")]
)
def test_malformed_options_are_code_2(
    option: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert attnlimits("check", "--package", "sample_claims", *option) == 2
    assert capsys.readouterr().err.startswith("error: ")


def test_an_unwritable_folder_is_code_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    options = ("--package", "sample_claims", "--out", str(blocked))
    assert attnlimits("check", *options) == 2
    assert "cannot write in" in capsys.readouterr().err


def test_a_second_run_resumes_and_notices_damage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ("check", "--package", "sample_claims", "--out", str(tmp_path))
    assert attnlimits(*options) == 0
    first = capsys.readouterr().out
    assert attnlimits(*options) == 0
    second = capsys.readouterr()
    assert second.out == first
    assert "4 of 4 results are still valid" in second.err
    stored = tmp_path / "results" / "sample.square.json"
    stored.write_text(stored.read_text().replace("EXHAUSTED", "PROVED"))
    assert attnlimits(*options) == 0
    third = capsys.readouterr()
    assert third.out == first
    assert "sample.square.json" in third.err
    assert "altered" in third.err


def wait_for(path: Path) -> None:
    deadline = time.monotonic() + 30
    while not path.exists():
        assert time.monotonic() < deadline, f"{path} never appeared"
        time.sleep(0.05)


def test_ctrl_c_keeps_what_is_finished_and_a_second_run_is_refused(tmp_path: Path) -> None:
    options = ("bad.hang", "bad.vacuous", "--package", "bad_claims", "--out", str(tmp_path))
    first = start("check", *options)
    wait_for(tmp_path / "results" / "bad.vacuous.json")
    second = start("check", *options)
    _, complaint = second.communicate(timeout=30)
    assert second.returncode == 2
    assert "another run is using" in complaint
    first.send_signal(signal.SIGINT)
    _, message = first.communicate(timeout=30)
    assert first.returncode == 130
    assert "whole" in message
    assert "Traceback" not in message
    again = start("check", *options, "--seconds", "1")
    out, resumed = again.communicate(timeout=60)
    assert again.returncode == 1
    assert "2 of 3 results are still valid" in resumed
    assert "bad.hang: UNDECIDED" in out


@pytest.mark.slow
def test_a_killed_run_resumes(tmp_path: Path) -> None:
    options = ("bad.hang", "bad.vacuous", "--package", "bad_claims", "--out", str(tmp_path))
    killed = start("check", *options)
    wait_for(tmp_path / "results" / "bad.vacuous.json")
    killed.kill()
    killed.communicate(timeout=30)
    again = start("check", *options, "--seconds", "1")
    _, resumed = again.communicate(timeout=60)
    assert again.returncode == 1
    assert "results are still valid" in resumed
    assert not list((tmp_path / "results").glob(".*"))
