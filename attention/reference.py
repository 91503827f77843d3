"""Models named by where their Python code is: ``module:name`` or ``module:function(2, n=8)``.

Only what a person typed is resolved: importing a module runs it, so a name found in a file is
never followed by itself.

Main definitions: :func:`model_at`, :func:`read_model_or_reference`, :func:`reference_json`.
"""

import ast
import hashlib
import importlib
import inspect
import re
from pathlib import Path
from typing import Any

from attention.json import SCHEMA, VERSION, read_model
from attention.transformer import AbstractHardTransformer, ModelError

_FORM = re.compile(r"(?P<module>[A-Za-z_][\w.]*):(?P<name>[A-Za-z_]\w*)(?P<call>\(.*\))?")


def model_at(reference: str) -> AbstractHardTransformer:
    """Import a module and return the model that a name in it is, or that a function in it makes.

    Parameters
    ----------
    reference
        ``module:name`` of a model or of a function without arguments, or ``module:function(...)``
        with literal arguments.

    Raises
    ------
    ModelError
        If the text has another form, the name does not exist, or it is not a model.

    Examples
    --------
    >>> model_at("attention.constructions.trees:parity_tree(2, heads=1)").n
    4
    """
    parts = _FORM.fullmatch(reference)
    if parts is None:
        raise ModelError(f"{reference!r} is not of the form module:name or module:function(2, n=8)")
    try:
        found: Any = importlib.import_module(parts["module"])
    except ImportError as problem:
        raise ModelError(f"cannot import {parts['module']}: {problem}") from None
    if not hasattr(found, parts["name"]):
        raise ModelError(f"{parts['module']} has no {parts['name']}: name a model or a function")
    found = getattr(found, parts["name"])
    if not isinstance(found, AbstractHardTransformer):
        if not callable(found):
            raise ModelError(f"{reference} is a {type(found).__name__}, not a model")
        arguments, named = _arguments(parts["call"] or "()", reference)
        try:
            inspect.signature(found).bind(*arguments, **named)
        except TypeError as problem:
            raise ModelError(f"{reference}: {problem}") from None
        found = found(*arguments, **named)
    if not isinstance(found, AbstractHardTransformer):
        raise ModelError(f"{reference} makes a {type(found).__name__}, not a model")
    return found


def _arguments(call: str, reference: str) -> tuple[list[Any], dict[str, Any]]:
    try:
        node = ast.parse(f"f{call}", mode="eval").body
        assert isinstance(node, ast.Call)
        named = {str(part.arg): ast.literal_eval(part.value) for part in node.keywords}
        return [ast.literal_eval(part) for part in node.args], named
    except (SyntaxError, ValueError):
        raise ModelError(f"{reference}: give literal arguments, such as (2, n=8)") from None


def read_model_or_reference(text: str) -> AbstractHardTransformer:
    """Return the model in a file, or if no such file exists the one that the text refers to."""
    if ":" in text and not Path(text).exists():
        return model_at(text)
    return read_model(text)


def reference_json(reference: str) -> dict[str, Any]:
    """Return what stands in a certificate for a model of Python code: its name and a digest.

    The digest is the SHA-256 of the source file of the module; what it imports is not covered.

    Raises
    ------
    ModelError
        If the module has no source file.
    """
    parts = _FORM.fullmatch(reference)
    if parts is None:
        raise ModelError(f"{reference!r} is not of the form module:name or module:function(2, n=8)")
    try:
        source = inspect.getsourcefile(importlib.import_module(parts["module"]))
    except (ImportError, TypeError):
        source = None
    if source is None:
        raise ModelError(f"{parts['module']} has no source file: its model cannot be certified")
    return {
        "schema": SCHEMA,
        "version": VERSION,
        "kind": "function",
        "reference": reference,
        "source_digest": hashlib.sha256(Path(source).read_bytes()).hexdigest(),
    }
