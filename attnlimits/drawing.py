"""Draw figures in processes that can be killed, and read drawn ones for the report.

Main definitions: :func:`draw_all`, :func:`drawings`, :func:`chosen`, :func:`sources`.
"""

import fnmatch
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from attnlimits.boundary import note, progress
from attnlimits.pool import Failure, run
from attnlimits.report import Drawing
from attnlimits.store import sources_digest
from attnlimits.verification import certificates_folder
from claims import Claim

SECONDS = 300.0
"""Wall-clock limit of one figure."""

_FIRST = "reduction-"


class FigureNameError(ValueError):
    """A name or pattern that no figure has."""


class DrawingError(ValueError):
    """A drawn figure whose files are missing or damaged."""


def chosen(patterns: Iterable[str]) -> list[str]:
    """Return the ids of the figures that any pattern names; all if there is no pattern.

    Raises
    ------
    FigureNameError
        If a pattern names none.
    """
    from figures.registry import figures

    known = list(figures())
    patterns = tuple(patterns)
    if not patterns:
        return known
    wanted: set[str] = set()
    for pattern in patterns:
        found = fnmatch.filter(known, pattern)
        if not found:
            raise FigureNameError(f"no figure is called {pattern!r}; there are {', '.join(known)}")
        wanted |= set(found)
    return sorted(wanted)


def draw_all(
    ids: Sequence[str],
    folder: Path,
    *,
    quick: bool,
    workers: int,
    sources: str = "",
    fresh: bool = False,
) -> dict[str, str]:
    """Draw those figures that are not in ``folder`` as they would be drawn now.

    Parameters
    ----------
    ids
        Figures to draw.
    folder
        Where the files of each figure go.
    quick
        Draw with fewer points.
    workers
        Number of processes, at least 1.
    sources
        From :func:`sources`; empty to draw every figure.
    fresh
        Draw every figure, whatever the folder holds.

    Returns
    -------
    dict
        Reasons by id for the figures that could not be drawn.
    """
    from figures.provenance import is_current
    from figures.registry import find

    failed: dict[str, str] = {}
    tasks = [
        (i, folder, quick, sources)
        for i in ids
        if fresh or not is_current(find(i), folder, quick=quick, sources=sources)
    ]
    if len(tasks) < len(ids):
        note(f"{len(ids) - len(tasks)} figures are as they would be drawn")
    with progress("drawing", len(tasks)) as advance:
        for (name, *_), ended in run(_draw, tasks, packages=(), seconds=SECONDS, workers=workers):
            if isinstance(ended, Failure):
                failed[name] = f"figure {name} {ended.reason}"
            advance(name)
    return dict(sorted(failed.items()))


def sources(packages: Sequence[str]) -> str:
    """Return a digest of what can influence a figure: sources, and the stored certificates."""
    digest = hashlib.sha256(sources_digest((*packages, "figures")).encode())
    folder = certificates_folder()
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            digest.update(f"{file.relative_to(folder)} {file.stat().st_size}\0".encode())
    return digest.hexdigest()


def drawings(folder: Path) -> list[Drawing]:
    """Return the figures that were drawn into ``folder``: first those of the main job, by name.

    Raises
    ------
    DrawingError
        If the files of a figure are damaged.
    """
    paths = [p for p in folder.glob("*.json") if ".provenance" not in p.name]
    return [_read(p) for p in sorted(paths, key=lambda p: (not p.name.startswith(_FIRST), p.name))]


def _read(path: Path) -> Drawing:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        svg = path.with_suffix(".svg").read_text(encoding="utf-8")
        return Drawing(data["id"], data["title"], data["caption"], data["note"], svg)
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise DrawingError(f"{path}: not a drawn figure ({error}); draw it again") from error


def _draw(claims: Mapping[str, Claim], name: str, folder: Path, quick: bool, sources: str) -> str:
    from figures.registry import find
    from figures.render import render

    del claims
    return render(find(name), folder, quick=quick, sources=sources).id
