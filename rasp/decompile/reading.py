"""The reading itself, from the embedding to the outputs.

Main definitions: :func:`read_program`.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from rasp.decompile.heads import read_head, written_by
from rasp.decompile.networks import read_network
from rasp.decompile.state import State, table_of
from rasp.decompile.terms import Base, linear
from rasp.errors import DecompileError
from rasp.weights.matrix import Matrix
from rasp.weights.model import CompiledModel
from rasp.weights.readout import Readout


def read_program(
    model: CompiledModel, words: Sequence[Sequence[Any]]
) -> tuple[str, dict[str, str]]:
    """Return the text of a program, and the name of each output in it.

    Raises
    ------
    DecompileError
        As :func:`rasp.decompile.program.decompile`.
    """
    state = State(model, words)
    _embedding(state)
    state.read_groups()
    for layer in model.layers:
        before = dict(state.terms)
        written = [set(written_by(head)) for head in layer.heads]
        for place, head in enumerate(layer.heads):
            others = set().union(*written[:place], *written[place + 1 :])
            read_head(state, head, others, before)
        state.stage += 1
        state.read_groups()
        if layer.feed_forward is not None:
            read_network(state, layer.feed_forward)
        state.stage += 1
        state.read_groups()
    names = {readout.name: _output(state, readout) for readout in model.readouts}
    return state.statements.text(names.values()), names


def _embedding(state: State) -> None:
    model, first = state.model, int(state.model.bos)
    tokens = Base("tokens", tuple(str(symbol) for symbol in model.vocabulary.symbols))
    indices = Base("indices", tuple(range(model.length)))
    by_symbol, by_place = _by_column(model.token_embedding), _by_column(model.position_embedding)
    for c in sorted({*by_symbol, *by_place}):
        symbol, place = by_symbol.get(c, {}), by_place.get(c, {})
        here = {(s,): symbol.get(i, Fraction(0)) for i, s in enumerate(tokens.domain or ())}
        there = {(i,): place.get(i + first, Fraction(0)) for i in range(model.length)}
        parts = [table_of(tokens, here), table_of(indices, there)]
        state.terms[c] = linear([(Fraction(1), part) for part in parts])


def _by_column(matrix: Matrix) -> dict[int, dict[int, Fraction]]:
    found: dict[int, dict[int, Fraction]] = {}
    for row, column, value in matrix.entries():
        found.setdefault(column, {})[row] = value
    return found


def _output(state: State, readout: Readout) -> str:
    absent = readout.none_direction
    if absent is not None and state.probes.held(state.stage, [absent]):
        raise DecompileError(f"output {readout.name} can be None, which has no literal")
    if readout.kind == "numeric":
        term = linear([(readout.scale, state.term(readout.directions[0]))], readout.offset)
        text = f"({term.text} == 1)" if readout.cast == "bool" else term.text
    else:
        text = state.groups.get(_label_of(state, readout), "")
        if not text:
            atoms = dict(zip(readout.directions, readout.values, strict=True))
            text = state.chain(atoms, readout.name)
    return state.statements.output(readout.name, text)


def _label_of(state: State, readout: Readout) -> str:
    """Return the label whose directions the readout reads, with the same values."""
    wanted = dict(zip(readout.directions, readout.values, strict=True))
    for label in dict.fromkeys(d.label for d in state.model.basis):
        last = [d for d in state.model.coordinates(label) if d.dies == 2 * state.model.depth]
        values = {d.index: d.value for d in last}
        if all(values.get(c) == v and type(values[c]) is type(v) for c, v in wanted.items()):
            return label
    return ""
