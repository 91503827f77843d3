"""Average hard attention: equal greatest scores share the attention equally.

Activations are tuples of rationals, so the average over tied positions is exact.

Main definitions: :class:`AverageHardTransformer`, :func:`evaluate_average`, :func:`as_average`,
:func:`majority_by_average`.

References
----------
Merrill, Sabharwal and Smith (2022), Definition 4 (saturated attention) [merrill2022]; for unique
scores it is the hard attention of Hahn (2020), Section 3 [hahn2020].
"""

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np

from attention.dotproduct import DotProductTransformer
from attention.exact import ExactMatrix, Integers, compact
from attention.transformer import Mask, ModelError, require_exact, require_frame

Vector = tuple[Fraction, ...]


@final
@dataclass(frozen=True, kw_only=True)
class AverageHardTransformer:
    """A model whose heads return the mean of the activations with the greatest score.

    Parameters
    ----------
    n, layers, heads, alphabet
        Shape and input symbols.
    embedding
        ``(i, symbol) -> tuple of rationals``.
    scoring
        ``(layer, head, i, j, query, key) -> int | Fraction``.
    activation
        ``(layer, i, own, means) -> tuple of rationals``, one mean a head.
    output
        ``activation -> output``.
    mask
        ``"causal"``: position i attends to positions ``j <= i`` only.
    """

    n: int
    layers: int
    heads: int
    alphabet: tuple[Hashable, ...]
    embedding: Callable[[int, Any], Vector]
    scoring: Callable[[int, int, int, int, Vector, Vector], int | Fraction]
    activation: Callable[[int, int, Vector, tuple[Vector, ...]], Vector]
    output: Callable[[Vector], Hashable]
    mask: Mask = "full"

    def __post_init__(self) -> None:
        require_frame(self.n, self.layers, self.heads, self.alphabet, "leftmost", self.mask)


def evaluate_average(model: AverageHardTransformer, word: Sequence[Hashable]) -> Any:
    """Return the output on a word, exactly.

    Raises
    ------
    ModelError
        If the word does not fit the model.
    """
    if len(word) != model.n:
        raise ModelError(f"the word has {len(word)} symbols: this model reads exactly {model.n}")
    unknown = [symbol for symbol in word if symbol not in model.alphabet]
    if unknown:
        raise ModelError(f"symbol {unknown[0]!r} is not in the alphabet {model.alphabet!r}")
    values = [_vector(model.embedding(i, symbol)) for i, symbol in enumerate(word)]
    for layer in range(1, model.layers + 1):
        below = values
        values = []
        for i in range(model.n):
            means = []
            seen = below[: i + 1] if model.mask == "causal" else below
            for head in range(model.heads):
                scores = [
                    require_exact(model.scoring(layer, head, i, j, below[i], key), "a score")
                    for j, key in enumerate(seen)
                ]
                best = max(scores)
                hits = [key for key, score in zip(seen, scores, strict=True) if score == best]
                means.append(
                    tuple(
                        sum(part, start=Fraction(0)) / len(hits) for part in zip(*hits, strict=True)
                    )
                )
            values.append(_vector(model.activation(layer, i, below[i], tuple(means))))
    return model.output(values[-1])


def _vector(values: Sequence[Any]) -> Vector:
    return tuple(Fraction(require_exact(value, "an activation's entry")) for value in values)


def majority_by_average(n: int) -> AverageHardTransformer:
    """Return the one-layer machine for MAJORITY: attend to everything, look at the mean's sign.

    Examples
    --------
    >>> [evaluate_average(majority_by_average(3), word) for word in ("110", "100")]
    [True, False]
    """
    return AverageHardTransformer(
        n=n,
        layers=1,
        heads=1,
        alphabet=("0", "1"),
        embedding=lambda i, symbol: (Fraction(1 if symbol == "1" else -1),),
        scoring=lambda layer, head, i, j, query, key: 0,
        activation=lambda layer, i, own, means: means[0],
        output=lambda value: value[0] > 0,
    )


