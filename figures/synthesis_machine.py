"""One machine that should not exist by (H+1)^L: PARITY of five bits, two layers, one head."""

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

from figures import style
from figures.numbers import plain
from synthesis.closing import OUTSIDE
from synthesis.decode import from_lists
from synthesis.spec import Spec

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ID = "synthesis-machine"
TITLE = "How two layers with one head decide PARITY of five bits"
CAPTION = (
    r"Left: each position's ranking in layer 1, by its own bit; it attends to the first literal "
    r"that is true. Right: the last position walks down its ranking of cells (position, own bit, "
    r"attended literal) and answers at the first cell that holds. The light bar is how many of the "
    r"8 words of bits 1 to 3 lie in the cell, the dark bar how many of them no earlier cell has "
    r"taken: these have one parity. The first cells hold single words, which one position knows "
    r"completely because it attended elsewhere than to its first choices."
)
SIZE = (style.TEXT, 2.9)

# two free positions below position 2, whose two lists differ with its own bit; the outside list
# is position 3's, and position 4 always attends to position 3
_LISTS: dict[tuple[int, int], tuple[tuple[int, int], ...]] = {
    (OUTSIDE, 0): ((0, 1), (1, 1), (2, 1), (2, 0), (1, 0), (0, 0)),
    (0, 0): (),
    (0, 1): (),
    (1, 0): ((0, 1), (0, 0)),
    (1, 1): ((0, 1), (0, 0)),
    (2, 0): ((0, 0), (1, 0), (1, 1), (0, 1)),
    (2, 1): ((1, 1), (0, 0), (0, 1), (1, 0)),
}


@dataclass(frozen=True, slots=True)
class Data:
    """Layer-1 rankings, and the last layer's cells: words inside, words settled, parity."""

    lists: tuple[tuple[str, str], ...]
    cells: tuple[tuple[str, int, int, int], ...]
    mistakes: int

    def to_json(self) -> Any:
        """Return the numbers as JSON-compatible data."""
        return plain(self)


def data(*, quick: bool = False) -> Data:
    """Close the 3-cube with the lists and run the transformer on all 32 words; deterministic."""
    machine = from_lists(Spec("parity", 5, 2, 1, None), _LISTS)
    lists = []
    for (j, own), literals in sorted(_LISTS.items()):
        who = "position 4" if j == OUTSIDE else f"position {j + 1}, own bit {own}"
        firsts = [f"$x_{i + 1}={v}$" for i, v in literals[: (len(literals) + 1) // 2]]
        lists.append((who, ", ".join(firsts) + ", else the last one" if firsts else "sees nothing"))
    z = 2 * (1 + 2 * 3)  # last position: own bit 0, attended bit 0
    words = list(product(range(2), repeat=3))
    left = dict.fromkeys(words, True)
    cells = []
    for j, value in machine.ranks[2, 0, 4, z]:
        inside = [w for w in left if _in_cell(w, j, value)]
        if inside:
            total = sum(_in_cell(w, j, value) for w in words)
            cells.append((_name(j, value), total, len(inside), sum(inside[0]) % 2))
            for word in inside:
                del left[word]
    return Data(tuple(lists[1:] + lists[:1]), tuple(cells), len(machine.mistakes()))


def note(d: Data) -> str:
    """Return the sentence about the run on all words."""
    return f"The transformer is wrong on {d.mistakes} of 32 words."


def draw(fig: "Figure", d: Data) -> None:
    """Draw the rankings as text and the cells as bars."""
    left, right = fig.subplots(1, 2, width_ratios=(1.0, 1.15))
    left.set_axis_off()
    left.text(0, 1.0, "layer 1 attends to the first of", fontsize=8, va="top", weight="bold")
    for k, (who, ranking) in enumerate(d.lists):
        left.text(0, 0.88 - 0.125 * k, who, fontsize=7, va="top")
        left.text(0.03, 0.83 - 0.125 * k, ranking, fontsize=7, va="top", color=style.colour(0))
    places = range(len(d.cells))
    right.barh(list(places), [c[1] for c in d.cells], color="#dddddd")
    for parity in (0, 1):
        chosen = [k for k in places if d.cells[k][3] == parity]
        right.barh(
            chosen, [d.cells[k][2] for k in chosen], color=style.colour(parity),
            hatch="" if parity else "//", edgecolor="white", label="odd" if parity else "even",
        )  # fmt: skip
    right.set_yticks(list(places), [c[0] for c in d.cells], fontsize=6.5)
    right.invert_yaxis()
    right.set(xlabel="words of 8", title="layer 2, last position: cells in order")
    right.legend(loc="lower right", title="parity of free bits")


def _in_cell(word: tuple[int, ...], j: int, value: int) -> bool:
    """Return whether free position ``j`` (or the outside list, j = 3) holds ``value``."""
    outside = j == len(word)
    own = 0 if outside else word[j]
    ranking = _LISTS[OUTSIDE if outside else j, own]
    attended = next(((i, v) for i, v in ranking if word[i] == v), None)
    held = own if attended is None else own + 2 * (1 + 2 * attended[0] + attended[1])
    return held == value


def _name(j: int, value: int) -> str:
    own, literal = value % 2, value // 2 - 1
    bit = "" if j == 3 else f" with bit {own}"
    seen = "" if literal < 0 else f" attends to $x_{literal // 2 + 1}={literal % 2}$"
    return f"position {j + 1}{bit}{seen}"
