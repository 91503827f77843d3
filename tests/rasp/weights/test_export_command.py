"""``rasp export`` writes every form; ``rasp decompile`` prints a program that parses."""

import json
from pathlib import Path

import pytest

from attnlimits.boundary import run
from attnlimits.cli import build
from rasp.interpret.session import Session
from rasp.weights.examples import reverse_model
from rasp.weights.store import save


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    save(reverse_model("ab", length=4), tmp_path / "model.json")
    return tmp_path


def test_export_writes_what_it_says(stored: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("onnx")
    pytest.importorskip("safetensors")
    where = [str(stored), "--to"]
    assert run(build(), ["rasp", "export", *where, "onnx", "-o", str(stored / "m.onnx")]) == 0
    assert capsys.readouterr().out == f"reverse written to {stored / 'm.onnx'} (onnx, float32)\n"
    folder = str(stored / "folder")
    assert run(build(), ["rasp", "export", *where, "safetensors", "-o", folder]) == 0
    assert sorted(p.name for p in (stored / "folder").iterdir()) == [
        "description.json",
        "weights.safetensors",
    ]


def test_decompile_prints_a_program(stored: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(build(), ["rasp", "decompile", str(stored / "model.json")]) == 0
    text = capsys.readouterr().out
    assert text.startswith("# equal to the model on 30 of 30 words")
    session = Session()
    assert not [event for event in session.run(text) if event.error is not None]
    assert session.console.variables["reverse"]("abb") == ["b", "b", "a"]
    arguments = ["rasp", "decompile", str(stored), "--format", "json"]
    assert run(build(), arguments) == 0
    assert json.loads(capsys.readouterr().out)["outputs"] == {"reverse": "reverse"}


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["export", "MODEL", "--to", "onnx", "-o", "x.onnx", "--output", "y"], "for huggingface"),
        (["export", "MODEL", "--to", "safetensors", "-o", "x.st"], "is a folder"),
        (["export", "none.json", "--to", "onnx", "-o", "x.onnx"], "cannot read none.json"),
        (["decompile", "MODEL", "--probes", "-1"], "from 0"),
    ],
)
def test_mistakes_are_one_line(
    stored: Path, arguments: list[str], what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [str(stored) if a == "MODEL" else a for a in arguments]
    assert run(build(), ["rasp", *given]) == 2
    captured = capsys.readouterr()
    assert what in captured.err
    assert captured.err.count("\n") == 1
