"""A good restriction of one layer, before and after (Figure 2 of Hahn 2020), executed."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from attention.families import sinusoidal
from figures import style
from figures.numbers import plain
from figures.reduction_drawing import Panel, draw_panel
from figures.reduction_layers import attained_edges
from restrictions.ctransformer import lift
from restrictions.probe import positions
from restrictions.reduction import reduce_depth
from restrictions.restriction import Restriction

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ID = "reduction-heads"
TITLE = "A good restriction of the first layer, executed"
CAPTION = (
    r"One layer of a random dot-product model on $n = 10$ inputs. Edges: every input that some "
    r"word makes a head attend to, found by running the model on all words of the subcube. "
    r"(a) Before: heads may attend to almost any input. (b) After fixing the inputs in filled "
    r"squares."
)
SIZE = (style.TEXT, 2.0)

_N, _SEED, _K = 10, 7, 2


@dataclass(frozen=True, slots=True)
class Data:
    """Two panels, and the greatest number of inputs one head can attend to in each."""

    panels: tuple[Panel, ...]
    reach: tuple[int, ...]

    def to_json(self) -> Any:
        """Return the numbers as JSON-compatible data."""
        return plain(self)


def data(*, quick: bool = False) -> Data:
    """Run one step of the reduction and enumerate attended inputs; deterministic."""
    model = sinusoidal(_N, 1, 1, rng=np.random.default_rng(_SEED), width=8)
    step = reduce_depth(lift(model), k=_K, rng=np.random.default_rng(0))
    fixing = step.transformer.fixing
    ground = Restriction.free(model.alphabet, model.n)
    rho = ground.fix(
        {j: model.alphabet[fixing.true >> j & 1] for j in positions(fixing.true | fixing.false)}
    )
    panels, reach = [], []
    for title, shown in (("(a) before", ground), ("(b) after", rho)):
        edges = attained_edges(model, shown)
        panels.append(Panel(title, ("inputs", "heads"), str(shown), edges, ()))
        reach.append(max(sum(e[1] == i for e in edges) for i in range(_N)))
    return Data(tuple(panels), tuple(reach))


def note(d: Data) -> str:
    """Return the sentence with the reach of a head."""
    fixed = _N - d.panels[1].fixed.count("*")
    return (
        f"With {fixed} of {_N} inputs fixed a head attends to at most {d.reach[1]} inputs "
        f"instead of {d.reach[0]}."
    )


def draw(fig: "Figure", d: Data) -> None:
    """Draw both panels side by side."""
    for ax, panel in zip(fig.subplots(1, 2).flat, d.panels, strict=True):
        draw_panel(ax, panel)
