"""Compiled programs give the same outputs in every file form."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rasp import SOp, aggregate, indicator, indices, length, select, selector_width, tokens
from rasp.compiler.pipeline import compile_program
from rasp.weights.exact import run_exact
from rasp.weights.model import CompiledModel

same = select(tokens, tokens, "==")
PROGRAMS: dict[str, tuple[SOp, dict[str, Any]]] = {
    "histogram": (selector_width(same), {}),
    "reverse": (aggregate(select(indices, length - indices - 1, "=="), tokens), {}),
    "prefix share": (aggregate(select(1, 1, "=="), indicator(tokens == "a")), {"causal": True}),
    "predecessor or none": (
        aggregate(select(indices, indices - 1, "=="), tokens, None),  # type: ignore[arg-type]
        {},
    ),
    "no bos": (aggregate(select(indices, indices, "<="), indicator(tokens == "a")), {"bos": False}),
}


def prepared(name: str) -> tuple[CompiledModel, list[str], list[list[Any]]]:
    program, options = PROGRAMS[name]
    model = compile_program(program, vocabulary=tuple("abc"), length=12, name="y", **options)
    rng = np.random.default_rng(0)
    words = ["".join(rng.choice(list("abc"), size=n)) for n in (1, 2, 5, 11, 12, 12)]
    return model, words, list(run_exact(model, words).output())


def agree(found: Any, expected: list[Any]) -> None:
    for mine, true in zip(found, expected, strict=True):
        if any(value is None or isinstance(value, str) for value in true):
            assert mine == true
        else:
            assert [float(x) for x in mine] == pytest.approx([float(x) for x in true], abs=1e-5)


@pytest.mark.parametrize("name", PROGRAMS)
def test_onnx_runs_and_gives_back_a_compiled_program(name: str, tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    pytest.importorskip("onnx")
    from rasp.weights.onnx_file import OnnxModel, load_onnx, save_onnx

    model, words, expected = prepared(name)
    save_onnx(model, tmp_path / "model.onnx")
    agree(OnnxModel(model, tmp_path / "model.onnx").run(words).output(), expected)
    again = load_onnx(tmp_path / "model.onnx")
    assert list(run_exact(again, words).output()) == expected


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
def test_transformers_runs_a_compiled_program(name: str, tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    from rasp.weights.huggingface import save_huggingface

    model, words, expected = prepared(name)
    save_huggingface(model, tmp_path)
    made = transformers.AutoModelForTokenClassification.from_pretrained(tmp_path)
    batch = transformers.AutoTokenizer.from_pretrained(tmp_path)(
        words, padding=True, return_tensors="pt"
    )
    with torch.no_grad():
        logits = made(**batch).logits
    found: list[list[Any]] = []
    for word, rows in zip(words, logits, strict=True):
        mine = rows[int(model.bos) : int(model.bos) + len(word)]
        if model.readouts[0].kind == "numeric":
            found.append(mine[:, 0].tolist())
        else:
            names = [made.config.id2label[int(i)] for i in mine.argmax(dim=1)]
            found.append([None if label == "None" else label for label in names])
    agree(found, expected)


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
def test_torch_runs_a_compiled_program(name: str) -> None:
    pytest.importorskip("torch")
    from rasp.weights.torch_module import run_module, torch_module

    model, words, expected = prepared(name)
    agree(run_module(model, torch_module(model), words).output(), expected)
