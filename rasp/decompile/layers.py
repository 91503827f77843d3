"""The reading itself: embedding, heads, feed-forward networks, outputs.

Main definitions: :class:`Reader`.
"""

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, final

from rasp.decompile.probes import Probes, Sight
from rasp.decompile.selectors import Scalar, selector_text
from rasp.decompile.terms import Base, DecompileError, Term, joint, linear, rectified, tabulated
from rasp.decompile.wording import choice, combination, literal
from rasp.interpret.environment import RESERVED
from rasp.interpret.library import library_names
from rasp.weights.matrix import Matrix
from rasp.weights.model import CompiledModel
from rasp.weights.parts import FeedForward, Head
from rasp.weights.readout import Direction, Mark, Readout

RELU = "def relu(x) { return x if x > 0 else 0; }\n"
Form = list[tuple[int, Fraction]]


@final
class Reader:
    """Reads one model; ``terms`` holds what every coordinate of a word's rows is at ``stage``."""

    def __init__(self, model: CompiledModel, words: Sequence[Sequence[Any]]) -> None:
        self.model, self.probes = model, Probes(model, words)
        self.tokens = Base("tokens", tuple(str(s) for s in model.vocabulary.symbols))
        self.indices = Base("indices", tuple(range(model.length)))
        self.stage = 0
        self.terms: dict[int, Term] = {}
        self.groups: dict[str, str] = {}  # label of a categorical s-op to its text
        self._lines: list[str] = []
        self._named: dict[str, str] = {}
        self._taken = {*RESERVED, *library_names(), "relu", "tokens", "indices"}

    def program(self) -> tuple[str, dict[str, str]]:
        """Return the text and the name of each output in it."""
        self._embedding()
        for layer in self.model.layers:
            before = dict(self.terms)
            for head in layer.heads:
                self._head(head, before)
            self.stage += 1
            if layer.feed_forward is not None:
                self._network(layer.feed_forward)
            self.stage += 1
        names = {readout.name: self._output(readout) for readout in self.model.readouts}
        text = "".join(f"{line};\n" for line in self._lines)
        return (RELU if "relu(" in text else "") + text, names

    def term(self, coordinate: int) -> Term:
        """Return what a coordinate is; 0 if nothing was written to it."""
        return self.terms.get(coordinate, Term.constant(Fraction(0)))

    def named(self, text: str, hint: str) -> str:
        """Return a name for an expression, which becomes a statement of its own once."""
        if re.fullmatch(r"\w+", text):
            return text
        if text not in self._named:
            name = self._free(hint)
            self._lines.append(f"{name} = {text}")
            self._named[text] = name
        return self._named[text]

    def _free(self, hint: str) -> str:
        stem = re.sub(r"\W+", "_", hint).strip("_")[:24].strip("_") or "x"
        stem = f"x_{stem}" if stem[0].isdigit() or stem in self._taken else stem
        name, number = stem, 2
        while name in self._taken:
            name, number = f"{stem}_{number}", number + 1
        self._taken.add(name)
        return name

    def _embedding(self) -> None:
        model, first = self.model, int(self.model.bos)
        symbol: dict[int, dict[int, Fraction]] = {}
        place: dict[int, dict[int, Fraction]] = {}
        for row, column, value in model.token_embedding.entries():
            symbol.setdefault(column, {})[row] = value
        for row, column, value in model.position_embedding.entries():
            place.setdefault(column, {})[row - first] = value
        none = Fraction(0)
        for c in sorted({*symbol, *place}):
            by_symbol = {
                (s,): symbol.get(c, {}).get(i, none) for i, s in enumerate(self.tokens.domain or ())
            }
            by_place = {(i,): place.get(c, {}).get(i, none) for i in self.indices.domain or ()}
            parts = [
                tabulated((base,), [Term("", (base,), table)], lambda e: e[0], str)
                for base, table in ((self.tokens, by_symbol), (self.indices, by_place))
            ]
            self.terms[c] = linear([(Fraction(1), part) for part in parts])
        for label, directions in self._categorical(0).items():
            self._group(label, directions)

    def _categorical(self, stage: int) -> dict[str, list[Direction]]:
        """Return the one-hot encoded s-ops that are written at a stage."""
        found: dict[str, list[Direction]] = {}
        for direction in self.model.basis:
            if direction.born == stage and not isinstance(direction.value, Mark):
                found.setdefault(direction.label, []).append(direction)
        return found

    def _group(self, label: str, directions: list[Direction]) -> None:
        """Word a one-hot encoded s-op, from the terms of its coordinates."""
        if label in self.groups:
            return
        terms = [self.term(d.index) for d in directions]
        bases = joint(terms)
        if bases is not None and len(bases) == 1:
            table = {
                value: [
                    d.value
                    for d, t in zip(directions, terms, strict=True)
                    if (t.table or {})[(value,) if t.bases else ()] == 1
                ]
                for value in bases[0].domain or ()
            }
            if all(len(atoms) == 1 for atoms in table.values()):
                mapping = {value: atoms[0] for value, atoms in table.items()}
                same = all(a == v and type(a) is type(v) for v, a in mapping.items())
                text = bases[0].text if same else choice(bases[0].text, mapping)
                self.groups[label] = self.named(text, label)
                return
        text = literal(directions[-1].value)
        for direction, term in list(zip(directions, terms, strict=True))[-2::-1]:
            text = (
                f"({literal(direction.value)} if {self.named(term.text, label)} == 1 else {text})"
            )
        self.groups[label] = self.named(text, label)

    def _head(self, head: Head, before: dict[int, Term]) -> None:
        written = self._written(head)
        if not written:
            return
        hint = head.serves[0] if head.serves else head.name
        sight, queries, keys = self._looked(head)
        text = selector_text(sight.selection, queries, keys)
        if text is None:
            raise DecompileError(f"no comparisons give the selections of head {head.name}")
        if self.model.causal:
            text = f"({text}) and select(indices, indices, <=)"
        selector = self.named(text, f"selects_{hint}")
        width: Base | None = None
        left = dict(written)
        if not sight.tied:
            for label, directions in self._categorical(self.stage + 1).items():
                if {d.index for d in directions} <= set(left):
                    self._fetch(selector, label, directions, left, before)
        for coordinate, form in left.items():
            value = linear([(f, before.get(c, Term.constant(Fraction(0)))) for c, f in form])
            at_bos = sum((f * self.probes.bos_value(self.stage, c) for c, f in form), Fraction(0))
            if sight.tied:
                if width is None:
                    counted = self.named(f"selector_width({selector})", f"width_{hint}")
                    width = Base(counted, tuple(range(self.model.length + 1)))
                added = self._counted(value, at_bos, selector, width)
            else:
                added = self._mean(value, at_bos, selector, hint)
            self.terms[coordinate] = linear(
                [(Fraction(1), self.term(coordinate)), (Fraction(1), added)]
            )

    def _written(self, head: Head) -> dict[int, Form]:
        """Return what a head writes: coordinate to a linear form of the row it looks at."""
        values = _columns(head.value)
        found: dict[int, dict[int, Fraction]] = {}
        for m, coordinate, factor in head.output.entries():
            form = found.setdefault(coordinate, {})
            for c, f in values.get(m, []):
                form[c] = form.get(c, Fraction(0)) + f * factor
        forms = {c: [(i, f) for i, f in form.items() if f] for c, form in found.items()}
        return {c: form for c, form in forms.items() if form}

    def _counted(self, value: Term, at_bos: Fraction, selector: str, width: Base) -> Term:
        """Return the mean over the selected rows and BOS."""
        domain = [(w,) for w in width.domain or ()]
        if value.value is not None:
            table = {w: (value.value * w[0] + at_bos) / (1 + w[0]) for w in domain}
            return tabulated((width,), [Term("", (width,), table)], lambda e: e[0], str)
        mean = self.named(f"aggregate({selector}, {value.text})", "mean")
        shift = combination([(at_bos, "indicator(indices == indices)")], Fraction(0))
        return Term(f"(({mean} * {width.text} + {shift}) / (1 + {width.text}))")

    def _mean(self, value: Term, at_bos: Fraction, selector: str, hint: str) -> Term:
        """Return the mean over the selected rows, or what BOS has where nothing is selected."""
        moved = linear([(Fraction(1), value)], -at_bos)
        fetched = self.named(f"aggregate({selector}, {moved.text})", hint)
        return linear([(Fraction(1), Term(fetched, (Base(fetched, None),)))], at_bos)

    def _fetch(
        self,
        selector: str,
        label: str,
        directions: list[Direction],
        left: dict[int, Form],
        before: dict[int, Term],
    ) -> None:
        """Word a one-hot encoded s-op that a head fetches, if its values are one."""
        zero = Term.constant(Fraction(0))
        values = [linear([(f, before.get(c, zero)) for c, f in left[d.index]]) for d in directions]
        bases = joint(values)
        if bases is None or len(bases) != 1 or any(self.term(d.index).value for d in directions):
            return
        atoms = {}
        for key in bases[0].domain or ():
            held = [
                d.value
                for d, v in zip(directions, values, strict=True)
                if (v.table or {})[(key,) if v.bases else ()] == 1
            ]
            if len(held) != 1:
                return
            atoms[key] = held[0]
        at_bos = {
            d.index: sum(
                (f * self.probes.bos_value(self.stage, c) for c, f in left[d.index]), Fraction(0)
            )
            for d in directions
        }
        default = [d.value for d in directions if at_bos[d.index] == 1]
        if len(default) > 1 or set(at_bos.values()) - {0, 1}:
            return
        kind = str if isinstance(next(iter(atoms.values())), str) else int
        chosen = default[0] if default else _another(kind, [d.value for d in directions])
        same = all(a == k and type(a) is type(k) for k, a in atoms.items())
        source = bases[0].text if same else choice(bases[0].text, atoms)
        source = self.named(source, f"values_{label}")
        fetched = self.named(f"aggregate({selector}, {source}, {literal(chosen)})", label)
        base = Base(fetched, tuple(dict.fromkeys([*atoms.values(), chosen])))
        for d in directions:
            table = {(a,): Fraction(a == d.value) for a in base.domain or ()}
            self.terms[d.index] = tabulated(
                (base,), [Term("", (base,), table)], lambda e: e[0], str
            )
            del left[d.index]
        self.groups[label] = fetched

    def _looked(self, head: Head) -> tuple[Sight, list[Scalar], list[Scalar]]:
        """Return what a head selects, and the s-ops that its queries and keys depend on."""
        sides = []
        for matrix in (head.query, head.key):
            read = sorted(set(matrix.rows.tolist()))
            sides.append((read, self._scalars(read, matrix)))
        (read_query, queries), (read_key, keys) = sides
        first, rows = int(self.model.bos), self.probes.run.residuals[self.stage]

        def kind(read: list[int], scalars: list[Any]) -> Any:
            def found(word: int, place: int) -> tuple[Any, ...]:
                row = rows[word][first + place]
                seen = [value(word, place, row) for _, value in scalars]
                return (*seen, *(row[c] for c in read))

            return found

        sight = self.probes.sight(head, self.stage, kind(read_query, queries), kind(read_key, keys))
        made = []
        for scalars, kinds in ((queries, sight.queries), (keys, sight.keys)):
            columns = list(zip(*kinds, strict=True))[: len(scalars)]
            made.append(
                [Scalar(text, values) for (text, _), values in zip(scalars, columns, strict=True)]
            )
        return sight, made[0], made[1]

    def _scalars(self, read: list[int], matrix: Matrix) -> list[tuple[str, Any]]:
        """Return texts of s-ops that coordinates hold, with how to find their values."""
        words = self.probes.words
        found: dict[str, Any] = {}
        bases = {base.text for c in read for base in self.term(c).bases}
        if "tokens" in bases:
            found["tokens"] = lambda word, place, row: str(words[word][place])
        if "indices" in bases:
            found["indices"] = lambda word, place, row: place
        for d in self.model.basis:
            if d.index in read and d.born <= self.stage <= d.dies:
                if d.label in self.groups and self.groups[d.label] not in found:
                    found[self.groups[d.label]] = self._atom(d.label)
                elif d.value is Mark.NUMERIC and self.term(d.index).value is None:
                    text = self.named(self.term(d.index).text, d.label)
                    found.setdefault(text, _coordinate(d.index))
        for form in _columns(matrix).values():
            kept = [(c, f) for c, f in form if self.term(c).value is None]
            if len(kept) > 1 and all(
                self.term(c).text not in self.groups.values() for c, _ in kept
            ):
                unit = abs(kept[0][1])
                kept = [(c, f / unit) for c, f in kept]
                for sign in (1, -1):
                    text = combination(
                        [(sign * f, self.term(c).text) for c, f in kept], Fraction(0)
                    )
                    found.setdefault(text, _form([(c, sign * f) for c, f in kept]))
        return list(found.items())

    def _atom(self, label: str) -> Any:
        held = [
            d
            for d in self.model.coordinates(label)
            if not isinstance(d.value, Mark) and d.born <= self.stage <= d.dies
        ]

        def value(word: int, place: int, row: Any) -> Any:
            atoms = [d.value for d in held if row[d.index] == 1]
            return atoms[0] if len(atoms) == 1 else _another(str, [])

        return value

    def _network(self, network: FeedForward) -> None:
        inputs, biases = _columns(network.w1), {c: b for _, c, b in network.b1.entries()}
        outputs: dict[int, Form] = {}
        for unit, coordinate, factor in network.w2.entries():
            outputs.setdefault(coordinate, []).append((unit, factor))
        units: dict[int, Term] = {}
        changed: dict[int, Term] = {}
        for coordinate, form in outputs.items():
            reads = {u: inputs.get(u, []) for u, _ in form}
            sources = list(dict.fromkeys(c for read in reads.values() for c, _ in read))
            terms = [self.term(c) for c in (coordinate, *sources)]
            bases = joint(terms)
            if bases is not None:
                at = {c: i + 1 for i, c in enumerate(sources)}

                def function(
                    entries: list[Fraction],
                    form: Form = form,
                    reads: dict[int, Form] = reads,
                    at: dict[int, int] = at,
                ) -> Fraction:
                    total = entries[0]
                    for u, factor in form:
                        z = biases.get(u, Fraction(0))
                        z += sum(f * entries[at[c]] for c, f in reads[u])
                        total += factor * z if z > 0 else 0
                    return total

                changed[coordinate] = tabulated(
                    bases,
                    terms,
                    function,
                    lambda c=coordinate, f=form: self._sum(c, f, inputs, biases, units),  # type: ignore[misc]
                )
            else:
                changed[coordinate] = Term(self._sum(coordinate, form, inputs, biases, units))
        self.stage += 1
        try:
            self.terms.update(changed)
            for label, directions in self._categorical(self.stage).items():
                self._group(label, directions)
        finally:
            self.stage -= 1

    def _sum(
        self,
        coordinate: int,
        form: Form,
        inputs: dict[int, Form],
        biases: dict[int, Fraction],
        units: dict[int, Term],
    ) -> str:
        """Return a coordinate after the network as the arithmetic that the weights do."""
        parts = [(Fraction(1), self.term(coordinate))]
        for unit, factor in form:
            if unit not in units:
                read = [(f, self._short(c)) for c, f in inputs.get(unit, [])]
                units[unit] = rectified(linear(read, biases.get(unit, Fraction(0))))
            parts.append((factor, units[unit]))
        kept = [(f, t.text) for f, t in parts if t.value is None]
        return combination(
            kept, sum((f * t.value for f, t in parts if t.value is not None), Fraction(0))
        )

    def _short(self, coordinate: int) -> Term:
        """Return a term with a name for a text."""
        term = self.term(coordinate)
        if term.value is not None:
            return term
        label = next((d.label for d in self.model.basis if d.index == coordinate), "x")
        return Term(self.named(term.text, label), term.bases, term.table)

    def _output(self, readout: Readout) -> str:
        if readout.none_direction is not None and self.term(readout.none_direction).value != 0:
            raise DecompileError(f"output {readout.name} can be None, which has no literal")
        if readout.kind == "numeric":
            term = linear([(readout.scale, self.term(readout.directions[0]))], readout.offset)
            text = f"({term.text} == 1)" if readout.cast == "bool" else term.text
        else:
            label = self._label_of(readout)
            text = self.groups[label] if label in self.groups else ""
            if not text:
                text = literal(readout.values[-1])
                for place, value in list(zip(readout.directions, readout.values, strict=True))[
                    -2::-1
                ]:
                    text = f"({literal(value)} if {self.term(place).text} == 1 else {text})"
        name = self._free(readout.name)
        self._lines.append(f"{name} = {text}")
        return name

    def _label_of(self, readout: Readout) -> str:
        """Return the label whose directions the readout reads, with the same values."""
        found = {
            d.label: {e.index: e.value for e in self.model.coordinates(d.label)}
            for d in self.model.basis
            if d.index in readout.directions and d.dies == 2 * self.model.depth
        }
        wanted = dict(zip(readout.directions, readout.values, strict=True))
        for label, values in found.items():
            if all(values.get(c) == v and type(values[c]) is type(v) for c, v in wanted.items()):
                return label
        return ""


def _columns(matrix: Matrix) -> dict[int, Form]:
    found: dict[int, Form] = {}
    for row, column, value in matrix.entries():
        found.setdefault(column, []).append((row, value))
    return found


def _coordinate(index: int) -> Any:
    return lambda word, place, row: row[index]


def _form(parts: Form) -> Any:
    return lambda word, place, row: sum((f * row[c] for c, f in parts), Fraction(0))


def _another(kind: type, values: Sequence[Any]) -> Any:
    """Return an atom that is none of the values."""
    candidates = ("", "-", "?", "!none") if kind is str else range(-1, -len(values) - 2, -1)
    return next(value for value in candidates if value not in values)
