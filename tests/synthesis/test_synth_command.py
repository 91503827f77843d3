"""The command line: answers, JSON, exit codes."""

import json
from pathlib import Path

import pytest

from attnlimits.boundary import run
from attnlimits.cli import build


def call(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = run(build(), ["synth", *words])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_decide_check_and_fail(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = str(tmp_path)
    code, out, _ = call(capsys, "decide", "parity", "3", "--heads", "2", "--out", folder)
    assert (code, out.splitlines()[0]) == (0, "found: a transformer that is right on all 8 words")
    found = out.splitlines()[1]
    code, out, _ = call(
        capsys, "decide", "parity", "4", "--heads", "2", "--format", "json", "--out", folder,
        "--second-opinion", "--expect", "found",
    )  # fmt: skip
    data = json.loads(out)
    assert (code, data["answer"], data["z3"]) == (1, "impossible", True)
    code, out, _ = call(capsys, "check", found, data["file"])
    assert (code, out.count("\n")) == (0, 2)
    code, out, _ = call(capsys, "fail", found, "--language", "parity")
    assert (code, out.startswith("right on every word")) == (0, True)
    code, out, _ = call(capsys, "fail", found, "--language", "ones", "--expect", "right")
    assert (code, out.startswith("fails: it")) == (1, True)
    Path(data["file"]).write_text("{}")
    assert call(capsys, "check", data["file"])[0] == 1


def test_a_verdict_without_proof(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "decide", "parity", "3", "--no-certify", "--solver", "glucose4")
    assert (code, out.startswith("impossible, says glucose4")) == (0, True)


def test_find(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    few = ("find", "parity", "4", "--steps", "4000", "--seed", "1")
    code, out, _ = call(capsys, *few, "--layers", "2", "--out", str(tmp_path), "--format", "json")
    data = json.loads(out)
    assert (code, data["answer"], data["seed"]) == (0, "found", 1)
    assert call(capsys, "check", data["file"])[0] == 0
    code, out, err = call(capsys, *few, "--restarts", "2")
    assert (code, out.startswith("unknown: "), err.count("words left")) == (1, True, 2)
    code, _, err = call(capsys, *few, "--restarts", "0")
    assert (code, "at least 1" in err) == (2, True)


def test_reach(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "reach", "parity", "--heads", "1", "--format", "json")
    assert (code, json.loads(out)["reach"]) == (0, "= 2")


def test_table(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "table", "dyck2", "parity")
    assert code == 0
    assert "(1, 5); (2, 1), S = 3; (3, 1), S = 2  (1, 4); (2, 1), S = 2" in out
    _, out, _ = call(capsys, "table", "dyck1", "--format", "json")
    last = json.loads(out)["lines"][-1]
    assert last["program"] == {"heads": 1, "layers": 2, "name": "dyck1_ptf"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("decide", "prity", "3"), "unknown language"),
        (("decide", "parity", "0"), "at least 1"),
        (("decide", "parity", "3", "--heads", "0"), "heads=0"),
        (("decide", "parity", "3", "--alphabet", "1"), "alphabet=1"),
        (("decide", "parity", "3", "--alphabet", "some"), "number of symbols"),
        (("decide", "parity", "99"), "fit in memory"),
        (("decide", "parity", "3", "--solver", "minisat99"), "unknown solvers"),
        (("decide", "parity", "3", "--solver", "kissat404"), "no proof"),
        (("decide", "mod3", "5", "--layers", "2", "--heads", "2", "--alphabet", "any"), "1 head"),
        (
            ("decide", "first", "5", "--layers", "2", "--alphabet", "any", "--encoding", "halves"),
            "symmetric language",
        ),
        (("decide", "parity", "3", "--cores", "0", "--out", "x"), "at least one"),
        (("reach", "parity", "--up-to", "0"), "at least length 1"),
        (("fail", "/nonexistent.json", "--language", "parity"), "No such file"),
        (("check",), "at least one"),
        (("table", "anbn"), "no table of"),
    ],
)
def test_mistakes_are_one_line_and_exit_code_2(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], message: str
) -> None:
    code, out, err = call(capsys, *words)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
