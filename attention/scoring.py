"""Many scores and many activations at once, order-exactly.

:func:`score_rows` returns 64-bit integers whose order *within a row* (ties included) is exactly
the order of the model's rational scores; different rows are not comparable.  That is all an
argmax, or a walk down a row, needs.  Dot products are filtered in floating point with a proved
error bound and only the entries that the bound cannot separate are compared exactly.

Main definitions: :func:`score_rows`, :func:`act_rows`, :func:`pack`, :func:`order_ranks`.
"""

from collections.abc import Callable, Hashable, Sequence
from functools import singledispatch
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from attention.dotproduct import DotProductTransformer
from attention.exact import LIMIT, Integers, as_rows, magnitude, product
from attention.function import FunctionTransformer
from attention.table import TableTransformer
from attention.transformer import AbstractHardTransformer

Scores: TypeAlias = npt.NDArray[np.int64]
Values: TypeAlias = Any
"""Activations of many positions: a list, or *packed* as the array :func:`pack` returns."""


@singledispatch
def score_rows(
    model: AbstractHardTransformer,
    layer: int,
    head: int,
    rows: Sequence[int],
    queries: Values,
    columns: Sequence[int],
    keys: Values,
) -> Scores:
    """Return order-exact scores of the queries at positions ``rows`` for the keys at ``columns``.

    Parameters
    ----------
    model
        The transformer.
    layer, head
        Layer from 1, head from 0.
    rows, queries
        Position and value of each query, m of each.
    columns, keys
        Position and value of each key, p of each.

    Returns
    -------
    ndarray
        Shape (m, p), int64; comparable within a row only.
    """
    found = np.empty((len(rows), len(columns)), dtype=object)
    for a, (i, query) in enumerate(zip(rows, queries, strict=True)):
        for b, (j, key) in enumerate(zip(columns, keys, strict=True)):
            found[a, b] = model.score(layer, head, i, j, query, key)
    if all(isinstance(score, int) for score in found.flat) and magnitude(found) < LIMIT:
        return found.astype(np.int64)
    return np.array([order_ranks(row) for row in found.tolist()], dtype=np.int64).reshape(
        found.shape
    )


@score_rows.register
def _(
    model: FunctionTransformer,
    layer: int,
    head: int,
    rows: Sequence[int],
    queries: Values,
    columns: Sequence[int],
    keys: Values,
) -> Scores:
    if model.scoring_rows is not None:
        return model.scoring_rows(layer, head, rows, queries, columns, keys)
    generic: Callable[..., Scores] = score_rows.dispatch(AbstractHardTransformer)
    return generic(model, layer, head, rows, queries, columns, keys)


@score_rows.register
def _(
    model: TableTransformer,
    layer: int,
    head: int,
    rows: Sequence[int],
    queries: Values,
    columns: Sequence[int],
    keys: Values,
) -> Scores:
    table = model.scores[layer - 1][head]
    i = np.asarray(rows if table.shape[0] > 1 else [0] * len(rows), dtype=np.intp)[:, None]
    j = np.asarray(columns if table.shape[2] > 1 else [0] * len(columns), dtype=np.intp)[None, :]
    query = np.asarray(queries, dtype=np.intp)[:, None]
    return np.asarray(table[i, query, j, np.asarray(keys, dtype=np.intp)[None, :]])


@score_rows.register
def _(
    model: DotProductTransformer,
    layer: int,
    head: int,
    rows: Sequence[int],
    queries: Values,
    columns: Sequence[int],
    keys: Values,
) -> Scores:
    q = model.queries(layer, head, pack(model, queries))
    k = model.keys(layer, head, pack(model, keys))
    if magnitude(q) * magnitude(k) * q.shape[1] < LIMIT:
        return product(q, np.ascontiguousarray(k.T))
    return _filtered(q, k)


def _filtered(q: Integers, k: Integers) -> Scores:
    """Rank exact dot products row by row, using floats only where they cannot err."""
    qf, kf = _as_floats(q), _as_floats(k)
    width = q.shape[1]
    approx = qf @ kf.T
    # |fl(q.k) - q.k| <= (width + 3) u sum |q_t k_t| to first order, u = 2^-53 (inputs are rounded
    # too); the factor 4 covers the second order and the rounding of the bound itself.
    error = 4.0 * (width + 3) * 2.0**-53 * (np.abs(qf) @ np.abs(kf).T) + 1e-290
    ranks = np.empty(approx.shape, dtype=np.int64)
    exact_keys = k.astype(object).tolist()
    for row, (values, slack) in enumerate(zip(approx, error, strict=True)):
        order = np.argsort(values, kind="stable")
        low = np.minimum.accumulate((values - slack)[order][::-1])[::-1]
        reach = np.maximum.accumulate((values + slack)[order])
        starts = np.flatnonzero(np.concatenate(([True], low[1:] > reach[:-1])))
        bounds = np.append(starts, len(order))
        if len(starts) == len(order):
            ranks[row, order] = np.arange(len(order))
            continue
        exact_query = q[row].astype(object).tolist()
        place = np.empty(len(order), dtype=np.int64)
        for begin, end in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
            if end - begin == 1:
                place[begin] = begin
                continue
            scores = [
                sum(a * b for a, b in zip(exact_query, exact_keys[j], strict=True))
                for j in order[begin:end].tolist()
            ]
            place[begin:end] = np.array(order_ranks(scores)) + begin
        ranks[row, order] = place
    return ranks


