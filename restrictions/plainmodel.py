"""Models read from JSON into plain Python integers, for the independent checker.

This module shares no code with the models, the propagation or the search, and imports nothing but
the standard library: what it computes, it computes again from the JSON file.

Main definitions: :class:`AbstractPlainModel`, :func:`plain_model`, :func:`run`,
:func:`final_activation`.
"""

import abc
import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from operator import add, mul
from typing import Any, TypeAlias, final

from restrictions.packing import PackedRows

Scorer: TypeAlias = Callable[[int, Any], list[Any]]
"""Position and value of a query -> its scores for keys that were given before."""


class CertificateFileError(ValueError):
    """A certificate, or the model inside it, cannot be read; the message says what is wrong."""


class AbstractPlainModel(abc.ABC):
    """The questions that the checker asks a model."""

    n: int
    layers: int
    heads: int
    alphabet: tuple[Any, ...]
    rightmost: bool
    causal: bool

    @abc.abstractmethod
    def embed(self, i: int, symbol: Any) -> Any:
        """Return the layer-0 activation."""

    @abc.abstractmethod
    def scorer(self, layer: int, head: int, keys: Sequence[tuple[int, Any]]) -> Scorer:
        """Return (query's position, its value) -> exact scores for the (position, value) keys."""

    @abc.abstractmethod
    def act(self, layer: int, i: int, own: Any, attended: Sequence[Any]) -> Any:
        """Return the next activation."""

    @abc.abstractmethod
    def readout(self, value: Any) -> Any:
        """Return the output."""


def _frame(model: AbstractPlainModel, data: Mapping[str, Any]) -> None:
    model.alphabet = tuple(data["alphabet"])
    model.rightmost = {"leftmost": False, "rightmost": True}[data.get("ties", "leftmost")]
    model.causal = {"full": False, "causal": True}[data.get("mask", "full")]


