"""A causal model as one that needs no mask: later rows are pushed below all scores by weights.

Some architectures cannot be told to be causal.  One coordinate per position, and as many more in
every key, give row ``i`` the additional score ``-2^60`` at every row ``j > i`` and exactly 0
elsewhere, so selections, means and gaps stay what they were.

Main definitions: :func:`without_mask`.
"""

from dataclasses import replace

import numpy as np

from rasp.weights.matrix import Matrix, joined
from rasp.weights.model import CompiledModel
from rasp.weights.parts import FeedForward, Head, Layer

BELOW = 2**60
"""Greater than any difference of scores; a power of two, so floats hold it."""


def without_mask(model: CompiledModel) -> CompiledModel:
    """Return a model with the same outputs that is not causal.

    Parameters
    ----------
    model
        Returned as it is, if it is not causal.

    Notes
    -----
    Every head gets ``model.length`` (with BOS one more) further key coordinates, the rows as many
    further coordinates.

    Examples
    --------
    >>> from rasp.weights.examples import copy_model
    >>> without_mask(copy_model("ab", length=3)).causal
    False
    """
    if not model.causal:
        return model
    rows, old = model.length + model.bos, model.width
    width = old + rows
    row, column = np.triu_indices(rows, 1)
    below = Matrix.build((rows, rows), row, column, np.full(len(row), -BELOW))
    here = Matrix.build((rows, rows), range(rows), range(rows), np.ones(rows, dtype=np.int64))

    def head(part: Head) -> Head:
        k = part.query.shape[1]
        return replace(
            part,
            query=joined((width, k + rows), [(part.query, 0, 0), (below, old, k)]),
            key=joined((width, k + rows), [(part.key, 0, 0), (here, old, k)]),
            value=joined((width, part.value.shape[1]), [(part.value, 0, 0)]),
            output=joined((part.output.shape[0], width), [(part.output, 0, 0)]),
        )

    def network(part: FeedForward) -> FeedForward:
        return replace(
            part,
            w1=joined((width, part.hidden), [(part.w1, 0, 0)]),
            w2=joined((part.hidden, width), [(part.w2, 0, 0)]),
        )

    return replace(
        model,
        causal=False,
        width=width,
        token_embedding=joined((model.vocabulary.size, width), [(model.token_embedding, 0, 0)]),
        position_embedding=joined(
            (rows, width), [(model.position_embedding, 0, 0), (here, 0, old)]
        ),
        layers=tuple(
            Layer(
                tuple(head(part) for part in layer.heads),
                layer.feed_forward and network(layer.feed_forward),
            )
            for layer in model.layers
        ),
    )
