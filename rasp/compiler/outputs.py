"""The outputs: a direction of its own for each value, or one for the number.

Main definitions: :func:`read_out`.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, final

from rasp.compiler.domains import Finite
from rasp.compiler.embed import embed_flags, embedded
from rasp.compiler.encode import Encoder
from rasp.compiler.findings import NotHere
from rasp.compiler.plans import Plan
from rasp.compiler.stream import ONE, UNIT, Linear, plus
from rasp.graph import SOpNode
from rasp.weights.readout import Mark

LISTED = 64
"""Outputs that are numbers, of up to this many values, may be read one-hot if need be."""


@final
@dataclass(frozen=True)
class Output:
    """An output as the last layer leaves it; see :class:`rasp.weights.readout.Readout`."""

    name: str
    node: SOpNode
    label: str
    directions: tuple[int, ...]
    values: tuple[Any, ...] = ()
    scale: Fraction = Fraction(1)
    offset: Fraction = Fraction(0)
    cast: str = "Fraction"


def read_out(name: str, node: SOpNode, encoder: Encoder, depth: int) -> Callable[[], Output]:
    """Plan an output; the plan, when called, makes what it needs.

    Parameters
    ----------
    name
        Of the output.
    node
        The s-op.
    encoder
        Where forms come from.
    depth
        Number of attention layers of the whole model.

    Raises
    ------
    NotHere
        If the output has no form that can be read.
    """
    domain = encoder.values.domain(node)
    numeric = not isinstance(domain, Finite) or (domain.numeric and not _mixed(domain))
    label = encoder.label(node)
    start = Output(name, node, label, (), cast=_cast(domain))
    last = (depth, 1)
    if numeric:
        try:
            return _numeric(start, encoder.number(node), encoder, last)
        except NotHere:
            if not isinstance(domain, Finite):
                raise
    assert isinstance(domain, Finite)
    plan = encoder.flags(node)
    return lambda: _listed(start, domain, plan, encoder, last)


def _mixed(domain: Finite) -> bool:
    """Return whether a value is shown as a Boolean in one place and as a number in another."""
    kinds = {type(value) for value in domain.values}
    return bool in kinds and len(kinds) > 1 and len(domain.values) <= LISTED


def _cast(domain: Any) -> str:
    if isinstance(domain, Finite):
        kinds = {type(value) for value in domain.values}
        if len(kinds) == 1:
            return kinds.pop().__name__
        return "Fraction"
    return "float" if domain.inexact else "Fraction"


def _numeric(start: Output, plan: Plan, encoder: Encoder, last: Any) -> Callable[[], Output]:
    def make() -> Output:
        if plan.into is not None:
            made = encoder.stream.direction(start.label, Mark.NUMERIC, plan.ready)
            offset = Fraction(encoder.write_number(start.node, made, UNIT))
            return replace(start, directions=(made,), offset=offset)
        form: Linear = plan.get()
        rest = {direction: value for direction, value in form.items() if direction != ONE}
        if len(rest) == 1:
            ((direction, scale),) = rest.items()
            offset = Fraction(form.get(ONE, 0))
            return replace(start, directions=(direction,), scale=Fraction(scale), offset=offset)
        slot = max(last, (plan.ready[0], plan.ready[1] + 1))
        low = Fraction(encoder.values.domain(start.node).bounds[0])
        made = encoder.stream.direction(start.label, Mark.NUMERIC, slot)
        encoder.stream.unit(slot, plus((form, 1), ({ONE: UNIT}, -low)), {made: UNIT}, start.label)
        return replace(start, directions=(made,), offset=low)

    return make


def _listed(start: Output, domain: Finite, plan: Plan, encoder: Encoder, last: Any) -> Output:
    table = encoder.values.table(start.node)
    if table is not None and embedded(table):
        own = embed_flags(table, start.label, encoder.stream, encoder.setting.length)
        return replace(start, directions=tuple(own), values=domain.values)
    forms: list[Linear] = plan.get()
    own = [next(iter(form)) for form in forms if len(form) == 1 and set(form.values()) == {UNIT}]
    if len(own) == len(forms) and len(set(own)) == len(own) and ONE not in own:
        return replace(start, directions=tuple(own), values=domain.values)
    slot = max(last, (plan.ready[0], plan.ready[1] + 1))
    made = []
    for value, form in zip(domain.values, forms, strict=True):
        direction = encoder.stream.direction(start.label, value, slot)
        encoder.stream.unit(slot, form, {direction: UNIT}, start.label)
        made.append(direction)
    return replace(start, directions=tuple(made), values=domain.values)
