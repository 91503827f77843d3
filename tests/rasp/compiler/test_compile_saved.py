"""Every compiled model can be saved, and the file gives it back exactly, joint values included."""

import json
import random
from pathlib import Path

import pytest
from rasp_programs import RandomProgram

from rasp.compiler import NotCompilableError, compile_program
from rasp.graph import SOpNode
from rasp.interpret.library import library_text
from rasp.interpret.session import Session
from rasp.sops import SOp
from rasp.weights.model import CompiledModel
from rasp.weights.run import run
from rasp.weights.safetensors_file import load_safetensors, save_safetensors
from rasp.weights.store import from_json, to_json

WORDS = ["aabb", "b", "bbaab"]
JOINT = "s = aggregate(select(tokens,tokens,==) or select(indices,0,==), indices, -1);"


def defined(*texts: str) -> dict[str, SOpNode]:
    session = Session()
    for text in texts:
        assert not [event for event in session.run(text) if event.error is not None]
    variables = session.console.variables.items()
    return {n: v.node for n, v in variables if isinstance(v, SOp) and n not in ("tokens", "out")}


def returns_unchanged(model: CompiledModel) -> bool:
    data = to_json(model)
    again = from_json(json.loads(json.dumps(data)))
    assert to_json(again) == data
    assert again.basis == model.basis
    return run(again, WORDS).outputs == run(model, WORDS).outputs


@pytest.mark.parametrize("bos", [True, False])
def test_every_program_of_the_library_returns_from_its_file(bos: bool) -> None:
    found = defined(library_text("paper_examples"), library_text("stdlib"), JOINT)
    assert len(found) > 8
    for name, node in found.items():
        model = compile_program(node, vocabulary="ab", length=5, bos=bos, name=name)
        assert returns_unchanged(model), name


@pytest.mark.parametrize("bos", [True, False])
def test_random_programs_return_from_their_files(bos: bool) -> None:
    made, rng = 0, random.Random(1)
    for _ in range(12):
        try:
            model = compile_program(RandomProgram(rng).any(3), vocabulary="ab", length=5, bos=bos)
        except NotCompilableError:
            continue
        made += 1
        assert returns_unchanged(model)
    assert made > 8


def test_joint_values_are_in_files_of_floats_too(tmp_path: Path) -> None:
    pytest.importorskip("safetensors")
    model = compile_program(defined(JOINT)["s"], vocabulary="ab", length=4)
    assert any(isinstance(direction.value, tuple) for direction in model.basis)
    save_safetensors(model, tmp_path)
    assert load_safetensors(tmp_path).basis == model.basis
