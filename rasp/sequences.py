"""Evaluated sequences: the rule that gives one a type, and the text that shows it.

All strings are ``strings``, all Booleans ``bools``, Booleans mixed with integers ``ints``, and
any mixture with a float or a fraction ``floats``; values are kept as they are.  A fraction is
shown as the float it stands for, so exact means print like the authors' means.

Main definitions: :func:`sequence_kind`, :func:`show_sequence`, :func:`show_atom`.

References
----------
Weiss, Goldberg & Yahav (2021), section 3 [weiss2021].
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from rasp.errors import SequenceTypeError

_SINGLE = {
    frozenset({str}): "strings",
    frozenset({bool}): "bools",
    frozenset({int}): "ints",
    frozenset({bool, int}): "ints",
    frozenset({float}): "floats",
    frozenset({Fraction}): "floats",
}
_NUMBERS = frozenset({bool, int, float, Fraction})


def sequence_kind(values: Sequence[Any]) -> str:
    """Return ``ints``, ``floats``, ``bools`` or ``strings``.

    Raises
    ------
    SequenceTypeError
        If the values have no common type, or one of them is not an atom.

    Examples
    --------
    >>> sequence_kind([True, 2]), sequence_kind([1, Fraction(1, 2)])
    ('ints', 'floats')
    """
    types = frozenset(map(type, values))
    kind = _SINGLE.get(types)
    if kind is not None:
        return kind
    if types <= _NUMBERS:
        return "floats"
    if types <= _NUMBERS | {str}:
        raise SequenceTypeError(
            "attempted to create sequence with vals of different types:"
            f"\n\t\t {show_python(values)}"
        )
    raise SequenceTypeError(
        "attempted to create sequence with illegal val types "
        f"(vals must be bool, float, int or string):\n\t\t {show_python(values)}"
    )


def averageable(values: Sequence[Any]) -> bool:
    """Return whether several of ``values`` may be averaged: numbers, and not Booleans only."""
    types = frozenset(map(type, values))
    return types <= _NUMBERS and types != {bool}


def show_python(values: Any) -> str:
    """Return ``values`` as Python writes them, with floats in the place of fractions."""
    if isinstance(values, Fraction):
        return repr(float(values))
    if isinstance(values, (list, tuple)):
        return "[" + ", ".join(show_python(value) for value in values) + "]"
    return repr(values)


def show_literal(value: Any) -> str:
    """Return an atom as messages quote it: strings between double quotes."""
    return f'"{value}"' if isinstance(value, str) else show_python(value)


def show_atom(value: Any) -> str:
    """Return one value as sequences show it: floats to three digits, ``T`` and ``F``.

    Examples
    --------
    >>> show_atom(Fraction(1, 3)), show_atom(True), show_atom("a")
    ('0.333', 'T', 'a')
    """
    if isinstance(value, (float, Fraction)):
        try:
            return str(round(float(value), 3))
        except OverflowError:  # no double is that large
            return "-huge" if value < 0 else "huge"
    if isinstance(value, bool):
        return "T" if value else "F"
    return str(value)


def show_sequence(values: Sequence[Any]) -> str:
    """Return a sequence with its type, constant sequences abbreviated.

    Examples
    --------
    >>> show_sequence([0, Fraction(1, 2)]), show_sequence(["a", "a"])
    ('[0, 0.5] (floats)', '[a]*2 (strings)')
    """
    kind = sequence_kind(values)
    if len(values) > 1 and len(set(values)) == 1:
        return f"[{show_atom(values[0])}]*{len(values)} ({kind})"
    return f"[{', '.join(map(show_atom, values))}] ({kind})"
