"""Models as JSON, and the digest that certificates carry.

Integers are written as JSON integers of any size, so nothing is rounded.  A hand-written file may
give matrices as nested lists of integers, decimal numbers or strings like ``"1/3"``; what is
written is always ``{"denominator": d, "numerators": [...]}``.

Main definitions: :func:`to_json`, :func:`from_json`, :func:`read_model`, :func:`digest`.
"""

import hashlib
import json
from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from attention.dotproduct import DotProductHead, DotProductLayer, DotProductTransformer
from attention.exact import ExactMatrix, compact
from attention.table import TableTransformer
from attention.transformer import AbstractHardTransformer, ModelError

SCHEMA = "attnlimits.hard-transformer"
VERSION = 1


def to_json(model: AbstractHardTransformer) -> dict[str, Any]:
    """Return a model as plain JSON data.

    Raises
    ------
    ModelError
        For a function model (tabulate it first), or symbols or outputs that JSON cannot hold.

    Examples
    --------
    >>> from attention.table import TableTransformer
    >>> model = TableTransformer(n=1, alphabet=("0",), embedding=[[0]], scores=[[[[[[0]]]]]],
    ...                          acts=[[[[0]]]], outputs=(True,))
    >>> from_json(to_json(model)).outputs
    (True,)
    """
    frame = {
        "schema": SCHEMA,
        "version": VERSION,
        "ties": model.ties,
        "mask": model.mask,
        "alphabet": [_symbol(s) for s in model.alphabet],
    }
    match model:
        case TableTransformer():
            return frame | {
                "kind": "table",
                "n": model.n,
                "embedding": model.embedding.tolist(),
                "scores": [[table.tolist() for table in heads] for heads in model.scores],
                "acts": [table.tolist() for table in model.acts],
                "outputs": [_symbol(o) for o in model.outputs],
            }
        case DotProductTransformer():
            return (
                frame
                | {
                    "kind": "dot-product",
                    "grid": model.grid,
                    "symbols": _matrix(model.symbols),
                    "positions": _matrix(model.positions),
                    "stack": [_layer(layer) for layer in model.stack],
                    "weights": _matrix(model.weights),
                    "bias": _matrix(model.bias),
                }
                | ({} if model.final_norm is None else {"final_norm": _norm(model.final_norm)})
            )
    raise ModelError(
        f"a {type(model).__name__} holds Python code, which JSON cannot: "
        "attention.tabulate.tabulate turns a small one into tables"
    )


def from_json(data: Mapping[str, Any]) -> AbstractHardTransformer:
    """Return the model that ``data`` describes.

    Raises
    ------
    ModelError
        For another schema or version, a missing field, or a malformed model.
    """
    if not isinstance(data, Mapping) or data.get("schema") != SCHEMA:
        raise ModelError(f"this is not a model: the field schema must be {SCHEMA!r}")
    if data.get("version") != VERSION:
        raise ModelError(f"model version {data.get('version')!r}: this program reads {VERSION}")
    try:
        frame = {
            "alphabet": tuple(data["alphabet"]),
            "ties": data.get("ties", "leftmost"),
            "mask": data.get("mask", "full"),
        }
        if data["kind"] == "table":
            return TableTransformer(
                n=data["n"],
                embedding=data["embedding"],
                scores=data["scores"],
                acts=data["acts"],
                outputs=tuple(data["outputs"]),
                **frame,
            )
        if data["kind"] == "dot-product":
            return DotProductTransformer(
                symbols=_read(data["symbols"], 2),
                positions=_read(data["positions"], 2),
                stack=[_read_layer(layer) for layer in data["stack"]],
                weights=_read(data["weights"], None),
                bias=_read(data.get("bias", 0), None),
                grid=data.get("grid"),
                final_norm=_read_norm(data.get("final_norm")),
                **frame,
            )
    except KeyError as missing:
        raise ModelError(f"the model lacks the field {missing.args[0]!r}: add it") from None
    except TypeError as wrong:
        raise ModelError(f"the model has a field of the wrong type: {wrong}") from None
    raise ModelError(f"model kind {data['kind']!r}: use 'table' or 'dot-product'")


def read_model(path: str | Path) -> AbstractHardTransformer:
    """Return the model stored at ``path``; a :class:`ModelError` says what is wrong with it."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as problem:
        raise ModelError(f"cannot read {path}: {problem.strerror}") from None
    try:
        data = json.loads(text)
    except json.JSONDecodeError as problem:
        raise ModelError(f"{path} is not JSON: {problem}") from None
    return from_json(data)


def digest(data: Mapping[str, Any]) -> str:
    """Return the SHA-256 of JSON data in canonical form (sorted keys, no spaces)."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _symbol(value: Hashable) -> Any:
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, (np.bool_, np.integer)):
        return value.item()
    raise ModelError(f"JSON cannot hold the symbol {value!r}: use strings, integers or booleans")


def _matrix(matrix: ExactMatrix) -> dict[str, Any]:
    return {"denominator": matrix.denominator, "numerators": matrix.numerators.tolist()}


def _layer(layer: DotProductLayer) -> dict[str, Any]:
    names = ("query", "key", "value", "query_bias", "key_bias")
    inner = ("bias", "up", "up_bias", "down", "down_bias") if layer.up is not None else ("bias",)
    return {
        "heads": [{name: _matrix(getattr(head, name)) for name in names} for head in layer.heads],
        **{name: _matrix(getattr(layer, name)) for name in inner},
        "norms": [_norm(norm) for norm in layer.norms],
    } | ({"norm_first": True} if layer.norm_first else {})


def _norm(norm: Sequence[ExactMatrix]) -> list[dict[str, Any]]:
    return [_matrix(part) for part in norm]


def _read(data: Any, ndim: int | None) -> Any:
    """Return a stored matrix; plain nested lists are passed on to be read as numbers."""
    if not isinstance(data, Mapping):
        return data
    denominator, numerators = data["denominator"], data["numerators"]
    if not isinstance(denominator, int) or denominator < 1:
        raise ModelError(f"the denominator {denominator!r} is not a positive integer")
    try:
        raw = np.array(numerators, dtype=object)
    except ValueError:
        raise ModelError("a matrix is ragged: every row must have the same length") from None
    if any(not isinstance(x, int) or isinstance(x, bool) for x in raw.flat):
        raise ModelError("a matrix has numerators that are ragged or not integers")
    if ndim is not None and raw.ndim != ndim and raw.size:
        raise ModelError(f"a matrix has {raw.ndim} axes: use {ndim}")
    return ExactMatrix(compact(raw), denominator)


def _read_layer(data: Mapping[str, Any]) -> DotProductLayer:
    heads = [
        DotProductHead(**{name: _read(part, None) for name, part in head.items()})
        for head in data["heads"]
    ]
    fields = ("bias", "up", "up_bias", "down", "down_bias")
    parts = {name: _read(data[name], None) for name in fields if data.get(name) is not None}
    norms = [_read_norm(norm) for norm in data.get("norms", ())]
    first = data.get("norm_first", False)
    if not isinstance(first, bool):
        raise ModelError(f"norm_first = {first!r}: use true or false")
    return DotProductLayer(heads=heads, norms=norms, norm_first=first, **parts)


def _read_norm(norm: Any) -> Any:
    return None if norm is None else tuple(_read(part, 1) for part in norm)
