r"""A static argument: separations and thresholds suffice on every word of the compiled length.

No word is run.  For each length, every coordinate is an exact function of finitely many
*variables*: the symbol of the row, its position, and for each head what it may deliver.  A head is
examined for all queries and all keys that a word can contain, taken independently, so what is
found includes all that can happen:

* BOS, a row at every position, and the query's own row are certainly there, so the greatest score
  is at least theirs.  The consecutive differences of all scores from there on (and the first
  below) bound how close the greatest score and the next distinct one can be: the *separation* that
  the float runtimes scale.
* Keys of equal greatest score are averaged.  If all deliver the same, so does the head; if BOS is
  among them, the means have the weights ``k / (k + 1)``; if the values lie on a line at integer
  steps, the means are fractions ``s / k``.  Otherwise the head is *unknown*, and so is what
  depends on it.
* An output can be read if in every state the coordinates are exactly those of one value.

Main definitions: :func:`argue`, :class:`Argument`.

References
----------
Cousot & Cousot (1977) for the principle: compute with sets that include all that can happen
[cousot1977].
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np

from rasp.certify.deliveries import Keys, Vector, examine
from rasp.certify.grids import (
    POSITION,
    SYMBOL,
    distinct,
    dot,
    pair_scores,
    positions_on,
    products,
    stacked,
    times,
)
from rasp.certify.tables import Sum, Table, grid_size
from rasp.weights.exact import run_exact
from rasp.weights.matrix import Matrix
from rasp.weights.model import CompiledModel
from rasp.weights.parts import FeedForward, Head
from rasp.weights.readout import Readout

CAP = 200_000
"""Most states that are looked at together."""

PAIRS = 20_000_000
"""Most pairs of queries and keys that are looked at."""


@final
@dataclass(frozen=True, slots=True)
class Argument:
    """What holds on every word that the model reads.

    Attributes
    ----------
    separations
        Head to the least difference between a row's greatest score and the next distinct one
        (``None``: not settled) and the separation the model states.
    readable
        Output to whether it is read as a value in every state; ``None``: not settled.
    open
        Why something is not settled, in order of occurrence.
    """

    separations: Mapping[str, tuple[Fraction | None, Fraction]]
    readable: Mapping[str, bool | None]
    open: tuple[str, ...]

    @property
    def separated(self) -> bool | None:
        """Whether every head keeps its separation; ``None`` if that is not settled."""
        if any(found is not None and found < need for found, need in self.separations.values()):
            return False
        return None if any(found is None for found, _ in self.separations.values()) else True

    @property
    def proved(self) -> bool:
        """Whether every separation is kept and every output can be read, on every word."""
        return self.separated is True and all(self.readable.values())

    def text(self) -> str:
        """Return the argument's outcome in a few lines, and first what it is about."""
        lines = [
            "argued for every word, without running any: how far heads separate scores, and that "
            "outputs can be read;\nthat what is read is the program's value is only tried, on the "
            "inputs above\n"
        ]
        for name, (found, need) in self.separations.items():
            shown = "not settled" if found is None else f"at least {found}"
            lines.append(f"head {name}: scores differ by {shown}, stated {need}\n")
        for name, fine in self.readable.items():
            word = {True: "readable in every state", False: "NOT readable", None: "not settled"}
            lines.append(f"output {name}: {word[fine]}\n")
        return "".join(lines) + "".join(f"  open: {reason}\n" for reason in self.open)


def argue(model: CompiledModel, *, lengths: Sequence[int] | None = None) -> Argument:
    """Examine a model for all words at once.

    Parameters
    ----------
    model
        Any compiled model.
    lengths
        Lengths of words to examine; all that the model reads if ``None``.

    Notes
    -----
    Deterministic and exact.  A property that is not settled may still hold.

    Examples
    --------
    >>> from rasp import select, selector_width, tokens
    >>> from rasp.compiler.pipeline import compile_program
    >>> hist = selector_width(select(tokens, tokens, "=="))
    >>> argue(compile_program(hist.named("hist"), vocabulary="ab", length=5)).proved
    True
    """
    chosen = range(1, model.length + 1) if lengths is None else lengths
    return _together([_Examination(model, length).run() for length in chosen])


def _together(parts: Sequence[Argument]) -> Argument:
    """Return what holds for all lengths."""
    separations: dict[str, tuple[Fraction | None, Fraction]] = {}
    readable: dict[str, bool | None] = {}
    for part in parts:
        for name, (found, need) in part.separations.items():
            known = separations.get(name, (found, need))[0]
            least = None if known is None or found is None else min(known, found)
            separations[name] = (least, need)
        for name, fine in part.readable.items():
            readable[name] = None if fine is None else readable.get(name, True)
    reasons = dict.fromkeys(reason for part in parts for reason in part.open)
    return Argument(separations, readable, tuple(reasons))