def _as_floats(array: Integers) -> npt.NDArray[np.float64]:
    """Return the integers divided by one power of two, each correctly rounded."""
    shift = max(0, magnitude(array).bit_length() - 400)
    if shift == 0:
        return array.astype(np.float64)
    flat = [value / 2**shift for value in array.astype(object).ravel().tolist()]
    return np.array(flat, dtype=np.float64).reshape(array.shape)


def order_ranks(scores: Sequence[Any]) -> list[int]:
    """Return the rank of each score among the different scores, exactly.

    Examples
    --------
    >>> order_ranks([5, -1, 5, 3])
    [2, 0, 2, 1]
    """
    places = {score: rank for rank, score in enumerate(sorted(set(scores)))}
    return [places[score] for score in scores]


@singledispatch
def act_rows(
    model: AbstractHardTransformer,
    layer: int,
    rows: Sequence[int],
    own: Values,
    attended: Sequence[Values],
) -> Values:
    """Return the layer's activations for m (position, own value, attended values) at once.

    Parameters
    ----------
    model
        The transformer.
    layer
        Layer, from 1.
    rows, own
        Position and own value of each activation, m of each.
    attended
        Per head, m attended values.

    Returns
    -------
    Values
        m activations, packed.
    """
    act: Callable[..., Hashable] = model.act
    return [
        act(layer, i, value, heads)
        for i, value, heads in zip(rows, own, zip(*attended, strict=True), strict=True)
    ]


@act_rows.register
def _(
    model: FunctionTransformer,
    layer: int,
    rows: Sequence[int],
    own: Values,
    attended: Sequence[Values],
) -> Values:
    if model.activation_rows is not None:
        return model.activation_rows(layer, rows, own, attended)
    generic: Callable[..., Values] = act_rows.dispatch(AbstractHardTransformer)
    return generic(model, layer, rows, own, attended)


@act_rows.register
def _(
    model: TableTransformer,
    layer: int,
    rows: Sequence[int],
    own: Values,
    attended: Sequence[Values],
) -> Values:
    table = model.acts[layer - 1]
    i = np.asarray(rows if table.shape[0] > 1 else [0] * len(rows), dtype=np.intp)
    return table[(i, pack(model, own), *(pack(model, values) for values in attended))]


@act_rows.register
def _(
    model: DotProductTransformer,
    layer: int,
    rows: Sequence[int],
    own: Values,
    attended: Sequence[Values],
) -> Values:
    return model.next_values(layer, pack(model, own), [pack(model, values) for values in attended])


@singledispatch
def embed_rows(
    model: AbstractHardTransformer, rows: Sequence[int], symbols: Sequence[Hashable]
) -> Values:
    """Return the layer-0 activations of m (position, symbol) pairs, packed."""
    return pack(model, [model.embed(i, symbol) for i, symbol in zip(rows, symbols, strict=True)])


@embed_rows.register
def _(model: DotProductTransformer, rows: Sequence[int], symbols: Sequence[Hashable]) -> Values:
    lookup = {symbol: index for index, symbol in enumerate(model.alphabet)}
    return model.starts(rows, [lookup[symbol] for symbol in symbols])


@singledispatch
def readout_rows(model: AbstractHardTransformer, values: Values) -> list[Hashable]:
    """Return the output of each packed final activation."""
    return [model.readout(value) for value in unpack(values)]


@readout_rows.register
def _(model: DotProductTransformer, values: Values) -> list[Hashable]:
    return model.readouts(pack(model, values)) if len(values) else []


@singledispatch
def pack(model: AbstractHardTransformer, values: Values) -> Values:
    """Return activations in the form that scores and acts fastest: an array, or the list."""
    return values


@pack.register
def _(model: TableTransformer, values: Values) -> Values:
    return np.asarray(values, dtype=np.intp)


@pack.register
def _(model: DotProductTransformer, values: Values) -> Values:
    if isinstance(values, np.ndarray):
        return values
    if not values:
        return np.empty((0, model.positions.numerators.shape[1]), dtype=np.int64)
    return as_rows(values)


def unpack(values: Values) -> list[Hashable]:
    """Return packed activations as the hashable values that the model's methods take."""
    if not isinstance(values, np.ndarray):
        return list(values)
    if values.ndim == 1:
        return list(values.tolist())
    return [tuple(row) for row in values.tolist()]


def join(parts: Sequence[Values]) -> Values:
    """Return packed activations one after the other; ``parts`` is not empty."""
    if isinstance(parts[0], np.ndarray):
        return np.concatenate(parts)
    return [value for part in parts for value in part]


def take(values: Values, indices: Sequence[int]) -> Values:
    """Return the packed activations at ``indices``, packed."""
    if isinstance(values, np.ndarray):
        return values[np.asarray(indices, dtype=np.intp)]
    return [values[index] for index in indices]
