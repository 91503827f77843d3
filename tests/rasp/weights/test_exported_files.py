"""Exported models compute the same, can be read back, and refuse to be tampered with."""

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from compiled_random import all_words, random_model

from rasp.errors import MalformedModelError
from rasp.weights.bounds import error_bounds
from rasp.weights.exact import run_exact
from rasp.weights.examples import copy_model, reverse_model
from rasp.weights.floating import head_scale
from rasp.weights.model import CompiledModel
from rasp.weights.runs import Run
from rasp.weights.tensors import chosen_gap, export_description, from_tensors, to_tensors
from rasp.weights.unmasked import without_mask

WORDS = ["abc", "c", "cabba", "bb"]


def weights(model: CompiledModel) -> list[Any]:
    return [matrix for _, matrix in model.matrices()]


def onnx_runs(model: CompiledModel, dtype: str, folder: Path) -> Callable[..., Run]:
    pytest.importorskip("onnxruntime")
    onnx_file = pytest.importorskip("rasp.weights.onnx_file")
    onnx_file.save_onnx(model, folder / "model.onnx", dtype)
    return onnx_file.OnnxModel(model, folder / "model.onnx").run


def torch_runs(model: CompiledModel, dtype: str, folder: Path) -> Callable[..., Run]:
    pytest.importorskip("torch")
    from rasp.weights.torch_module import run_module, torch_module

    module = torch_module(model, dtype)
    return lambda words, **options: run_module(model, module, words, **options)


@pytest.mark.parametrize("make", [onnx_runs, torch_runs])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_no_coordinate_is_off_by_more_than_the_stated_bound(
    make: Callable[..., Callable[..., Run]], dtype: str, tmp_path: Path
) -> None:
    for seed in range(4):
        rng = np.random.default_rng(seed)
        model = random_model(rng, separation=Fraction(1, 5))
        words = all_words(model.vocabulary.symbols, 3)[-8:]
        found = make(model, dtype, tmp_path)(words, returns=("residuals", "attention"))
        exact = run_exact(model, words, returns=("residuals",)).residuals[-1]
        bounds = error_bounds(model, words, dtype).residuals
        for x, y, bound in zip(found.residuals[-1], exact, bounds, strict=True):
            off = [abs(Fraction(float(a)) - b) for a, b in zip(x.flat, y.flat, strict=True)]
            assert all(a <= b for a, b in zip(off, bound.flat, strict=True))
        for _, head in model.heads():
            for pattern in found.attention[head.name]:
                np.testing.assert_allclose(pattern.sum(axis=1), 1, rtol=1e-5)


@pytest.mark.parametrize("make", [onnx_runs, torch_runs])
def test_outputs_attention_and_residuals_are_those_of_the_exact_runtime(
    make: Callable[..., Callable[..., Run]], tmp_path: Path
) -> None:
    model, wanted = reverse_model("abc", length=6), ("outputs", "attention", "residuals")
    found = make(model, "float32", tmp_path)(WORDS, returns=wanted)
    exact = run_exact(model, WORDS, returns=wanted)
    assert found.outputs == exact.outputs
    for one, other in zip(found.attention["seek"], exact.attention["seek"], strict=True):
        assert (one[1:] == other[1:]).all()
    for one, other in zip(
        found.coordinates_of("opposite"), exact.coordinates_of("opposite"), strict=True
    ):
        np.testing.assert_allclose(one, other.astype(float), atol=1e-5)


def test_onnx_gives_the_model_back_and_refuses_a_changed_file(tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx")
    from rasp.weights.onnx_file import load_onnx, save_onnx

    model, path = reverse_model("abc", length=6), tmp_path / "model.onnx"
    save_onnx(model, path, "float64")
    assert weights(load_onnx(path)) == weights(model)
    assert load_onnx(path).basis == model.basis
    proto = onnx.load(path)
    proto.graph.node[5].op_type = "Sub"
    onnx.save(proto, path)
    with pytest.raises(MalformedModelError, match="another graph"):
        load_onnx(path)
    path.write_bytes(b"\xff\xff")
    with pytest.raises(MalformedModelError, match="cannot read"):
        load_onnx(path)
    onnx.save(onnx.ModelProto(), path)
    with pytest.raises(MalformedModelError, match="not written from"):
        load_onnx(path)


def test_safetensors_give_the_model_back_and_refuse_a_changed_file(tmp_path: Path) -> None:
    files = pytest.importorskip("safetensors.numpy")
    from rasp.weights.safetensors_file import load_safetensors, save_safetensors

    model, path = reverse_model("abc", length=6), tmp_path / "weights.safetensors"
    save_safetensors(model, tmp_path)
    again = load_safetensors(tmp_path)
    assert weights(again) == weights(model)
    assert (again.readouts, again.places) == (model.readouts, model.places)
    stored = files.load_file(path)
    for name, what in (
        ("outputs.0.weight", "was changed"),
        ("layers.1.heads.0.scale", "was changed"),
        ("token_embedding", "finite floats"),
    ):
        changed = {
            **stored,
            name: np.asarray(stored[name] * np.float32("nan" if "floats" in what else 2)),
        }
        files.save_file(changed, path)
        with pytest.raises(MalformedModelError, match=what):
            load_safetensors(tmp_path)
    path.write_bytes(b"nothing")
    with pytest.raises(MalformedModelError, match="damaged"):
        load_safetensors(tmp_path)
    path.unlink()
    with pytest.raises(MalformedModelError, match="cannot read"):
        load_safetensors(tmp_path)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"token_embedding": None}, "token_embedding is missing"),
        ({"extra": np.zeros(3)}, "superfluous"),
        ({"layers.0.feed_forward.w1": np.zeros((2, 2))}, "feed-forward shapes"),
        ({"layers.0.feed_forward.w1": np.zeros(3)}, "2 axes"),
        ({"layers.1.heads.0.query": np.zeros((12, 3), dtype=int)}, "finite floats"),
    ],
)
def test_tensors_that_do_not_fit_are_named(change: dict[str, Any], what: str) -> None:
    model = reverse_model("abc", length=6)
    tensors = {**to_tensors(model), **change}
    tensors = {name: array for name, array in tensors.items() if array is not None}
    with pytest.raises(MalformedModelError, match=what):
        from_tensors(export_description(model, "float32"), tensors)
    with pytest.raises(MalformedModelError, match="lacks a field"):
        from_tensors({}, tensors)


