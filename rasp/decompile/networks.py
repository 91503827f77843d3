"""Feed-forward networks as tables over few values, else as the arithmetic of their weights.

Main definitions: :func:`read_network`.
"""

from fractions import Fraction

from rasp.decompile.state import Form, State, columns
from rasp.decompile.terms import Term, joint, linear, rectified, tabulated
from rasp.decompile.wording import combination, simple
from rasp.weights.parts import FeedForward


def read_network(state: State, network: FeedForward) -> None:
    """Change the terms as the network changes the coordinates; the stage stays."""
    reading = _Network(state, network)
    outputs: dict[int, Form] = {}
    for unit, coordinate, factor in network.w2.entries():
        outputs.setdefault(coordinate, []).append((unit, factor))
    state.terms.update(
        {coordinate: reading.changed(coordinate, form) for coordinate, form in outputs.items()}
    )


class _Network:
    def __init__(self, state: State, network: FeedForward) -> None:
        self.state, self.inputs = state, columns(network.w1)
        self.biases = {column: value for _, column, value in network.b1.entries()}
        self.units: dict[int, Term] = {}

    def changed(self, coordinate: int, form: Form) -> Term:
        """Return a coordinate after the network; ``form`` is in terms of the units."""
        reads = {unit: self.inputs.get(unit, []) for unit, _ in form}
        sources = list(dict.fromkeys(c for read in reads.values() for c, _ in read))
        terms = [self.state.term(c) for c in (coordinate, *sources)]
        bases = joint(terms)
        if bases is None:
            return Term(self._inverse(coordinate, sources) or self._sum(coordinate, form))
        at = {c: place + 1 for place, c in enumerate(sources)}

        def function(entries: list[Fraction]) -> Fraction:
            total = entries[0]
            for unit, factor in form:
                inner = self.biases.get(unit, Fraction(0))
                inner += sum(f * entries[at[c]] for c, f in reads[unit])
                total += factor * max(inner, Fraction(0))
            return total

        return tabulated(bases, terms, function, lambda: self._sum(coordinate, form))

    def _sum(self, coordinate: int, form: Form) -> str:
        """Return a coordinate after the network as the arithmetic that the weights do."""
        parts = [(Fraction(1), self.state.term(coordinate))]
        for unit, factor in form:
            if unit not in self.units:
                read = [(f, self.state.short(c)) for c, f in self.inputs.get(unit, [])]
                self.units[unit] = rectified(linear(read, self.biases.get(unit, Fraction(0))))
            parts.append((factor, self.units[unit]))
        kept = [(f, term.text) for f, term in parts if term.value is None]
        fixed = [f * term.value for f, term in parts if term.value is not None]
        return combination(kept, sum(fixed, Fraction(0)))

    def _inverse(self, coordinate: int, sources: list[int]) -> str:
        """Return a sum of ``round(1 / x)`` and a number, if that is what the only input becomes."""
        state = self.state
        moving = [c for c in sources if state.term(c).value is None]
        if len(moving) != 1 or state.term(coordinate).value is None:
            return ""
        pairs = state.probes.pairs(state.stage, moving[0], coordinate)
        if any(x == 0 or (1 / x).denominator != 1 for x, _ in pairs):
            return ""
        points = sorted((1 / x, after) for x, after in pairs)
        (first, low), (last, high) = points[0], points[-1]
        slope = (high - low) / (last - first) if last > first else Fraction(1)
        if any(after != low + slope * (n - first) for n, after in points):
            return ""
        text = f"round(1 / {simple(state.short(moving[0]).text)})"
        return combination([(slope, text)], low - slope * first)
