"""A head's pattern as a selector: comparisons of s-ops, combined by ``and``, ``or`` and ``not``.

What is given is which pairs of a query and a key are selected, among the pairs that are known.
Comparisons that hold on all selected pairs are intersected; if that leaves exactly the selected
ones, the fewest of them that do are the selector.  The same is tried for the pairs that are not
selected; else rows are described one kind after the other.

Main definitions: :class:`Scalar`, :class:`Selection`, :func:`selector_text`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np
import numpy.typing as npt

from rasp.decompile.wording import among, combination, literal

Flags = npt.NDArray[np.bool_]


@final
@dataclass(frozen=True, eq=False)
class Scalar:
    """An s-op by its text, with its value at each query or each key."""

    text: str
    values: tuple[Any, ...]

    @property
    def numeric(self) -> bool:
        """Whether all values are numbers."""
        return all(isinstance(value, (int, Fraction)) for value in self.values)


@final
@dataclass(frozen=True, eq=False)
class Selection:
    """Which pairs (query, key) are selected, of which it is known."""

    hits: Flags
    known: Flags


@final
@dataclass(frozen=True, eq=False)
class _Comparison:
    text: str
    cells: Flags


def selector_text(
    selection: Selection, queries: Sequence[Scalar], keys: Sequence[Scalar]
) -> str | None:
    """Return a selector that selects exactly the known hits, or nothing if none was found.

    Parameters
    ----------
    selection
        Hits of shape (queries, keys).
    queries, keys
        S-ops that the head's projections depend on, simplest first.

    Examples
    --------
    >>> place = Scalar("indices", (0, 1, 2))
    >>> hits = np.tri(3, k=-1, dtype=bool)
    >>> selector_text(Selection(hits, np.ones((3, 3), dtype=bool)), [place], [place])
    'select(indices, indices, <)'
    """
    hits, known = selection.hits & selection.known, selection.known
    if not hits.any():
        return "select(1, 0, ==)"
    if not (known & ~hits).any():
        return "select(1, 1, ==)"
    found = _conjunction(hits, known & ~hits, queries, keys)
    if found is not None:
        return found
    found = _conjunction(known & ~hits, hits, queries, keys)
    if found is not None:
        return f"not ({found})"
    return _by_kinds(selection, queries, keys)


def _conjunction(
    inside: Flags, outside: Flags, queries: Sequence[Scalar], keys: Sequence[Scalar]
) -> str | None:
    """Return comparisons that together hold on all of ``inside`` and nowhere ``outside``."""
    useful = []
    for comparison in _comparisons(inside, queries, keys):
        removed = outside & ~comparison.cells
        if removed.any():
            useful.append((comparison.text, removed))
            if (removed == outside).all():
                return comparison.text
    left, chosen = outside.copy(), []
    while left.any():
        gains = [int((left & removed).sum()) for _, removed in useful]
        if not gains or not max(gains):
            return None
        text, removed = useful[gains.index(max(gains))]
        chosen.append(text)
        left &= ~removed
    return " and ".join(chosen)


def _comparisons(
    inside: Flags, queries: Sequence[Scalar], keys: Sequence[Scalar]
) -> Iterator[_Comparison]:
    """Yield comparisons that hold on all of ``inside``, simplest first."""
    rows, columns = np.nonzero(inside)
    for key in keys:
        for query in queries:
            yield from _pairwise(key, query, rows, columns)
    for key in keys:
        held = sorted({key.values[c] for c in columns.tolist()}, key=_order)
        cells = np.array([value in held for value in key.values])[None, :]
        cells = np.broadcast_to(cells, inside.shape)
        if len(held) == 1:
            yield _Comparison(f"select({key.text}, {_shown(held[0])}, ==)", cells)
        elif _writable(held):
            yield _Comparison(f"select({among(key.text, held)}, True, ==)", cells)
    for query in queries:
        held = sorted({query.values[r] for r in rows.tolist()}, key=_order)
        cells = np.array([value in held for value in query.values])[:, None]
        cells = np.broadcast_to(cells, inside.shape)
        if len(held) == 1:
            yield _Comparison(f"select({_shown(held[0])}, {query.text}, ==)", cells)
        elif _writable(held):
            yield _Comparison(f"select(True, {among(query.text, held)}, ==)", cells)


def _pairwise(key: Scalar, query: Scalar, rows: Any, columns: Any) -> Iterator[_Comparison]:
    if key.numeric != query.numeric:
        return
    if not key.numeric:
        ranks = {v: i for i, v in enumerate(sorted({*key.values, *query.values}, key=_order))}
        high = np.array([ranks[v] for v in key.values])
        low = np.array([ranks[v] for v in query.values])
        apart = high[None, :] - low[:, None]
        yield from _signs(key.text, query.text, apart, apart[rows, columns])
        return
    bottom = np.lcm.reduce([Fraction(v).denominator for v in (*key.values, *query.values)])
    high = np.array([int(v * int(bottom)) for v in key.values], dtype=object)
    low = np.array([int(v * int(bottom)) for v in query.values], dtype=object)
    apart = high[None, :] - low[:, None]
    held = apart[rows, columns]
    yield from _signs(key.text, query.text, apart, held)
    least, most = min(held), max(held)
    for limit, sign, cells in (
        (
            least,
            "==" if least == most else ">=",
            apart == least if least == most else apart >= least,
        ),
        (most, "<=", apart <= most),
    ):
        shifted = combination([(Fraction(1), query.text)], Fraction(limit, int(bottom)))
        if limit:
            yield _Comparison(f"select({key.text}, {shifted}, {sign})", cells.astype(bool))


def _signs(key: str, query: str, apart: Any, held: Any) -> Iterator[_Comparison]:
    signs = {
        "==": lambda d: d == 0,
        "<": lambda d: d < 0,
        ">": lambda d: d > 0,
        "<=": lambda d: d <= 0,
        ">=": lambda d: d >= 0,
        "!=": lambda d: d != 0,
    }
    for sign, holds in signs.items():
        if holds(held).all():
            yield _Comparison(f"select({key}, {query}, {sign})", holds(apart).astype(bool))


def _by_kinds(
    selection: Selection, queries: Sequence[Scalar], keys: Sequence[Scalar]
) -> str | None:
    """Return a selector that lists, for every kind of query, which keys it selects."""
    for query in queries:
        for key in keys:
            rows = _merged(selection, query.values, 0)
            table = None if rows is None else _merged(rows[1], key.values, 1)
            if rows is None or table is None or not _writable([*rows[0], *table[0]]):
                continue
            kinds: dict[tuple[int, ...], list[Any]] = {}
            for value, row in zip(rows[0], table[1].hits, strict=True):
                kinds.setdefault(tuple(np.flatnonzero(row).tolist()), []).append(value)
            parts = [
                f"(select(True, {among(query.text, values)}, ==) and "
                f"select({among(key.text, [table[0][c] for c in chosen])}, True, ==))"
                for chosen, values in kinds.items()
                if chosen
            ]
            return " or ".join(parts)
    return None


def _merged(
    selection: Selection, values: Sequence[Any], axis: int
) -> tuple[list[Any], Selection] | None:
    """Return the selection with equal values merged, if they are selected alike."""
    distinct = list(dict.fromkeys(values))
    hits, known = [], []
    for value in distinct:
        places = [i for i, v in enumerate(values) if v == value]
        some = np.take(selection.known, places, axis)
        chosen = np.take(selection.hits, places, axis) & some
        if (chosen.any(axis, keepdims=True) & some & ~chosen).any():
            return None
        hits.append(chosen.any(axis))
        known.append(some.any(axis))
    return distinct, Selection(np.stack(hits, axis), np.stack(known, axis))


def _order(value: Any) -> Any:
    return (isinstance(value, str), value)


def _writable(values: Sequence[Any]) -> bool:
    return all(isinstance(v, (str, int)) or v.denominator == 1 for v in values)


def _shown(value: Any) -> str:
    if isinstance(value, Fraction):
        return combination([], value)
    return literal(value)
