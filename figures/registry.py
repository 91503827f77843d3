"""Every figure by its ID, found by walking the package; see :mod:`figures` for the convention.

Main definitions: :class:`FigureModule`, :func:`figures`, :func:`find`.
"""

import difflib
import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any, final

from figures import style


class FigureError(ValueError):
    """A figure module that breaks the convention, or an unknown ID."""


@final
@dataclass(frozen=True, slots=True)
class FigureModule:
    """What one figure module defines.

    Attributes
    ----------
    id, title, caption
        As the module's ``ID``, ``TITLE``, ``CAPTION``.
    size
        Width and height in inches.
    data, draw, note
        As the module's functions; ``note`` yields empty text if the module has none.
    module
        Dotted name of the module.
    """

    id: str
    title: str
    caption: str
    size: tuple[float, float]
    data: Callable[..., Any]
    draw: Callable[[Any, Any], None]
    note: Callable[[Any], str]
    module: str


def figures(package: str = "figures") -> dict[str, FigureModule]:
    """Return every figure of ``package`` by ID, sorted.

    Raises
    ------
    FigureError
        If a module defines ``ID`` but misses part of the convention, or two share an ID.

    Examples
    --------
    >>> all(name == figure.id for name, figure in figures().items())
    True
    """
    root = importlib.import_module(package)
    found: dict[str, FigureModule] = {}
    for info in pkgutil.walk_packages(root.__path__, root.__name__ + "."):
        module = importlib.import_module(info.name)
        if not hasattr(module, "ID"):
            continue
        figure = _read(module)
        if figure.id in found:
            other = found[figure.id].module
            raise FigureError(f"{figure.module} and {other} both have ID {figure.id!r}: rename one")
        found[figure.id] = figure
    return dict(sorted(found.items()))


def find(figure_id: str) -> FigureModule:
    """Return the figure called ``figure_id``.

    Raises
    ------
    FigureError
        If there is none; names the closest IDs.
    """
    known = figures()
    if figure_id in known:
        return known[figure_id]
    close = difflib.get_close_matches(figure_id, known, n=3) or list(known)
    raise FigureError(f"no figure is called {figure_id!r}: did you mean {', '.join(close)}?")


def _read(module: ModuleType) -> FigureModule:
    name = module.__name__
    contents = vars(module)
    if missing := [x for x in ("TITLE", "CAPTION", "data", "draw") if x not in contents]:
        raise FigureError(f"{name} defines ID but not {', '.join(missing)}: add what is missing")
    figure_id = contents["ID"]
    if figure_id != figure_id.lower() or not figure_id.replace("-", "").isalnum():
        raise FigureError(f"{name}: ID {figure_id!r} must be lower case letters, digits, hyphens")
    return FigureModule(
        figure_id,
        contents["TITLE"],
        contents["CAPTION"],
        contents.get("SIZE", (style.COLUMN, 2.4)),
        contents["data"],
        contents["draw"],
        contents.get("note", _no_note),
        name,
    )


def _no_note(data: Any) -> str:
    del data
    return ""
