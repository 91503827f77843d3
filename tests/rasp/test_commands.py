"""The command line: exit codes, JSON, files."""

import json
from pathlib import Path

import pytest

from attnlimits.boundary import run
from attnlimits.cli import build


def call(*arguments: str) -> int:
    return run(build(), ["rasp", *arguments])


def test_code_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("-c", 'length("abc");') == 0
    assert capsys.readouterr().out == "\t =  [3]*3 (ints)\n"
    assert call("-c", "foo;") == 1
    captured = capsys.readouterr()
    assert "Undefined variable: foo" in captured.out
    assert "<command line>:1:1" in captured.err


def test_running_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "demo.rasp"
    file.write_text("h = selector_width(select(tokens, tokens, ==));\nh;\nh([1, 2.5]);\n")
    assert call("run", str(file), "--input", "aab") == 0
    assert 'Example: h("aab") = [2, 2, 1] (ints)' in capsys.readouterr().out
    assert call("run", str(file), "--format", "json") == 0
    events = json.loads(capsys.readouterr().out)
    assert [event["kind"] for event in events] == ["s-op", "s-op", "evaluated"]
    assert events[2]["values"] == [1, 1]
    assert call("run", str(file), "--input", "") == 2
    assert call("run", str(tmp_path / "missing.rasp")) == 2


def test_analysis_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("analyse", "paper_examples", "hist2_bos", "--format", "json") == 0
    (report,) = json.loads(capsys.readouterr().out)
    assert report["heads"] == {"written": [2, 1], "shared": [2, 1], "optimal": [2, 1]}
    assert report["layers"] == 2
    assert report["certificate"]["crowding"] == {"first": 1, "last": 1, "selectors": 2}
    assert call("analyse", "paper_examples", "nothing") == 2
    assert "it defines" in capsys.readouterr().err


def test_checking_against_python_and_rasp(capsys: pytest.CaptureFixture[str]) -> None:
    common = ("check", "paper_examples", "reverse", "--alphabet", "ab", "--up-to", "3")
    assert call(*common, "--against", "python:rasp_reverse_specification.reverse") == 0
    assert call(*common, "--against", "paper_examples:hist_nobos") == 1
    assert "different on" in capsys.readouterr().out
    assert call(*common, "--against", "python:no_such_module.f") == 2
    assert call(*common[:-2], "--against", "paper_examples:reverse") == 2


def test_drawing_linting_formatting_restricting(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "reverse.svg"
    assert call("draw", "paper_examples", "reverse", "--input", "abc", "--out", str(out)) == 0
    assert out.read_text().startswith("<?xml")
    assert call("draw", "paper_examples", "reverse", "--out", str(tmp_path / "x.jpg")) == 2
    file = tmp_path / "trap.rasp"
    file.write_text("a=not tokens==1;\n")
    assert call("lint", str(file)) == 1
    assert "reads as (not tokens) == 1" in capsys.readouterr().out
    assert call("format", str(file), "--check") == 1
    assert call("format", str(file), "--write") == 0
    assert file.read_text() == "a = not tokens == 1;\n"
    assert call("format", str(file), "--check") == 0
    assert call("restrict", "paper_examples", "dyck1_ptf", "--alphabet", "()", "--causal") == 0
    assert call("restrict", "paper_examples", "reverse", "--alphabet", "ab", "--window", "1") == 1
    assert call("restrict", "paper_examples", "reverse", "--alphabet", "ab") == 2
