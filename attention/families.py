"""Random families of hard-attention models, for experiments at any length.

Main definitions: :func:`sinusoidal` (dot products with real-valued positions), :func:`oracle`
(every score and activation random and position-aware: nothing is shared), :func:`tables`.
"""

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from attention.dotproduct import DotProductHead, DotProductLayer, DotProductTransformer
from attention.function import FunctionTransformer
from attention.hard import evaluate_logits
from attention.table import TableTransformer

_MASK = (1 << 64) - 1


def sinusoidal(
    n: int,
    layers: int,
    heads: int,
    *,
    rng: np.random.Generator,
    width: int = 16,
    weight_bits: int = 8,
    grid: int = 10,
    samples: int = 33,
) -> DotProductTransformer:
    """Return a random dot-product model with sinusoidal positions and a balanced verdict.

    Parameters
    ----------
    n, layers, heads, width
        Shape; ``width`` is even and divisible by ``heads`` or at least ``heads``.
    rng
        Source of the weights.
    weight_bits, grid
        Weights are multiples of ``2^-weight_bits``, activations of ``2^-grid``.
    samples
        The readout's threshold is the median of its logit over this many random words.

    Examples
    --------
    >>> sinusoidal(8, 2, 1, rng=np.random.default_rng(0)).layers
    2
    """
    inner = max(1, width // heads)

    def draw(*shape: int, scale: float) -> npt.NDArray[np.float64]:
        unit = 2.0**weight_bits
        return np.asarray(np.round(rng.normal(size=shape) * scale * unit) / unit)

    angle = np.arange(n)[:, None] / 10000.0 ** (2 * np.arange(width // 2)[None, :] / width)
    positions = np.concatenate([np.sin(angle), np.cos(angle)], axis=1)
    stack = [
        DotProductLayer(
            heads=[
                DotProductHead(
                    query=draw(width, inner, scale=width**-0.5),
                    key=draw(width, inner, scale=width**-0.5),
                    value=draw(width, width, scale=width**-0.5),
                )
                for _ in range(heads)
            ],
            up=draw(width, 2 * width, scale=width**-0.5),
            up_bias=draw(2 * width, scale=0.1),
            down=draw(2 * width, width, scale=(2 * width) ** -0.5),
        )
        for _ in range(layers)
    ]
    frame: dict[str, Any] = {
        "alphabet": ("0", "1"),
        "symbols": draw(2, width, scale=1.0),
        "positions": np.round(positions * 2.0**grid) / 2.0**grid,
        "stack": stack,
        "weights": draw(width, scale=1.0),
        "grid": grid,
    }
    words = rng.integers(0, 2, size=(samples, n), dtype=np.uint8)
    logits = sorted(evaluate_logits(DotProductTransformer(**frame), words))
    return DotProductTransformer(**frame, bias=-logits[samples // 2])


def tables(
    n: int, layers: int, heads: int, values: int, *, rng: np.random.Generator, aware: bool = True
) -> TableTransformer:
    """Return a random table model with ``values`` activations a layer.

    With ``aware`` its first layer's scores depend on both positions; above, and everywhere
    without, scores depend on the two values only.
    """
    at = n if aware else 1
    scores = [
        [rng.integers(-(2**20), 2**20, (at, values, at, values)) for _ in range(heads)]
        if k == 0
        else [rng.integers(-(2**20), 2**20, (1, values, 1, values)) for _ in range(heads)]
        for k in range(layers)
    ]
    return TableTransformer(
        n=n,
        alphabet=("0", "1"),
        embedding=rng.integers(0, values, (n, 2)),
        scores=scores,
        acts=[rng.integers(0, values, (1, *[values] * (1 + heads))) for _ in range(layers)],
        outputs=tuple(bool(v % 2) for v in range(values)),
    )


def oracle(n: int, layers: int, heads: int, *, seed: int) -> FunctionTransformer:
    """Return a model whose every score is random and whose activations keep all information.

    Activations are 62-bit hashes of (layer, position, own, attended); scores are hashes of
    (layer, head, both positions, both activations); the verdict is one bit of the final hash.
    """

    def embed(i: int, symbol: Any) -> int:
        return _hash(seed, 0, i, int(symbol))

    def score(layer: int, head: int, i: int, j: int, query: int, key: int) -> int:
        return _mix(_hash(seed, 1, layer, head, i, query) ^ _hash(j, key)) >> 2

    def score_rows(
        layer: int,
        head: int,
        rows: Sequence[int],
        queries: Sequence[int],
        columns: Sequence[int],
        keys: Sequence[int],
    ) -> npt.NDArray[np.int64]:
        left = [_hash(seed, 1, layer, head, i, q) for i, q in zip(rows, queries, strict=True)]
        right = _hash_pairs(columns, keys)
        mixed = _mix_array(np.array(left, dtype=np.uint64)[:, None] ^ right[None, :])
        return (mixed >> np.uint64(2)).astype(np.int64)

    def act(layer: int, i: int, own: int, attended: tuple[int, ...]) -> Hashable:
        return _hash(seed, 2, layer, i, own, *attended)

    def act_rows(
        layer: int, rows: Sequence[int], own: Sequence[int], attended: Sequence[Sequence[int]]
    ) -> list[Hashable]:
        state = _mix_array(np.array(rows, dtype=np.uint64) ^ np.uint64(_state(seed, 2, layer)))
        for column in (own, *attended):
            state = _mix_array(state ^ np.array(column, dtype=np.uint64))
        found: list[Hashable] = (state >> np.uint64(2)).tolist()
        return found

    return FunctionTransformer(
        activation_rows=act_rows,
        n=n,
        layers=layers,
        heads=heads,
        alphabet=("0", "1"),
        embedding=embed,
        scoring=score,
        activation=act,
        output=lambda value: bool(value >> 30 & 1),
        scoring_rows=score_rows,
    )


def _mix(x: int) -> int:
    """Return the splitmix64 finaliser of ``x`` (Steele, Lea and Flood, 2014)."""
    x = (x + 0x9E3779B97F4A7C15) & _MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK
    return x ^ (x >> 31)


def _state(*numbers: int) -> int:
    state = 0
    for number in numbers:
        state = _mix(state ^ (number & _MASK))
    return state


def _hash(*numbers: int) -> int:
    return _state(*numbers) >> 2


def _mix_array(x: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    x = x + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def _hash_pairs(first: Sequence[int], second: Sequence[int]) -> npt.NDArray[np.uint64]:
    state = _mix_array(np.array(first, dtype=np.uint64))
    return _mix_array(state ^ np.array(second, dtype=np.uint64)) >> np.uint64(2)
