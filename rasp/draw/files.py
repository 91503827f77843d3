"""Write drawings to files with safe names.

Main definitions: :func:`write_scene`, :func:`write_flow`, :func:`safe_name`.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rasp.draw.flow import flow_scene
from rasp.draw.page import page
from rasp.draw.scene import Scene
from rasp.draw.svg import svg
from rasp.sops import SOp


class DrawingFormatError(ValueError):
    """A file name that ends in no known format."""


def safe_name(name: str, values: Sequence[Any]) -> str:
    """Return a file name without its ending, for any tokens; different inputs get different ones.

    Examples
    --------
    >>> safe_name("rev", "ab"), safe_name("rev", "a/b")
    ('rev_ab', 'rev_a_b-1c3c6aaa')
    """
    text = "".join(map(str, values))
    plain = re.sub(r"[^A-Za-z0-9]", "_", f"{name}_{text}")
    if plain == f"{name}_{text}" and len(plain) <= 60:
        return plain
    mark = hashlib.blake2b(repr((name, list(values))).encode(), digest_size=4).hexdigest()
    return f"{plain[:50]}-{mark}"


def write_scene(scene: Scene, path: Path) -> None:
    """Write ``scene`` in the format of the path's ending: svg, pdf or png.

    Raises
    ------
    DrawingFormatError
        If it has another ending.
    """
    ending = path.suffix.lower()
    if ending == ".svg":
        path.write_text(svg(scene), encoding="utf-8")
    elif ending == ".pdf":
        path.write_bytes(page(scene, "pdf"))
    elif ending == ".png":
        path.write_bytes(page(scene, "png"))
    else:
        raise DrawingFormatError(f"{path}: drawings end in .svg, .pdf or .png")


def write_flow(
    sop: SOp,
    values: Sequence[Any],
    folder: Path,
    *,
    names: Mapping[int, str] | None = None,
) -> Path:
    """Write the flow of ``sop`` on ``values`` as SVG into ``folder`` and return the path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{safe_name(sop.name, values)}.svg"
    write_scene(flow_scene(sop, values, names=names), path)
    return path
