"""Small random hard-attention models for tests."""

from fractions import Fraction

import numpy as np

from attention.dotproduct import DotProductHead, DotProductLayer, DotProductTransformer
from attention.function import FunctionTransformer
from attention.table import TableTransformer


def random_table(
    n: int,
    layers: int,
    heads: int,
    values: int,
    rng: np.random.Generator,
    *,
    symbols: str = "01",
    spread: int = 50,
    ties: str = "leftmost",
    mask: str = "full",
    position_aware: bool = True,
) -> TableTransformer:
    at = n if position_aware else 1
    counts = [values] * (layers + 1)
    return TableTransformer(
        n=n,
        alphabet=tuple(symbols),
        embedding=rng.integers(0, values, (at, len(symbols))),
        scores=[
            [rng.integers(-spread, spread, (at, counts[k], at, counts[k])) for _ in range(heads)]
            for k in range(layers)
        ],
        acts=[rng.integers(0, values, (at, *[values] * (1 + heads))) for _ in range(layers)],
        outputs=tuple(v % 2 == 0 for v in range(values)),
        ties=ties,
        mask=mask,
    )


def random_dot(
    n: int,
    layers: int,
    heads: int,
    rng: np.random.Generator,
    *,
    d: int = 4,
    grid: int | None = 6,
    scale: float = 1.0,
    ties: str = "leftmost",
    mask: str = "full",
    classes: int | None = None,
) -> DotProductTransformer:
    def w(*shape: int) -> np.ndarray:
        return np.round(rng.normal(size=shape) * scale * 16) / 16

    return DotProductTransformer(
        alphabet=("0", "1"),
        symbols=w(2, d),
        positions=w(n, d),
        stack=[
            DotProductLayer(
                heads=[
                    DotProductHead(query=w(d, 3), key=w(d, 3), value=w(d, d), key_bias=w(3))
                    for _ in range(heads)
                ],
                bias=w(d),
                up=w(d, 5),
                up_bias=w(5),
                down=w(5, d),
                down_bias=w(d),
            )
            for _ in range(layers)
        ],
        weights=w(d) if classes is None else w(d, classes),
        bias=0,
        grid=grid,
        ties=ties,
        mask=mask,
    )


def as_functions(model) -> FunctionTransformer:
    """The same model behind plain functions: exercises the default code paths."""
    return FunctionTransformer(
        n=model.n,
        layers=model.layers,
        heads=model.heads,
        alphabet=model.alphabet,
        embedding=model.embed,
        scoring=model.score,
        activation=model.act,
        output=model.readout,
        ties=model.ties,
        mask=model.mask,
    )


def fraction_dot_output(model: DotProductTransformer, word) -> object:
    """The dot-product model from its definition in Fractions, sharing no code with it."""

    def frac(m):
        flat = [Fraction(int(x), m.denominator) for x in m.numerators.ravel()]
        return np.array(flat, dtype=object).reshape(m.numerators.shape)

    def settle(x):
        if model.grid is None:
            return x
        unit = 2**model.grid
        nearest = [Fraction((2 * v * unit + 1) // 2, unit) for v in x]
        return np.array(nearest, dtype=object)

    y = [
        settle(frac(model.symbols)[model.alphabet.index(s)] + frac(model.positions)[i])
        for i, s in enumerate(word)
    ]
    for layer in model.stack:
        new = []
        for i in range(model.n):
            total = y[i] + frac(layer.bias)
            for head in layer.heads:
                q = y[i] @ frac(head.query) + frac(head.query_bias)
                keys = [
                    y[j] @ frac(head.key) + frac(head.key_bias)
                    for j in range(i + 1 if model.mask == "causal" else model.n)
                ]
                scores = [q @ k for k in keys]
                best = max(scores)
                hits = [j for j, s in enumerate(scores) if s == best]
                total = total + y[hits[0] if model.ties == "leftmost" else hits[-1]] @ frac(
                    head.value
                )
            total = settle(total)
            inner = total @ frac(layer.up) + frac(layer.up_bias)
            inner = np.array([max(v, Fraction(0)) for v in inner], dtype=object)
            new.append(settle(total + inner @ frac(layer.down) + frac(layer.down_bias)))
        y = new
    logits = y[-1] @ frac(model.weights) + frac(model.bias)
    if np.ndim(logits) == 0:
        return bool(logits > 0)
    return list(logits).index(max(logits))