@final
class _Examination:
    def __init__(self, model: CompiledModel, length: int) -> None:
        self.model = model
        self.length = length
        symbols = len(model.vocabulary.symbols)
        self.sizes: dict[int, int] = {SYMBOL: symbols, POSITION: length}
        self.open: list[str] = []
        first, last = int(model.bos), int(model.bos) + length
        tokens, positions = model.token_embedding, model.position_embedding
        self.x: dict[int, Sum | None] = {}
        for matrix, variable, start, stop in (
            (tokens, SYMBOL, 0, symbols), (positions, POSITION, first, last)
        ):  # fmt: skip
            held: dict[int, list[Fraction]] = {}
            for row, column, value in matrix.entries():
                if start <= row < stop:
                    held.setdefault(column, [Fraction(0)] * (stop - start))[row - start] = value
            for column, values in held.items():
                made = Sum((Table.of((variable,), values).reduced(),))
                known = self.x.get(column)
                self.x[column] = made if known is None else known.plus(made)
        self.bos_rows: list[Vector] | None = None
        if model.bos:
            word = [model.vocabulary.symbols[0]]
            stages = run_exact(model, [word], returns=("residuals",)).residuals
            self.bos_rows = [tuple(map(Fraction, stage[0][0])) for stage in stages]

    def run(self) -> Argument:
        separations: dict[str, tuple[Fraction | None, Fraction]] = {}
        for number, layer in enumerate(self.model.layers):
            delivered = []
            for head in layer.heads:
                found = self._head(head, number)
                separations[head.name] = (found[0], head.separation)
                delivered.append((head, found[1]))
            for head, points in delivered:
                self._deliver(head, points)
            if layer.feed_forward is not None:
                self._feed(layer.feed_forward)
        readable = {readout.name: self._readable(readout) for readout in self.model.readouts}
        return Argument(separations, readable, tuple(dict.fromkeys(self.open)))

    def _of(self, column: int) -> Sum | None:
        return self.x.get(column, Sum())

    def _forms(self, matrix: Matrix) -> list[Sum] | None:
        """Return the columns of ``x @ matrix``, or ``None`` if they read what is unknown."""
        forms = [Sum() for _ in range(matrix.shape[1])]
        for row, column, value in matrix.entries():
            read = self._of(row)
            if read is None:
                return None
            forms[column] = forms[column].plus(read.times(value))
        return [form.simplified(self.sizes, CAP) for form in forms]

    def _grid(
        self, forms: Sequence[Sum], extra: Sequence[int] = ()
    ) -> tuple[tuple[int, ...], list[Any], list[int]] | None:
        """Return variables, numerators per form on their grid, and denominators."""
        variables = tuple(sorted({v for form in forms for v in form.variables} | set(extra)))
        if grid_size(variables, self.sizes) > CAP:
            return None
        tables = [form.table() for form in forms]
        numerators = [table.on(variables, self.sizes) for table in tables]
        return variables, numerators, [table.denominator for table in tables]

    def _head(self, head: Head, number: int) -> tuple[Fraction | None, list[list[Vector]] | None]:
        """Return the least separation and what may be delivered, by position of the query."""
        parts = [self._forms(matrix) for matrix in (head.query, head.key, head.value)]
        if parts[0] is None or parts[1] is None:
            self.open.append(f"{head.name} compares what is unknown")
            return None, None
        queries, keys, values = parts[0], parts[1], parts[2]
        asked = self._grid(queries, (POSITION,))
        offered = self._grid([*keys, *(values or [])], (POSITION,))
        if asked is None or offered is None:
            self.open.append(f"{head.name} has more than {CAP} queries or keys")
            return None, None
        scale = [a * b for a, b in zip(asked[2], offered[2], strict=False)]
        common = math.lcm(1, *scale)
        size = grid_size(offered[0], self.sizes)
        q, q_of = distinct(stacked(asked[1], grid_size(asked[0], self.sizes)))
        k, k_of = distinct(stacked(offered[1][: len(keys)], size))
        if len(q) * len(k) > PAIRS:
            self.open.append(f"{head.name} has more than {PAIRS} pairs of queries and keys")
            return None, None
        scores = pair_scores(q, k, [common // part for part in scale])
        begin, bos_value, at_bos = None, None, head.separation
        if self.bos_rows is not None:
            row = self.bos_rows[2 * number]
            bos_key, bos_query = times(row, head.key), times(row, head.query)
            begin = products(q, asked[2], bos_key, common)
            ahead = dot(bos_query, bos_key) - max(products(k, offered[2], bos_query, 1))
            if ahead <= 0:
                self.open.append(f"the row of BOS looks at words in {head.name}")
                return None, None
            at_bos = ahead
            bos_value = times(row, head.value)
        held = stacked(offered[1][len(keys) :], size)
        value, value_of = distinct(held)
        vectors = [
            tuple(Fraction(int(n), d) for n, d in zip(line, offered[2][len(keys) :], strict=True))
            for line in value
        ]
        where = positions_on(offered[0], self.sizes)
        at = np.zeros((len(k), self.length), bool)
        at[k_of, where] = True
        offers = np.unique(np.stack([k_of, where, value_of], axis=1), axis=0)
        positions: list[set[int]] = [set() for _ in range(len(q))]
        asked_at = positions_on(asked[0], self.sizes)
        for query, place in np.unique(np.stack([q_of, asked_at], axis=1), axis=0).tolist():
            positions[query].add(place)
        found = examine(
            scores,
            begin,
            Keys(at, offers, vectors, bos_value),
            [sorted(found) for found in positions],
            self._own(asked[0], q_of, len(q), offered[0], k_of, len(k)),
            causal=self.model.causal,
        )
        gap = at_bos if found.gap is None else found.gap / common
        if self.bos_rows is not None:
            gap = min(gap, at_bos)
        if found.open:
            self.open.append(f"{head.name} {found.open}")
            return (None if found.gap is None else gap), None
        if found.points is None or values is None:
            self.open.append(f"{head.name} delivers what is unknown")
            return gap, None
        return gap, found.points

    def _own(
        self, asked: Sequence[int], q_of: Any, queries: int, offered: Sequence[int], k_of: Any,
        keys: int,
    ) -> Any:  # fmt: skip
        """Return which keys a row with a query may have itself, or ``None`` if there are many."""
        both = tuple(sorted({*asked, *offered}))
        if grid_size(both, self.sizes) > CAP:
            return None
        states = np.indices(tuple(self.sizes[v] for v in both)).reshape(len(both), -1)

        def flat(variables: Sequence[int]) -> Any:
            index = np.zeros(states.shape[1], np.int64)
            for variable in variables:
                index = index * self.sizes[variable] + states[both.index(variable)]
            return index

        own = np.zeros((queries, keys), bool)
        own[q_of[flat(asked)], k_of[flat(offered)]] = True
        return own

    def _deliver(self, head: Head, points: list[list[Vector]] | None) -> None:
        written = np.unique(head.output.columns).tolist()
        if points is None:
            for column in written:
                self.x[column] = None
            return
        alike = len({frozenset(one) for one in points}) == 1
        rows = points[:1] if alike else points
        most = max(map(len, rows))
        variable = len(self.sizes)
        self.sizes[variable] = most
        full = [(one * most)[:most] if len(one) == 1 else one + one[:1] * (most - len(one))
                for one in rows]  # fmt: skip
        entries = list(head.output.entries())
        variables = (variable,) if alike else (POSITION, variable)
        for column in written:
            reads = [(row, value) for row, at, value in entries if at == column]
            values = [
                sum((point[row] * value for row, value in reads), Fraction(0))
                for one in full
                for point in one
            ]
            made = Table.of((variable,), values)
            shaped = made.values if alike else made.values.reshape(len(points), most)
            table = Table(variables, shaped, made.denominator).reduced()
            known = self._of(column)
            if known is not None:
                self.x[column] = known.plus(Sum((table,)))

    def _feed(self, network: FeedForward) -> None:
        inner: list[Sum | None] = [Sum() for _ in range(network.hidden)]
        for matrix, bias in ((network.w1, False), (network.b1, True)):
            for row, unit, value in matrix.entries():
                one = Sum((Table.of((), [Fraction(1)]),))
                read, so_far = one if bias else self._of(row), inner[unit]
                if read is None or so_far is None:
                    inner[unit] = None
                else:
                    inner[unit] = so_far.plus(read.times(value))
        active: list[Table | None] = []
        for form in inner:
            if form is None or grid_size(form.variables, self.sizes) > CAP:
                active.append(None)
            else:
                active.append(form.table().positive().reduced())
        added: dict[int, Sum | None] = {}
        for unit, column, value in network.w2.entries():
            table = active[unit]
            so_far = added.get(column, Sum())
            if table is None or so_far is None:
                added[column] = None
            else:
                added[column] = so_far.plus(Sum((table.times(value),)))
        for column, more in added.items():
            known = self._of(column)
            if known is None or more is None:
                self.x[column] = None
            else:
                self.x[column] = known.plus(more).simplified(self.sizes, CAP)

    def _readable(self, readout: Readout) -> bool | None:
        if readout.kind == "numeric" and readout.cast in ("Fraction", "float"):
            return True  # any number is one
        used = [*readout.directions]
        if readout.none_direction is not None:
            used.append(readout.none_direction)
        forms = [self._of(column) for column in used]
        if any(form is None for form in forms):
            self.open.append(f"{readout.name} is read from what is unknown")
            return None
        found = self._grid([form for form in forms if form is not None])
        if found is None:
            self.open.append(f"{readout.name} is read from more than {CAP} states")
            return None
        _, numerators, denominators = found
        if readout.kind == "numeric":
            factor = readout.scale / denominators[0]
            values = (int(n) * factor + readout.offset for n in numerators[0].tolist())
            fine = all(value.denominator == 1 for value in values)
        else:
            ones = sum((n == d).astype(int) for n, d in zip(numerators, denominators, strict=True))
            zeros = sum((n == 0).astype(int) for n in numerators)
            fine = bool(((ones == 1) & (zeros == len(used) - 1)).all())
        if not fine:
            self.open.append(f"{readout.name}: a state that no word may reach cannot be read")
        return True if fine else None
