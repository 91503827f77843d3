"""How many positions two layers with one head need at least for PARITY on n bits."""

from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING, Any

from bounds.limits.series import code_series
from figures import style
from figures.numbers import plain

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ID = "limits-padding"
TITLE = "Positions needed for PARITY with two layers and one head"
CAPTION = (
    r"Lower bound on the number of positions $N$ (input bits and idle positions) with which two "
    r"layers of one head compute PARITY on $n$ bits, and the construction with one position for "
    r"every odd input, $N = n + 2^{n-1}$."
)
SIZE = (style.COLUMN, 2.4)


@dataclass(frozen=True, slots=True)
class Data:
    """Numbers of positions by number of bits n, dimensionless."""

    n: tuple[int, ...]
    needed: tuple[int, ...]
    enough: tuple[int, ...]

    def to_json(self) -> Any:
        """Return the numbers as JSON-compatible data."""
        return plain(self)


def needed(n: int) -> int:
    """Return the least N that the counting argument does not exclude (at least n).

    Examples
    --------
    >>> needed(20)
    147
    """
    codes = code_series((("tree", 1), ("list", 1)), n)
    worst = max(Fraction(comb(n - 2, s), 2**s * codes[s]) for s in range(1, n - 1))
    return max(n, -(-worst.numerator // worst.denominator) + 1)


def data(*, quick: bool = False) -> Data:
    """Evaluate the bound exactly; deterministic."""
    n = tuple(range(10, 81, 10 if quick else 2))
    return Data(n, tuple(map(needed, n)), tuple(k + 2 ** (k - 1) for k in n))


def note(d: Data) -> str:
    """Return two values of the bound."""
    at = dict(zip(d.n, d.needed, strict=True))
    return f"At least {at[20]:,} positions for 20 bits and {at[40]:,} for 40 bits."


def draw(fig: "Figure", d: Data) -> None:
    """Draw the bound and the construction."""
    ax = fig.subplots()
    rows = ((d.needed, "needed"), (d.enough, "enough"), (d.n, "no idle position"))
    for k, (values, label) in enumerate(rows):
        ax.plot(d.n, values, color=style.colour(k), linestyle=style.LINES[k], label=label)
    ax.set(yscale="log", xlabel="bits $n$", ylabel="positions $N$")
    fig.legend(loc="outside upper center", ncols=2)