def test_a_module_can_be_read_back(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    from rasp.weights.torch_module import model_of_module, torch_module

    model = reverse_model("abc", length=6)
    module = torch_module(model, "float64")
    assert weights(model_of_module(module)) == weights(model)
    torch.save(module.state_dict(), tmp_path / "state.pt")
    fresh = torch_module(copy_model("abc", length=6), "float64")
    with pytest.raises(RuntimeError, match="token_embedding"):
        fresh.load_state_dict(torch.load(tmp_path / "state.pt", weights_only=True))
    with torch.no_grad():
        module.outputs.get_submodule("0").weight.mul_(2)
    with pytest.raises(MalformedModelError, match="was changed"):
        model_of_module(module)


def test_a_causal_model_needs_no_mask() -> None:
    for seed in range(10):
        rng = np.random.default_rng(seed)
        model = random_model(rng)
        free = without_mask(model)
        words = all_words(model.vocabulary.symbols, 3)[:20]
        mine = run_exact(model, words, returns=("outputs", "attention"))
        theirs = run_exact(free, words, returns=("outputs", "attention"))
        assert mine.outputs == theirs.outputs
        for name, patterns in mine.attention.items():
            for one, other in zip(patterns, theirs.attention[name], strict=True):
                assert (one == other).all()
        assert not free.causal


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_transformers_computes_what_the_exact_runtime_does(dtype: str, tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    from rasp.weights.huggingface import labels, save_huggingface

    held = 0
    for seed in range(8):
        rng = np.random.default_rng(seed)
        model = random_model(rng, bottoms=(1,))
        words = all_words(model.vocabulary.symbols, 3)[-9:]
        exact = run_exact(model, words)
        save_huggingface(model, tmp_path, dtype, output="x1")
        auto = transformers.AutoModelForTokenClassification
        made = auto.from_pretrained(tmp_path, dtype="auto").eval()
        assert made.dtype == getattr(torch, dtype)
        reader = transformers.AutoTokenizer.from_pretrained(tmp_path)
        batch = reader(["".join(w) for w in words], padding=True, return_tensors="pt")
        with torch.no_grad():
            logits = made(**batch).logits[..., 0].numpy()
        # the scale is at most doubled, and the sums of weighted values are rounded
        gap = 2 * chosen_gap(model, dtype, None)
        bounds = error_bounds(model, words, dtype, gap=gap).residuals
        unit = np.finfo(dtype).eps
        for row, word, true, bound in zip(logits, words, exact.output("x1"), bounds, strict=True):
            off = np.abs(row[model.bos : model.bos + len(word)] - np.array(true, dtype=float))
            known = bound[model.bos :, 1] < 0.1
            assert (off <= bound[model.bos :, 1] + 1e4 * unit)[known].all()
            held += known.sum()
    assert held > 150
    assert labels(model.readout("x1")) == ["x1"]


@pytest.mark.slow
def test_what_no_tokenizer_can_read_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    from rasp.weights.huggingface import save_huggingface
    from rasp.weights.vocabulary import Vocabulary

    model = copy_model("ab", length=3)
    for symbols, what in (((1, "1"), "written alike"), (("a b", "c"), "separated by spaces")):
        object.__setattr__(model, "vocabulary", Vocabulary(symbols, bos=False))
        with pytest.raises(MalformedModelError, match=what):
            save_huggingface(model, tmp_path)


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from rasp.weights import extras
    from rasp.weights.safetensors_file import save_safetensors

    def missing(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(extras, "import_module", missing)
    with pytest.raises(MalformedModelError, match=r"install 'attention-limits\[export\]'"):
        save_safetensors(copy_model("ab", length=3), tmp_path)


def test_the_description_is_plain_json() -> None:
    data = export_description(reverse_model("abc", length=6), "float32")
    assert json.loads(json.dumps(data)) == data
    assert data["vocabulary"] == {
        "symbols": [["str", "a"], ["str", "b"], ["str", "c"]],
        "pad": 3,
        "bos": 4,
    }
    assert data["places"]["reverse"] == [2, "seek"]


def test_transformers_gets_no_softer_heads_than_the_gap_asks_for() -> None:
    from rasp.weights.huggingface import _scaled

    model, gap, size = reverse_model("abc", length=30), 110.0, 16
    for _, head in model.heads():
        scaled = _scaled(head, gap, size)
        for row, column, value in head.query.entries():
            factor = scaled.entry(row, column) / value / 4  # the division by a root of 16
            assert head_scale(head, gap) <= factor < 2 * head_scale(head, gap)
            assert (factor.numerator * factor.denominator).bit_count() == 1  # a power of two
