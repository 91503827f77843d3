"""The machines that reach the lower ends of the gaps: finite checks from which they are composed."""

from collections.abc import Iterator
from itertools import product

import numpy as np

from attention.constructions.closing_systems import eight, nine, seven
from attention.constructions.edge_covers import edge_cover, known_point
from attention.constructions.list_systems import LiteralList, close
from attention.constructions.tower_core import Core, core
from attention.constructions.tower_parity import tower_parity
from attention.constructions.two_layer_parity import two_layer_parity
from attention.function import FunctionTransformer
from attention.hard import evaluate
from claims import Claim, ForAll, Kind, Twin, Verdict
from claims.source import OWN
from proofs.checkers import exhaustive

Point = tuple[int, ...]
_NINE = two_layer_parity(1)


def _even(machine: FunctionTransformer, word: tuple[str, ...]) -> bool:
    return bool(evaluate(machine, word) == (word.count("1") % 2 == 0))


NINE = Claim(
    id="limits.machine.nine",
    says=r"A machine with two layers and one head computes PARITY of 9 bits.",
    source=OWN.at("explicit limits, machines"),
    statement=ForAll(
        "the output is the parity",
        "all 512 words",
        lambda: product("01", repeat=9),
        lambda word: _even(_NINE, word),
    ),
    check=exhaustive.decide(complete=True),
    expect=Verdict.PROVED,
    kind=Kind.OWN,
    no_twin="a machine on a finite domain has no hypothesis to drop",
)


def _visible(point: Point, system: tuple[LiteralList, ...]) -> set[tuple[int, int]]:
    return {
        (i, row.cell(point))
        for i, row in enumerate(system)
        if row.own is None or point[row.own[0]] == row.own[1]
    }


_SYSTEMS = {7: seven(), 8: eight(), 9: nine()}
_ORDERS = {7: close(7, seven()).order, 8: close(8, eight()).order, 9: close(9, nine()).order}


def _first_cell(point: Point, left_out: int | None = None) -> bool:
    system = _SYSTEMS[len(point)]
    cells = _visible(point, system)
    parities = [p for i, c, p in _ORDERS[len(point)] if (i, c) in cells and i != left_out]
    return bool(parities) and parities[0] == sum(point) % 2


def _points() -> Iterator[Point]:
    yield from product((0, 1), repeat=7)
    yield from product((0, 1), repeat=8)
    yield from product((0, 1), repeat=9)


CLOSING = Claim(
    id="limits.machine.closing",
    says=r"The stored 15, 40 and 92 lists close the 7-cube, the 8-cube and the 9-cube: at every point"
    r" the first cell in the closing order names the point's parity.  Hence two layers of $H$ heads"
    r" compute PARITY on $H^2 + 7H + 1$ bits.",
    source=OWN.at("explicit limits, machines"),
    statement=ForAll("the first cell names the parity", "all points", _points, _first_cell),
    check=exhaustive.decide(complete=True),
    expect=Verdict.PROVED,
    kind=Kind.OWN,
    twin=Twin(
        "the list without an owner (the fifteenth)",
        ForAll(
            "the first cell names the parity",
            "all points",
            _points,
            lambda point: _first_cell(point, 14),
        ),
    ),
    proof=r"""The last position reads $H$ bits in layer 1.  A block has seven list variables and
$H - 1$ bits that all members read exactly.  In layer 2 head $h$ attends to the member of block $h$
whose cell comes first; it knows the parity of the seven variables there and of the $H - 1$ bits.
Together $1 + H + H(7 + H - 1) = H^2 + 7H + 1$ bits.""",
)


def _covers() -> Iterator[tuple[tuple[LiteralList, ...], Point]]:
    for k, outside in ((4, 0), (5, 6)):
        rows = edge_cover(k, outside)
        yield from ((rows, point) for point in product((0, 1), repeat=k))


def _known_once(case: tuple[tuple[LiteralList, ...], Point]) -> bool:
    rows, point = case
    k, code = len(point), sum(b << v for v, b in enumerate(point))
    known = [
        known_point(k, rows[i], cell, point[own[0]] if (own := rows[i].own) else None)
        for i, cell in _visible(point, rows)
    ]
    return [p for p in known if p is not None] == [code]


