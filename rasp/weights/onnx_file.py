"""Compiled models as ONNX files: write, read back, and run with ONNX Runtime.

Main definitions: :func:`save_onnx`, :func:`load_onnx`, :class:`OnnxModel`.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, final

from rasp.errors import MalformedModelError
from rasp.weights.extras import needed
from rasp.weights.matrix import Floats, Indexes
from rasp.weights.model import CompiledModel
from rasp.weights.onnx_graph import LAST, attention_name, onnx_model, stage_name
from rasp.weights.padded import Patterns, Stages, run_padded
from rasp.weights.runs import Run
from rasp.weights.safetensors_file import read_description
from rasp.weights.tensors import from_tensors, require_unchanged


def save_onnx(
    model: CompiledModel, path: str | Path, dtype: str = "float32", *, gap: float | None = None
) -> None:
    """Write a model as :func:`rasp.weights.onnx_graph.onnx_model` describes it."""
    needed("onnx").save_model(onnx_model(model, dtype, gap=gap), str(path))


def load_onnx(path: str | Path) -> CompiledModel:
    """Return the model in an ONNX file; its weights are the exact values of the floats.

    The graph itself is compared with the one that the weights and the description give, so a
    file whose nodes were changed is refused.

    Raises
    ------
    MalformedModelError
        If the file cannot be read, was not written by :func:`save_onnx`, or was changed.
    """
    onnx, arrays, protobuf = (
        needed(m) for m in ("onnx", "onnx.numpy_helper", "google.protobuf.message")
    )
    try:
        proto = onnx.load_model(str(path))
    except (OSError, protobuf.DecodeError) as problem:
        raise MalformedModelError(f"cannot read {path} as ONNX: {problem}") from None
    text = {entry.key: entry.value for entry in proto.metadata_props}.get("description")
    if text is None:
        raise MalformedModelError(f"{path} was not written from a compiled program")
    data = read_description(text, f"the description in {path}")
    try:
        tensors = {
            item.name: arrays.to_array(item)
            for item in proto.graph.initializer
            if not item.name.startswith("constant.")
        }
    except (TypeError, ValueError, LookupError, NotImplementedError) as problem:
        raise MalformedModelError(f"{path} is damaged: {problem}") from None
    try:
        model = from_tensors(data, tensors)
        require_unchanged(data, tensors)
    except MalformedModelError as problem:
        raise MalformedModelError(f"{path}: {problem}") from None
    if onnx_model(model, data["dtype"], gap=data["gap"]) != proto:
        raise MalformedModelError(f"{path} has another graph than its description gives")
    return model


@final
class OnnxModel:
    """A compiled model that ONNX Runtime runs.

    Parameters
    ----------
    model
        For its vocabulary and readouts.
    path
        The file of :func:`save_onnx`.
    """

    def __init__(self, model: CompiledModel, path: str | Path) -> None:
        runtime = needed("onnxruntime")
        options = runtime.SessionOptions()
        options.intra_op_num_threads = 1
        self.model = model
        self.session = runtime.InferenceSession(
            str(path), options, providers=["CPUExecutionProvider"]
        )

    def run(self, words: Sequence[Sequence[Any]], *, returns: Sequence[str] = ("outputs",)) -> Run:
        """Run the model; as :func:`rasp.weights.run.run`."""
        return run_padded(self.model, self._forward, words, returns=returns)

    def _forward(self, ids: Indexes, patterns: Patterns, stages: Stages) -> Floats:
        heads = [head.name for _, head in self.model.heads()] if patterns is not None else []
        wanted = [LAST, *(attention_name(name) for name in heads)]
        if stages is not None:
            wanted += [stage_name(stage) for stage in range(2 * self.model.depth + 1)]
        last, *found = self.session.run(wanted, {"ids": ids})
        if patterns is not None:
            patterns.update(zip(heads, found, strict=False))
        if stages is not None:
            stages.extend(found[len(heads) :])
        result: Floats = last
        return result
