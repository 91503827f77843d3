"""How many bits of PARITY each size of hard attention decides, against (H+1)^L."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from attention.constructions.causal_parity import causal_parity
from figures import style
from figures.numbers import plain
from synthesis.stored import ROWS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ID = "synthesis-reach"
TITLE = "PARITY: exact reach by size"
CAPTION = (
    r"Longest PARITY decided by hard attention with $L$ layers, $H$ heads and $S$ hidden symbols: "
    r"circles are exact (a machine, and a checked refutation of the next length), open arrows "
    r"are machines without a matching refutation. The bars are $(H+1)^L$, which one would expect "
    r"if the choice of where to attend carried no information."
)
SIZE = (style.COLUMN, 2.7)


@dataclass(frozen=True, slots=True)
class Data:
    """One entry a size: its label, the length found, whether it is exact, and (H+1)^L."""

    label: tuple[str, ...]
    reach: tuple[int, ...]
    exact: tuple[bool, ...]
    power: tuple[int, ...]

    def to_json(self) -> Any:
        """Return the numbers as JSON-compatible data."""
        return plain(self)


def data(*, quick: bool = False) -> Data:
    """Read the PARITY rows of the stored results, and the machine with two heads."""
    rows = [row for row in ROWS if row.spec.language == "parity"]
    labels = []
    for row in rows:
        spec = row.spec
        size = "any" if spec.alphabet is None else str(spec.alphabet)
        mask = " unmasked" if spec.variant == "full" else ""
        hidden = f", S={size}" if spec.layers > 1 else ""
        labels.append(f"L={spec.layers}, H={spec.heads}{hidden}{mask}")
    return Data(
        (*labels, "L=2, H=2, S=any"),
        (*(row.found for row in rows), causal_parity(2).n),
        (*(row.exact for row in rows), False),
        (*((row.spec.heads + 1) ** row.spec.layers for row in rows), 3**2),
    )


def note(d: Data) -> str:
    """Return the sentence about the sizes that reach further than the power."""
    further = sum(r > p for r, p in zip(d.reach, d.power, strict=True))
    return f"{further} of {len(d.label)} sizes reach further than (H+1)^L."


def draw(fig: "Figure", d: Data) -> None:
    """Draw reach and power for every size, one line each, so that the labels have room."""
    ax = fig.subplots()
    places = range(len(d.label))
    exact = [k for k in places if d.exact[k]]
    open_ended = [k for k in places if not d.exact[k]]
    ax.plot(
        d.power, places, linestyle="", marker="|", markersize=9, markeredgewidth=1.4,
        color=style.OKABE_ITO["black"], label=r"$(H+1)^L$",
    )  # fmt: skip
    ax.plot(
        [d.reach[k] for k in exact], exact, linestyle="", marker=style.MARKERS[0],
        color=style.colour(0), label="exact",
    )  # fmt: skip
    ax.plot(
        [d.reach[k] for k in open_ended], open_ended, linestyle="", marker=">",
        markerfacecolor="white", color=style.colour(1), label="at least",
    )  # fmt: skip
    for k in places:
        sign = "=" if d.exact[k] else r"$\geq$"
        ax.annotate(
            f"{sign} {d.reach[k]}", (d.reach[k], k), xytext=(5, 0), textcoords="offset points",
            va="center", fontsize=7,
        )  # fmt: skip
    ax.set_yticks(list(places), d.label, fontsize=7)
    ax.invert_yaxis()
    ax.set(xlabel="bits", xticks=range(2, max(d.reach) + 1, 2), xlim=(1, max(d.reach) + 2))
    fig.legend(loc="outside upper center", ncols=3)
