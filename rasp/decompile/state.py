"""What is known while a model is read: the term of every coordinate, the s-ops that have a text.

Main definitions: :class:`State`, :func:`columns`.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias, final

from rasp.decompile.probes import Probes
from rasp.decompile.statements import Statements
from rasp.decompile.terms import Base, Term, joint, tabulated
from rasp.decompile.wording import choice, literal, worded
from rasp.weights.matrix import Matrix
from rasp.weights.model import CompiledModel
from rasp.weights.readout import Direction, Mark

Form: TypeAlias = list[tuple[int, Fraction]]
"""A linear form: coordinates with their factors."""

ZERO = Term.constant(Fraction(0))


@final
class State:
    """The state of reading one model.

    Attributes
    ----------
    stage
        Up to which the model has been read (see :class:`rasp.weights.readout.Direction`).
    terms
        What the coordinates of a word's rows are at that stage.
    groups
        Label of a one-hot encoded s-op to its text.
    """

    def __init__(self, model: CompiledModel, words: Sequence[Sequence[Any]]) -> None:
        self.model, self.probes = model, Probes(model, words)
        self.statements = Statements(readout.name for readout in model.readouts)
        self.stage = 0
        self.terms: dict[int, Term] = {}
        self.groups: dict[str, str] = {}

    def term(self, coordinate: int) -> Term:
        """Return what a coordinate is; 0 if nothing was written to it."""
        return self.terms.get(coordinate, ZERO)

    def short(self, coordinate: int) -> Term:
        """Return a term with a name for a text."""
        term = self.term(coordinate)
        if term.value is not None:
            return term
        label = next((d.label for d in self.model.basis if d.index == coordinate), "x")
        return Term(self.statements.named(term.text, label), term.bases, term.table)

    def categorical(self, stage: int) -> dict[str, list[Direction]]:
        """Return the one-hot encoded s-ops that are written at a stage."""
        found: dict[str, list[Direction]] = {}
        for direction in self.model.basis:
            if direction.born == stage and not isinstance(direction.value, Mark):
                found.setdefault(direction.label, []).append(direction)
        return found

    def read_groups(self) -> None:
        """Word the one-hot encoded s-ops that are complete at this stage."""
        for label, directions in self.categorical(self.stage).items():
            places = [d.index for d in directions]
            if label not in self.groups and self.probes.holds_one(self.stage, places):
                text = self._table(directions) or self.chain(
                    {d.index: d.value for d in directions}, label
                )
                self.groups[label] = self.statements.named(text, label)

    def chain(self, atoms: dict[int, Any], hint: str) -> str:
        """Return the atom whose coordinate is 1; those that never are would mix types."""
        seen = self.probes.held(self.stage, list(atoms)) or list(atoms)
        text = literal(atoms[seen[-1]])
        for coordinate in seen[-2::-1]:
            held = self.statements.named(self.term(coordinate).text, hint)
            text = f"({literal(atoms[coordinate])} if {held} == 1 else {text})"
        return text

    def _table(self, directions: list[Direction]) -> str:
        """Return a one-hot encoded s-op as a function of bases, if there is a short text."""
        terms = [self.term(d.index) for d in directions]
        mapping = one_hot(directions, terms)
        if mapping is not None:
            return renamed(*mapping)
        bases = joint(terms)
        if bases is None or any(type(d.value) is not int for d in directions):
            return ""
        places = [[bases.index(base) for base in term.bases] for term in terms]
        table = {}
        for values in product(*(base.domain or () for base in bases)):
            held = [
                Fraction(d.value)
                for d, term, place in zip(directions, terms, places, strict=True)
                if (term.table or {})[tuple(values[p] for p in place)] == 1
            ]
            if len(held) == 1:  # other combinations do not occur, as the probe words show
                table[values] = held[0]
        return worded([(base.text, base.domain or ()) for base in bases], table) or ""


def one_hot(directions: list[Direction], terms: list[Term]) -> tuple[Base, dict[Any, Any]] | None:
    """Return the base and which atom each of its values stands for, if terms are one-hot."""
    bases = joint(terms)
    if bases is None or len(bases) != 1:
        return None
    atoms = {}
    for value in bases[0].domain or ():
        held = [
            d.value
            for d, term in zip(directions, terms, strict=True)
            if (term.table or {})[(value,) if term.bases else ()] == 1
        ]
        if len(held) != 1:
            return None
        atoms[value] = held[0]
    return bases[0], atoms


def renamed(base: Base, atoms: dict[Any, Any]) -> str:
    """Return the text of a function of a base; the base itself if it is the identity."""
    same = all(a == v and type(a) is type(v) for v, a in atoms.items())
    return base.text if same else choice(base.text, atoms)


def table_of(base: Base, table: dict[tuple[Any, ...], Fraction]) -> Term:
    """Return a function of one base as a term."""
    return tabulated((base,), [Term("", (base,), table)], lambda entries: entries[0], str)


def columns(matrix: Matrix) -> dict[int, Form]:
    """Return the columns of a matrix as linear forms of the rows."""
    found: dict[int, Form] = {}
    for row, column, value in matrix.entries():
        found.setdefault(column, []).append((row, value))
    return found
