"""From a satisfying assignment back to a machine, one decoder for each encoding.

Main definitions: `from_order`, `from_level`, `from_closing`.
"""

from collections.abc import Iterable
from itertools import product

from synthesis.closing import OUTSIDE, free_bits, seen_by
from synthesis.formula import Name
from synthesis.level import level_count
from synthesis.machine import ListKey, Machine, Pair, RowKey
from synthesis.spec import Spec, Word


def from_order(spec: Spec, true: frozenset[Name]) -> Machine:
    """Read rankings and tables off the order encoding's true variables."""
    ranks: dict[ListKey, tuple[Pair, ...]] = {}
    for layer in range(1, spec.layers + 1):
        size = _values(spec, layer - 1)
        for i in range(spec.n) if layer < spec.layers else (spec.n - 1,):
            pairs = list(product(spec.visible(i), range(size)))
            for head, own in product(range(spec.heads), range(size)):
                ranks[layer, head, i, own] = _sorted(pairs, ("before", layer, head, i, own), true)
    rows: dict[RowKey, int] = {}
    for name in sorted((n for n in true if n[0] in ("table", "accept")), key=repr):
        if name[0] == "accept":
            rows[name[1:5]] = 1  # type: ignore[index]
        else:
            rows.setdefault(name[1:5], name[5])  # type: ignore[arg-type]
    return Machine(spec, _values(spec, 1), ranks, rows)


def from_level(spec: Spec, true: frozenset[Name]) -> Machine:
    """Read rankings and labels off the level encoding's true variables."""
    ranks: dict[ListKey, tuple[Pair, ...]] = {}
    rows: dict[RowKey, int] = {}
    letters, last = len(spec.target.alphabet), spec.n - 1
    hidden = spec.alphabet or 0

    def fill(layer: int, i: int, own: int, kind: Name, labels: list[int]) -> None:
        size = _values(spec, layer - 1)
        levels = level_count(len(spec.visible(i)), size)
        found = {
            (j, v): sum((*kind, j, v, d) not in true for d in range(levels - 1))
            for j, v in product(spec.visible(i), range(size))
        }
        ranks[layer, 0, i, own] = tuple(sorted(found, key=lambda p: (found[p], p)))
        for pair, level in found.items():
            rows[layer, i, own, (pair,)] = labels[level]

    if spec.layers == 2:
        for i, own in product(range(spec.n), range(letters)):
            levels = level_count(len(spec.visible(i)), letters)
            labels = [d % 2 for d in range(levels)]
            if hidden > 2 or not spec.visible(i):
                chosen = {n[3]: n[4] for n in true if n[:3] == ("label", i, own)}
                labels = [int(str(chosen.get(d, 0))) for d in range(levels)]
            fill(1, i, own, ("list", i, own), labels)
            rows[1, i, own, ()] = labels[0]
    for own in range(_values(spec, spec.layers - 1)):
        levels = level_count(len(spec.visible(last)), _values(spec, spec.layers - 1))
        fill(spec.layers, last, own, ("rank", own), [d % 2 for d in range(levels)])
        rows[spec.layers, last, own, ()] = int(("accept", own) in true)
    return Machine(spec, hidden or 2, ranks, rows)


def from_closing(spec: Spec, true: frozenset[Name]) -> Machine:
    """Build the transformer that a closing system stands for (see `synthesis.closing`)."""
    lists: dict[tuple[int, int], tuple[Pair, ...]] = {}
    for j in (OUTSIDE, *range(free_bits(spec))):
        pairs = list(product(seen_by(spec, j), range(2)))
        for own in (0,) if j == OUTSIDE else (0, 1):
            lists[j, own] = _sorted(pairs, ("before", j, own), true)
    return from_lists(spec, lists)


def from_lists(spec: Spec, lists: dict[tuple[int, int], tuple[Pair, ...]]) -> Machine:
    """Build a two-layer transformer for PARITY from the lists of a closing system.

    Parameters
    ----------
    lists
        Literals best first, by free position (or ``OUTSIDE``) and own bit (0 for ``OUTSIDE``).

    Notes
    -----
    Hidden value ``own`` where nothing is attended, else ``own + 2 (1 + 2 j + v)``.  The last
    layer ranks cells greedily; if the lists do not close, the machine makes mistakes.
    """
    m = free_bits(spec)
    outside, last = spec.n - 2, spec.n - 1
    ranks: dict[ListKey, tuple[Pair, ...]] = {}
    for own in range(2):
        for j in range(m):
            ranks[1, 0, j, own] = lists[j, own]
        ranks[1, 0, outside, own] = lists[OUTSIDE, 0]
        ranks[1, 0, last, own] = ((outside, 0), (outside, 1))
    rows: dict[RowKey, int] = {}
    for (layer, _, i, own), ranked in ranks.items():
        rows[layer, i, own, ()] = own
        for j, v in ranked:
            rows[layer, i, own, ((j, v),)] = own + 2 * (1 + 2 * j + v)
    for c, b in product(range(2), repeat=2):
        z = c + 2 * (1 + 2 * outside + b)
        cells = []
        for cell, parity in _closed(m, lists, own_of_outside=b, outside=outside):
            cells.append(cell)
            rows[2, last, z, (cell,)] = (parity + b + c + 1) % 2
        ranks[2, 0, last, z] = tuple(cells)
    return Machine(spec, 2 + 4 * spec.n, ranks, rows)


def _closed(
    m: int, lists: dict[tuple[int, int], tuple[Pair, ...]], own_of_outside: int, outside: int
) -> list[tuple[Pair, int]]:
    """Return cells as (position, hidden value) with the parity they are left with, in order."""
    cells: dict[Pair, set[Word]] = {}
    for word in product(range(2), repeat=m):
        for j in (OUTSIDE, *range(m)):
            own = 0 if j == OUTSIDE else word[j]
            held = own_of_outside if j == OUTSIDE else own
            pair = next(((i, v) for i, v in lists[j, own] if word[i] == v), None)
            value = held if pair is None else held + 2 * (1 + 2 * pair[0] + pair[1])
            cells.setdefault((outside if j == OUTSIDE else j, value), set()).add(word)
    found: list[tuple[Pair, int]] = []
    progress = True
    while progress:
        progress = False
        for cell in sorted(cells):
            left = {sum(word) % 2 for word in cells[cell]}
            if len(left) == 1:
                found.append((cell, left.pop()))
                gone = set(cells[cell])
                for other in cells:
                    cells[other] -= gone
                progress = True
    return found


def _values(spec: Spec, layer: int) -> int:
    return len(spec.target.alphabet) if layer == 0 else spec.alphabet or 2


def _sorted(pairs: Iterable[Pair], kind: Name, true: frozenset[Name]) -> tuple[Pair, ...]:
    """Sort pairs by a strict total order given as true comparisons, each named smaller first."""
    items = sorted(pairs)
    wins = dict.fromkeys(items, 0)
    for a, p in enumerate(items):
        for q in items[a + 1 :]:
            wins[p if (*kind, p, q) in true else q] += 1
    return tuple(sorted(items, key=lambda p: (-wins[p], p)))
