"""How the certified lengths grow: n0 / (H+1)^L against the number of heads."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bounds.limits.machines_reach import reachable
from bounds.limits.sweep import stored
from figures import style
from figures.numbers import plain

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ID = "limits-growth"
TITLE = "Certified lengths over (H+1)^L"
CAPTION = (
    r"$n_0/(H+1)^L$ (solid markers) and the same ratio for explicit machines (open markers), up to "
    r"six layers and 16 heads: for a fixed number of layers both are bounded, so the reachable "
    r"length is $\Theta_L(H^L)$. From five layers on machines have the same ratio as with four."
)
SIZE = (style.COLUMN, 2.9)


@dataclass(frozen=True, slots=True)
class Data:
    """Ratios by layers 1..6 (outer) and heads 1..16 (inner), dimensionless."""

    layers: tuple[int, ...]
    heads: tuple[int, ...]
    impossible: tuple[tuple[float, ...], ...]
    reached: tuple[tuple[float, ...], ...]

    def to_json(self) -> Any:
        """Return the numbers as JSON-compatible data."""
        return plain(self)


def data(*, quick: bool = False) -> Data:
    """Read the stored certificates; deterministic."""
    layers, heads = tuple(range(1, 7)), (1, 4, 16) if quick else tuple(range(1, 17))
    best = {(c["layers"], c["heads"]): c["n0"] for c in stored("parity-wide")}
    return Data(
        layers,
        heads,
        tuple(tuple(best[(k, h)] / (h + 1) ** k for h in heads) for k in layers),
        tuple(tuple(reachable(k, h) / (h + 1) ** k for h in heads) for k in layers),
    )


def note(d: Data) -> str:
    """Return the range of the ratios for each number of layers."""
    spans = [
        f"L={k}: {min(r):.1f} to {max(r):.1f}" for k, r in zip(d.layers, d.impossible, strict=True)
    ]
    return "n0/(H+1)^L lies between " + "; ".join(spans) + "."


def draw(fig: "Figure", d: Data) -> None:
    """Draw one pair of curves for each number of layers."""
    ax = fig.subplots()
    for k, layers in enumerate(d.layers):
        look: dict[str, Any] = {
            "color": style.colour(k),
            "linestyle": style.LINES[k],
            "marker": style.MARKERS[k],
        }
        ax.plot(d.heads, d.impossible[k], markersize=3, label=f"$L={layers}$", **look)
        if layers <= 4:  # beyond, machines are tree layers below those of four layers
            ax.plot(d.heads, d.reached[k], markersize=3, markerfacecolor="none", **look)
    ax.set(yscale="log", xlabel="heads $H$", ylabel=r"$n/(H+1)^L$", xticks=(1, 4, 8, 12, 16))
    fig.legend(loc="outside upper center", ncols=3)
