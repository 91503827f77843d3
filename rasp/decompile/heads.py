"""Heads as selectors with ``aggregate`` or ``selector_width``.

Main definitions: :func:`read_head`, :func:`written_by`.
"""

from fractions import Fraction
from typing import Any

from rasp.decompile.ranked import completed
from rasp.decompile.scalars import look
from rasp.decompile.selectors import selector_text
from rasp.decompile.state import ZERO, Form, State, columns, one_hot, renamed, table_of
from rasp.decompile.terms import Base, Term, linear
from rasp.decompile.wording import ONE, combination, literal
from rasp.errors import DecompileError
from rasp.weights.parts import Head
from rasp.weights.readout import Direction


def written_by(head: Head) -> dict[int, Form]:
    """Return what a head writes: coordinate to a linear form of the row it looks at."""
    values = columns(head.value)
    found: dict[int, dict[int, Fraction]] = {}
    for m, coordinate, factor in head.output.entries():
        form = found.setdefault(coordinate, {})
        for c, f in values.get(m, []):
            form[c] = form.get(c, Fraction(0)) + f * factor
    forms = {c: [(i, f) for i, f in form.items() if f] for c, form in found.items()}
    return {c: form for c, form in forms.items() if form}


def read_head(state: State, head: Head, others: set[int], before: dict[int, Term]) -> None:
    """Add what a head writes to the terms.

    Parameters
    ----------
    state
        At the stage before the layer.
    head
        The head.
    others
        Coordinates that other heads of the layer write.
    before
        The terms before the layer.

    Raises
    ------
    DecompileError
        If its selections are no comparisons.
    """
    left = written_by(head)
    if not left:
        return
    hint = head.serves[0] if head.serves else head.name
    sight, queries, keys, rank = look(state, head)
    whole = None if rank else completed(state, head, sight)
    text = None if whole is None else selector_text(whole, queries, keys)
    if text is None:  # pairs that never meet may score anyhow
        text = selector_text(sight.selection, queries, keys)
    if text is None:
        raise DecompileError(f"no comparisons give the selections of head {head.name}")
    if state.model.causal:
        text = f"({text}) and select(indices, indices, <=)"
    if rank:
        text = f"best({text}, {rank})"
    selector = state.statements.named(text, f"selects_{hint}")
    if not sight.tied:
        for label, directions in state.categorical(state.stage + 1).items():
            if {d.index for d in directions} <= set(left) - others:
                _fetch(state, selector, label, directions, left, before)
    for coordinate, form in left.items():
        value = linear([(f, before.get(c, ZERO)) for c, f in form])
        at_bos = _at_bos(state, form)
        if not sight.selection.hits.any():
            added = Term.constant(at_bos)
        elif sight.tied:
            counted = state.statements.named(f"selector_width({selector})", f"width_{hint}")
            width = Base(counted, tuple(range(sight.least, state.model.length + 1)))
            added = _counted(state, value, at_bos, selector, width)
        else:
            added = _mean(state, value, at_bos, selector, hint)
        both = [(Fraction(1), state.term(coordinate)), (Fraction(1), added)]
        state.terms[coordinate] = linear(both)


def _at_bos(state: State, form: Form) -> Fraction:
    return sum((f * state.probes.bos_value(state.stage, c) for c, f in form), Fraction(0))


def _counted(state: State, value: Term, at_bos: Fraction, selector: str, width: Base) -> Term:
    """Return the mean over the selected rows and BOS."""
    if value.value is not None:
        fixed = value.value
        return table_of(width, {(w,): (fixed * w + at_bos) / (1 + w) for w in width.domain or ()})
    mean = state.statements.named(f"aggregate({selector}, {value.text})", "mean")
    shift = combination([(at_bos, ONE)], Fraction(0))
    return Term(f"(({mean} * {width.text} + {shift}) / (1 + {width.text}))")


def _mean(state: State, value: Term, at_bos: Fraction, selector: str, hint: str) -> Term:
    """Return the mean over the selected rows, or what BOS has where nothing is selected."""
    moved = linear([(Fraction(1), value)], -at_bos)
    fetched = state.statements.named(f"aggregate({selector}, {moved.text})", hint)
    return linear([(Fraction(1), Term(fetched, (Base(fetched, None),)))], at_bos)


def _fetch(
    state: State,
    selector: str,
    label: str,
    directions: list[Direction],
    left: dict[int, Form],
    before: dict[int, Term],
) -> None:
    """Word a one-hot encoded s-op that a head fetches, if its values are one."""
    values = [linear([(f, before.get(c, ZERO)) for c, f in left[d.index]]) for d in directions]
    mapping = one_hot(directions, values)
    if mapping is None or any(state.term(d.index).value != 0 for d in directions):
        return
    at_bos = {d.value: _at_bos(state, left[d.index]) for d in directions}
    default = [atom for atom, held in at_bos.items() if held == 1]
    if len(default) > 1 or set(at_bos.values()) - {0, 1}:
        return
    base, atoms = mapping
    chosen = default[0] if default else _another([d.value for d in directions])
    source = state.statements.named(renamed(base, atoms), f"values_{label}")
    text = f"aggregate({selector}, {source}, {literal(chosen)})"
    fetched = state.statements.named(text, label)
    made = Base(fetched, tuple(dict.fromkeys([*atoms.values(), chosen])))
    for d in directions:
        state.terms[d.index] = table_of(
            made, {(atom,): Fraction(atom == d.value) for atom in made.domain or ()}
        )
        del left[d.index]
    state.groups[label] = fetched


def _another(values: list[Any]) -> Any:
    """Return an atom of the same type that is none of the values."""
    candidates = ("", "-", "?", "!") if isinstance(values[0], str) else range(len(values) + 1)
    return next(value for value in candidates if value not in values)
