"""The tower machines on all words: who knows what after every layer, group by group.

No word is enumerated.  A head that runs a list attends to the first literal that is there, and the
activation depends on nothing else (`attention.constructions.tower_wiring`), so it suffices to know
which literals are there: those of the positions that fired one level below.  For every group and
every parity of it the check keeps all sets of positions that can have fired.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product

from attention.constructions.closing_systems import eight, nine, seven, ten
from attention.constructions.tower_parity import after
from attention.constructions.tower_wiring import Task, Wiring, wire
from claims import Claim, ForAll, Kind, Twin, Verdict
from claims.source import OWN
from proofs.checkers import exhaustive

Fired = frozenset[int]
Sets = tuple[frozenset[Fired], frozenset[Fired]]  # by parity: what can have fired
Runners = dict[int, list[tuple[int, int | None, Task]]]  # by list: position, parity fired, task
SIZES = (*((layers, heads) for heads in (1, 2) for layers in (2, 3, 4)), (3, 3), (3, 4), (2, 8))


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """One head's core of one depth, in one layer; ``start`` is None for the closing level."""

    wiring: Wiring
    core: tuple[int, int]
    layer: int
    start: int | None

    def __str__(self) -> str:
        """Name the part as in certificates."""
        w, where = self.wiring, "closing" if self.start is None else f"group at {self.start}"
        depth, head = self.core
        size = f"{w.layers} layers, {w.heads} heads"
        return f"{size}: core of depth {depth}, head {head}, layer {self.layer}, {where}"


@lru_cache(maxsize=4)
def _index(w: Wiring) -> dict[tuple[int, int], Runners]:
    """Return the runners of every group, by layer and first position, then by list."""
    found: dict[tuple[int, int], Runners] = {}
    for (layer, i, fired), task in w.tasks.items():
        rows = found.setdefault((layer, task.start), {})
        rows.setdefault(task.row, []).append((i, fired, task))
    return found


