"""How many bits of PARITY each size of hard attention decides, against (H+1)^L."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from figures import style
from figures.numbers import plain
from synthesis.stored import ROWS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ID = "synthesis-reach"
TITLE = "PARITY: exact reach by size"
CAPTION = (
    r"Longest PARITY decided by hard attention with $L$ layers, $H$ heads and $S$ hidden symbols: "
    r"filled markers are exact (a machine, and a checked refutation of the next length), arrows "
    r"are machines without a matching refutation. The line is $(H+1)^L$, which one would expect "
    r"if the choice of where to attend carried no information."
)
SIZE = (style.TEXT, 2.6)


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
    """Read the PARITY rows of the stored results; deterministic."""
    rows = [row for row in ROWS if row.spec.language == "parity"]
    labels = []
    for row in rows:
        spec = row.spec
        size = "any" if spec.alphabet is None else str(spec.alphabet)
        mask = "\nunmasked" if spec.variant == "full" else ""
        hidden = f", S={size}" if spec.layers > 1 else ""
        labels.append(f"L={spec.layers}, H={spec.heads}{hidden}{mask}")
    return Data(
        tuple(labels),
        tuple(row.found for row in rows),
        tuple(row.exact for row in rows),
        tuple((row.spec.heads + 1) ** row.spec.layers for row in rows),
    )


def note(d: Data) -> str:
    """Return the sentence about the sizes that reach further than the power."""
    further = sum(r > p for r, p in zip(d.reach, d.power, strict=True))
    return f"{further} of {len(d.label)} sizes reach further than (H+1)^L."


def draw(fig: "Figure", d: Data) -> None:
    """Draw reach and power for every size."""
    ax = fig.subplots()
    places = range(len(d.label))
    ax.plot(
        places, d.power, color=style.OKABE_ITO["black"], drawstyle="steps-mid", lw=0.9,
        linestyle="--", label=r"$(H+1)^L$",
    )  # fmt: skip
    exact = [k for k in places if d.exact[k]]
    open_ended = [k for k in places if not d.exact[k]]
    ax.plot(
        exact, [d.reach[k] for k in exact], linestyle="", marker=style.MARKERS[0],
        color=style.colour(0), label="exact",
    )  # fmt: skip
    ax.plot(
        open_ended, [d.reach[k] for k in open_ended], linestyle="", marker="^",
        markerfacecolor="white", color=style.colour(1), label="at least",
    )  # fmt: skip
    for k in places:
        sign = "=" if d.exact[k] else r"$\geq$"
        ax.annotate(
            f"{sign} {d.reach[k]}", (k, d.reach[k]), xytext=(0, 5), textcoords="offset points",
            ha="center", fontsize=7,
        )  # fmt: skip
    ax.set_xticks(list(places), d.label, rotation=30, ha="right", fontsize=6.5)
    ax.set(ylabel="bits", ylim=(0, max(d.reach) + 1.8))
    ax.legend(loc="upper left")
