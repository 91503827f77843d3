"""From which length on PARITY is impossible, by method, and what machines reach."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bounds.limits import closed_form, switching
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
    r"The shaded gap is open."
)
SIZE = (style.TEXT, 2.5)
_LAYERS = (2, 3, 4)


@dataclass(frozen=True, slots=True)
class Data:
    """Lengths by layers (outer index) and heads 1..8 (inner index), dimensionless."""

    layers: tuple[int, ...]
    heads: tuple[int, ...]
    best: tuple[tuple[int, ...], ...]
    tuples: tuple[tuple[int, ...], ...]
    closed: tuple[tuple[int, ...], ...]
    switching: tuple[tuple[int, ...], ...]
    machine: tuple[tuple[int, ...], ...]
    tree: tuple[tuple[int, ...], ...]

    def to_json(self) -> Any:
        """Return the numbers as JSON-compatible data."""
        return plain(self)


def data(*, quick: bool = False) -> Data:
    """Read the stored certificates and evaluate the other methods; deterministic."""
    heads = (1, 2, 4, 8) if quick else tuple(range(1, 9))
    best = {(c["layers"], c["heads"]): c["n0"] for c in stored("parity")}
    tuples = {(c["layers"], c["heads"]): c["n0"] for c in stored("parity-tuples")}

    def rows(value: Any) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(value(k, h) for h in heads) for k in _LAYERS)

    return Data(
        layers=_LAYERS,
        heads=heads,
        best=rows(lambda k, h: best[(k, h)]),
        tuples=rows(lambda k, h: tuples[(k, h)]),
        closed=rows(closed_form.smallest),
        switching=rows(switching.smallest),
        machine=rows(reachable),
        tree=rows(tree),
    )


def note(d: Data) -> str:
    """Return the gaps for one head."""
    gaps = [f"L={k}: {d.machine[i][0]:,} to {d.best[i][0]:,}" for i, k in enumerate(d.layers)]
    return "Reachable and impossible lengths for one head: " + "; ".join(gaps) + "."


def draw(fig: "Figure", d: Data) -> None:
    """Draw one panel for each number of layers."""
    panels = fig.subplots(1, len(d.layers))
    kinds = (
        ("closed form", d.closed),
        ("switching", d.switching),
        ("encoding, tuples", d.tuples),
        ("encoding, sets", d.best),
        ("machine", d.machine),
        ("tree", d.tree),
    )
    for i, (ax, layers) in enumerate(zip(panels, d.layers, strict=True)):
        grey = style.OKABE_ITO["sky"]
        ax.fill_between(d.heads, d.machine[i], d.best[i], color=grey, alpha=0.25, linewidth=0)
        for k, (label, rows) in enumerate(kinds):
            ax.plot(
                d.heads,
                rows[i],
                color=style.colour(k),
                linestyle=style.LINES[k],
                marker=style.MARKERS[k],
                markersize=2.5,
                linewidth=0.9,
                label=label if i == 0 else None,
            )
        ax.set(yscale="log", title=f"$L = {layers}$", xlabel="heads $H$")
    panels[0].set_ylabel("length $n$")
    fig.legend(loc="outside upper center", ncols=3)
