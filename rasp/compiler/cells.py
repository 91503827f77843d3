"""An expression over leaves as functions of one number, one per cell of categorical leaves.

Leaves are what a layer finds in the residual row: categorical ones (one-hot) and numbers.  Fixing
the categorical leaves leaves a function of numbers; cells with the same function go together.  A
function is resolved against the values its number can take: a constant, an affine function, or
steps with the gap between them, which is what thresholds are made of.

Main definitions: :class:`Cells`, :func:`cells_of`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np

from rasp.compiler.domains import Exact
from rasp.compiler.findings import NotHere
from rasp.compiler.functions import (
    Fixed,
    Function,
    Leaf,
    form_values,
    key_of,
    resolve,
    within_reason,
)
from rasp.compiler.pieces import Affine, Pieces, apply, number
from rasp.compiler.tables import UNDEFINED, Codes, Table, combine, constant, leaf
from rasp.errors import RaspError
from rasp.graph import Constant, Elementwise, SOpNode
from rasp.operations import operation

FUNCTIONS = 5000
"""Most different cells that are evaluated."""


@final
@dataclass(frozen=True, eq=False)
class Cells:
    """Which function each cell has: ``codes`` along ``axes`` (digests of categorical leaves).

    ``loose`` axes are one-hot only where the others say that they matter.
    """

    axes: tuple[int, ...]
    codes: Codes
    functions: tuple[Function, ...]
    loose: frozenset[int] = frozenset()


def cells_of(
    node: SOpNode, leaves: Mapping[int, Leaf], *, listed: bool = False, applied: dict[Any, Any]
) -> Cells:
    """Return ``node`` as functions of the leaves.

    Parameters
    ----------
    node
        An s-op whose every path down to tokens and indices meets a leaf or a constant.
    leaves
        Digest to leaf.
    listed
        Whether every value has to be listed, affine functions too.
    applied
        Operations already applied, to which new ones are added.

    Raises
    ------
    NotHere
        If one layer cannot compute it from these leaves, or the table would be too large.
    """
    tables: dict[int, Table] = {}
    mixed: list[Elementwise] = []
    numbers: dict[int, Any] = {}
    for part in _order(node, leaves):
        found = leaves.get(part.digest)
        if found is not None:
            if found.values is not None:
                tables[part.digest] = leaf(part.digest, found.values)
            else:
                numbers[part.digest] = _start(found)
        elif isinstance(part, Constant):
            tables[part.digest] = constant(part.value)
        elif isinstance(part, Elementwise):
            if all(arg.digest in tables for arg in part.args):
                function = operation(part.op, part.param, exact=True)
                tables[part.digest] = combine(
                    part.op, function, [tables[arg.digest] for arg in part.args]
                )
            else:
                mixed.append(part)
                numbers[part.digest] = None
        else:
            raise AssertionError(f"{part!r} is below no leaf")
    if node.digest in tables:
        table = tables[node.digest]
        return Cells(
            table.axes, table.codes, tuple(map(Fixed, table.values)), _loose(table.axes, leaves)
        )
    used = {arg.digest: tables[arg.digest] for part in mixed for arg in part.args
            if arg.digest in tables}  # fmt: skip
    _refuse_rounded(mixed, leaves)
    if not mixed:  # the node is a number itself
        return _resolved((), np.zeros((), np.int64), [numbers[node.digest]], [None], leaves, listed)
    digests = sorted(used)
    joint = combine("", lambda *atoms: _Cell(atoms), [used[d] for d in digests])
    if len(joint.values) > FUNCTIONS:
        raise NotHere(f"{len(joint.values)} different cells: at most {FUNCTIONS}")
    rows = _single_rows(joint, leaves)
    functions: list[Any] = []
    for cell in joint.values:
        known = {**numbers, **dict(zip(digests, cell.atoms, strict=True))}
        functions.append(_evaluate(mixed, known, applied))
    return _resolved(joint.axes, joint.codes, functions, rows, leaves, listed)


def _refuse_rounded(mixed: Sequence[Elementwise], leaves: Mapping[int, Leaf]) -> None:
    rounded = {d for d, leaf in leaves.items() if leaf.means is not None and leaf.means.inexact}
    for part in mixed:
        if any(arg.digest in rounded for arg in part.args):
            if part.op != "if" or part.args[0].digest in rounded:
                raise NotHere("arithmetic on means of floats, which the language rounds")
            rounded.add(part.digest)


class _Cell:
    """A tuple of atoms, told apart by type."""

    def __init__(self, atoms: tuple[Any, ...]) -> None:
        self.atoms = atoms
        self._key = tuple((type(atom), atom) for atom in atoms)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Cell) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)


_FAILED = object()
_OPEN = (Affine, Pieces)


def _evaluate(mixed: Sequence[Elementwise], known: dict[int, Any], applied: dict[Any, Any]) -> Any:
    for part in mixed:
        args = [known[arg.digest] for arg in part.args]
        if part.op == "if":
            condition = args[0]
            if condition is not _FAILED and not isinstance(condition, (Affine, Pieces)):
                known[part.digest] = args[1] if condition else args[2]
                continue
        if any(arg is _FAILED for arg in args):
            known[part.digest] = _FAILED
            continue
        key = (part.op, part.param, *((type(arg), arg) for arg in args))
        if key not in applied:
            try:
                applied[key] = apply(part.op, part.param, args)
            except (ArithmeticError, TypeError, ValueError, RaspError):
                applied[key] = _FAILED  # the program fails there
        known[part.digest] = applied[key]
    return known[mixed[-1].digest]


def _order(node: SOpNode, leaves: Mapping[int, Leaf]) -> list[SOpNode]:
    """Return what is between ``node`` and the leaves, arguments first."""
    seen: set[int] = set()
    out: list[SOpNode] = []
    stack: list[tuple[Any, bool]] = [(node, False)]
    while stack:
        part, ready = stack.pop()
        if ready:
            out.append(part)
            continue
        if part.digest in seen:
            continue
        seen.add(part.digest)
        stack.append((part, True))
        if part.digest not in leaves and isinstance(part, Elementwise):
            stack.extend((arg, False) for arg in reversed(part.args))
    return out


def _start(found: Leaf) -> Affine | Pieces:
    if found.codes is None or all(
        code == value and not isinstance(value, float) for code, value in found.codes
    ):
        return number(found.node.digest)
    atoms: dict[Exact, Any] = dict(found.codes)
    return Pieces(((found.node.digest, Fraction(1)),), atoms.__getitem__, None)


def _single_rows(joint: Table, leaves: Mapping[int, Leaf]) -> list[int | None]:
    """Return, per cell, the only position it can have, if there is only one."""
    nothing: list[int | None] = [None] * len(joint.values)
    for axis, digest in enumerate(joint.axes):
        rows = leaves[digest].rows
        if rows is None:
            continue
        found: list[set[int | None]] = [set() for _ in nothing]
        for row, part in zip(rows, np.moveaxis(joint.codes, axis, 0), strict=True):
            for code in set(part.flat):
                if code != UNDEFINED:
                    found[code].add(row)
        return [next(iter(some)) if len(some) == 1 else None for some in found]
    return nothing


def _resolved(
    axes: tuple[int, ...],
    codes: Codes,
    functions: Sequence[Any],
    rows: Sequence[int | None],
    leaves: Mapping[int, Leaf],
    listed: bool,
) -> Cells:
    seen: dict[Any, int] = {}
    made: dict[Any, Any] = {}
    numbers: dict[int, int] = {}
    alive: list[Function] = []
    kept: list[Function] = []
    places = np.full(len(functions) + 1, UNDEFINED, np.int64)
    if listed:
        functions = [Pieces(f.form, f.at, None) if isinstance(f, Affine) else f for f in functions]
    forms = {f.form for f in functions if isinstance(f, _OPEN)}
    known = {form: form_values(form, leaves) for form in forms}
    within_reason(functions, rows, known)
    for place, (function, row) in enumerate(zip(functions, rows, strict=True)):
        if function is _FAILED:
            continue
        found = resolve(function, row, known, made)
        if found is None:
            continue
        same = id(found)  # all are kept alive, so no two have the same
        if same not in numbers:
            key = key_of(found)
            if key not in seen:
                seen[key] = len(kept)
                kept.append(found)
            numbers[same] = seen[key]
            alive.append(found)
        places[place] = numbers[same]
    if not kept:
        raise NotHere("it fails on every input")
    return Cells(axes, places[codes], tuple(kept), _loose(axes, leaves))


def _loose(axes: tuple[int, ...], leaves: Mapping[int, Leaf]) -> frozenset[int]:
    return frozenset(axis for axis in axes if leaves[axis].loose)