def as_average(model: DotProductTransformer) -> AverageHardTransformer:
    """Return a dot-product model read with average instead of unique attention.

    A grid and norms after the residual sums round what the averages add up to.

    Raises
    ------
    ModelError
        For a model whose norms go first: it normalises before it averages.
    """
    if any(layer.norm_first and layer.norms for layer in model.stack):
        raise ModelError("average attention needs a model whose norms follow the residual sums")

    def matrix(m: ExactMatrix) -> list[Any]:
        rows: list[Any] = m.numerators.tolist()
        return [
            [Fraction(x, m.denominator) for x in row]
            if isinstance(row, list)
            else Fraction(row, m.denominator)
            for row in rows
        ]

    def times(x: Sequence[Fraction], m: list[Any], b: Sequence[Fraction]) -> list[Fraction]:
        return [
            sum((a * row[t] for a, row in zip(x, m, strict=True)), start=shift)
            for t, shift in enumerate(b)
        ]

    stack = []
    for layer in model.stack:
        heads = [
            tuple(matrix(part) for part in (h.query, h.query_bias, h.key, h.key_bias, h.value))
            for h in layer.heads
        ]
        network = None
        if layer.up is not None:
            network = [matrix(m) for m in (layer.up, layer.up_bias, layer.down, layer.down_bias)]
        stack.append((heads, matrix(layer.bias), network))
    start = model.denominators[0]

    def embed(i: int, symbol: Any) -> Vector:
        value = model.embed(i, symbol)
        assert isinstance(value, tuple)
        return tuple(Fraction(x, start) for x in value)

    def score(layer: int, head: int, i: int, j: int, query: Vector, key: Vector) -> Fraction:
        q, q_bias, k, k_bias, _ = stack[layer - 1][0][head]
        left, right = times(query, q, q_bias), times(key, k, k_bias)
        return sum((a * b for a, b in zip(left, right, strict=True)), start=Fraction(0))

    def settled(x: Sequence[Fraction], layer: int, place: int) -> list[Fraction]:
        norms = model.stack[layer - 1].norms[place : place + 1]
        return _through(x, lambda row, over: model.settle(row, over, norms))

    def act(layer: int, i: int, own: Vector, means: tuple[Vector, ...]) -> Vector:
        heads, bias, network = stack[layer - 1]
        x = [a + b for a, b in zip(own, bias, strict=True)]
        for (_, _, _, _, value), mean in zip(heads, means, strict=True):
            x = times(mean, value, x)
        x = settled(x, layer, 0)
        if network is None:
            return tuple(x)
        up, up_bias, down, down_bias = network
        inner = [max(Fraction(0), a) for a in times(x, up, up_bias)]
        outer = times(inner, down, down_bias)
        return tuple(settled([a + b for a, b in zip(x, outer, strict=True)], layer, 1))

    weights, shift = matrix(model.weights), model.bias.numerators.tolist()

    def read(value: Vector) -> Hashable:
        if model.final_norm is not None:
            final = (model.final_norm,)
            value = tuple(_through(value, lambda row, over: model.settle(row, over, final)))
        if model.weights.numerators.ndim == 1:
            total = sum((a * w for a, w in zip(value, weights, strict=True)), start=Fraction(0))
            return total + Fraction(shift, model.bias.denominator) > 0
        logits = times(value, weights, [Fraction(b, model.bias.denominator) for b in shift])
        return logits.index(max(logits))

    return AverageHardTransformer(
        n=model.n,
        layers=model.layers,
        heads=model.heads,
        alphabet=model.alphabet,
        embedding=embed,
        scoring=score,
        activation=act,
        output=read,
        mask=model.mask,
    )


def _through(
    x: Sequence[Fraction], rounding: Callable[[Integers, int], tuple[Integers, int]]
) -> list[Fraction]:
    """Apply a rounding of integers over a denominator to rationals."""
    over = math.lcm(*(part.denominator for part in x))
    row = np.array([[part.numerator * (over // part.denominator) for part in x]], dtype=object)
    found, under = rounding(compact(row), over)
    return [Fraction(int(part), under) for part in found[0]]
