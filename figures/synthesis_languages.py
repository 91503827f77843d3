"""One layer: the longest words that each language allows, over the number of heads."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from figures import style
from figures.numbers import plain
from synthesis.stored import ROWS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ID = "synthesis-languages"
TITLE = "One layer: reach by language"
CAPTION = (
    r"Longest words decided by one layer of hard attention with $H$ heads, by language. Filled "
    r"markers are exact; an open one stands for a machine without a refutation of every longer "
    r"length, so the truth may lie above it. Markers of one $H$ are set side by side only so that "
    r"none hides another: every $H$ is 1, 2, 3 or 4. PARITY follows $H+1$, MOD3 $H+2$ and 1DYCK "
    r"$2H$; 2DYCK with three heads stops at 4; FIRST and $1^*$ (not shown) have no limit."
)
SIZE = (style.COLUMN, 2.6)
_SHOWN = ("parity", "mod3", "majority", "dyck1", "dyck2")


@dataclass(frozen=True, slots=True)
class Data:
    """By language: heads, lengths and whether each is exact; equal lengths within a language."""

    heads: dict[str, tuple[int, ...]]
    reach: dict[str, tuple[int, ...]]
    exact: dict[str, tuple[bool, ...]]

    def to_json(self) -> Any:
        """Return the numbers as JSON-compatible data."""
        return plain(self)


def data(*, quick: bool = False) -> Data:
    """Read the one-layer rows of the stored results; deterministic."""
    rows = {
        name: [r for r in ROWS if r.spec.language == name and r.spec.layers == 1] for name in _SHOWN
    }
    return Data(
        {name: tuple(r.spec.heads for r in found) for name, found in rows.items()},
        {name: tuple(r.found for r in found) for name, found in rows.items()},
        {name: tuple(r.exact for r in found) for name, found in rows.items()},
    )


def draw(fig: "Figure", d: Data) -> None:
    """Draw one line a language."""
    ax = fig.subplots()
    for k, name in enumerate(sorted(d.reach)):
        # languages share values: shift each a little so that no line hides another
        x = [h + 0.05 * (k - 2) for h in d.heads[name]]
        ax.plot(
            x, d.reach[name], color=style.colour(k), linestyle=style.LINES[k],
            label=name.upper(), lw=1,
        )  # fmt: skip
        for place, value, exact in zip(x, d.reach[name], d.exact[name], strict=True):
            ax.plot(
                [place], [value], marker=style.MARKERS[k], color=style.colour(k),
                markerfacecolor=style.colour(k) if exact else "white",
            )  # fmt: skip
    if not all(all(row) for row in d.exact.values()):
        ax.plot([], [], linestyle="", marker="o", color=style.OKABE_ITO["black"],
                markerfacecolor="white", label="open: at least")  # fmt: skip
    ax.set(xlabel="heads $H$", ylabel="longest word $n$", xticks=(1, 2, 3, 4), ylim=(0, 9))
    fig.legend(
        loc="outside upper center", ncols=3, title="shifted sideways only to be told apart",
        title_fontsize=7,
    )  # fmt: skip
