"""A head's pattern as a selector: comparisons of s-ops, combined by ``and``, ``or`` and ``not``.

What is given is which pairs of a query and a key are selected, among the pairs that are known.
Comparisons that hold on all selected pairs are intersected; if that leaves exactly the selected
ones, a few of them that do are the selector.  A comparison may also be a list: which values of one
s-op go with which of another.  The same is tried for the pairs that are not selected.

Main definitions: :class:`Scalar`, :class:`Selection`, :func:`selector_text`.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np
import numpy.typing as npt

from rasp.decompile.wording import among, combination, literal

MOST_KINDS = 16
"""S-ops with more values than this are not listed against each other."""

Flags = npt.NDArray[np.bool_]


@final
@dataclass(frozen=True, eq=False)
class Scalar:
    """An s-op by its text, with its value at each query or each key.

    A *derived* one is a combination that the weights suggest; it is tried last.
    """

    text: str
    values: tuple[Any, ...]
    derived: bool = False

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
    plain = _plain(queries), _plain(keys)
    for left, top, lists in ((*plain, False), (queries, keys, False), (queries, keys, True)):
        found = _conjunction(hits, known & ~hits, left, top, lists)
        if found is not None:
            return found
        found = _conjunction(known & ~hits, hits, left, top, lists)
        if found is not None:
            return f"not ({found})"
    return None


def _plain(scalars: Sequence[Scalar]) -> list[Scalar]:
    return [scalar for scalar in scalars if not scalar.derived]


def _conjunction(
    inside: Flags, outside: Flags, queries: Sequence[Scalar], keys: Sequence[Scalar], lists: bool
) -> str | None:
    """Return comparisons that together hold on all of ``inside`` and nowhere ``outside``."""
    useful = []
    for comparison in _comparisons(inside, queries, keys, lists):
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
    inside: Flags, queries: Sequence[Scalar], keys: Sequence[Scalar], lists: bool
) -> Iterator[_Comparison]:
    """Yield comparisons that hold on all of ``inside``, simplest first."""
    rows, columns = np.nonzero(inside)
    for key in keys:
        for query in queries:
            yield from _pairwise(key, query, rows, columns)
    for key in keys:
        held = {key.values[c] for c in columns.tolist()}
        cells = np.array([value in held for value in key.values])[None, :]
        text = _held(key, held, "select({0}, {1}, {2})", "select({0}, True, ==)")
        if text:
            yield _Comparison(text, np.broadcast_to(cells, inside.shape))
    for query in queries:
        held = {query.values[r] for r in rows.tolist()}
        cells = np.array([value in held for value in query.values])[:, None]
        text = _held(query, held, "select({1}, {0}, {2})", "select(True, {0}, ==)")
        if text:
            yield _Comparison(text, np.broadcast_to(cells, inside.shape))
    for key in keys if lists else ():
        for query in queries:
            yield from _relation(key, query, rows, columns)


def _held(scalar: Scalar, held: set[Any], compared: str, listed: str) -> str:
    """Return the selector of rows or columns in which an s-op has one of some values."""
    ordered = sorted(held, key=_order)
    others = {*scalar.values} - held
    turned = compared.startswith("select({1}")
    if len(ordered) == 1:
        return compared.format(scalar.text, _shown(ordered[0]), "==")
    if len(others) == 1:
        return compared.format(scalar.text, _shown(next(iter(others))), "!=")
    if scalar.numeric and all(x < ordered[0] for x in others):
        return compared.format(scalar.text, _shown(ordered[0]), "<=" if turned else ">=")
    if scalar.numeric and all(x > ordered[-1] for x in others):
        return compared.format(scalar.text, _shown(ordered[-1]), ">=" if turned else "<=")
    return listed.format(among(scalar.text, ordered)) if _writable(ordered) else ""


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
    signs: dict[str, Callable[[Any], Any]] = {
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


def _relation(key: Scalar, query: Scalar, rows: Any, columns: Any) -> Iterator[_Comparison]:
    """Yield the selector that lists which values of one s-op go with which of the other."""
    tops, lefts = list(dict.fromkeys(key.values)), list(dict.fromkeys(query.values))
    if max(len(tops), len(lefts)) > MOST_KINDS or not _writable([*tops, *lefts]):
        return
    top = np.array([tops.index(value) for value in key.values])
    left = np.array([lefts.index(value) for value in query.values])
    pairs = np.zeros((len(lefts), len(tops)), dtype=bool)
    pairs[left[rows], top[columns]] = True
    kinds: dict[tuple[int, ...], list[Any]] = {}
    for value, row in zip(lefts, pairs, strict=True):
        kinds.setdefault(tuple(np.flatnonzero(row).tolist()), []).append(value)
    parts = [
        f"(select(True, {among(query.text, values)}, ==) and "
        f"select({among(key.text, [tops[c] for c in chosen])}, True, ==))"
        for chosen, values in kinds.items()
        if chosen
    ]
    yield _Comparison(f"({' or '.join(parts)})", pairs[left[:, None], top[None, :]])


def _order(value: Any) -> Any:
    return (isinstance(value, str), value)


def _writable(values: Sequence[Any]) -> bool:
    return all(isinstance(v, (str, int)) or v.denominator == 1 for v in values)


def _shown(value: Any) -> str:
    if isinstance(value, Fraction):
        return combination([], value)
    return literal(value)
