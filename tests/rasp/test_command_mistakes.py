"""Mistakes at the command line are named, on one line; programs that fail somewhere compile."""

import json
from pathlib import Path

import pytest

from attnlimits.boundary import run
from attnlimits.cli import build
from rasp.weights.examples import reverse_model
from rasp.weights.run import run as run_model
from rasp.weights.store import load, save

PARTIAL = """
pos = aggregate(select(tokens, "a", ==), tokens, "-");
num = tokens_int + 1;
inv = 1 / (indices - 1);
bad = tokens + 1;
"""


def call(*arguments: str) -> int:
    return run(build(), ["rasp", *arguments])


@pytest.fixture
def stored(tmp_path: Path) -> str:
    save(reverse_model("ab", length=3), tmp_path / "model.json")
    return str(tmp_path)


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        ("compile nope.rasp x --vocab ab --length 3", "nope.rasp: No such file"),
        ("compile FOLDER x --vocab ab --length 3", "a folder, not a RASP program"),
        ("analyse nope", "nope.rasp: No such file"),
        ("draw nope.rasp x", "nope.rasp: No such file"),
        ("verify FOLDER --against nope.rasp:x", "nope.rasp: No such file"),
        ("verify FOLDER --samples -5", "--samples -5: use a number from 0"),
        ("run --model FOLDER --input ", "--input is empty"),
        ("export FOLDER --to onnx -o /nodir/x/y.onnx", "there is no folder /nodir/x"),
        ("export FOLDER --to torch -o NAME", "end in .pt2"),
    ],
)
def test_a_mistake_is_one_line_that_names_it(
    arguments: str, what: str, stored: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(*[part.replace("FOLDER", stored) for part in arguments.split(" ")]) == 2
    message = capsys.readouterr().err
    assert what in message
    assert message.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "vocab", "word", "value"),
    [
        ("pos", "ab", "bba", ["a"] * 3),
        ("num", "0,1,x", "01", [1, 2]),
        ("inv", "ab", "a", [-1]),
    ],
)
def test_a_program_that_fails_on_some_words_is_compiled(
    name: str, vocab: str, word: str, value: list[object], tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    file = tmp_path / "partial.rasp"
    file.write_text(PARTIAL)
    out = tmp_path / "model.json"
    assert call("compile", str(file), name, "--vocab", vocab, "--length", "4", "-o", str(out)) == 0
    assert f"note: {name} fails on" in capsys.readouterr().err
    assert run_model(load(out), [word]).output() == [value]
    assert call("verify", str(out), "--format", "json") == 0
    assert json.loads(capsys.readouterr().out)["right"] is True


def test_a_program_that_fails_on_every_word_is_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "partial.rasp"
    file.write_text(PARTIAL)
    assert call("compile", str(file), "bad", "--vocab", "ab", "--length", "4") == 2
    assert capsys.readouterr().err == "error: cannot compile bad: bad: it fails on every input\n"
