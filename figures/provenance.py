"""What a drawn figure was drawn from, and whether its files still are what would be drawn.

Main definitions: :func:`provenance`, :func:`is_current`, :data:`KINDS`.
"""

import hashlib
import importlib
import inspect
import json
import platform
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from figures.registry import FigureModule

KINDS = ("json", "pdf", "svg", "png")
"""Suffixes of the files that a figure consists of, besides its provenance."""

_TOOLS = ("matplotlib", "numpy", "sympy", "python-flint")


def provenance(
    figure: FigureModule, files: Mapping[str, bytes], *, quick: bool, sources: str
) -> dict[str, Any]:
    """Return what is written beside a figure: module, versions, arguments, digests of its files.

    Parameters
    ----------
    figure
        The figure drawn.
    files
        Content by suffix.
    quick
        Whether it was drawn with fewer points.
    sources
        Digest of everything that can influence the figure; empty if it is not known.
    """
    source = inspect.getsource(importlib.import_module(figure.module))
    return {
        "id": figure.id,
        "module": figure.module,
        "module_sha256": _sha256(source.encode()),
        "quick": quick,
        "sources_sha256": sources,
        "versions": {"python": platform.python_version(), **{t: version(t) for t in _TOOLS}},
        "sha256": {kind: _sha256(content) for kind, content in files.items()},
    }


def is_current(figure: FigureModule, folder: Path, *, quick: bool, sources: str) -> bool:
    """Return whether drawing the figure into ``folder`` again would change nothing.

    It is not if ``sources`` is empty, anything it was drawn from differs, or a file is missing or
    was altered.
    """
    try:
        files = {kind: (folder / f"{figure.id}.{kind}").read_bytes() for kind in KINDS}
        kept = json.loads((folder / f"{figure.id}.provenance.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return bool(sources) and kept == provenance(figure, files, quick=quick, sources=sources)


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
