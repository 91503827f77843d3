"""A compiled model as named float tensors and a description: what every file form contains.

Names are those of :meth:`CompiledModel.matrices`, plus ``layers.L.heads.H.scale`` and, for output
``R`` in the order of the readouts, the unembedding: ``outputs.R.weight`` of shape (width, values)
and ``outputs.R.bias``, so that ``row @ weight + bias`` holds one logit per value (the one for
``None`` last), or the number itself.

Main definitions: :func:`to_tensors`, :func:`from_tensors`, :func:`export_description`.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

import numpy as np

from attention.json import digest
from rasp.errors import MalformedModelError
from rasp.weights.floating import default_gap, head_scale, require_dtype, require_gap
from rasp.weights.matrix import Floats, Matrix
from rasp.weights.model import CompiledModel
from rasp.weights.readout import Readout
from rasp.weights.store import description, from_json, matrix_to_json, require_digest


def to_tensors(
    model: CompiledModel, dtype: str = "float32", *, gap: float | None = None
) -> dict[str, Floats]:
    """Return the weights of a model as dense arrays by name.

    Parameters
    ----------
    model
        Any compiled model.
    dtype
        ``float32`` or ``float64``.
    gap
        As for :class:`rasp.weights.floating.FloatModel`.

    Examples
    --------
    >>> from rasp.weights.examples import copy_model
    >>> tensors = to_tensors(copy_model("ab", length=3))
    >>> tensors["token_embedding"].shape, tensors["outputs.0.weight"].tolist()
    ((3, 2), [[1.0, 0.0], [0.0, 1.0]])
    """
    kind, gap = require_dtype(dtype), chosen_gap(model, dtype, gap)
    tensors = {name: matrix.dense(kind) for name, matrix in model.matrices()}
    for number, layer in enumerate(model.layers):
        for place, head in enumerate(layer.heads):
            scale = np.asarray(head_scale(head, gap), dtype=kind)
            tensors[f"layers.{number}.heads.{place}.scale"] = scale
    for number, readout in enumerate(model.readouts):
        weight, bias = unembedding(readout, model.width)
        tensors[f"outputs.{number}.weight"] = weight.dense(kind)
        tensors[f"outputs.{number}.bias"] = bias.dense(kind)[0]
    return tensors


def chosen_gap(model: CompiledModel, dtype: str, gap: float | None) -> float:
    """Return the gap, or the default one for the model's longest word."""
    return require_gap(default_gap(dtype, model.length + model.bos) if gap is None else gap)


def unembedding(readout: Readout, width: int) -> tuple[Matrix, Matrix]:
    """Return the matrix (width, values) and the row that is added after it.

    Examples
    --------
    >>> from rasp.weights.examples import copy_model
    >>> unembedding(copy_model("ab", length=3).readout(), 2)[0].nonzeros
    2
    """
    entries: dict[tuple[int, int], Any]
    columns = list(readout.directions)
    if readout.kind == "categorical":
        entries = {(row, column): 1 for column, row in enumerate(columns)}
    else:
        entries = {(columns[0], 0): readout.scale}
    if readout.none_direction is not None:
        entries[readout.none_direction, len(columns)] = 1
    size = len(columns) + (readout.none_direction is not None)
    bias = {(0, 0): readout.offset} if readout.kind == "numeric" else {}
    return Matrix.placed((width, size), entries), Matrix.placed((1, size), bias)


def export_description(
    model: CompiledModel, dtype: str, *, gap: float | None = None
) -> dict[str, Any]:
    """Return the JSON data that goes with the tensors: everything but the weights, and a digest."""
    data = description(model) | {
        "dtype": require_dtype(dtype),
        "gap": chosen_gap(model, dtype, gap),
    }
    return data | {"digest": digest(_content(data, to_tensors(model, dtype, gap=gap)))}


def require_unchanged(data: Mapping[str, Any], tensors: Mapping[str, Floats]) -> None:
    """Refuse a description and tensors that are not, bit for bit, what was written together.

    Raises
    ------
    MalformedModelError
        If the description states no digest or another one.

    Notes
    -----
    :func:`from_tensors` does not ask for it: weights that were trained further are a model too.
    """
    if "digest" not in data:
        raise MalformedModelError("the description states no digest: it was changed")
    require_digest(data, _content(data, tensors))


def _content(data: Mapping[str, Any], tensors: Mapping[str, Floats]) -> dict[str, Any]:
    """Return what the digest is of: the description, and a hash per tensor."""
    hashes = {}
    for name, tensor in tensors.items():
        array = np.asarray(tensor)
        plain = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
        hashes[name] = [plain.dtype.str, list(array.shape), sha256(plain.tobytes()).hexdigest()]
    return {**{k: v for k, v in data.items() if k != "digest"}, "tensors": hashes}


def from_tensors(data: Mapping[str, Any], tensors: Mapping[str, Floats]) -> CompiledModel:
    """Return the model whose weights are the exact values of the tensors.

    Parameters
    ----------
    data
        What :func:`export_description` gave.
    tensors
        Arrays by name.

    Raises
    ------
    MalformedModelError
        If a tensor is missing, superfluous, not finite, or of a wrong shape; if the scales or the
        unembedding are not those that the description implies.

    Notes
    -----
    Weights that the floats could not hold, such as 1/3, come back as the float's value.

    Examples
    --------
    >>> from rasp.weights.examples import reverse_model
    >>> model = reverse_model("ab", length=3)
    >>> again = from_tensors(export_description(model, "float32"), to_tensors(model))
    >>> all(a == b for (_, a), (_, b) in zip(model.matrices(), again.matrices()))
    True
    """
    try:
        parts = [(len(part["heads"]), part["units"] is not None) for part in data["parts"]]
        dtype, gap = data["dtype"], data["gap"]
    except (KeyError, TypeError) as wrong:
        raise MalformedModelError(f"the description lacks a field: {wrong}") from None

    def matrix(name: str) -> dict[str, Any]:
        if name not in tensors:
            raise MalformedModelError(f"the tensor {name} is missing")
        try:
            return matrix_to_json(Matrix.of_floats(np.asarray(tensors[name])))
        except MalformedModelError as problem:
            raise MalformedModelError(f"{name}: {problem}") from None

    def group(prefix: str, names: tuple[str, ...]) -> dict[str, Any]:
        return {name: matrix(f"{prefix}.{name}") for name in names}

    weights = {
        "token_embedding": matrix("token_embedding"),
        "position_embedding": matrix("position_embedding"),
        "layers": [
            {
                "heads": [
                    group(f"layers.{number}.heads.{place}", ("query", "key", "value", "output"))
                    for place in range(heads)
                ],
                "feed_forward": group(f"layers.{number}.feed_forward", ("w1", "b1", "w2"))
                if network
                else None,
            }
            for number, (heads, network) in enumerate(parts)
        ],
    }
    model = from_json({**data, **weights})
    _require_same(to_tensors(model, dtype, gap=gap), tensors)
    return model


def _require_same(expected: Mapping[str, Floats], found: Mapping[str, Floats]) -> None:
    if expected.keys() != found.keys():
        odd = sorted(expected.keys() ^ found.keys())[0]
        raise MalformedModelError(f"the tensor {odd} is missing or superfluous")
    for name, tensor in expected.items():
        other = np.asarray(found[name])
        if other.dtype != tensor.dtype or not np.array_equal(tensor, other):
            raise MalformedModelError(
                f"the tensor {name} is not what the description says: one of them was changed"
            )
