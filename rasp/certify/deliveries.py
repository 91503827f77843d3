"""What a head can select and deliver on words of one length: gaps and means per position.

Every position has a row, and a row sees itself.  So the greatest score is at least the worst one
of any position, and the number of rows on a level of the score lies between the positions whose
every possible key is on it and those that have some key on it.

Main definitions: :func:`examine`, :class:`Keys`, :class:`Deliveries`.
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, final

import numpy as np

POINTS = 60_000
"""Most different means of one head at one position."""

CELLS = 30_000_000
"""Most cells of queries, keys and positions that are looked at."""

Vector = tuple[Fraction, ...]


@final
@dataclass(frozen=True, eq=False)
class Keys:
    """The distinct keys that rows may have.

    Attributes
    ----------
    at
        Shape (keys, positions): whether a row at a position may have the key.
    offers
        Shape (offers, 3): key, position and number of the value vector of every possible row.
    vectors
        The value vectors.
    bos
        The value of BOS, if there is one.
    """

    at: Any
    offers: Any
    vectors: Sequence[Vector]
    bos: Vector | None


@final
@dataclass(frozen=True, eq=False)
class Deliveries:
    """What was found: the least gap, and the means by position of the query.

    ``points`` is ``None`` if different values may be averaged, with the reason in ``open``.
    """

    gap: Fraction | None
    points: list[list[Vector]] | None
    open: str = ""


def examine(
    scores: Any,
    begin: list[Fraction] | None,
    keys: Keys,
    asked: Sequence[Sequence[int]],
    own: Any,
    *,
    causal: bool,
) -> Deliveries:
    """Return the least gap of a head and what it may deliver.

    Parameters
    ----------
    scores
        Shape (queries, keys): integers, distinct queries and keys.
    begin
        Score of BOS per query; ``None`` without BOS.
    keys
        What rows may offer.
    asked
        Per query, the positions at which it may be asked.
    own
        Shape (queries, keys): whether a row may have both; ``None`` if not known.
    causal
        Whether a query sees no later position.
    """
    length = keys.at.shape[1]
    if keys.at.shape[0] * length * len(scores) > CELLS:
        return Deliveries(None, None, f"has more than {CELLS} queries, keys and positions")
    found: list[dict[Vector, None]] = [{} for _ in range(length)]
    made: dict[Any, list[Vector] | None] = {}
    gap: Fraction | None = None
    mixed = False
    for query, row in enumerate(scores):
        begins = None if begin is None else begin[query]
        worst = np.where(keys.at, row[:, None], row.max()).min(axis=0)
        mine = None if own is None or not own[query].any() else row[own[query]]
        for places in _alike(asked[query], causal):
            seen = keys.at[:, : places[0] + 1] if causal else keys.at
            floor: Any = max(worst[: seen.shape[1]].tolist())
            floor = floor if mine is None else max(floor, min(mine.tolist()))
            floor = floor if begins is None else max(floor, begins)
            visible = row[seen.any(axis=1)]
            levels = np.unique(visible).tolist()
            least = _least_gap(levels, floor, begins)
            gap = least if gap is None else gap if least is None else min(gap, least)
            if begins is not None and begins not in levels:
                levels.append(begins)
            for level in levels:
                if level < floor:
                    continue
                chosen = row == level
                kind = _rows_on(chosen, keys, seen, mine, level, places, level == begins)
                if kind not in made:
                    offered, certainly, with_bos = kind
                    bos = keys.bos if with_bos else None
                    made[kind] = means(offered, certainly, keys.vectors, bos)
                points = made[kind]
                if points is None:
                    mixed = True
                    continue
                for place in places:
                    found[place].update(dict.fromkeys(points))
    if mixed:
        return Deliveries(gap, None, "averages different values")
    if max(map(len, found)) > POINTS:
        return Deliveries(gap, None, f"delivers more than {POINTS} means")
    return Deliveries(gap, [list(points) for points in found])


def _alike(asked: Sequence[int], causal: bool) -> list[list[int]]:
    """Return the positions in groups that see the same rows."""
    return [[place] for place in asked] if causal or len(asked) == 1 else [list(asked)]


def _rows_on(
    chosen: Any, keys: Keys, seen: Any, mine: Any, level: Any, places: list[int], with_bos: bool
) -> tuple[tuple[tuple[int, int], ...], frozenset[int], bool]:
    """Return which rows may and which must have the score, with the values they may have."""
    reach = chosen[:, None] & seen
    certainly = set(np.flatnonzero(reach.sum(axis=0) == seen.sum(axis=0)).tolist())
    if mine is not None and len(places) == 1 and (mine == level).all():
        certainly.add(places[0])
    offers = keys.offers[chosen[keys.offers[:, 0]]]
    offers = offers[offers[:, 1] < seen.shape[1]]
    return tuple(sorted({(p, v) for _, p, v in offers.tolist()})), frozenset(certainly), with_bos


def _least_gap(levels: list[Any], floor: Any, begin: Fraction | None) -> Fraction | None:
    """Return the least difference between what can be greatest and the next below it."""
    known = sorted({*levels, *([] if begin is None else [begin])})
    if floor is not None:
        lower = [level for level in known if level < floor][-1:]
        known = lower + [level for level in known if level >= floor]
    gaps = [Fraction(high - low) for low, high in pairwise(known)]
    return min(gaps, default=None)


def means(
    offered: Sequence[tuple[int, int]],
    certainly: Set[int],
    vectors: Sequence[Vector],
    bos: Vector | None,
) -> list[Vector] | None:
    """Return the means that the rows of one score may have.

    Parameters
    ----------
    offered
        Positions at which a row may have the score, with the value it may then have.
    certainly
        Positions at which there is a row, with the score.
    vectors
        The values.
    bos
        The value of BOS, if it has the score as well.

    Returns
    -------
    list or None
        ``None`` if the values differ otherwise than by integer steps on a line.

    Examples
    --------
    >>> zero, one = (Fraction(0),), (Fraction(1),)
    >>> [str(x) for (x,) in means([(0, 0), (1, 0)], {0}, [zero], one)]
    ['1/2', '1/3']
    """
    used = sorted({value for _, value in offered})
    at: dict[int, list[int]] = {}
    for position, value in offered:
        at.setdefault(position, []).append(value)
    if bos is None and (len(at) == 1 or len(used) == 1):
        return [vectors[value] for value in used]
    if bos is not None and len(used) <= 1:
        other = vectors[used[0]] if used else bos
        return [_mix(bos, other, k) for k in range(len(certainly), len(at) + 1)]
    if bos is not None and len(at) == 1:
        alone = [] if certainly else [bos]
        return alone + [_mix(bos, vectors[value], 1) for value in used]
    line = _on_a_line([*(vectors[value] for value in used), *([] if bos is None else [bos])])
    if line is None:
        return None
    start, step, steps = line
    number = dict(zip(used, steps, strict=False))
    ends = {p: sorted(number[value] for value in values) for p, values in at.items()}
    low = sum(ends[p][0] for p in certainly) + (0 if bos is None else steps[-1])
    high = sum(ends[p][-1] for p in certainly) + (0 if bos is None else steps[-1])
    lows = sorted(ends[p][0] for p in at if p not in certainly)
    highs = sorted((ends[p][-1] for p in at if p not in certainly), reverse=True)
    rows = len(certainly) + (bos is not None)
    shares: set[Fraction] = set()
    for more in range(len(lows) + 1):
        if rows + more:
            shares.update(Fraction(total, rows + more) for total in range(low, high + 1))
        if len(shares) > POINTS:
            return None
        if more < len(lows):
            low, high = low + lows[more], high + highs[more]
    return [tuple(a + share * d for a, d in zip(start, step, strict=True)) for share in shares]


def _mix(bos: Vector, other: Vector, count: int) -> Vector:
    return tuple((b + count * o) / (count + 1) for b, o in zip(bos, other, strict=True))


def _on_a_line(vectors: list[Vector]) -> tuple[Vector, Vector, list[int]] | None:
    """Return start, step and integers with ``vector = start + integer * step``, if there are."""
    start = vectors[0]
    others = [tuple(a - b for a, b in zip(vector, start, strict=True)) for vector in vectors]
    longest = max(others, key=lambda d: max(map(abs, d), default=Fraction(0)))
    axis = next((i for i, value in enumerate(longest) if value), None)
    if axis is None:
        return start, longest, [0] * len(vectors)
    shares = [other[axis] / longest[axis] for other in others]
    for other, share in zip(others, shares, strict=True):
        if any(a != share * b for a, b in zip(other, longest, strict=True)):
            return None
    unit = int(np.lcm.reduce(np.array([share.denominator for share in shares], dtype=object)))
    step = tuple(value / unit for value in longest)
    return start, step, [int(share * unit) for share in shares]
