"""Random compiled models, and a runtime that follows the definition with one Fraction at a time."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from rasp.weights.matrix import Matrix
from rasp.weights.model import CompiledModel
from rasp.weights.parts import FeedForward, Head, Layer
from rasp.weights.readout import Readout
from rasp.weights.vocabulary import Vocabulary


def random_matrix(
    rng: np.random.Generator, height: int, width: int, *, density: float = 0.5, bottoms: Any = (1,)
) -> Matrix:
    """Return a sparse matrix with small numerators over one of the given denominators each."""
    return Matrix.placed(
        (height, width),
        {
            (r, c): Fraction(int(rng.integers(-3, 4)), int(rng.choice(bottoms)))
            for r in range(height)
            for c in range(width)
            if rng.random() < density
        },
    )


def random_model(
    rng: np.random.Generator,
    *,
    length: int = 5,
    layers: int = 2,
    bottoms: Sequence[int] = (1, 2, 3),
    separation: Fraction = Fraction(1, 10**4),
) -> CompiledModel:
    """Return a model with random weights, mask, BOS, sizes; its outputs are all coordinates."""
    width, symbols = int(rng.integers(2, 6)), ("a", "b", "c")[: rng.integers(1, 4)]
    vocabulary = Vocabulary(symbols, bos=bool(rng.integers(2)))

    def matrix(height: int, breadth: int) -> Matrix:
        return random_matrix(rng, height, breadth, bottoms=bottoms)

    stack = []
    for number in range(layers):
        heads = []
        for place in range(int(rng.integers(0 if number else 1, 3))):
            k, m = int(rng.integers(0, 3)), int(rng.integers(1, 3))
            heads.append(
                Head(
                    name=f"head {number} {place}",
                    query=matrix(width, k),
                    key=matrix(width, k),
                    value=matrix(width, m),
                    output=matrix(m, width),
                    separation=separation,
                    serves=("x",),
                )
            )
        hidden = int(rng.integers(1, 5))
        network = FeedForward(
            w1=matrix(width, hidden), b1=matrix(1, hidden), w2=matrix(hidden, width)
        )
        stack.append(Layer(tuple(heads), network if rng.integers(2) or not heads else None))
    token = matrix(vocabulary.size, width)
    return CompiledModel(
        name="random",
        vocabulary=vocabulary,
        length=length,
        causal=bool(rng.integers(2)),
        width=width,
        token_embedding=Matrix.placed(
            token.shape, {(r, c): v for r, c, v in token.entries() if r != vocabulary.pad}
        ),
        position_embedding=matrix(length + vocabulary.bos, width),
        layers=tuple(stack),
        readouts=tuple(
            Readout(name=f"x{i}", kind="numeric", directions=(i,)) for i in range(width)
        ),
    )


def naive_stages(model: CompiledModel, word: Sequence[Any]) -> list[list[list[Fraction]]]:
    """Return the residual rows of one word at every stage, by the definition."""

    def times(x: list[Fraction], matrix: Matrix) -> list[Fraction]:
        y = [Fraction(0)] * matrix.shape[1]
        for r, c, v in matrix.entries():
            y[c] += x[r] * v
        return y

    def row_of(matrix: Matrix, r: int) -> list[Fraction]:
        return [matrix.entry(r, c) for c in range(matrix.shape[1])]

    def plus(a: list[Fraction], b: list[Fraction]) -> list[Fraction]:
        return [s + t for s, t in zip(a, b, strict=True)]

    x = [
        plus(row_of(model.token_embedding, token), row_of(model.position_embedding, place))
        for place, token in enumerate(model.encode(word))
    ]
    stages = [x]
    for layer in model.layers:
        added = [list(row) for row in x]
        for head in layer.heads:
            keys = [times(row, head.key) for row in x]
            values = [times(times(row, head.value), head.output) for row in x]
            for i, row in enumerate(x):
                query = times(row, head.query)
                visible = keys[: i + 1] if model.causal else keys
                scores = [sum(a * b for a, b in zip(query, key, strict=True)) for key in visible]
                hits = [j for j, score in enumerate(scores) if score == max(scores)]
                for c in range(model.width):
                    added[i][c] += sum((values[j][c] for j in hits), Fraction(0)) / len(hits)
        x = added
        stages.append(x)
        if layer.feed_forward is not None:
            network = layer.feed_forward
            bias = row_of(network.b1, 0)
            inner = [[max(Fraction(0), h) for h in plus(times(row, network.w1), bias)] for row in x]
            x = [plus(row, times(h, network.w2)) for row, h in zip(x, inner, strict=True)]
        stages.append(x)
    return stages


def all_words(symbols: Sequence[Any], length: int) -> list[tuple[Any, ...]]:
    """Return every word of 1 to ``length`` symbols."""
    words: list[tuple[Any, ...]] = []
    last: list[tuple[Any, ...]] = [()]
    for _ in range(length):
        last = [(*word, symbol) for word in last for symbol in symbols]
        words += last
    return words
