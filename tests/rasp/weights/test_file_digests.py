"""Files of compiled models whose content was changed in a single place are refused."""

import json
from pathlib import Path

import numpy as np
import pytest

from rasp.errors import MalformedModelError
from rasp.weights.examples import reverse_model
from rasp.weights.store import load, save

MODEL = reverse_model("ab", length=4)


def flipped(content: bytes, rng: np.random.Generator, begin: int = 0) -> bytes:
    changed = bytearray(content)
    changed[int(rng.integers(begin, len(content)))] ^= 1 << int(rng.integers(8))
    return bytes(changed)


@pytest.mark.parametrize(
    ("field", "value"),
    [("causal", True), ("predicted", [1, [1]]), ("length", 3), ("notes", ["x"]), ("digest", "0")],
)
def test_a_changed_field_is_refused(tmp_path: Path, field: str, value: object) -> None:
    path = tmp_path / "model.json"
    stated = save(MODEL, path)
    data = json.loads(path.read_text())
    assert data["digest"] == stated
    path.write_text(json.dumps(data, indent=2))
    load(path)
    path.write_text(json.dumps(data | {field: value}))
    with pytest.raises(MalformedModelError, match=r"digest|position embedding"):
        load(path)


def test_a_model_without_digest_is_read_unless_it_has_an_unknown_field(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    save(MODEL, path)
    data = json.loads(path.read_text())
    stated = data.pop("digest")
    path.write_text(json.dumps(data | {"causal": True}))
    assert load(path).causal
    path.write_text(json.dumps(data | {"dhgest": stated}))
    with pytest.raises(MalformedModelError, match="no field 'dhgest'"):
        load(path)


def test_a_flipped_bit_of_json_is_refused(tmp_path: Path) -> None:
    path, rng = tmp_path / "model.json", np.random.default_rng(0)
    save(MODEL, path)
    content = path.read_bytes().rstrip()
    for _ in range(60):
        path.write_bytes(flipped(content, rng))
        with pytest.raises(MalformedModelError):
            load(path)


def test_a_flipped_bit_of_safetensors_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("safetensors.numpy")
    from rasp.weights.safetensors_file import load_safetensors, save_safetensors

    save_safetensors(MODEL, tmp_path)
    path, rng = tmp_path / "weights.safetensors", np.random.default_rng(0)
    content = path.read_bytes()
    weights = 8 + int.from_bytes(content[:8], "little")
    for _ in range(60):
        path.write_bytes(flipped(content, rng, weights))
        with pytest.raises(MalformedModelError):
            load_safetensors(tmp_path)
    path.write_bytes(content)
    load_safetensors(tmp_path)
    about = tmp_path / "description.json"
    text = about.read_text()
    for old, new in (('"causal": false', '"causal": true'), ('"digest"', '"dhgest"')):
        assert old in text
        about.write_text(text.replace(old, new))
        with pytest.raises(MalformedModelError, match="digest"):
            load_safetensors(tmp_path)


def test_a_flipped_bit_of_onnx_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("onnx")
    from rasp.weights.onnx_file import load_onnx, save_onnx

    path, rng = tmp_path / "model.onnx", np.random.default_rng(0)
    save_onnx(MODEL, path)
    content = path.read_bytes()
    load_onnx(path)
    for _ in range(40):
        path.write_bytes(flipped(content, rng))
        with pytest.raises(MalformedModelError):
            load_onnx(path)
