"""The machine of 41 bits on all 2^41 words: a finite check of the concrete model, group by group.

The positions fall into eight groups of four bits and nine further positions.  What a head can
attend to is enclosed from what each group can look like, so that no word is enumerated; scores and
activations are those of the model itself.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

from attention.constructions.tower_parity import tower_parity
from attention.function import FunctionTransformer
from claims import Claim, ForAll, Kind, Verdict
from claims.source import OWN
from proofs.checkers import exhaustive

Pair = tuple[int, Any]  # position, value
Look = tuple[Pair, ...]  # what the positions of one group hold
_GROUPS, _SIZE = 8, 4
_CORE = tuple(range(7, 7 + _GROUPS * _SIZE))  # after the seven bits that layer 2 closes


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """What one group can show a head: the rank reached in any case, and the best pairs by rank."""

    certain: tuple[int, int]
    best: tuple[tuple[tuple[int, int], Pair], ...]
    top: tuple[int, int]


def _shown(
    model: FunctionTransformer, layer: int, i: int, own: Any, looks: Iterable[Look]
) -> Shown:
    best = {}
    certain = None
    for look in looks:
        ranked = [((int(model.score(layer, 0, i, j, own, v)), -j), (j, v)) for j, v in look]
        top = max(ranked, key=lambda row: row[0])
        best[top[1]] = top[0]
        certain = top[0] if certain is None else min(certain, top[0])
    assert certain is not None
    rows = tuple((rank, pair) for pair, rank in best.items())
    return Shown(certain, rows, max(best.values()))


def _together(groups: Iterable[Shown]) -> Shown:
    """Return what several groups show: nothing below the best certain rank is attended."""
    rows = tuple(groups)
    certain = max(row.certain for row in rows)
    best = tuple((rank, pair) for row in rows for rank, pair in row.best if rank >= certain)
    return Shown(certain, best, max(row.top for row in rows))


def _value(model: FunctionTransformer, layer: int, i: int, own: Any, shown: Shown) -> Any | None:
    """Return the activation if it is the same for all pairs that may be attended, else None."""
    values = {model.act(layer, i, own, (v,)) for v in {pair[1] for _, pair in shown.best}}
    return values.pop() if len(values) == 1 else None


class Tables(NamedTuple):
    """Layer 1: looks of every group by parity; looks of the other positions; their last values.

    ``second`` gives a position's layer-2 activation by (position, own value, parities).
    """

    looks: tuple[tuple[tuple[Look, ...], tuple[Look, ...]], ...]
    others: dict[int, tuple[Any, ...]]
    last: dict[tuple[int, ...], Any]
    second: dict[tuple[int, Any, tuple[int, ...]], Any]


def _first_layer(
    model: FunctionTransformer, members: Sequence[int]
) -> Iterator[tuple[tuple[int, ...], Look]]:
    """Yield (bits, look) of the given positions; a value that is not determined is None."""
    embedded = [[model.embed(j, s) for s in model.alphabet] for j in range(model.n)]
    outside = [j for j in range(model.n) if j not in members]
    one = {}  # by (position, own bit): what the others show, and each member's two bits
    for i, b in product(members, (0, 1)):
        own = embedded[i][b]
        unknown = _together(
            _shown(model, 1, i, own, [((j, e),) for e in embedded[j]]) for j in outside
        )
        known = {
            (j, e): _shown(model, 1, i, own, [((j, embedded[j][e]),)])
            for j, e in product(members, (0, 1))
        }
        one[(i, b)] = (unknown, known)
    for bits in product((0, 1), repeat=len(members)):
        look = []
        for i, b in zip(members, bits, strict=True):
            unknown, known = one[(i, b)]
            shown = _together([unknown, *(known[pair] for pair in zip(members, bits, strict=True))])
            look.append((i, _value(model, 1, i, embedded[i][b], shown)))
        yield bits, tuple(look)


def _values_of(sides: tuple[tuple[Look, ...], tuple[Look, ...]], i: int) -> tuple[Any, ...]:
    return tuple(sorted({dict(look)[i] for side in sides for look in side}, key=repr))


@lru_cache(maxsize=1)
def _tables() -> Tables:
    """Compute every activation below the last layer from the model's own functions."""
    model = tower_parity(3)
    n = model.n
    looks = []
    for g in range(_GROUPS):
        by_parity: tuple[list[Look], list[Look]] = ([], [])
        for bits, look in _first_layer(model, _CORE[g * _SIZE : (g + 1) * _SIZE]):
            by_parity[sum(bits) % 2].append(look)
        looks.append((tuple(by_parity[0]), tuple(by_parity[1])))
    rest = tuple(j for j in range(n) if j not in _CORE)
    rows = list(_first_layer(model, rest))
    others = {j: tuple(sorted({dict(look)[j] for _, look in rows}, key=repr)) for j in rest}
    second: dict[tuple[int, Any, tuple[int, ...]], Any] = {}
    for i in range(n - 1):
        mine = others.get(i) or _values_of(looks[(i - _CORE[0]) // _SIZE], i)
        for own in mine:
            lone = _together(_shown(model, 2, i, own, [((j, v),) for v in others[j]]) for j in rest)
            core = [[_shown(model, 2, i, own, side) for side in pair] for pair in looks]
            found: dict[tuple[Shown, ...], Any] = {}  # by the groups that can be attended to
            for p in product((0, 1), repeat=_GROUPS):
                row = [lone, *(core[g][p[g]] for g in range(_GROUPS))]
                least = max(shown.certain for shown in row)
                near = tuple(shown for shown in row if shown.top >= least)
                if near not in found:
                    found[near] = _value(model, 2, i, own, _together(near))
                second[(i, own, p)] = found[near]
    last = {}
    for bits, look in rows:
        own = dict(look)[n - 1]
        sides = [_shown(model, 2, n - 1, own, [k for side in pair for k in side]) for pair in looks]
        shown = _together([*sides, *(_shown(model, 2, n - 1, own, [(pair,)]) for pair in look)])
        last[bits] = _value(model, 2, n - 1, own, shown)
    return Tables(tuple(looks), others, last, second)


def _decided(p: tuple[int, ...]) -> bool:
    """Decide the output for all words with these parities of the eight groups."""
    model, t = tower_parity(3), _tables()
    n = model.n
    outputs: dict[Any, set[Any]] = {}
    for bits, own in t.last.items():
        if own is None:
            return False
        outputs.setdefault(own, set()).add(sum(bits) % 2)
    if any(len(parities) > 1 for parities in outputs.values()):
        return False  # the last position must know the parity of the nine further bits
    groups: list[list[Look]] = []
    for g in range(_GROUPS):
        groups.append([tuple((j, t.second[(j, v, p)]) for j, v in k) for k in t.looks[g][p[g]]])
    for j, values in t.others.items():
        if j < n - 1:
            groups.append([((j, t.second[(j, v, p)]),) for v in values])
    groups.append([((n - 1, own),) for own in outputs])
    if any(v is None for group in groups for look in group for _, v in look):
        return False
    for own, parities in outputs.items():
        shown = _together(_shown(model, 3, n - 1, own, group) for group in groups)
        for _, (_, v) in shown.best:
            found = model.readout(model.act(3, n - 1, own, (v,)))
            if found != ((next(iter(parities)) + sum(p)) % 2 == 0):
                return False
    return True


FORTY_ONE = Claim(
    id="limits.machine.forty_one",
    says=r"A machine with three layers and one head computes PARITY of 41 bits, on every word.",
    source=OWN.at("explicit limits, machines"),
    statement=ForAll(
        "the output is the parity of all words with these parities of the groups",
        "all 256 parities of eight groups of four bits; all 512 values of the nine further bits",
        lambda: product((0, 1), repeat=_GROUPS),
        _decided,
    ),
    check=exhaustive.decide(complete=True),
    expect=Verdict.PROVED,
    kind=Kind.OWN,
    no_twin="a machine on a finite domain has no hypothesis to drop",
    proof=r"""*Enclosing attention.*  Let the positions be split into groups, and let each group show one
of finitely many looks (values of its positions).  For a head, take the best rank of every look, for
each group the least of them, and the largest of these: that rank is reached on every word.  So the
attended pair is the best pair of some look and ranks at least as high.  If the activation is the
same for all such pairs, it is determined.

*Layer 1.*  For every group of four bits all 16 patterns are run with all other bits unknown: the four
activations are determined.  For the nine further positions all 512 patterns are run in the same way.

*Layer 2.*  A group whose parity is known shows one of eight looks.  For every position but the last,
each of its layer-1 values and all 256 vectors of parities, the activation is determined; for the
last position it is determined by the nine further bits.

*Layer 3.*  For every vector of parities, every pair that the last position may attend to gives the
right output: the parity of the vector plus that of the nine further bits.""",
)