@final
class PlainTable(AbstractPlainModel):
    """A table model as nested lists."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        _frame(self, data)
        self.n, self.layers = data["n"], len(data["scores"])
        self.heads = len(data["scores"][0])
        self._embedding, self._scores = data["embedding"], data["scores"]
        self._acts, self._outputs = data["acts"], data["outputs"]

    def embed(self, i: int, symbol: Any) -> Any:
        """Look the layer-0 activation up."""
        return self._embedding[i % len(self._embedding)][self.alphabet.index(symbol)]

    def scorer(self, layer: int, head: int, keys: Sequence[tuple[int, Any]]) -> Scorer:
        """Look the scores up."""
        table = self._scores[layer - 1][head]
        size = len(table[0][0])
        places = [(j % size, value) for j, value in keys]

        def scores(i: int, query: Any) -> list[Any]:
            part = table[i % len(table)][query]
            return [part[j][value] for j, value in places]

        return scores

    def act(self, layer: int, i: int, own: Any, attended: Sequence[Any]) -> Any:
        """Look the activation up."""
        table = self._acts[layer - 1]
        found = table[i % len(table)][own]
        for value in attended:
            found = found[value]
        return found

    def readout(self, value: Any) -> Any:
        """Look the output up."""
        return self._outputs[value]


@final
class PlainDot(AbstractPlainModel):
    """A dot-product model in Python integers: activations are tuples over one denominator a layer.

    Every layer is ``x -> round(x + b + sum_h y_h V_h)``, then ``x -> round(x + relu(x W1 + b1) W2
    + b2)``, where round is to the nearest multiple of 2^-grid, halves upwards, or nothing.  Layer
    normalisation replaces the rounding (post-norm) or is put before the heads, the network and
    the readout (pre-norm).
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        _frame(self, data)
        self._grid: Any = data.get("grid")
        symbols, positions = _matrix(data["symbols"]), _matrix(data["positions"])
        over = math.lcm(symbols[1], positions[1])
        self.n, self.layers = len(positions[0]), len(data["stack"])
        self.heads = len(data["stack"][0]["heads"])
        self._stack = [self._layer(layer) for layer in data["stack"]]
        self._final = [_matrix(part) for part in data.get("final_norm", ())]
        self._weights, self._bias = _matrix(data["weights"]), _matrix(data.get("bias", 0))
        self._start = {}
        for i, position in enumerate(positions[0]):
            for symbol, vector in zip(self.alphabet, symbols[0], strict=True):
                summed = [
                    p * (over // positions[1]) + s * (over // symbols[1])
                    for p, s in zip(position, vector, strict=True)
                ]
                value, first = self._round(summed, over)
                self._start[i, symbol] = value
        self._over = [first]
        for number in range(1, self.layers + 1):
            self._over.append(self._after(number, self._over[-1]))
        self._added: dict[tuple[int, int, Any], list[int]] = {}
        self._seen: dict[tuple[int, Any], tuple[int, ...]] = {}

    @staticmethod
    def _layer(data: Mapping[str, Any]) -> dict[str, Any]:
        width = len(_matrix(data["heads"][0]["query"])[0])
        heads = []
        for head in data["heads"]:
            inner = len(_matrix(head["query"])[0][0])
            parts = {}
            for name in ("query", "key"):
                bias = head.get(f"{name}_bias")
                parts[name] = _affine(head[name], [0] * inner if bias is None else bias)
            heads.append((parts["query"], parts["key"], _matrix(head["value"])))
        bias = _matrix([0] * width if data.get("bias") is None else data["bias"])
        out_over = math.lcm(bias[1], *(value[1] for _, _, value in heads))
        layer: dict[str, Any] = {
            "heads": [(q, k, PackedRows(_over(v, out_over))) for q, k, v in heads],
            "over": out_over,
            "bias": [x * (out_over // bias[1]) for x in bias[0]],
            "norms": [[_matrix(part) for part in norm] for norm in data.get("norms", ())],
            "network": None,
            "first": data.get("norm_first", False) and bool(data.get("norms")),
        }
        if data.get("up") is not None:
            inner = len(_matrix(data["up"])[0][0])
            up_bias, down_bias = data.get("up_bias"), data.get("down_bias")
            layer["network"] = (
                _affine(data["up"], [0] * inner if up_bias is None else up_bias),
                _affine(data["down"], [0] * width if down_bias is None else down_bias),
            )
        return layer

    def _after(self, number: int, over: int) -> int:
        """Return the denominator of the activations of a layer, given that of the layer below."""
        if self._grid is not None:
            return int(1 << self._grid)
        layer = self._stack[number - 1]
        network = layer["network"]
        extra = 1 if network is None else network[0][1] * network[1][1]
        return int(over * layer["over"] * extra)

    def _round(self, numerators: Sequence[int], over: int) -> tuple[tuple[int, ...], int]:
        if self._grid is None:
            return tuple(numerators), over
        unit = 2**self._grid
        return tuple((2 * x * unit + over) // (2 * over) for x in numerators), unit

    def embed(self, i: int, symbol: Any) -> Any:
        """Return the layer-0 activation."""
        return self._start[i, symbol]

    def scorer(self, layer: int, head: int, keys: Sequence[tuple[int, Any]]) -> Scorer:
        """Return the dot products of a query with each key."""
        over = self._over[layer - 1]
        to_query, to_key, _ = self._stack[layer - 1]["heads"][head]
        known = {value: _apply(to_key, self._read(layer, value), over) for _, value in keys}
        vectors = [known[value] for _, value in keys]
        packed = PackedRows(list(zip(*vectors, strict=True)))

        def scores(i: int, query: Any) -> list[Any]:
            return packed.times(_apply(to_query, self._read(layer, query), over))

        return scores

    def act(self, layer: int, i: int, own: Any, attended: Sequence[Any]) -> Any:
        """Return the next activation."""
        part, over = self._stack[layer - 1], self._over[layer - 1]
        summed = [x * part["over"] + b * over for x, b in zip(own, part["bias"], strict=True)]
        for head, value in enumerate(attended):
            summed = list(map(add, summed, self._contribution(layer, head, value)))
        after = [] if part["first"] else part["norms"]
        now, over = self._settle(summed, over * part["over"], after[:1])
        if part["network"] is None:
            return now
        up, down = part["network"]
        seen = self._normalise(now, over, part["norms"][1]) if part["first"] else now
        inner = [max(0, x) for x in _apply(up, seen, over)]
        deep = over * up[1]
        outer = _apply(down, inner, deep)
        summed = [x * up[1] * down[1] + y for x, y in zip(now, outer, strict=True)]
        return self._settle(summed, deep * down[1], after[1:])[0]

    def _contribution(self, layer: int, head: int, value: Any) -> list[int]:
        """Return what attending to a value adds, remembered."""
        key = (layer, head, value)
        known = self._added.get(key)
        if known is None:
            rows = self._stack[layer - 1]["heads"][head][2]
            known = self._added[key] = rows.times(self._read(layer, value))
        return known

    def _read(self, layer: int, value: Any) -> Any:
        """Return an activation as the heads of a layer read it: normalised, if norms go first."""
        part = self._stack[layer - 1]
        if not part["first"]:
            return value
        key = (layer, value)
        if key not in self._seen:
            self._seen[key] = self._normalise(value, self._over[layer - 1], part["norms"][0])
        return self._seen[key]

    def _settle(
        self, summed: Sequence[int], over: int, norms: Sequence[Any]
    ) -> tuple[tuple[int, ...], int]:
        if not norms:
            return self._round(summed, over)
        return self._normalise(summed, over, norms[0]), int(2**self._grid)

    def _normalise(self, summed: Sequence[int], over: int, norm: Any) -> tuple[int, ...]:
        (weight, bias, eps), d, fine = norm, len(summed), self._grid + 8
        scale = math.lcm(weight[1], bias[1])
        centred = [d * x - sum(summed) for x in summed]
        spread = sum(u * u for u in centred) * eps[1] + d**3 * eps[0][0] * over * over
        found = []
        for u, gain, shift in zip(centred, weight[0], bias[0], strict=True):
            root = math.isqrt((u * u * d * eps[1] << 2 * fine) // spread) if spread else 0
            unit = root if u >= 0 else -root
            top = unit * gain * (scale // weight[1]) + (shift * (scale // bias[1]) << fine)
            bottom = scale << fine - self._grid
            found.append((2 * top + bottom) // (2 * bottom))
        return tuple(found)

    def readout(self, value: Any) -> Any:
        """Return the verdict, or the index of the first greatest logit."""
        (weights, over), (bias, under) = self._weights, self._bias
        if self._final:
            value = self._normalise(value, self._over[-1], self._final)
        scale = self._over[-1] * over

        def logit(column: Sequence[int], shift: int) -> int:
            return int(sum(map(mul, value, column)) * under + shift * scale)

        if not isinstance(weights[0], list):
            return logit(weights, bias) > 0
        found = [logit(c, b) for c, b in zip(zip(*weights, strict=True), bias, strict=True)]
        return found.index(max(found))


@final
class PlainCalls(AbstractPlainModel):
    """Any model object with ``embed``, ``score``, ``act`` and ``readout``, asked one by one."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self.n, self.layers, self.heads = model.n, model.layers, model.heads
        self.alphabet = tuple(model.alphabet)
        self.rightmost, self.causal = model.ties == "rightmost", model.mask == "causal"

    def embed(self, i: int, symbol: Any) -> Any:
        """Ask the model."""
        return self._model.embed(i, symbol)

    def scorer(self, layer: int, head: int, keys: Sequence[tuple[int, Any]]) -> Scorer:
        """Ask the model for each key."""
        ask = self._model.score
        return lambda i, query: [ask(layer, head, i, j, query, value) for j, value in keys]

    def act(self, layer: int, i: int, own: Any, attended: Sequence[Any]) -> Any:
        """Ask the model."""
        return self._model.act(layer, i, own, tuple(attended))

    def readout(self, value: Any) -> Any:
        """Ask the model."""
        return self._model.readout(value)


def _matrix(data: Any) -> tuple[Any, int]:
    """Return nested numerators and their denominator; plain numbers are made exact."""
    if isinstance(data, Mapping):
        return data["numerators"], data["denominator"]
    flat: list[Fraction] = []

    def collect(part: Any) -> None:
        if isinstance(part, list):
            for piece in part:
                collect(piece)
        else:
            flat.append(Fraction(part))

    def rebuild(part: Any) -> Any:
        if isinstance(part, list):
            return [rebuild(piece) for piece in part]
        exact = Fraction(part)
        return exact.numerator * (over // exact.denominator)

    collect(data)
    over = math.lcm(1, *(f.denominator for f in flat))
    return rebuild(data), over


def _over(matrix: tuple[Any, int], over: int) -> list[list[int]]:
    return [[x * (over // matrix[1]) for x in row] for row in matrix[0]]


def _affine(matrix: Any, bias: Any) -> tuple[PackedRows, int]:
    """Return ``x -> x M + b`` as packed rows, the last one b, and the common denominator."""
    weights, shifts = _matrix(matrix), _matrix(bias)
    over = math.lcm(weights[1], shifts[1])
    rows = [*_over(weights, over), [b * (over // shifts[1]) for b in shifts[0]]]
    return PackedRows(rows), over


def _apply(affine: tuple[PackedRows, int], x: Any, over: int) -> tuple[int, ...]:
    """Return numerators of ``x M + b`` over (denominator of x) times (denominator of M, b)."""
    return tuple(affine[0].times((*x, over)))


def plain_model(data: Mapping[str, Any]) -> AbstractPlainModel:
    """Return the model that the JSON data describes.

    Raises
    ------
    CertificateFileError
        If the data is not a model that this program reads.
    """
    try:
        if data["schema"] != "attnlimits.hard-transformer" or data["version"] != 1:
            raise CertificateFileError("the model has an unknown schema or version")
        if data["kind"] == "function":
            raise CertificateFileError(
                f"the model is Python code ({data['reference']}): give the model itself"
            )
        kinds: dict[str, Any] = {"table": PlainTable, "dot-product": PlainDot}
        model: AbstractPlainModel = kinds[data["kind"]](data)
    except (KeyError, IndexError, TypeError, ZeroDivisionError) as problem:
        raise CertificateFileError(f"the model cannot be read: {problem!r}") from None
    return model


def run(model: AbstractPlainModel, word: Sequence[Hashable]) -> Any:
    """Return the model's output on a word, straight from the definition."""
    return model.readout(final_activation(model, word))


def final_activation(model: AbstractPlainModel, word: Sequence[Hashable]) -> Any:
    """Return the last position's final activation on a word."""
    values = [model.embed(i, symbol) for i, symbol in enumerate(word)]
    for layer in range(1, model.layers + 1):
        wanted = range(model.n) if layer < model.layers else (model.n - 1,)
        keys, after = list(enumerate(values)), list(values)
        scorers = [model.scorer(layer, head, keys) for head in range(model.heads)]
        for i in wanted:
            attended = []
            for scorer in scorers:
                scores = scorer(i, values[i])[: i + 1 if model.causal else None]
                best = max(scores)
                hits = [j for j, score in enumerate(scores) if score == best]
                attended.append(values[hits[-1 if model.rightmost else 0]])
            after[i] = model.act(layer, i, values[i], attended)
        values = after
    return values[-1]