EXACT = Claim(
    id="limits.machine.exact",
    says=r"Eight owned lists know every point of the 4-cube exactly once, ten owned and six further"
    r" lists every point of the 5-cube.",
    source=OWN.at("explicit limits, machines"),
    statement=ForAll("one list knows the point", "all points", _covers, _known_once),
    check=exhaustive.decide(complete=True),
    expect=Verdict.PROVED,
    kind=Kind.OWN,
    twin=Twin(
        "one of the lists",
        ForAll(
            "one list knows the point",
            "all points, first list dropped",
            lambda: ((rows[1:], point) for rows, point in _covers()),
            _known_once,
        ),
    ),
)


def _holders() -> Iterator[tuple[Core, int, int, list[int]]]:
    """Yield every list without an owner with the positions that hold it."""
    for depth, idle in ((3, tuple(range(32, 41))), (4, tuple(range(180, 220)))):
        c = core(0, depth, idle)
        for level in range(2, len(c.sizes) + 1):
            for row in sorted(set(c.held[level - 1].values())):
                holders = [i for i, r in c.held[level - 1].items() if r == row and c.inside(i)]
                yield c, level, row, holders


def _always_free(case: tuple[Core, int, int, list[int]]) -> bool:
    c, level, _, holders = case
    if not holders:
        return True  # held by an idle position, which never fires
    below = 1
    for k in c.sizes[: level - 1]:
        below *= k
    groups: dict[int, int] = {}
    for i in holders:
        groups[i // below] = groups.get(i // below, 0) + 1
    # one owned list fires at one position, a list without an owner at all of its free holders
    return all(count > level - 1 for count in groups.values())


FREE = Claim(
    id="limits.machine.free_holder",
    says=r"Every list without an owner is held by an idle position or by more positions of one"
    r" subgroup than can fire in the level below, so one of them always runs it.",
    source=OWN.at("explicit limits, machines"),
    statement=ForAll(
        "more holders than firing positions", "cores of 32 and 180 bits", _holders, _always_free
    ),
    check=exhaustive.decide(complete=True),
    expect=Verdict.PROVED,
    kind=Kind.OWN,
    assumes=("limits.machine.exact",),
    no_twin="a finite table of assignments has no hypothesis to drop",
)


def _words() -> Iterator[tuple[tuple[int, int], tuple[str, ...]]]:
    rng = np.random.default_rng(41)
    for size, count in (((3, 1), 12), ((3, 2), 2), ((4, 1), 2)):
        for _ in range(count):
            yield size, tuple("01"[b] for b in rng.integers(2, size=_TOWERS[size].n))


_TOWERS = {size: tower_parity(*size) for size in ((3, 1), (3, 2), (4, 1))}

TOWER = Claim(
    id="limits.machine.tower",
    says=r"With $H$ heads, three layers compute PARITY of $9H^2 + 31H + 1$ bits and four layers of"
    r" $54H^2 + 166H + 1$ bits.",
    source=OWN.at("explicit limits, machines"),
    statement=ForAll(
        "the output is the parity",
        "random words of 41, 99 and 221 bits, seed 41",
        _words,
        lambda case: _even(_TOWERS[case[0]], case[1]),
    ),
    check=exhaustive.decide(sampled=True),
    expect=Verdict.SAMPLED,
    kind=Kind.OWN,
    assumes=("limits.machine.closing", "limits.machine.exact", "limits.machine.free_holder"),
    proof=r"""In layer 1 every group of four bits has exactly one position that knows all four (an edge
cover of the 4-cube by owned lists): it fires with the group's parity.  In the next layer lists run
over those parities; a position that fired runs the list owned by its group's parity, others run a
list without an owner, and one holder of each such list has not fired.  With three layers the lists
close the 8-cube, $8 \cdot 4 = 32$ bits.  With four layers groups of five are first known exactly and
then the lists close the 9-cube, $9 \cdot 5 \cdot 4 = 180$ bits.  The last position reads one bit in
layer 1 and the core of depth $d$ in layer $d$, with every head its own copy, and every group of the
first level has $H-1$ more bits that its members read exactly: $1 + H(1 + (6+H) + 8(3+H))$ bits, and
$45(3+H)$ more for each head with four layers.""",
)
