"""Compiled models as JSON: everything, exactly, in one file.

Matrices are written by coordinates with integers of any size over a denominator, so reading gives
the model back bit for bit.  What is read is validated as if it were new.  The file carries the
digest of its content: a file of which any content was changed is refused.

Main definitions: :func:`to_json`, :func:`from_json`, :func:`save`, :func:`load`.
"""

import json
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from attention.json import digest
from rasp.errors import MalformedModelError
from rasp.weights.atoms import atom_from_json, atom_to_json
from rasp.weights.matrix import Matrix
from rasp.weights.model import CompiledModel
from rasp.weights.parts import FeedForward, Head, Layer
from rasp.weights.readout import Direction, Readout
from rasp.weights.vocabulary import Vocabulary

SCHEMA = "attnlimits.compiled-program"
VERSION = 1


def to_json(model: CompiledModel) -> dict[str, Any]:
    """Return a model as plain JSON data.

    Examples
    --------
    >>> from rasp.weights.examples import copy_model
    >>> from_json(to_json(copy_model("ab", length=3))).readout().values
    ('a', 'b')
    """
    return description(model) | {
        "token_embedding": matrix_to_json(model.token_embedding),
        "position_embedding": matrix_to_json(model.position_embedding),
        "layers": [
            {
                "heads": [
                    {name: matrix_to_json(m) for name, m in head.matrices.items()}
                    for head in layer.heads
                ],
                "feed_forward": None
                if layer.feed_forward is None
                else {name: matrix_to_json(m) for name, m in layer.feed_forward.matrices.items()},
            }
            for layer in model.layers
        ],
    }


def description(model: CompiledModel) -> dict[str, Any]:
    """Return everything but the weights as plain JSON data."""
    return {
        "schema": SCHEMA,
        "version": VERSION,
        "name": model.name,
        "vocabulary": {
            "symbols": [atom_to_json(s) for s in model.vocabulary.symbols],
            "pad": model.vocabulary.pad,
            "bos": model.vocabulary.begin if model.bos else None,
        },
        "length": model.length,
        "causal": model.causal,
        "width": model.width,
        "parts": [
            {
                "heads": [
                    {
                        "name": head.name,
                        "separation": str(head.separation),
                        "serves": list(head.serves),
                    }
                    for head in layer.heads
                ],
                "units": list(layer.feed_forward.units) if layer.feed_forward else None,
            }
            for layer in model.layers
        ],
        "readouts": [
            {
                "name": r.name,
                "kind": r.kind,
                "directions": list(r.directions),
                "values": [atom_to_json(v) for v in r.values],
                "none_direction": r.none_direction,
                "scale": str(r.scale),
                "offset": str(r.offset),
                "cast": r.cast,
                "label": r.label,
            }
            for r in model.readouts
        ],
        "basis": [[d.index, d.label, atom_to_json(d.value), d.born, d.dies] for d in model.basis],
        "places": {label: list(place) for label, place in sorted(model.places.items())},
        "predicted": None
        if model.predicted is None
        else [model.predicted[0], list(model.predicted[1])],
        "program": model.program,
        "notes": list(model.notes),
    }


def from_json(data: Any) -> CompiledModel:
    """Return the model that ``data`` describes.

    Raises
    ------
    MalformedModelError
        For another schema or version, a missing field, a wrong type, or parts that do not fit.
    """
    if not isinstance(data, Mapping) or data.get("schema") != SCHEMA:
        raise MalformedModelError(f"this is not a compiled program: schema must be {SCHEMA!r}")
    if data.get("version") != VERSION:
        raise MalformedModelError(f"version {data.get('version')!r}: this program reads {VERSION}")
    try:
        return _model(data)
    except KeyError as missing:
        raise MalformedModelError(f"the model lacks the field {missing.args[0]!r}") from None
    except (
        TypeError,
        AttributeError,
        ValueError,
        LookupError,
        OverflowError,
        RecursionError,
    ) as wrong:
        if isinstance(wrong, MalformedModelError):
            raise
        raise MalformedModelError(f"a field of the model has a wrong value: {wrong}") from None


