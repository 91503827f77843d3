"""2DYCK: what the 1/n influence of the due opener costs in cross-entropy."""

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from figures import style
from figures.numbers import plain
from influence.theorem6 import mean_exchange, pair_floor_bits
from influence.training import Training, hidden_prefixes, train_dyck
from languages.dyck_process import DyckProcess

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ID = "influence-dyck"
TITLE = "2DYCK: bracket type and excess"
CAPTION = (
    r"Left: cross-entropy of the bracket type over pairs of prefixes that differ in the "
    r"due opening bracket. Lines: the floor $\log_2(1+e^{-C/(2n)})$ for a log-odds change "
    r"of $C/n$; points: a two-layer encoder trained at length 48 (drawn if PyTorch is "
    r"installed) and its own floor. Right: excess over the optimum that follows, "
    r"$(1-p)P_0(n)$ times the floor, for $p=1/2$, against its value without any access to "
    r"the type."
)
SIZE = (style.TEXT, 2.4)


CONSTANTS = (30.0, 100.0, 300.0)


@dataclass(frozen=True, slots=True)
class Trained:
    """Means over pairs at each length for one trained encoder."""

    n: np.ndarray
    scaled_change: np.ndarray
    cross_entropy: np.ndarray
    floor: np.ndarray


@dataclass(frozen=True, slots=True)
class Data:
    """Floors by constant, the exact excess, and the trained encoder if there is one."""

    n: np.ndarray
    floor: np.ndarray
    blind_excess: np.ndarray
    excess: np.ndarray
    trained: Trained | None

    def to_json(self) -> Any:
        """Return the numbers as JSON-compatible data."""
        return plain(self)


def data(*, quick: bool = False) -> Data:
    """Compute floors; train (seed 0, about 20 CPU seconds) unless ``quick`` or without PyTorch."""
    ns = np.unique(np.round(np.geomspace(8, 32 if quick else 256, 12)).astype(int))
    process = DyckProcess(Fraction(1, 2))
    hidden = np.array([float(process.unbalanced_closing(int(n))) for n in ns])
    floor = np.array([[pair_floor_bits(c / n) for n in ns] for c in CONSTANTS])
    return Data(ns, floor, hidden / 2, hidden / 2 * floor, None if quick else _trained(process))


def _trained(process: DyckProcess) -> Trained | None:
    try:
        import torch  # noqa: F401
    except ImportError:
        return None
    model, _ = train_dyck(Training(), seed=0)
    rng = np.random.default_rng(0)
    lengths = [16, 32, 48, 96, 192, 384]
    rows = [mean_exchange(model, hidden_prefixes(process, n, 16, rng)) for n in lengths]
    change, cost, floor = np.array(rows).T
    return Trained(np.array(lengths), change * np.array(lengths), cost, floor)


def note(d: Data) -> str:
    """Return what the trained encoder shows."""
    if d.trained is None:
        return "No trained encoder was drawn."
    t = d.trained
    return (
        f"The encoder's bracket-type cross-entropy rises from {t.cross_entropy[0]:.2f} to "
        f"{t.cross_entropy[-1]:.2f} bits while n times its log-odds change stays between "
        f"{t.scaled_change.min():.0f} and {t.scaled_change.max():.0f}."
    )


def draw(fig: "Figure", d: Data) -> None:
    """Draw both panels."""
    left, right = fig.subplots(1, 2)
    for i, constant in enumerate(CONSTANTS):
        kind = {"linestyle": style.LINES[i], "color": style.colour(i)}
        left.semilogx(d.n, d.floor[i], label=f"floor, $C={constant:g}$", **kind)
        right.semilogx(d.n, d.excess[i], label=f"$C={constant:g}$", **kind)
    if d.trained is not None:
        t = d.trained
        left.plot(t.n, t.cross_entropy, "o", ms=3, color="black", label="trained")
        left.plot(t.n, t.floor, "x", ms=3, color="black", label="its floor")
    right.semilogx(d.n, d.blind_excess, color="black", label="no access")
    for ax, label in ((left, "type cross-entropy (bits)"), (right, "excess (bits)")):
        ax.set_xlabel("$n$")
        ax.set_ylabel(label)
        ax.legend()
