"""Dot-product hard attention with exact rational weights.

Activations are vectors of integers over a denominator that is fixed per layer, so two activations
are equal exactly when their tuples are.  Weights given as floats keep their exact dyadic value.
With ``grid = g`` every activation is rounded to the nearest multiple of 2^-g (halves upwards) as
part of the activation function: the model so defined is still exact, and its integers stay small.

Main definitions: :class:`DotProductTransformer`; its parts are in :mod:`attention.dotlayers`.

References
----------
Hahn (2020), Section 3 [hahn2020]; Vaswani et al. (2017), Section 3 [vaswani2017].
"""

import math
import operator
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np

from attention.dotlayers import DotProductHead as DotProductHead
from attention.dotlayers import DotProductLayer as DotProductLayer
from attention.dotlayers import Norm, exact_norm, normalise
from attention.exact import (
    ExactMatrix,
    Integers,
    as_rows,
    compact,
    exact,
    product,
    scaled,
    total,
)
from attention.transformer import (
    AbstractHardTransformer,
    Mask,
    ModelError,
    Ties,
    require_frame,
    require_hashable,
)


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class DotProductTransformer(AbstractHardTransformer):
    """A hard-attention transformer with rational weights.

    Parameters
    ----------
    alphabet
        Input symbols, ``s`` of them.
    symbols
        Symbol embeddings, shape (s, d).
    positions
        Position embeddings, shape (n, d); their number defines ``n``.
    stack
        The layers.
    weights, bias
        Readout: shapes (d,) and scalar for the verdict ``y . w + b > 0``; shapes (d, m) and (m,)
        for the index of the greatest of m logits (the first of equals).
    grid
        Activations are rounded to multiples of 2^-grid; ``None``: not rounded.
    final_norm
        A layer normalisation (weight, bias, eps) before the readout, or ``None``.
    ties, mask
        As in :class:`AbstractHardTransformer`.

    Raises
    ------
    ModelError
        For NaN, ragged or mutually inconsistent weights, or no positions.

    Examples
    --------
    >>> from attention.hard import evaluate
    >>> head = DotProductHead(query=[[1]], key=[[-1]], value=[[0.5]])
    >>> model = DotProductTransformer(
    ...     alphabet=("0", "1"), symbols=[[0], [1]], positions=[[1], [2]],
    ...     stack=[DotProductLayer(heads=[head])], weights=[1], bias=-3)
    >>> [evaluate(model, word) for word in ("00", "01", "10", "11")]
    [False, True, False, True]
    """

    alphabet: tuple[Hashable, ...]
    symbols: Any
    positions: Any
    stack: Sequence[DotProductLayer]
    weights: Any
    bias: Any = 0
    grid: int | None = None
    final_norm: Any = None
    ties: Ties = "leftmost"
    mask: Mask = "full"

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "alphabet", tuple(self.alphabet))
        put(self, "stack", tuple(self.stack))
        given = self.positions
        if np.size(given.numerators if isinstance(given, ExactMatrix) else given) == 0:
            raise ModelError("there are no position embeddings: give one row a position")
        if self.grid is not None and (type(self.grid) is not int or not 0 <= self.grid <= 1000):
            raise ModelError(f"grid = {self.grid!r}: use an integer from 0 to 1000, or none")
        put(self, "symbols", exact(self.symbols, "the symbol embeddings"))
        put(self, "positions", exact(self.positions, "the position embeddings"))
        heads = {len(layer.heads) for layer in self.stack}
        if len(heads) > 1:
            raise ModelError(f"layers have {sorted(heads)} heads: use the same number in each")
        n, width = self.positions.numerators.shape
        require_frame(
            n, len(self.stack), max(heads, default=0), self.alphabet, self.ties, self.mask
        )
        if self.symbols.numerators.shape != (len(self.alphabet), width):
            raise ModelError(
                f"the symbol embeddings have shape {self.symbols.numerators.shape}: "
                f"use {(len(self.alphabet), width)}"
            )
        if not isinstance(self.weights, ExactMatrix):
            put(self, "weights", exact(self.weights, "the readout", ndim=np.ndim(self.weights)))
        if not isinstance(self.bias, ExactMatrix):
            ndim = self.weights.numerators.ndim - 1
            given = (
                [0] * self.weights.numerators.shape[-1] if ndim and self.bias == 0 else self.bias
            )
            put(self, "bias", exact(given, "the readout bias", ndim=ndim))
        if self.final_norm is not None:
            put(self, "final_norm", exact_norm(self.final_norm))
        normed = self.final_norm is not None or any(layer.norms for layer in self.stack)
        if self.grid is None and normed:
            raise ModelError("layer normalisation is irrational: give a grid to round it to")
        self._check_shapes(width)
        put(self, "_denominators", self._layer_denominators())
        put(self, "_start", self._embedding_table())
        put(self, "_memory", {})
        put(self, "_normalised", {})

    def _check_shapes(self, d: int) -> None:
        for number, layer in enumerate(self.stack, 1):
            for head in layer.heads:
                e = head.query.numerators.shape[1]
                for name, want in (
                    ("query", (d, e)),
                    ("key", (d, e)),
                    ("value", (d, d)),
                    ("query_bias", (e,)),
                    ("key_bias", (e,)),
                ):
                    self._require(getattr(head, name), want, f"layer {number}: {name}")
            self._require(layer.bias, (d,), f"layer {number}: bias")
            if layer.up is not None:
                m = layer.up.numerators.shape[1]
                for name, want in (
                    ("up", (d, m)),
                    ("up_bias", (m,)),
                    ("down", (m, d)),
                    ("down_bias", (d,)),
                ):
                    self._require(getattr(layer, name), want, f"layer {number}: {name}")
            for norm in layer.norms:
                for vector in norm[:2]:
                    self._require(vector, (d,), f"layer {number}: a norm's weight or bias")
        for vector in (self.final_norm or ())[:2]:
            self._require(vector, (d,), "the final norm's weight or bias")
        if self.weights.numerators.shape[0] != d:
            raise ModelError(f"the readout has {self.weights.numerators.shape[0]} rows: use {d}")

    @staticmethod
    def _require(matrix: ExactMatrix, shape: tuple[int, ...], where: str) -> None:
        if matrix.numerators.shape != shape:
            raise ModelError(f"{where} has shape {matrix.numerators.shape}: use {shape}")

    def _layer_denominators(self) -> tuple[int, ...]:
        """Return the denominator of the activations of layers 0 .. L."""
        if self.grid is not None:
            return (2**self.grid,) * (self.layers + 1)
        found = [math.lcm(self.symbols.denominator, self.positions.denominator)]
        for layer in self.stack:
            after = found[-1] * _lcd(layer.bias, *(head.value for head in layer.heads))
            if layer.up is not None:
                after *= _lcd(layer.up, layer.up_bias) * _lcd(layer.down, layer.down_bias)
            found.append(after)
        return tuple(found)

    def _embedding_table(self) -> Integers:
        """Return all layer-0 activations, shape (n, s, d)."""
        over = math.lcm(self.symbols.denominator, self.positions.denominator)
        table = self.positions.over(over)[:, None, :] + self.symbols.over(over)[None, :, :]
        return self.to_grid(table, over)[0] if self.grid is not None else table

    @property
    def n(self) -> int:  # type: ignore[override]
        """Number of positions."""
        return int(self.positions.numerators.shape[0])

    @property
    def layers(self) -> int:  # type: ignore[override]
        """Number of layers."""
        return len(self.stack)

    @property
    def heads(self) -> int:  # type: ignore[override]
        """Number of heads per layer."""
        return len(self.stack[0].heads) if self.stack else 0

    @property
    def denominators(self) -> tuple[int, ...]:
        """Denominator of the activations of layers 0 .. L."""
        return self._denominators  # type: ignore[attr-defined, no-any-return]

    def to_grid(self, numerators: Integers, denominator: int) -> tuple[Integers, int]:
        """Round to the nearest multiple of 2^-grid, halves upwards; unchanged without a grid."""
        if self.grid is None:
            return numerators, denominator
        shared = math.gcd(2 ** (self.grid + 1), denominator)
        up, down = 2 ** (self.grid + 1) // shared, denominator // shared
        # floor((2 x 2^grid + 1) / 2) with x = numerators / denominator
        lifted = total(scaled(numerators, up), compact(np.array([down], dtype=object)))
        return compact(lifted // (2 * down)), 2**self.grid

    def queries(self, layer: int, head: int, values: Integers) -> Integers:
        """Return ``y Q + q`` scaled to integers, shape (m, e), for activations (m, d)."""
        part, values = self.stack[layer - 1].heads[head], self._read(layer, values)
        return self._affine(values, self.denominators[layer - 1], part.query, part.query_bias)

    def keys(self, layer: int, head: int, values: Integers) -> Integers:
        """Return ``y K + k`` scaled to integers, shape (m, e), for activations (m, d)."""
        part, values = self.stack[layer - 1].heads[head], self._read(layer, values)
        return self._affine(values, self.denominators[layer - 1], part.key, part.key_bias)

    @staticmethod
    def _affine(values: Integers, over: int, matrix: ExactMatrix, bias: ExactMatrix) -> Integers:
        scale = _lcd(matrix, bias)
        return compact(
            total(product(values, matrix.over(scale)), scaled(bias.over(scale), over)[None, :])
        )

    def next_values(self, layer: int, own: Integers, attended: Sequence[Integers]) -> Integers:
        """Return the activations of ``layer`` for m positions; arrays of shape (m, d)."""
        part, over = self.stack[layer - 1], self.denominators[layer - 1]
        scale = _lcd(part.bias, *(head.value for head in part.heads))
        parts = [scaled(own, scale), scaled(part.bias.over(scale), over)[None, :]]
        for head, values in zip(part.heads, attended, strict=True):
            parts.append(product(self._read(layer, values), head.value.over(scale)))
        after = () if part.norm_first else part.norms
        now, over = self.settle(compact(total(*parts)), over * scale, after[:1])
        if part.up is None:
            return now
        scale = _lcd(part.up, part.up_bias)
        read = now
        if part.norm_first and part.norms:
            read = self._normalise(now, over, part.norms[1])
        inner = np.maximum(self._affine(read, over, part.up, part.up_bias), 0)
        deep = _lcd(part.down, part.down_bias)
        summed = total(
            scaled(now, scale * deep),
            product(inner, part.down.over(deep)),
            scaled(part.down_bias.over(deep), over * scale)[None, :],
        )
        return self.settle(compact(summed), over * scale * deep, after[1:])[0]

    def _read(self, layer: int, values: Integers) -> Integers:
        """Return activations as the heads of ``layer`` read them: normalised, if norms go first."""
        part = self.stack[layer - 1]
        if not (part.norm_first and part.norms):
            return values
        return self._normalise(values, self.denominators[layer - 1], part.norms[0])

    def settle(self, summed: Integers, over: int, norms: Sequence[Norm]) -> tuple[Integers, int]:
        """Return a residual sum normalised by at most one norm, or else rounded to the grid."""
        if not norms:
            return self.to_grid(summed, over)
        assert self.grid is not None
        return self._normalise(summed, over, norms[0]), 2**self.grid

    def _normalise(self, values: Integers, over: int, norm: Norm) -> Integers:
        """Return normalised rows; searches ask for the same ones again, so some are remembered."""
        assert self.grid is not None
        weight, bias, eps = norm
        if values.dtype != np.int64:
            return normalise(values, over, weight, bias, eps, self.grid)
        memory: dict[Any, Any] = self._normalised  # type: ignore[attr-defined]
        if len(memory) > 100_000:
            memory.clear()
        names = [(id(norm), row.tobytes()) for row in values]
        new = {name: row for name, row in zip(names, values, strict=True) if name not in memory}
        if new:
            made = normalise(np.array(list(new.values())), over, weight, bias, eps, self.grid)
            memory.update(zip(new, made.tolist(), strict=True))
        return as_rows([memory[name] for name in names])

    def embed(self, i: int, symbol: Hashable) -> Hashable:
        """Return the layer-0 activation as a tuple of integers over ``denominators[0]``."""
        table: Integers = self._start  # type: ignore[attr-defined]
        return tuple(table[i, self.alphabet.index(symbol)].tolist())

    def starts(self, rows: Sequence[int], symbols: Sequence[int]) -> Integers:
        """Return the layer-0 activations of (position, symbol index) pairs, shape (m, d)."""
        table: Integers = self._start  # type: ignore[attr-defined]
        found: Integers = table[np.asarray(rows, np.intp), np.asarray(symbols, np.intp)]
        return found

    def score(self, layer: int, head: int, i: int, j: int, query: Any, key: Any) -> int:
        """Return the score times a positive constant of the layer and head."""
        q, k = self._projected(layer, head, "q", query), self._projected(layer, head, "k", key)
        return sum(map(operator.mul, q, k))

    def _projected(self, layer: int, head: int, side: str, value: Any) -> list[int]:
        """Return a query or key vector, remembered for as long as the memory stays small."""
        memory: dict[Any, list[int]] = self._memory  # type: ignore[attr-defined]
        name = (layer, head, side, value)
        found = memory.get(name)
        if found is None:
            project = self.queries if side == "q" else self.keys
            if len(memory) > 200_000:
                memory.clear()
            found = memory[name] = project(layer, head, _rows([value]))[0].tolist()
        return found

    def act(self, layer: int, i: int, own: Any, attended: tuple[Any, ...]) -> Hashable:
        """Return the next activation as a tuple of integers over ``denominators[layer]``."""
        found = self.next_values(layer, _rows([own]), [_rows([value]) for value in attended])
        return require_hashable(tuple(found[0].tolist()), "an activation")

    def readout(self, value: Any) -> Hashable:
        """Return the verdict, or the index of the first greatest logit."""
        return self.readouts(_rows([value]))[0]

    def readouts(self, values: Integers) -> list[Hashable]:
        """Return the outputs of final activations, shape (m, d) in, m outputs out."""
        logits = self._logits(values)
        if self.weights.numerators.ndim == 1:
            return list((logits > 0).tolist())
        return [row.index(max(row)) for row in logits.tolist()]

    def logit(self, value: Any) -> Fraction:
        """Return the exact logit ``y . w + b`` of a final activation (one-verdict models)."""
        if self.weights.numerators.ndim != 1:
            raise ModelError("this model has several logits: it has no single one")
        over = self.denominators[-1] * _lcd(self.weights, self.bias)
        return Fraction(int(self._logits(_rows([value]))[0]), over)

    def _logits(self, values: Integers) -> Integers:
        if self.final_norm is not None:
            values = self._normalise(values, self.denominators[-1], self.final_norm)
        scale = _lcd(self.weights, self.bias)
        weights = self.weights.over(scale)
        one = weights.ndim == 1
        found = product(values, weights[:, None] if one else weights)
        shift = np.atleast_1d(scaled(self.bias.over(scale), self.denominators[-1]))
        logits = compact(total(found, shift[None, :]))
        return logits[:, 0] if one else logits


def _rows(values: Sequence[Sequence[int]]) -> Integers:
    """Return tuples of integers as an exact array of shape (m, d)."""
    rows = np.empty((len(values), len(values[0])), dtype=object)
    rows[:] = values
    return compact(rows)


def _lcd(*matrices: ExactMatrix) -> int:
    return math.lcm(*(matrix.denominator for matrix in matrices))
