r"""How far softmax attention in floats is from average-hard attention, head by head.

Main definitions: :func:`attention_error`.

References
----------
Higham (2002), Sections 3.1 and 3.3 [higham2002].
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from rasp.weights.exact import Table
from rasp.weights.hardmax import HIDDEN, attend, compared_scores
from rasp.weights.rounding import (
    FINEST,
    SLACK,
    Array,
    Bounded,
    BoundedProduct,
    Precision,
    finest,
    float_grid,
    powers_of_two,
    steep,
)

EXP = 8
"""``exp`` is right to this many units in the last place."""


def attention_error(
    products: Mapping[str, BoundedProduct],
    scale: float,
    table: Table,
    x: Bounded,
    causal: bool,
    precision: Precision,
) -> Bounded:
    """Return what a head adds to every row, with a bound of its error.

    Parameters
    ----------
    products
        ``query``, ``key``, ``value``, ``output``.
    scale
        Factor of the scores.
    table, x
        The rows before the layer, exact and with their errors.
    causal
        Whether row ``i`` sees rows ``j <= i`` only.
    precision
        Of the float runtime.
    """
    weights = {name: part.product for name, part in products.items()}
    flat, shape = table.at.reshape(-1), table.at.shape

    def split(part: Bounded) -> Bounded:
        sizes = (*shape, part.value.shape[1])
        return Bounded(*(a.reshape(sizes) for a in (part.value, part.error, part.grid)))

    def projected(name: str) -> Bounded:
        exact = weights[name].of(table.distinct)
        error, grid = products[name].error(x)
        return split(Bounded.of(exact, flat, error, precision, grid))

    query, key, value = projected("query"), projected("key"), projected("value")
    scores = compared_scores(weights, table.distinct, table.at, causal=causal)
    visible = scores.seen != HIDDEN
    best = scores.seen.max(axis=2, keepdims=True)
    hits = scores.seen == best
    behind = np.where(visible, scores.behind(best), np.inf)
    doubt = _score_doubt(query, key, hits.argmax(axis=2), precision)
    unequal, others = _weights(behind, doubt, hits, scale, precision)
    found, where, _ = attend(weights, table.distinct, table.at, causal=causal, gap=False)
    means, moved = _mean_error(value, hits, unequal, others, precision)
    written = Bounded(*(a.reshape(flat.size, -1) for a in (means.value, moved, means.grid)))
    error, grid = products["output"].error(written)
    return Bounded.of(found, where.reshape(-1), error, precision, grid)


def _score_doubt(query: Bounded, key: Bounded, chosen: Any, precision: Precision) -> Array:
    """Return the errors of every score minus that of one selected row, (words, rows, rows).

    An error of the query moves all scores of its row, by the coordinates of the keys: what
    counts is how far the two keys are apart.
    """
    across = (0, 2, 1)
    size = query.size @ key.size.transpose(across)
    moved = query.size @ key.error.transpose(across) * SLACK
    keys = (key.size > 0).astype(np.float64).transpose(across)
    terms = (query.size > 0).astype(np.float64) @ keys
    used = [np.where(part.size > 0, part.grid, 0.0) for part in (query, key)]
    grid = finest(steep(used[0]), steep(used[1]).transpose(across))
    known = ((query.error > 0).astype(np.float64) @ keys == 0) & (moved == 0)
    exact = known & (size * grid <= precision.whole)
    own = moved + np.where(exact, 0.0, precision.gamma(terms) * size)
    doubt = own + np.take_along_axis(own, chosen[:, :, None], axis=2)
    for column in np.flatnonzero((query.error > 0).any(axis=(0, 1))):
        there = key.value[:, :, column]
        here = np.take_along_axis(there, chosen, axis=1)
        apart = np.abs(there[:, None, :] - here[:, :, None]) * SLACK
        doubt += query.error[:, :, column, None] * apart
    same = np.arange(doubt.shape[2]) == chosen[:, :, None]
    return np.where(same, 0.0, doubt)


def _weights(
    behind: Array, doubt: Array, hits: Any, scale: float, precision: Precision
) -> tuple[Array, Array]:
    """Return by how much selected rows can fall short of the heaviest, and what others weigh.

    Both relative to the heaviest selected row; an infinite weight stands for no bound.
    """
    unit = precision.unit
    ahead = np.where(hits, np.inf, behind - doubt)
    off = 2 * scale * np.where(hits, doubt, 0.0).max(axis=2, keepdims=True) * (1 + 4 * unit) * SLACK
    # a single selected row, with every other one certainly behind, weighs exactly 1
    certain = (ahead > 0).all(axis=2, keepdims=True)
    single = certain & (hits.sum(axis=2, keepdims=True) == 1)
    off = np.where(single, 0.0, off)
    rounded = np.where(off > 0, EXP * unit, 0.0)
    short = np.where(hits, -np.expm1(-off) + rounded, 0.0).clip(0, 1)
    power = -scale * ahead * (1 - 4 * unit)
    with np.errstate(over="ignore", under="ignore"):
        leak = np.exp(np.minimum(power, 0.0)) * (1 + EXP * unit) * SLACK
    leak = np.where(power < -precision.underflow, 0.0, leak)
    return short, np.where(hits, 0.0, np.where(ahead <= 0, np.inf, leak))


def _mean_error(
    value: Bounded, hits: Any, short: Array, leak: Array, precision: Precision
) -> tuple[Bounded, Array]:
    """Return the mean values and their errors, shape (words, rows, value size)."""
    chosen = hits.astype(np.float64)
    count = chosen.sum(axis=2, keepdims=True)
    worst, spread = short.max(axis=2, keepdims=True), leak.sum(axis=2, keepdims=True)
    low = (1 - worst) / (count + spread)
    high = 1 / (1 + (count - 1) * (1 - worst))
    uneven = np.maximum(1 / count - low, high - 1 / count)
    uneven = np.where((worst == 0) & (spread == 0), 0.0, uneven)
    with np.errstate(divide="ignore", invalid="ignore"):  # shares without a bound become 1
        stray = np.where(spread > 0, spread / (count * (1 - worst)), 0.0).clip(0, 1)
    share = np.minimum(count * uneven + stray, 1.0)
    span = value.value.max(axis=1, keepdims=True) - value.value.min(axis=1, keepdims=True)
    largest = value.size.max(axis=1, keepdims=True)
    own = chosen @ value.error / count + share * value.error.max(axis=1, keepdims=True)
    size = np.minimum(chosen @ value.size / count + share * largest, largest)
    mean, grid, fits = _means(value, chosen, count, precision)
    sharp = share == 0
    summed = sharp & ((chosen @ value.error) == 0) & _whole(value, chosen, precision)
    terms = (chosen + (leak > 0)).sum(axis=2, keepdims=True)
    total = np.where(summed, 0.0, precision.gamma(terms)) + np.where(
        sharp, 0.0, precision.gamma(terms)
    )
    divided = np.where(summed & fits, 0.0, precision.unit)
    local = (total + divided) * size * (1 + 2 * precision.unit) + np.where(sharp, 0.0, 2.0**-120)
    error = (share * span + own + local) * SLACK
    rough = float_grid(np.abs(mean) * (1 - 1e-9) - error, precision)
    return Bounded(mean, error, np.where(error == 0, grid, rough)), error


def _whole(value: Bounded, chosen: Array, precision: Precision) -> Any:
    """Return which sums of selected values are exact."""
    grid = _grid(value)
    return (chosen @ np.abs(value.value)) * grid <= precision.whole


def _grid(value: Bounded) -> Array:
    """Return of what all values that are exact are multiples."""
    known = np.where(value.error == 0, value.grid, 1.0)
    return np.asarray(known.max(axis=1, keepdims=True))


def _means(
    value: Bounded, chosen: Array, count: Array, precision: Precision
) -> tuple[Array, Array, Any]:
    """Return means, their denominators where known, and whether a float can hold them."""
    grid = _grid(value)
    tops = chosen @ (value.value * grid)
    sure = chosen @ (value.error > 0).astype(np.float64) == 0
    known = sure & (np.abs(tops) < 2**53) & (grid < 2**40) & powers_of_two(grid)
    whole = np.where(known, np.rint(tops), 1.0).astype(np.int64)
    bottoms = np.where(known, count * grid, 1.0).astype(np.int64)
    lowest = bottoms // np.gcd(whole, bottoms)
    small = np.where(known, lowest.astype(np.float64), FINEST)
    fits = known & powers_of_two(small) & (np.abs(tops) <= precision.whole)
    return chosen @ value.value / count, small, fits
