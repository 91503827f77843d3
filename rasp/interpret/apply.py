"""Operators of the language on its values: s-ops, selectors, atoms, lists.

Main definitions: :func:`apply_binary`, :func:`apply_unary`, :func:`apply_index`,
:func:`contains`.

References
----------
Weiss, Goldberg & Yahav (2021), appendix on the language [weiss2021].
"""

from collections.abc import Callable
from typing import Any

from rasp import sops
from rasp.errors import EvaluationError, RejectedError
from rasp.graph import Elementwise
from rasp.interpret.values import Evaluated, Function, NativeFunction, describe, is_atom, type_name
from rasp.operations import binary
from rasp.sops import Selector, SOp

EVERYWHERE = sops.select(1, 1, "==").named("full average")
"""The pattern behind ``atom in sop``; not the library's ``full_s``, hence a head of its own."""


def apply_binary(op: str, left: Any, right: Any) -> Any:
    """Return ``left op right`` for any operator but ``in``.

    Raises
    ------
    RejectedError
        If selectors are combined with anything but ``and`` and ``or`` of selectors.
    EvaluationError
        If the operands' types do not support the operator.
    """
    selectors = isinstance(left, Selector) + isinstance(right, Selector)
    lifted = isinstance(left, SOp) or isinstance(right, SOp)
    if op in ("and", "or"):
        if selectors == 2:
            return left & right if op == "and" else left | right
        if selectors:
            raise RejectedError("Cannot apply and/or between selector and non-selector")
        if lifted:
            first, second = sops.sequence(left), sops.sequence(right)
            both = first & second if op == "and" else first | second
            return both.named(f"( {first.name} {op} {second.name})")
        if op == "and":
            return left and right
        return left or right
    if selectors:
        raise RejectedError(f"Cannot apply {op} to selector(s)")
    for side in (left, right):
        if isinstance(side, (Function, NativeFunction, Evaluated)) and op not in ("==", "!="):
            raise EvaluationError(
                f"unsupported operand type(s) for {op}: "
                f"{type_name(left)!r} and {type_name(right)!r}"
            )
    if lifted:
        first, second = sops.lift(left), sops.lift(right)
        name = f"( {first.name} {op} {second.name} )"
        return SOp(Elementwise(op, (first.node, second.node))).named(name)
    return binary(op)(left, right)


def apply_unary(op: str, value: Any) -> Any:
    """Return ``not``, ``-``, ``+``, ``round`` or ``indicator`` of ``value``."""
    if op == "indicator":
        if not isinstance(value, SOp):
            raise RejectedError(f"indicator operator expects s-op, got: {describe(value)}")
        return sops.indicator(value)
    if isinstance(value, SOp):
        short = {"not": "not", "-": "neg", "+": "pos", "round": "round"}[op]
        name = f"( {op} {value.name} )"
        return SOp(Elementwise(short, (value.node,))).named(name)
    if isinstance(value, Selector) and op == "not":
        return ~value
    if op == "not":
        return not value
    if isinstance(value, (Selector, Function, NativeFunction, Evaluated)):
        raise EvaluationError(f"bad operand type for {op}: {type_name(value)!r}")
    if op == "round":
        return round(value)
    return -value if op == "-" else +value


def apply_index(target: Any, index: Any, length: Callable[[], SOp]) -> Any:
    """Return ``target[index]``; an s-op indexed by an atom costs one head.

    Parameters
    ----------
    target
        List, string, dict or s-op.
    index
        An integer or a key; for tables also an s-op, which looks up each of its values.
    length
        Gives the s-op that negative positions count from.
    """
    if isinstance(target, (list, str)):
        name = "list" if isinstance(target, list) else "string"
        if isinstance(index, SOp):
            return index.lookup(target)
        if not isinstance(index, int):
            raise RejectedError(
                f"index into {name} has to be s-op or integer, got: {describe(index)}"
            )
        if not -len(target) <= index < len(target):
            raise RejectedError(f"index {index} out of range for {name} of length {len(target)}")
        return target[index]
    if isinstance(target, dict):
        if isinstance(index, SOp):
            return index.lookup(target)
        if not is_atom(index):
            raise RejectedError(
                "index into dict has to be s-op or atom (i.e., string, int, float, bool), "
                f"got: {describe(index)}"
            )
        if index not in target:
            raise RejectedError(f"index [ {describe(index)} ] not in dict.")
        return target[index]
    if isinstance(target, SOp):
        if not isinstance(index, int):
            raise RejectedError(f"index into sequence has to be integer, got: {describe(index)}")
        where: Any = index if index >= 0 else length() + index
        selector = sops.select(sops.indices, where, "==").named(f"load from {index}")
        return sops.aggregate(selector, target).named(f"{target.name}[{index}]")
    raise RejectedError(
        "can only index into a list, dict, string, or sequence, but instead got: "
        + describe(target)
    )


def contains(item: Any, container: Any) -> Any:
    """Return ``item in container``: elementwise for s-ops in lists, one head for atoms in s-ops."""
    if isinstance(item, SOp):
        if not isinstance(container, list):
            raise RejectedError(
                '"[s-op] in X" expects X to be list of atoms, but got non-list: '
                + describe(container)
            )
        if not all(map(is_atom, container)):
            raise RejectedError(
                '"[s-op] in X" expects X to be list of atoms, but got list with values: '
                + describe(container)
            )
        return item.isin(container)
    if is_atom(item):
        if isinstance(container, list):
            if any(isinstance(entry, SOp) for entry in container):
                container = [entry for entry in container if not isinstance(entry, SOp)]
            return item in container
        if isinstance(container, SOp):
            return sops.aggregate(EVERYWHERE, sops.indicator(container == item)) > 0
        raise RejectedError(
            f'"[atom] in X" expects X to be list or s-op, but got: {describe(container)}'
        )
    if isinstance(item, (Selector, Function, NativeFunction)):
        kind = "select" if isinstance(item, Selector) else "function"
        raise RejectedError(
            f"don't check if {kind} is contained in list/dict: unless exact same instance, "
            f"unable to check equivalence of {kind}s"
        )
    raise RejectedError(f'"A in X" expects A to be s-op or atom, but got A: {describe(item)}')
