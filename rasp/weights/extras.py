"""Packages that only the file forms need, imported when they are used.

Main definitions: :func:`needed`.
"""

from importlib import import_module
from typing import Any

from rasp.errors import MalformedModelError


def needed(package: str) -> Any:
    """Return an optional package.

    Raises
    ------
    MalformedModelError
        If it is not installed.

    Examples
    --------
    >>> needed("json").dumps([])
    '[]'
    """
    try:
        return import_module(package)
    except ImportError:
        message = f"{package} is not installed: install 'attention-limits[export]'"
        raise MalformedModelError(message) from None
