"""Double histogram compiled: the attention of its weights, and the flow of layers and heads.

References
----------
Weiss, Goldberg & Yahav (2021), Figure 1 [weiss2021].
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

from figures import style
from figures.numbers import plain
from rasp.compiler.pipeline import compile_program
from rasp.interpret.library import library_text
from rasp.interpret.session import Session
from rasp.weights.floating import FloatModel

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ID = "rasp-compiled-double-histogram"
TITLE = "Double histogram compiled to weights"
CAPTION = (
    "Attention of the compiled double histogram on '§hello' (softmax of its float32 weights; "
    "queries are rows, keys columns; B is the model's own first row, which catches what is not "
    "selected and turns a count c into the share 1/(1+c)). Below each head: the share it delivers; "
    "below each layer: what its feed-forward network reads off it."
)
SIZE = (3.3, 4.4)
_WORD = "§hello"
_NAMES = ("same token", "same token, earlier", "same count, first of its token")


@final
@dataclass(frozen=True, slots=True)
class Data:
    """What the compiled model attends to and computes.

    ``heads`` holds, per head, its name, layer, pattern (rows, rows) with BOS first, and the share
    of BOS per row; ``hist`` and ``seen`` are read off the shares of layer 1; ``output`` is the
    model's, ``parameters`` are dense and nonzero.
    """

    word: str
    heads: tuple[tuple[str, int, tuple[tuple[float, ...], ...]], ...]
    hist: tuple[int, ...]
    seen: tuple[int, ...]
    output: tuple[int, ...]
    parameters: tuple[int, int]

    def to_json(self) -> Any:
        """Return the numbers as JSON-compatible data."""
        return plain(self)


def data(*, quick: bool = False) -> Data:
    """Compile, run in float32 and read the attention off; deterministic, the same if ``quick``."""
    del quick
    session = Session(read=library_text)
    list(session.run('load "paper_examples";'))
    sop = session.console.variables["hist2_bos"]
    model = compile_program(sop, vocabulary=sorted(set(_WORD)), length=10, name="hist2_bos")
    run = FloatModel(model, "float32").run([_WORD], returns=("outputs", "attention"))
    heads = tuple(
        (head.name, layer, tuple(map(tuple, run.attention[head.name][0].tolist())))
        for layer, head in model.heads()
    )
    counts = [tuple(round(1 / row[0]) - 1 for row in pattern[1:]) for _, _, pattern in heads]
    sizes = model.parameters()
    return Data(
        _WORD, heads, counts[0], counts[1], tuple(run.output()[0]),
        (sizes["dense"], sizes["nonzero"]),
    )  # fmt: skip


def note(data: Data) -> str:
    """Return the sentence with the sizes."""
    layers = max(layer for _, layer, _ in data.heads)
    return (
        f"The model has {layers} layers, {len(data.heads)} heads and {data.parameters[0]} "
        f"weights, of which {data.parameters[1]} are not zero; it gives {list(data.output)}."
    )


def draw(fig: "Figure", data: Data) -> None:
    """Draw patterns in the order of the layers, with what is read off them."""
    fig.set_layout_engine("none")
    labels = ["B", *data.word]
    places = ((0.10, 0.61), (0.60, 0.61), (0.10, 0.09))
    for (name, layer, pattern), (x, y), what in zip(data.heads, places, _NAMES, strict=True):
        del name
        ax = fig.add_axes((x, y, 0.38, 0.38 * SIZE[0] / SIZE[1]))
        ax.imshow(pattern, cmap="Blues", vmin=0, vmax=1.25)
        for i, row in enumerate(pattern):
            for j, share in enumerate(row):
                if share > 0:
                    ink = "white" if share > 0.8 else "black"
                    ax.text(j, i, _share(share), ha="center", va="center", fontsize=6, color=ink)
        ax.set_xticks(range(len(labels)), labels, fontsize=7)
        ax.set_yticks(range(len(labels)), labels, fontsize=7)
        ax.xaxis.tick_top()
        ax.tick_params(length=0)
        number = 1 + (x > 0.3)
        fig.text(x, y + 0.365, f"layer {layer}, head {number}", fontsize=8, fontweight="bold",
                 color=style.OKABE_ITO["blue"])  # fmt: skip
        fig.text(x, y + 0.34, what, fontsize=7)
    _row(fig, 0.58, 0.10, "count", data.hist)
    _row(fig, 0.58, 0.60, "copies before", data.seen)
    _row(fig, 0.06, 0.10, "output", data.output)
    text = [
        "feed-forward 1 reads",
        "c off 1/(1+c): the",
        "counts above, and",
        "whether a copy stood",
        "before.",
        "",
        "feed-forward 2 reads",
        "the output the same",
        "way.",
    ]
    for line, words in enumerate(text):
        fig.text(0.60, 0.36 - 0.03 * line, words, fontsize=7)


def _row(fig: "Figure", y: float, x: float, name: str, values: tuple[int, ...]) -> None:
    """Write a sequence below the columns of a pattern."""
    cell = 0.38 / 7
    for j, value in enumerate(values, start=1):
        fig.text(x + (j + 0.5) * cell, y, str(value), fontsize=7, ha="center")
    fig.text(x, y - 0.03, name, fontsize=7, style="italic")


def _share(share: float) -> str:
    """Return 1/k for a share of that size."""
    whole = round(1 / share)
    return "1" if whole == 1 else f"1/{whole}"
