"""The machines that reach the lower ends of the gaps: finite checks from which they are composed."""

from collections.abc import Iterator
from itertools import product

from attention.constructions.closing_systems import eight, nine, seven, ten
from attention.constructions.edge_covers import edge_cover, known_point
from attention.constructions.list_systems import LiteralList, close
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


_SYSTEMS = {7: seven(), 8: eight(), 9: nine(), 10: ten()}
_ORDERS = {k: close(k, system).order for k, system in _SYSTEMS.items()}


def _first_cell(point: Point, left_out: int | None = None) -> bool:
    system = _SYSTEMS[len(point)]
    cells = _visible(point, system)
    parities = [p for i, c, p in _ORDERS[len(point)] if (i, c) in cells and i != left_out]
    return bool(parities) and parities[0] == sum(point) % 2


def _points() -> Iterator[Point]:
    yield from product((0, 1), repeat=7)
    for k in (8, 9, 10):
        yield from product((0, 1), repeat=k)


CLOSING = Claim(
    id="limits.machine.closing",
    says=r"The stored 15, 24, 42 and 68 lists close the cubes of dimension 7, 8, 9 and 10: at every"
    r" point the first cell in the closing order names the point's parity.  Hence two layers of $H$ heads"
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