def save(model: CompiledModel, path: str | Path) -> str:
    """Write a model to a JSON file and return the digest of its content, which it carries."""
    data = to_json(model)
    stated = data | {"digest": digest(data)}
    text = json.dumps(stated, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    Path(path).write_text(text + "\n", encoding="utf-8")
    return str(stated["digest"])


def load(path: str | Path) -> CompiledModel:
    """Return the model in a JSON file.

    Raises
    ------
    MalformedModelError
        If the file cannot be read, does not hold a model, or its content has another digest than it
        states.  A file that states none is read, if it has no unknown field.
    """
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as problem:
        raise MalformedModelError(f"cannot read {path}: {problem.strerror}") from None
    except (ValueError, RecursionError) as problem:
        raise MalformedModelError(f"{path} is not JSON: {problem}") from None
    try:
        model = from_json(data)
        require_digest(data, {key: value for key, value in data.items() if key != "digest"})
        unknown = sorted(set(data) - {*to_json(model), "digest"})
    except MalformedModelError as problem:
        raise MalformedModelError(f"{path}: {problem}") from None
    if unknown:
        raise MalformedModelError(f"{path}: a model has no field {unknown[0]!r}")
    return model


def require_digest(data: Mapping[str, Any], content: Mapping[str, Any]) -> None:
    """Refuse content that has another digest than the field ``digest`` of ``data``, if any.

    Raises
    ------
    MalformedModelError
        If it has.
    """
    if "digest" in data and data["digest"] != digest(content):
        raise MalformedModelError(
            "the content does not have the digest that is stated: it was changed after it was "
            "written (write it again with save; to read it all the same, remove the field digest)"
        )


def matrix_to_json(matrix: Matrix) -> dict[str, Any]:
    """Return a matrix as plain JSON data."""
    return {
        "shape": list(matrix.shape),
        "rows": matrix.rows.tolist(),
        "columns": matrix.columns.tolist(),
        "numerators": matrix.numerators.tolist(),
        "denominator": matrix.denominator,
    }


def _read(data: Mapping[str, Any], name: str) -> Matrix:
    try:
        return _matrix(data)
    except KeyError as missing:
        raise MalformedModelError(f"{name} lacks the field {missing.args[0]!r}") from None
    except (TypeError, ValueError, OverflowError) as problem:
        raise MalformedModelError(f"{name}: {problem}") from None


def _matrix(data: Mapping[str, Any]) -> Matrix:
    numerators = data["numerators"]
    whole = {type(x) for part in ("rows", "columns", "numerators") for x in data[part]}
    if not whole <= {int}:
        raise MalformedModelError("a matrix has entries that are not integers")
    if type(data["denominator"]) is not int or data["denominator"] < 1:
        raise MalformedModelError(
            f"the denominator {data['denominator']!r} of a matrix is not a positive integer"
        )
    height, width = data["shape"]
    found = Matrix.build(
        (height, width), data["rows"], data["columns"], numerators, data["denominator"]
    )
    if found.nonzeros != len(numerators):
        raise MalformedModelError("a matrix lists an entry that is 0: leave zeros out")
    return found


def _model(data: Mapping[str, Any]) -> CompiledModel:
    words = data["vocabulary"]
    vocabulary = Vocabulary(
        tuple(atom_from_json(s) for s in words["symbols"]), bos=words["bos"] is not None
    )
    begin = vocabulary.begin if vocabulary.bos else None
    if words["pad"] != vocabulary.pad or words["bos"] != begin:
        raise MalformedModelError(
            f"ids of PAD and BOS are {words['pad']} and {words['bos']}: they follow the symbols"
        )
    for field, kind in (("name", str), ("program", str), ("causal", bool), ("notes", list)):
        if not isinstance(data.get(field, []), kind):
            raise MalformedModelError(f"{field} is {data[field]!r}, no {kind.__name__}")
    predicted = data["predicted"]
    return CompiledModel(
        name=data["name"],
        vocabulary=vocabulary,
        length=data["length"],
        causal=data["causal"],
        width=data["width"],
        token_embedding=_read(data["token_embedding"], "token_embedding"),
        position_embedding=_read(data["position_embedding"], "position_embedding"),
        layers=tuple(
            _layer(weights, names, f"layers.{number}")
            for number, (weights, names) in enumerate(
                zip(data["layers"], data["parts"], strict=True)
            )
        ),
        readouts=tuple(_readout(item) for item in data["readouts"]),
        basis=tuple(
            Direction(index, label, atom_from_json(value), born, dies)
            for index, label, value, born, dies in data["basis"]
        ),
        places={label: (layer, part) for label, (layer, part) in data["places"].items()},
        predicted=None if predicted is None else (predicted[0], tuple(predicted[1])),
        program=data["program"],
        notes=tuple(data.get("notes", ())),
    )


def _layer(weights: Mapping[str, Any], names: Mapping[str, Any], place: str) -> Layer:
    heads = [
        Head(
            name=words["name"],
            separation=Fraction(words["separation"]),
            serves=tuple(words["serves"]),
            **{
                name: _read(matrix, f"{place}.heads.{number}.{name}")
                for name, matrix in part.items()
            },
        )
        for number, (part, words) in enumerate(zip(weights["heads"], names["heads"], strict=True))
    ]
    network = weights["feed_forward"]
    if network is None:
        return Layer(tuple(heads))
    parts = {
        name: _read(matrix, f"{place}.feed_forward.{name}") for name, matrix in network.items()
    }
    return Layer(tuple(heads), FeedForward(**parts, units=tuple(names["units"] or ())))


def _readout(data: Mapping[str, Any]) -> Readout:
    return Readout(
        name=data["name"],
        kind=data["kind"],
        directions=tuple(data["directions"]),
        values=tuple(atom_from_json(v) for v in data["values"]),
        none_direction=data["none_direction"],
        scale=Fraction(data["scale"]),
        offset=Fraction(data["offset"]),
        cast=data["cast"],
        label=data["label"],
    )
