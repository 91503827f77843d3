"""Compiled models as safetensors with a JSON description, in one folder.

``weights.safetensors`` holds the dense float tensors of :mod:`rasp.weights.tensors`;
``description.json`` everything else: vocabulary with the ids of PAD and BOS, meaning of every
coordinate, s-op to layer and head, outputs.

Main definitions: :func:`save_safetensors`, :func:`load_safetensors`.
"""

import json
from pathlib import Path
from typing import Any

from rasp.errors import MalformedModelError
from rasp.weights.extras import needed
from rasp.weights.model import CompiledModel
from rasp.weights.tensors import (
    export_description,
    from_tensors,
    require_unchanged,
    to_tensors,
)

WEIGHTS, DESCRIPTION = "weights.safetensors", "description.json"


def save_safetensors(
    model: CompiledModel,
    folder: str | Path,
    dtype: str = "float32",
    *,
    gap: float | None = None,
) -> None:
    """Write a model to a folder, which is made if it does not exist.

    Parameters
    ----------
    model, dtype, gap
        As for :func:`rasp.weights.tensors.to_tensors`.
    folder
        Where the two files go.

    Raises
    ------
    MalformedModelError
        If safetensors is not installed, or for another dtype or gap.
    """
    files = needed("safetensors.numpy")
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    files.save_file(to_tensors(model, dtype, gap=gap), str(place / WEIGHTS))
    write_description(export_description(model, dtype, gap=gap), place / DESCRIPTION)


def load_safetensors(folder: str | Path) -> CompiledModel:
    """Return the model in a folder; its weights are the exact values of the floats.

    Raises
    ------
    MalformedModelError
        If a file is missing, unreadable, or was changed in any place after it was written.
    """
    errors, files = needed("safetensors"), needed("safetensors.numpy")
    place = Path(folder)
    try:
        tensors = files.load_file(str(place / WEIGHTS))
        text = (place / DESCRIPTION).read_bytes()
    except OSError as problem:
        raise MalformedModelError(f"cannot read the model in {place}: {problem}") from None
    except errors.SafetensorError as problem:
        raise MalformedModelError(f"{place / WEIGHTS} is damaged: {problem}") from None
    data = read_description(text, str(place / DESCRIPTION))
    try:
        model = from_tensors(data, tensors)
        require_unchanged(data, tensors)
    except MalformedModelError as problem:
        raise MalformedModelError(f"{place}: {problem}") from None
    return model


def write_description(data: dict[str, Any], path: Path) -> None:
    """Write the description of a model, readable and stable."""
    path.write_text(json.dumps(data, sort_keys=True, indent=1) + "\n", encoding="utf-8")


def read_description(text: str | bytes, where: str) -> dict[str, Any]:
    """Return the description of a model.

    Raises
    ------
    MalformedModelError
        If the text is not a JSON object.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as problem:  # no JSON, or bytes that are no text
        raise MalformedModelError(f"{where} is not JSON: {problem}") from None
    if not isinstance(data, dict):
        raise MalformedModelError(f"{where} is not a JSON object")
    return data
