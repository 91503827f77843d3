"""``rasp compile``, ``rasp verify`` and ``rasp run --model`` from the command line."""

import json
from pathlib import Path

import pytest

from attnlimits.boundary import run
from attnlimits.cli import build


def call(*arguments: str) -> int:
    return run(build(), ["rasp", *arguments])


@pytest.fixture
def model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    sizes = ("--vocab", "abc", "--length", "6")
    assert call("compile", "paper_examples", "hist_nobos", *sizes, "-o", str(tmp_path / "m")) == 0
    capsys.readouterr()
    return tmp_path / "m"


def test_sizes_are_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "one.rasp"
    program.write_text("double = selector_width(select(tokens, tokens, ==)) * 2;\n")
    out = tmp_path / "double.json"
    options = ("--vocab", "a,bc", "--length", "5", "-o", str(out), "--format", "json")
    assert call("compile", str(program), *options) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["name"] == "double"
    assert data["vocabulary"] == ["a", "bc"]
    assert (data["layers"], data["heads"][0]) == (len(data["heads"]), 1)
    assert data["predicted"] == {"layers": 1, "heads": [2]}
    assert data["parameters"]["dense"] >= data["parameters"]["nonzero"] > 0
    assert data["written"] == str(out)
    assert call("run", "--model", str(out), "--input", "a,bc,a", "--json") == 0
    assert json.loads(capsys.readouterr().out)["outputs"] == {"double": [4, 2, 4]}


@pytest.mark.parametrize("runtime", ["exact", "float32", "float64"])
def test_a_model_is_run(model: Path, runtime: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("run", "--model", str(model), "--input", "abca", "--runtime", runtime) == 0
    assert capsys.readouterr().out == 'hist_nobos("abca") = [2, 1, 1, 2] (ints)\n'


def test_a_model_is_verified(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    quick = ("--samples", "5", "--exhaustive", "100")
    assert call("verify", str(model), *quick) == 0
    assert capsys.readouterr().out.startswith("right on the inputs tried: all words of length 1 to")
    assert call("verify", str(model), *quick, "--static") == 0
    assert "hist_nobos: readable in every state" in capsys.readouterr().out
    assert call("verify", str(model), *quick, "--static", "--format", "json") == 0
    assert json.loads(capsys.readouterr().out)["argument"]["proved"]
    against = ("--against", "paper_examples:reverse", "--format", "json")
    assert call("verify", str(model / "model.json"), *quick, *against) == 1
    data = json.loads(capsys.readouterr().out)
    assert not data["right"]
    assert data["wrong"][0]["word"] == ["a"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["compile", "paper_examples", "hist_bos", "--vocab", "aa", "--length", "3"], "twice"),
        (["compile", "paper_examples", "hist_bos", "--vocab", "", "--length", "3"], "is empty"),
        (["compile", "paper_examples", "hist_bos", "--vocab", "a", "--length", "0"], "at least 1"),
        (["compile", "paper_examples", "--vocab", "a", "--length", "3"], "say which s-op"),
        (["compile", "paper_examples", "nothing", "--vocab", "a", "--length", "3"], "defines no"),
        (["run"], "nothing to run"),
        (["verify", "no/such/model"], "No such file"),
    ],
)
def test_mistakes_are_one_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(*arguments) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_words_a_model_cannot_read_are_named(
    model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("run", "--model", str(model), "--input", "abz") == 2
    assert "symbol 'z' at position 2" in capsys.readouterr().err
    assert call("run", "--model", str(model), "--input", "abcabca") == 2
    assert "reads at most 6" in capsys.readouterr().err
    assert call("run", "file.rasp", "--model", str(model)) == 2
    assert "without a file" in capsys.readouterr().err


def test_a_program_goes_to_the_other_engines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program, machine, out = tmp_path / "f.rasp", tmp_path / "first.json", tmp_path / "m"
    program.write_text("first = aggregate(select(indices, 0, ==), tokens);\n")
    sizes = ("--vocab", "01", "--length", "5", "--no-bos", "-o", str(out))
    assert call("compile", str(program), *sizes, "--machine", str(machine), "--accept", "1") == 0
    everything = build()
    assert run(everything, ["synth", "fail", str(machine), "--language", "first"]) == 0
    assert run(everything, ["fool", str(machine), "--language", "parity", "--seconds", "1"]) == 0
    assert run(everything, ["reduce", str(machine), "--k", "2", "--no-theory"]) == 0
    capsys.readouterr()
    word = ["--word", "00000", "--to", "1", "--engine", "brute", "--format", "json"]
    assert run(everything, ["influence", "--model", str(out), *word]) == 0
    assert call("compile", str(program), *sizes, "--machine", str(machine)) == 2
    assert "never True" in capsys.readouterr().err


def test_definitions_are_tried_on_the_vocabulary(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "power.rasp"
    program.write_text("power = tokens_int ^ 2;\n")
    sizes = ("--vocab", "0123", "--length", "4", "-o", str(tmp_path / "m"))
    assert call("compile", str(program), "power", *sizes) == 0
    assert call("verify", str(tmp_path / "m"), "--samples", "5") == 0
    assert "right on all inputs" in capsys.readouterr().out
