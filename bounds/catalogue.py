"""Every bound and condition by name, found by walking the package ``bounds``.

Main definitions: :func:`catalogue`, :func:`lookup`.
"""

import difflib
import importlib
import pkgutil
from typing import TypeAlias

from bounds.bound import Bound, BoundError, Condition

Entry: TypeAlias = Bound | Condition


def catalogue(package: str = "bounds") -> dict[str, Entry]:
    """Return every :class:`Bound` and :class:`Condition` at module level, by name, sorted.

    Raises
    ------
    BoundError
        If two of them share a name.

    Examples
    --------
    >>> catalogue()["stage3.e9"].title
    'No selected activation attains its best value'
    """
    root = importlib.import_module(package)
    found: dict[str, Entry] = {}
    for info in pkgutil.walk_packages(root.__path__, root.__name__ + "."):
        for value in vars(importlib.import_module(info.name)).values():
            if not isinstance(value, (Bound, Condition)):
                continue
            if found.setdefault(value.name, value) is not value:
                raise BoundError(f"two bounds are called {value.name!r}: rename one")
    return dict(sorted(found.items()))


def lookup(name: str) -> Entry:
    """Return the bound or condition called ``name``.

    Raises
    ------
    BoundError
        If there is none; names the closest ones.

    Examples
    --------
    >>> lookup("stage3.e99")
    Traceback (most recent call last):
    ...
    bounds.values.BoundError: no bound is called 'stage3.e99': did you mean stage3.e9, stage3.e8?
    """
    entries = catalogue()
    if name in entries:
        return entries[name]
    close = difflib.get_close_matches(name, entries, n=2)
    hint = f"did you mean {', '.join(close)}?" if close else "`attnlimits bound` lists them all"
    raise BoundError(f"no bound is called {name!r}: {hint}")
