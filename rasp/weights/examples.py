"""Small compiled models written by hand, with known answers.

Main definitions: :func:`copy_model`, :func:`reverse_model`.

References
----------
Weiss, Goldberg & Yahav (2021), Sections 3 and 4 [weiss2021].
"""

from fractions import Fraction

from rasp.weights.matrix import Matrix
from rasp.weights.model import CompiledModel
from rasp.weights.parts import FeedForward, Head, Layer
from rasp.weights.readout import Direction, Mark, Readout
from rasp.weights.vocabulary import Vocabulary


def copy_model(symbols: str, *, length: int, bos: bool = False) -> CompiledModel:
    """Return the model without layers that gives back its input."""
    vocabulary, width = Vocabulary(tuple(symbols), bos=bos), len(symbols)
    return CompiledModel(
        name="copy",
        vocabulary=vocabulary,
        length=length,
        causal=False,
        width=width,
        token_embedding=Matrix.placed((vocabulary.size, width), {(i, i): 1 for i in range(width)}),
        position_embedding=Matrix.zeros(length + bos, width),
        layers=(),
        readouts=(
            Readout(
                name="copy",
                kind="categorical",
                directions=tuple(range(width)),
                values=tuple(symbols),
                label="tokens",
            ),
        ),
        basis=tuple(Direction(i, "tokens", symbol, 0, 0) for i, symbol in enumerate(symbols)),
        places={"tokens": (0, "embedding")},
    )


def reverse_model(symbols: str, *, length: int) -> CompiledModel:
    """Return the two-layer model with BOS that reverses its input.

    The first layer finds ``1 / (1 + n)`` by looking at all rows and decodes ``n - 1 - i``; the
    second looks at that position by the scores ``2 q k - k^2`` and copies its symbol.  Units are
    active for few rows only (``x`` below a threshold), so that floats lose little.

    Examples
    --------
    >>> model = reverse_model("ab", length=3)
    >>> model.depth, model.width, model.parameters()["nonzero"]
    (2, 10, 39)
    """
    vocabulary = Vocabulary(tuple(symbols), bos=True)
    v = len(symbols)
    one, bos, index, square, share, flipped, out = v, v + 1, v + 2, v + 3, v + 4, v + 5, v + 6
    width = out + v
    token = {(i, i): 1 for i in range(v)}
    token |= {(i, one): 1 for i in range(v)} | {(v + 1, one): 1, (v + 1, bos): 1}
    position = {(i + 1, index): i for i in range(length)}
    position |= {(i + 1, square): i * i for i in range(length)}
    seek = Head(
        name="seek",
        query=Matrix.placed((width, 3), {(flipped, 0): 2, (one, 1): -1, (one, 2): -1}),
        key=Matrix.placed((width, 3), {(index, 0): 1, (square, 1): 1, (bos, 2): length**2}),
        value=Matrix.placed((width, v), {(i, i): 1 for i in range(v)}),
        output=Matrix.placed((v, width), {(i, out + i): 1 for i in range(v)}),
        separation=Fraction(1),
        serves=("reverse",),
    )
    width_head = Head(
        name="count",
        query=Matrix.zeros(width, 1),
        key=Matrix.zeros(width, 1),
        value=Matrix.placed((width, 1), {(bos, 0): 1}),
        output=Matrix.placed((1, width), {(0, share): 1}),
        separation=Fraction(1),
        serves=("length",),
    )
    first = Layer((width_head,), _flip(width, length, one, bos, index, share, flipped))
    letters = enumerate(symbols)
    basis = [Direction(i, "tokens", s, 0, 4) for i, s in letters]
    basis += [Direction(one, "", Mark.ONE, 0, 4), Direction(bos, "", Mark.BOS, 0, 4)]
    basis += [Direction(index, "indices", Mark.NUMERIC, 0, 4)]
    basis += [Direction(square, "indices", Mark.SQUARE, 0, 4)]
    basis += [Direction(share, "length", Mark.SCRATCH, 1, 4)]
    basis += [Direction(flipped, "opposite", Mark.NUMERIC, 2, 4)]
    basis += [Direction(out + i, "reverse", s, 3, 4) for i, s in enumerate(symbols)]
    return CompiledModel(
        name="reverse",
        vocabulary=vocabulary,
        length=length,
        causal=False,
        width=width,
        token_embedding=Matrix.placed((vocabulary.size, width), token),
        position_embedding=Matrix.placed((length + 1, width), position),
        layers=(first, Layer((seek,))),
        readouts=(
            Readout(
                name="reverse",
                kind="categorical",
                directions=tuple(range(out, out + v)),
                values=tuple(symbols),
                label="reverse",
            ),
        ),
        basis=tuple(basis),
        places={
            "tokens": (0, "embedding"),
            "length": (1, "count"),
            "opposite": (1, "feed_forward"),
            "reverse": (2, "seek"),
        },
        program="reverse = aggregate(select(indices, length - indices - 1, ==), tokens);",
    )


def _flip(
    width: int, length: int, one: int, bos: int, index: int, share: int, flipped: int
) -> FeedForward:
    """Return ``flipped = n - 1 - index`` from ``share = 1 / (1 + n)``, nothing at BOS.

    The piecewise linear function through ``(1 / (1 + n), n)`` has slope ``-k (k + 1)`` left of
    ``1 / k``, so its slope grows by ``2 k`` there: it is the sum of ``2 relu(1 - k x)``.
    """
    w1: dict[tuple[int, int], int | Fraction] = {}
    b1: dict[tuple[int, int], int | Fraction] = {}
    w2: dict[tuple[int, int], int | Fraction] = {}
    for unit in range(length):
        k = unit + 1  # relu(1 - k x) is 0 from x = 1 / k on
        w1[share, unit], b1[0, unit] = -k, 1
        w1[bos, unit] = -1
        w2[unit, flipped] = 2
    w1[index, length], w2[length, flipped] = 1, -1
    w1[one, length + 1], w1[bos, length + 1], w2[length + 1, flipped] = 1, -1, -1
    hidden = length + 2
    return FeedForward(
        w1=Matrix.placed((width, hidden), w1),
        b1=Matrix.placed((1, hidden), b1),
        w2=Matrix.placed((hidden, width), w2),
    )
