"""Numbers of a figure as JSON: arrays become lists, exact numbers become text.

Main definitions: :func:`plain`.
"""

import dataclasses
import math
from fractions import Fraction
from typing import Any

import numpy as np

_LARGEST = 2**53  # JSON readers keep integers exact up to here


class NumbersError(ValueError):
    """A value that has no place in a figure's JSON."""


def plain(value: Any) -> Any:
    """Return ``value`` as JSON-compatible data.

    Parameters
    ----------
    value
        A dataclass, mapping with text keys, sequence, NumPy array, number, text, or ``None``.

    Returns
    -------
    Any
        Nested dicts, lists, numbers and text.  Fractions and integers beyond 2^53 become text,
        NaN becomes ``None`` (a gap in a curve).

    Raises
    ------
    NumbersError
        For an infinite number or any other type.

    Notes
    -----
    Deterministic; mappings are sorted by key, dataclass fields keep their names.

    Examples
    --------
    >>> plain({"k": np.array([1, 2]), "eta": Fraction(1, 4), "gap": float("nan")})
    {'eta': '1/4', 'gap': None, 'k': [1, 2]}
    """
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = dataclasses.fields(value)
        return {f.name: plain(getattr(value, f.name)) for f in sorted(fields, key=lambda f: f.name)}
    match value:
        case None | bool() | str():
            return value
        case np.ndarray() | np.generic():
            return plain(value.tolist())
        case int():
            return value if abs(value) <= _LARGEST else str(value)
        case Fraction():
            return str(value)
        case float() if math.isnan(value):
            return None
        case float() if math.isinf(value):
            raise NumbersError(f"{value} in a figure's numbers: leave the point out or use NaN")
        case float():
            return value
        case dict():
            return {str(key): plain(value[key]) for key in sorted(value)}
        case list() | tuple():
            return [plain(item) for item in value]
    raise NumbersError(f"a {type(value).__name__} in a figure's numbers: use arrays and numbers")
