"""Hidden units for a function of cells: gates, steps and gated lines.

A cell is a conjunction of classes of categorical values; its *gate* is the sum of its one-hot
forms minus one less than their number, 1 in the cell and at most 0 elsewhere.  Steps are made
only where the output changes; each has the slope its own gap asks for, a power of two, and an
integer offset, and is active on the side where its argument stays smaller, so that float32 keeps
it exact.

Main definitions: :class:`Target`, :func:`emit`, :func:`cost`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias, final

import numpy as np

from rasp.compiler.bends import bent
from rasp.compiler.cells import Cells
from rasp.compiler.domains import Exact
from rasp.compiler.functions import Fixed, Function, Line, Steps
from rasp.compiler.stream import ONE, UNIT, Linear, plus
from rasp.compiler.tables import UNDEFINED, Codes

Add: TypeAlias = Callable[[Linear, Linear], None]
"""Takes the form of a unit and what it writes."""


@final
@dataclass(frozen=True)
class Target:
    """Where a function is written.

    Attributes
    ----------
    out
        Atom to what a unit that marks it writes.
    line
        The direction of the number, for functions that are no list of atoms.
    view
        Whether constants of cells may be left to the reader, see :func:`emit`.
    """

    out: Callable[[Any], Linear]
    line: int | None = None
    weight: Exact = UNIT
    view: bool = False


@final
@dataclass(frozen=True)
class _Branch:
    function: Function
    gate: tuple[Linear, ...]


def emit(
    cells: Cells,
    flags: Mapping[int, Sequence[Linear]],
    numbers: Mapping[int, Linear],
    target: Target,
    add: Add,
) -> Linear:
    """Add the units that write a function of cells.

    Parameters
    ----------
    cells
        The function.
    flags
        One-hot forms of each categorical leaf.
    numbers
        Form of each number.
    target
        Where to.
    add
        Called once per unit.

    Returns
    -------
    Linear
        What is to be added to the target's direction by its readers; empty unless ``view``.
    """
    rest: Linear = {}
    for branch in _branches(cells, flags):
        kept = _emit_branch(branch, numbers, target, add)
        rest = plus((rest, 1), (kept, 1))
    return rest


def cost(cells: Cells) -> int:
    """Return about how many units :func:`emit` makes."""
    sizes = [2 * (len(f.stretches) - 1) if isinstance(f, Steps) else 1 for f in cells.functions]
    return sum(sizes[code] for code in _leaves(cells))


def _leaves(cells: Cells) -> list[int]:
    found: list[int] = []
    stack = [(cells.codes, cells.axes)]
    while stack:
        part, axes = stack.pop()
        code = _same(part)
        if code is not None:
            if code != UNDEFINED:
                found.append(code)
            continue
        axis, groups = _grouped(part, axes, cells.loose)
        rest = axes[:axis] + axes[axis + 1 :]
        stack.extend((part.take(members[:1], axis).squeeze(axis), rest) for members in groups)
    return found


def _same(codes: Codes) -> int | None:
    defined = codes[codes != UNDEFINED]
    if not defined.size:
        return UNDEFINED
    first = int(defined.flat[0])
    return first if (defined == first).all() else None


def _grouped(
    codes: Codes, axes: tuple[int, ...], loose: frozenset[int]
) -> tuple[int, list[list[int]]]:
    """Return the axis to split on, and which of its values have equal rests."""
    best: tuple[int, list[list[int]]] | None = None
    for axis in sorted(range(codes.ndim), key=lambda axis: axes[axis] in loose):
        if best is not None and axes[axis] in loose:
            break  # only where the others have spoken
        rows = np.moveaxis(codes, axis, 0).reshape(codes.shape[axis], -1)
        groups: dict[bytes, list[int]] = {}
        for place, row in enumerate(rows):
            groups.setdefault(row.tobytes(), []).append(place)
        if len(groups) > 1 and (best is None or len(groups) < len(best[1])):
            best = axis, list(groups.values())
    assert best is not None, "different cells differ along some axis"
    return best


def _branches(cells: Cells, flags: Mapping[int, Sequence[Linear]]) -> list[_Branch]:
    found: list[_Branch] = []
    stack: list[tuple[Codes, tuple[int, ...], tuple[Linear, ...]]] = [(cells.codes, cells.axes, ())]
    while stack:
        part, axes, gate = stack.pop()
        code = _same(part)
        if code is not None:
            if code != UNDEFINED:
                found.append(_Branch(cells.functions[code], gate))
            continue
        axis, groups = _grouped(part, axes, cells.loose)
        forms = flags[axes[axis]]
        rest = axes[:axis] + axes[axis + 1 :]
        for members in groups:
            together = plus(*((forms[place], 1) for place in members))
            stack.append((part.take(members[:1], axis).squeeze(axis), rest, (*gate, together)))
    return found


def _emit_branch(
    branch: _Branch, numbers: Mapping[int, Linear], target: Target, add: Add
) -> Linear:
    gate = plus(*((form, 1) for form in branch.gate), ({ONE: UNIT}, 1 - len(branch.gate)))
    match branch.function:
        case Fixed(atom):
            return _fixed(target.out(atom), branch, gate, target, add)
        case Line() as line:
            return _line(line, branch, gate, numbers, target, add)
        case Steps() as steps:
            return _steps(steps, branch, gate, numbers, target, add)


def _fixed(out: Linear, branch: _Branch, gate: Linear, target: Target, add: Add) -> Linear:
    if not out:
        return {}
    if (
        target.view
        and len(branch.gate) <= 1
        and target.line is not None
        and set(out) == {target.line}
    ):
        return plus((gate, out[target.line]))
    add(gate, out)
    return {}


def _form(form: Any, numbers: Mapping[int, Linear]) -> Linear:
    return plus(*((numbers[digest], factor) for digest, factor in form))


def _line(
    line: Line,
    branch: _Branch,
    gate: Linear,
    numbers: Mapping[int, Linear],
    target: Target,
    add: Add,
) -> Linear:
    assert target.line is not None
    ends = (line.slope * line.low + line.shift, line.slope * line.high + line.shift)
    least, most = min(ends), max(ends)
    value = plus((_form(line.form, numbers), line.slope), ({ONE: UNIT}, line.shift - least))
    if branch.gate:
        room = _power(most - least) if most > least else UNIT
        value = plus((value, 1), (gate, room), ({ONE: UNIT}, -room))
    add(value, {target.line: target.weight})
    return _fixed({target.line: least * target.weight} if least else {}, branch, gate, target, add)


def _power(value: Fraction) -> Exact:
    """Return the least power of two that is at least ``value``."""
    above = -(-value.numerator // value.denominator)  # the least integer
    if above > 1:
        return 1 << (above - 1).bit_length()
    below = value.denominator // value.numerator
    return Fraction(1, 1 << (below.bit_length() - 1))


def _steps(
    steps: Steps,
    branch: _Branch,
    gate: Linear,
    numbers: Mapping[int, Linear],
    target: Target,
    add: Add,
) -> Linear:
    z = _form(steps.form, numbers)
    stretches = steps.stretches
    first, last = stretches[0][0], stretches[-1][1]
    if target.line is not None:
        bends = bent(steps)
        if bends is not None:
            for scale, offset, weight in bends.units:
                room = _power(bends.reach(scale, offset)) if branch.gate else 0
                form = plus((z, scale), ({ONE: UNIT}, offset - room), (gate, room))
                add(form, {target.line: weight * target.weight})
            return _fixed(target.out(bends.base), branch, gate, target, add)
    outs = [target.out(atom) for _, _, atom in stretches]
    base = outs[0]
    for place in range(len(stretches) - 1):
        change = plus((outs[place + 1], 1), (outs[place], -1))
        if not change:
            continue
        left, right = stretches[place][1], stretches[place + 1][0]
        slope = _power(2 / (right - left))
        middle = (left + right) / 2
        edge = Fraction(round(2 * slope * middle - 1), 2)  # short, and well inside the gap
        if last - middle <= middle - first:  # active to the right
            reach, sign, offsets = Fraction(slope * last - edge), 1, (-edge, -edge - 1)
        else:
            base = plus((base, 1), (change, 1))
            change = plus((change, -1))
            reach, sign, offsets = Fraction(edge + 1 - slope * first), -1, (edge + 1, edge)
        room = _power(reach) if branch.gate else 0
        for offset, factor in zip(offsets, (1, -1), strict=True):
            form = plus((z, sign * slope), ({ONE: UNIT}, offset - room), (gate, room))
            add(form, plus((change, factor)))
    return _fixed(base, branch, gate, target, add)
