"""The computation of a compiled model as an ONNX graph, written node by node.

Main definitions: :func:`onnx_model`.
"""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from rasp.weights.extras import needed
from rasp.weights.model import CompiledModel
from rasp.weights.tensors import export_description, to_tensors

OPSET = 18
IR_VERSION = 10
LAST = "residual"


def attention_name(head: str) -> str:
    """Return the name of the graph output that holds a head's softmax."""
    return f"attention/{head}"


def stage_name(stage: int) -> str:
    """Return the name of the graph output that holds the residual rows at a stage."""
    return f"residual/{stage}"


def output_name(readout: str) -> str:
    """Return the name of the graph output that holds an output's logits or numbers."""
    return f"output/{readout}"


class _Graph:
    """Collects nodes; every method returns the name of its result."""

    def __init__(self, helper: Any) -> None:
        self.helper, self.nodes, self.constants = helper, [], {}  # type: ignore[var-annotated]

    def node(self, kind: str, inputs: Sequence[str], name: str = "", **attributes: Any) -> str:
        result = name or f"{kind}.{len(self.nodes)}"
        self.nodes.append(self.helper.make_node(kind, list(inputs), [result], **attributes))
        return result

    def constant(self, value: Any, dtype: Any) -> str:
        array = np.asarray(value, dtype=dtype)
        name = f"constant.{array.dtype}.{array.tolist()}"
        self.constants[name] = array
        return name


def onnx_model(model: CompiledModel, dtype: str = "float32", *, gap: float | None = None) -> Any:
    """Return a model as an ``onnx.ModelProto``.

    Input ``ids`` is int64 (words, rows), both free: BOS first if the model has it, PAD at the end
    of short words.  Outputs are ``output/NAME`` (words, rows, values) per readout, the residual
    rows ``residual``, and at every stage ``residual/STAGE``, and the softmax
    ``attention/HEAD`` (words, rows, rows); a runtime computes only what is asked for.  The
    description of the model is in the metadata.

    Parameters
    ----------
    model, dtype, gap
        As for :func:`rasp.weights.tensors.to_tensors`.

    Raises
    ------
    MalformedModelError
        If onnx is not installed, or for another dtype or gap.
    """
    onnx, helper, arrays = (needed(m) for m in ("onnx", "onnx.helper", "onnx.numpy_helper"))
    tensors = to_tensors(model, dtype, gap=gap)
    graph = _Graph(helper)
    _write(graph, model, dtype)
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    sizes: dict[str, list[Any]] = {
        output_name(r.name): ["words", "rows", tensors[f"outputs.{i}.bias"].shape[0]]
        for i, r in enumerate(model.readouts)
    }
    sizes[LAST] = ["words", "rows", model.width]
    sizes |= {stage_name(s): ["words", "rows", model.width] for s in range(2 * model.depth + 1)}
    sizes |= {attention_name(head.name): ["words", "rows", "rows"] for _, head in model.heads()}
    made = helper.make_graph(
        graph.nodes,
        model.name or "compiled",
        [helper.make_tensor_value_info("ids", onnx.TensorProto.INT64, ["words", "rows"])],
        [helper.make_tensor_value_info(name, kind, size) for name, size in sizes.items()],
        [arrays.from_array(a, name) for name, a in [*tensors.items(), *graph.constants.items()]],
    )
    proto = helper.make_model(made, opset_imports=[helper.make_opsetid("", OPSET)])
    proto.ir_version = IR_VERSION
    text = json.dumps(export_description(model, dtype, gap=gap), sort_keys=True)
    helper.set_model_props(proto, {"description": text})
    onnx.checker.check_model(proto)
    return proto


def _write(graph: _Graph, model: CompiledModel, dtype: str) -> None:
    node, constant = graph.node, graph.constant
    rows = node("Shape", ["ids"], start=1, end=2)
    count = node("Squeeze", [rows])
    places = node("Range", [constant(0, np.int64), count, constant(1, np.int64)])
    symbol = node("Gather", ["token_embedding", "ids"])
    position = node("Gather", ["position_embedding", places])
    x = node("Add", [symbol, position])
    padded = node("Equal", ["ids", constant(model.vocabulary.pad, np.int64)])
    hidden = node("Unsqueeze", [padded, constant([1], np.int64)])
    if model.causal:
        across = node("Unsqueeze", [places, constant([0], np.int64)])
        down = node("Unsqueeze", [places, constant([1], np.int64)])
        hidden = node("Or", [hidden, node("Greater", [across, down])])
    node("Identity", [x], stage_name(0))
    for number, layer in enumerate(model.layers):
        added = x
        for place, head in enumerate(layer.heads):
            prefix = f"layers.{number}.heads.{place}"
            query, key, value = (
                node("MatMul", [x, f"{prefix}.{name}"]) for name in ("query", "key", "value")
            )
            scores = node("MatMul", [query, node("Transpose", [key], perm=[0, 2, 1])])
            scores = node("Where", [hidden, constant(-np.inf, dtype), scores])
            best = node("ReduceMax", [scores, constant([2], np.int64)], keepdims=1)
            scaled = node("Mul", [node("Sub", [scores, best]), f"{prefix}.scale"])
            weights = node("Exp", [scaled])
            total = node("ReduceSum", [weights, constant([2], np.int64)], keepdims=1)
            mean = node("Div", [node("MatMul", [weights, value]), total])
            added = node("Add", [added, node("MatMul", [mean, f"{prefix}.output"])])
            node("Div", [weights, total], attention_name(head.name))
        x = node("Identity", [added], stage_name(2 * number + 1))
        if layer.feed_forward is not None:
            prefix = f"layers.{number}.feed_forward"
            inner = node("Add", [node("MatMul", [x, f"{prefix}.w1"]), f"{prefix}.b1"])
            outer = node("MatMul", [node("Relu", [inner]), f"{prefix}.w2"])
            x = node("Add", [x, outer])
        x = node("Identity", [x], stage_name(2 * number + 2))
    node("Identity", [x], LAST)
    for number, readout in enumerate(model.readouts):
        logits = node("MatMul", [x, f"outputs.{number}.weight"])
        node("Add", [logits, f"outputs.{number}.bias"], output_name(readout.name))
