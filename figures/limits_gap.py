"""From which length on PARITY is impossible, by every method, and what machines reach."""

from dataclasses import dataclass
from math import isfinite, log10
from typing import TYPE_CHECKING, Any

from bounds.limits.ladder import METHODS, ladder
from bounds.limits.machines_reach import reachable, tree
from bounds.limits.sweep import stored
from figures import style
from figures.numbers import plain

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ID = "limits-gap"
TITLE = "Lengths at which PARITY is impossible, and reachable"
CAPTION = (
    r"Per number of layers $L$: the length $n_0$ from which on no hard-attention transformer "
    r"with $H$ heads computes PARITY, by method, and the length that an explicit machine reaches. "
    r"The shaded gap is open. Lengths beyond $10^{12}$ are in the upper row, on the scale of "
    r"$\log_{10}\log_{10} n_0$; towers of more than two powers are left out, and so is the "
    r"textbook bound of four layers with more than two heads."
)
SIZE = (style.TEXT, 3.9)
_LAYERS = (1, 2, 3, 4)
_SPLIT = 12.0  # log10 of the length where the upper row begins
_SLOW = METHODS[:2]  # depth reduction with published or optimal weights

Rows = tuple[tuple[tuple[float | None, ...], ...], ...]


@dataclass(frozen=True, slots=True)
class Data:
    """Logarithms of lengths by layers, method and heads; ``None`` where there is no such bound."""

    layers: tuple[int, ...]
    heads: tuple[int, ...]
    methods: tuple[str, ...]
    logarithms: Rows  # log10 n
    iterated: Rows  # log10 log10 n

    def to_json(self) -> Any:
        """Return the numbers as JSON-compatible data."""
        return plain(self)


def data(*, quick: bool = False) -> Data:
    """Read the stored certificates and evaluate every other method; deterministic."""
    heads = (1, 4) if quick else (1, 2, 4, 8)
    older = tuple(m for m in METHODS[:-4] if not (quick and m in _SLOW))
    best = {
        name: {(c["layers"], c["heads"]): c["n0"] for c in stored(table)}
        for name, table in (("encoding, tuples", "parity-tuples"), ("encoding, sets", "parity"))
    }
    logarithms, iterated = [], []
    for layers in _LAYERS[:2] if quick else _LAYERS:
        found: dict[tuple[str, int], tuple[float | None, float | None]] = {}
        for h in heads:
            long = layers == 4 and h > 2  # the textbook's intervals take half a minute there
            names = tuple(m for m in older if not (long and m == "textbook switching"))
            for r in ladder(layers, h, only=names):
                power = r.shown.removeprefix("10^10^")
                twice = None if power == r.shown else float(power)
                if isfinite(r.log10):
                    twice = log10(r.log10) if r.log10 > 1 else None
                found[(r.method, h)] = (r.log10 if isfinite(r.log10) else None, twice)
            for name, table in best.items():
                found[(name, h)] = (log10(table[(layers, h)]), None)
            found[("tree", h)] = (log10(tree(layers, h)), None)
            found[("machine", h)] = (log10(reachable(layers, h)), None)
        rows = [
            [found.get((name, h), (None, None)) for h in heads] for name in (*older, *METHODS[-4:])
        ]
        logarithms.append(tuple(tuple(a for a, _ in row) for row in rows))
        iterated.append(tuple(tuple(b for _, b in row) for row in rows))
    layers_shown = _LAYERS[:2] if quick else _LAYERS
    return Data(layers_shown, heads, (*older, *METHODS[-4:]), tuple(logarithms), tuple(iterated))


def _length(d: Data, layer: int, method: str) -> int:
    value = d.logarithms[layer][d.methods.index(method)][0]
    assert value is not None
    return round(10**value)


def note(d: Data) -> str:
    """Return the gaps for one head."""
    gaps = [
        f"L={k}: {_length(d, i, 'machine'):,} to {_length(d, i, 'encoding, sets'):,}"
        for i, k in enumerate(d.layers)
    ]
    return "Reachable and impossible lengths for one head: " + "; ".join(gaps) + "."


def draw(fig: "Figure", d: Data) -> None:
    """Draw one column for each number of layers: huge lengths above, the others below."""
    panels = fig.subplots(
        2, len(d.layers), sharex=True, sharey="row", height_ratios=(1, 2.2), squeeze=False
    )
    low, high = d.methods.index("machine"), d.methods.index("encoding, sets")
    for i, layers in enumerate(d.layers):
        above, below = panels[0, i], panels[1, i]
        values = [[10 ** (v or 0.0) for v in d.logarithms[i][k]] for k in (low, high)]
        below.fill_between(d.heads, *values, color=style.OKABE_ITO["sky"], alpha=0.25, linewidth=0)
        for k, name in enumerate(d.methods):
            look: dict[str, Any] = {
                "color": style.colour(k),
                "linestyle": style.LINES[k % len(style.LINES)],
                "marker": style.MARKERS[k % len(style.MARKERS)],
                "markersize": 3,
                "markerfacecolor": style.colour(k) if k < len(style.MARKERS) else "white",
                "linewidth": 0.9,
            }
            triples = list(zip(d.heads, d.logarithms[i][k], d.iterated[i][k], strict=True))
            small = [(h, 10**v) for h, v, _ in triples if v is not None and v <= _SPLIT]
            huge = [(h, t) for h, v, t in triples if t is not None and (v is None or v > _SPLIT)]
            below.plot(*zip(*small, strict=True), **look) if small else None
            above.plot(*zip(*huge, strict=True), **look) if huge else None
            if i == 0:
                below.plot([], [], label=name, **look)
        above.set(yscale="log", ylim=(1, 3e4), title=f"$L = {layers}$")
        above.set_yticks(
            [1, 10, 100, 1000], ["$10^{10}$", *(f"$10^{{10^{{{t}}}}}$" for t in (10, 100, 1000))]
        )
        below.set(yscale="log", ylim=(1, 10**_SPLIT), xlabel="heads $H$", xticks=d.heads)
        below.minorticks_off()
        above.minorticks_off()
    panels[1, 0].set_ylabel("length $n$")
    fig.legend(loc="outside upper center", ncols=4, fontsize=6)
