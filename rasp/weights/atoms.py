"""Atoms as JSON, typed, so that ``1``, ``1.0``, ``True`` and ``"1"`` stay apart.

Main definitions: :func:`atom_to_json`, :func:`atom_from_json`.
"""

from fractions import Fraction
from typing import Any

from rasp.errors import MalformedModelError
from rasp.weights.readout import Mark


def atom_to_json(value: object) -> list[Any]:
    """Return an atom, ``None``, a :class:`~rasp.weights.readout.Mark` or a tuple as type, value.

    Tuples are the values of several s-ops together; their entries are typed in turn.

    Examples
    --------
    >>> [atom_to_json(v) for v in (True, 1, 0.5, Fraction(1, 3), None)]
    [['bool', True], ['int', 1], ['float', '0.5'], ['Fraction', '1/3'], ['None', None]]
    >>> atom_to_json((True, "a"))
    ['tuple', [['bool', True], ['str', 'a']]]
    """
    match value:
        case None:
            return ["None", None]
        case Mark():
            return ["mark", value.value]
        case bool() | str() | int():
            return [type(value).__name__, value]
        case float() | Fraction():
            return [type(value).__name__, repr(value) if isinstance(value, float) else str(value)]
        case tuple():
            return ["tuple", [atom_to_json(entry) for entry in value]]
    raise MalformedModelError(
        f"{value!r} is not an atom: JSON holds str, int, float, bool, Fraction and tuples of them"
    )


def atom_from_json(data: Any) -> Any:
    """Return what :func:`atom_to_json` wrote.

    Raises
    ------
    MalformedModelError
        If the data is something else.
    """
    match data:
        case ["None", None]:
            return None
        case ["mark", str(text)] if text in set(Mark):
            return Mark(text)
        case ["bool", bool(value)] | ["str", str(value)]:
            return value
        case ["int", int(value)] if not isinstance(value, bool):
            return value
        case ["float", str(text)]:
            return _number(float, text)
        case ["Fraction", str(text)]:
            return _number(Fraction, text)
        case ["tuple", list(entries)]:
            return tuple(atom_from_json(entry) for entry in entries)
    raise MalformedModelError(f"{data!r} is not a typed atom such as ['int', 1]")


def _number(kind: type, text: str) -> Any:
    try:
        return kind(text)
    except (ValueError, ZeroDivisionError):
        raise MalformedModelError(f"{text!r} is not a {kind.__name__}") from None
