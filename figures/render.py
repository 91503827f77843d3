"""Write a figure: ID.json, ID.pdf, ID.svg, ID.png and ID.provenance.json, byte-identical each time.

Dates, host names and random identifiers stay out of the files, and every file is complete or
absent: it is written beside its place and moved there.  Identifiers inside the SVG are prefixed
with the figure's ID, so several can stand in one page.

Main definitions: :func:`render`, :class:`Rendered`, :class:`RenderError`.
"""

import contextlib
import io
import json
import logging
import os
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

from figures import style
from figures.provenance import provenance
from figures.registry import FigureModule

_METADATA: dict[str, dict[str, None]] = {
    "pdf": {"Creator": None, "Producer": None, "CreationDate": None},
    "svg": {"Creator": None, "Date": None},
    "png": {"Software": None},
}


class RenderError(ValueError):
    """A folder that figures cannot be written to."""


@final
@dataclass(frozen=True, slots=True)
class Rendered:
    """The files of one figure; ``note`` is the sentence with its computed numbers."""

    id: str
    json: Path
    pdf: Path
    svg: Path
    png: Path
    provenance: Path
    note: str


def render(figure: FigureModule, out: Path, *, quick: bool = False, sources: str = "") -> Rendered:
    """Compute, draw and write one figure into the folder ``out``.

    Parameters
    ----------
    figure
        From :func:`figures.registry.figures`.
    out
        Folder; made if absent.  Files of the same figure are replaced, each atomically.
    quick
        Passed on to the figure's ``data``.
    sources
        Digest of what can influence the figure, kept in its provenance
        (:func:`figures.provenance.is_current`); empty if it is not known.

    Returns
    -------
    Rendered
        Paths of the files.

    Raises
    ------
    RenderError
        If the folder cannot be made or written to.

    Notes
    -----
    Deterministic: the same code, versions and arguments yield the same bytes.  Uses no pyplot,
    so it is safe in worker processes.
    """
    data = figure.data(quick=quick)
    note = figure.note(data)
    numbers = {
        "id": figure.id,
        "title": figure.title,
        "caption": figure.caption,
        "note": note,
        "quick": quick,
        "numbers": data.to_json(),
    }
    files = {"json": _json(numbers), **_draw(figure, data)}
    files["provenance.json"] = _json(provenance(figure, files, quick=quick, sources=sources))
    try:
        out.mkdir(parents=True, exist_ok=True)
        paths = {kind: _write(out / f"{figure.id}.{kind}", b) for kind, b in files.items()}
    except OSError as problem:
        raise RenderError(f"cannot write to {out}: {problem.strerror}; choose another") from problem
    origin = paths.pop("provenance.json")
    return Rendered(id=figure.id, provenance=origin, note=note, **paths)


def _draw(figure: FigureModule, data: Any) -> dict[str, bytes]:
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with _quiet_fonts(), mpl.rc_context(style.base() | style.deterministic(figure.id)):
        drawing = Figure(figsize=figure.size)
        figure.draw(drawing, data)
        if all(ax.get_subplotspec() is None for ax in drawing.axes):
            drawing.set_layout_engine("none")  # axes placed by hand stay where they are
        files: dict[str, bytes] = {}
        for kind, metadata in _METADATA.items():
            buffer = io.BytesIO()
            drawing.savefig(buffer, format=kind, metadata=metadata)
            files[kind] = buffer.getvalue()
    files["svg"] = _own_identifiers(files["svg"].decode(), figure.id).encode()
    return files


@contextlib.contextmanager
def _quiet_fonts() -> Iterator[None]:
    """Keep fontTools from logging that the creation dates of Computer Modern look odd."""
    logger = logging.getLogger("fontTools")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)


def _own_identifiers(svg: str, prefix: str) -> str:
    """Prefix every identifier, and every reference to one, with the figure's ID."""
    svg = re.sub(r'\bid="([^"]+)"', rf'id="{prefix}-\1"', svg)
    svg = re.sub(r'href="#([^"]+)"', rf'href="#{prefix}-\1"', svg)
    return re.sub(r"url\(#([^)]+)\)", rf"url(#{prefix}-\1)", svg)


def _json(value: Any) -> bytes:
    return (json.dumps(value, sort_keys=True, indent=1, ensure_ascii=False) + "\n").encode()


def _write(path: Path, content: bytes) -> Path:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(name).chmod(0o644)
        Path(name).replace(path)
    finally:
        Path(name).unlink(missing_ok=True)  # only there if something went wrong
    return path