def _running(
    runners: list[tuple[int, int | None, Task]],
    below: list[Sets],
    point: tuple[int, ...],
    first: int,
    width: int,
) -> frozenset[Fired]:
    """Return all sets of positions that can run a list when the subgroups have these parities."""
    found: set[Fired] = {frozenset()}
    members = range(first, first + width * len(point))
    for u in sorted({(i - first) // width if i in members else -1 for i, _, _ in runners}):
        mine = [(i, fired) for i, fired, _ in runners if (i in members) == (u >= 0)]
        if u < 0:  # idle positions run it in any case
            options = {frozenset(i for i, _ in mine)}
        else:
            mine = [(i, fired) for i, fired in mine if (i - first) // width == u]
            options = {
                frozenset(i for i, b in mine if b == (point[u] if i in fires else None))
                for fires in below[u][point[u]]
            }
        found = {a | b for a in found for b in options}
    return frozenset(found)


@lru_cache(maxsize=4096)
def _after_layer(w: Wiring, key: tuple[int, int], layer: int, start: int) -> Sets | None:
    """Return what can have fired in an exact group after a layer; None if that goes wrong."""
    c = w.cores[key]
    k, width = c.sizes[layer - 1], 1
    for size in c.sizes[: layer - 1]:
        width *= size
    below = _below(w, key, layer, start, k, width)
    if below is None:
        return None
    rows, found = _index(w)[(layer, start)], (set[Fired](), set[Fired]())
    for point in product((0, 1), repeat=k):
        for more in range(2 if layer == 1 and w.heads > 1 else 1):
            who: list[frozenset[Fired]] = []
            for runners in rows.values():
                task = runners[0][2]
                cell, own = task.literals.cell(point), task.literals.own
                mine = (0, 0, layer - 1, own[1] if own else 0, None, 0)
                value = after(task, layer, mine, cell, more)
                if value == mine:
                    continue
                running = _running(runners, below, point, start, width)
                if running == {frozenset()}:
                    continue  # owned, and its literal is false
                if value != (0, 0, layer, (sum(point) + more) % 2, None, 0):
                    return None
                who.append(running)
            if len(who) != 1 or frozenset() in who[0]:
                return None
            found[(sum(point) + more) % 2].update(who[0])
    return frozenset(found[0]), frozenset(found[1])


def _below(
    w: Wiring, key: tuple[int, int], layer: int, start: int, k: int, width: int
) -> list[Sets] | None:
    """Return what can have fired one layer before in each of the k subgroups."""
    if layer == 1:  # a position knows its own bit
        one = [frozenset({frozenset({start + u})}) for u in range(k)]
        return [(sets, sets) for sets in one]
    rows = [_after_layer(w, key, layer - 1, start + u * width) for u in range(k)]
    return None if None in rows else [row for row in rows if row is not None]


def _closed(w: Wiring, key: tuple[int, int], layer: int) -> bool:
    """Decide whether every list of the closing level is run exactly when it should be."""
    c = w.cores[key]
    k, width = c.sizes[-1], c.size // c.sizes[-1]
    below = _below(w, key, layer, c.base, k, width)
    if below is None or c.systems[-1] != _CLOSING[k]:
        return False
    rows = _index(w)[(layer, c.base)]
    if sorted(rows) != list(range(len(c.systems[-1]))):
        return False
    for runners in rows.values():
        task = runners[0][2]
        own = task.literals.own
        for u, b in product(range(k), (0, 1)):
            point = [0] * k
            point[u] = b
            run = _running(runners, below, tuple(point), c.base, width)
            wanted = own is None or point[own[0]] == own[1]
            if (frozenset() in run) if wanted else run != {frozenset()}:
                return False
        for cell, more in product(range(len(task.literals.literals) + 1), (0, 1)):
            rank = c.ranks.get((task.row, cell))
            closed = None if rank is None else (layer + 1, rank[0], rank[1] ^ more)
            if after(task, layer, (0, 0, 0, 0, None, 0), cell, more)[4] != closed:
                return False
    return True


_CLOSING = {7: seven(), 8: eight(), 9: nine(), 10: ten()}


def _every_bit_once(w: Wiring) -> bool:
    """Decide whether cores, exact bits, bits read in layer 1 and the last one are all bits."""
    bits = [w.n - 1, *(w.part * (head + 1) - 1 for head in range(w.heads))]
    for c in w.cores.values():
        bits += range(c.base, c.base + c.size)
    for first in w.exact.values():
        bits += range(first, first + w.heads - 1)
    groups = [i for c in w.cores.values() for i in range(c.base, c.base + c.size, c.sizes[0])]
    return sorted(bits) == list(range(w.n)) and sorted(groups) == sorted(w.exact)


def parts(wirings: Iterator[Wiring]) -> Iterator[Part]:
    """Yield every group of every exact level and every closing level."""
    for w in wirings:
        for key, c in w.cores.items():
            width = 1
            for layer, size in enumerate(c.sizes[:-1], start=1):
                width *= size
                for start in range(c.base, c.base + c.size, width):
                    yield Part(w, key, layer, start)
            yield Part(w, key, len(c.sizes), None)


def right(part: Part) -> bool:
    """Decide one part."""
    if part.start is None:
        return _every_bit_once(part.wiring) and _closed(part.wiring, part.core, part.layer)
    return _after_layer(part.wiring, part.core, part.layer, part.start) is not None


def _without_idle() -> Iterator[Wiring]:
    w = wire(3, 1)
    idle = w.part - 1
    yield replace(w, tasks={key: task for key, task in w.tasks.items() if key[1] != idle})


TOWER = Claim(
    id="limits.machine.tower",
    says=r"With $H$ heads, two layers compute PARITY of $H^2 + 7H + 1$ bits, three of $10H^2 + 34H + 1$"
    r" and four of $60H^2 + 184H + 1$ bits (9, 45 and 245 with one head), on every word; from three"
    r" heads on, three layers reach $11H^2 + 37H + 1$, and from eight on, two reach $H^2 + 8H + 1$.",
    source=OWN.at("explicit limits, machines"),
    statement=ForAll(
        "one list knows a group and is run; the lists of a closing level are run",
        "every group, every parity below; 2 to 4 layers, 1 and 2 heads, and (3, 3), (3, 4), (2, 8)",
        lambda: parts(wire(*size) for size in SIZES),
        right,
    ),
    check=exhaustive.decide(complete=True),
    expect=Verdict.PROVED,
    kind=Kind.OWN,
    assumes=("limits.machine.closing", "limits.machine.exact"),
    twin=Twin(
        "the lists that an idle position runs",
        ForAll(
            "one list knows a group and is run; the lists of a closing level are run",
            "45 bits, one idle position without lists",
            lambda: parts(_without_idle()),
            right,
        ),
    ),
    proof=r"""*Attention.*  The score of a pair is the number of literals of the list minus the cell that the pair
stands for, and the activation depends on the cell only.  So a head finds the first literal that is there.
In layer 1 the further heads read one exact bit each.

*Exact levels.*  Induction over the layers: in every group of level $l$, whatever its bits, the positions
that fired in layer $l$ have the parity of the group (with its exact bits), and there is one.  The literals
that layer $l+1$ sees are then the parities of the groups.  A position that fired runs the list owned by its
group's parity, others run a list without an owner.  For each vector of parities below, exactly one of the
lists that are run knows all of them (an edge cover), and the check computes the sets of positions that can
be running it from the sets that can have fired below; none is empty.

*Closing level.*  An owned list is run exactly if its literal holds, a list without an owner always: by an
idle position, or by one of its holders that did not fire below.  So the cell that comes first in the
closing order is held by some position, and it names the parity (7- to 10-cube).  In layer $d$ head $h$
of the last position sees only what the core of depth $d$ of its own part closed, and adds that parity.

*Counting.*  Cores, exact bits, the bits read in layer 1 and the last bit are all bits, each once:
$1 + H(1 + (6+H) + 9(3+H))$, and $50(3+H)$ more for each head with four layers.  With more heads the exact
bits, idle in all layers, run further lists without an owner, so that larger cubes are closed.

*More heads.*  The cores and their lists are the same for every $H$; a further head adds a copy of them and
one exact bit to every group of the first level, which enters by its parity only.""",
)
