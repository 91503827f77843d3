"""Hard-attention transformers and their evaluation.

Main definitions: :func:`evaluate`, :func:`trace`, :func:`evaluate_batch`; the model classes
:class:`TableTransformer`, :class:`FunctionTransformer` and :class:`DotProductTransformer` are
importable from here.

References
----------
Hahn (2020), Section 3 [hahn2020].
"""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np
import numpy.typing as npt

from attention.dotproduct import DotProductHead as DotProductHead
from attention.dotproduct import DotProductLayer as DotProductLayer
from attention.dotproduct import DotProductTransformer as DotProductTransformer
from attention.function import FunctionTransformer as FunctionTransformer
from attention.scoring import act_rows, score_rows, unpack
from attention.table import TableTransformer as TableTransformer
from attention.transformer import AbstractHardTransformer as AbstractHardTransformer
from attention.transformer import Mask as Mask
from attention.transformer import ModelError as ModelError
from attention.transformer import Ties as Ties
from attention.transformer import visible


@final
@dataclass(frozen=True)
class Trace:
    """Everything a model computed on one word.

    Attributes
    ----------
    activations
        Layers 0 .. L, each a tuple of n values.
    attended
        Layers 1 .. L, heads, positions: the attended position.
    output
        What the model answered.
    """

    activations: tuple[tuple[Hashable, ...], ...]
    attended: tuple[tuple[tuple[int, ...], ...], ...]
    output: Hashable


def embed_word(model: AbstractHardTransformer, word: Sequence[Hashable]) -> list[Hashable]:
    """Return the layer-0 activations of ``word``.

    Raises
    ------
    ModelError
        If the length or a symbol does not fit the model.
    """
    if len(word) != model.n:
        raise ModelError(f"the word has {len(word)} symbols: this model reads exactly {model.n}")
    known = set(model.alphabet)
    for i, symbol in enumerate(word):
        if symbol not in known:
            raise ModelError(
                f"symbol {symbol!r} at position {i} is not in the alphabet: "
                f"use one of {', '.join(map(repr, model.alphabet))}"
            )
    return [model.embed(i, symbol) for i, symbol in enumerate(word)]


def attended_position(
    model: AbstractHardTransformer, layer: int, head: int, i: int, values: Sequence[Hashable]
) -> int:
    """Return the position that one head attends to, given the values of the layer below."""
    best: int | Fraction = 0
    where = -1
    for j in range(visible(model, i)):
        score = model.score(layer, head, i, j, values[i], values[j])
        if where < 0 or score > best or (score == best and model.ties == "rightmost"):
            best, where = score, j
    return where


def evaluate(model: AbstractHardTransformer, word: Sequence[Hashable]) -> Any:
    """Return the model's output on ``word``, by the definition and nothing else.

    Parameters
    ----------
    model
        Any hard-attention transformer.
    word
        ``n`` symbols of its alphabet; a string stands for the tuple of its characters.

    Raises
    ------
    ModelError
        If the word does not fit the model.

    Notes
    -----
    O(L H n^2) scores; the last layer is computed at the last position only.
    """
    values = embed_word(model, word)
    for layer in range(1, model.layers + 1):
        wanted: Iterable[int] = range(model.n) if layer < model.layers else (model.n - 1,)
        below, values = values, list(values)
        for i in wanted:
            attended = tuple(
                below[attended_position(model, layer, head, i, below)]
                for head in range(model.heads)
            )
            values[i] = model.act(layer, i, below[i], attended)
    return model.readout(values[-1])


def trace(model: AbstractHardTransformer, word: Sequence[Hashable]) -> Trace:
    """Return all activations and attended positions of the model on ``word``."""
    values = embed_word(model, word)
    activations, attentions = [tuple(values)], []
    for layer in range(1, model.layers + 1):
        attended = tuple(
            tuple(attended_position(model, layer, head, i, values) for i in range(model.n))
            for head in range(model.heads)
        )
        values = [
            model.act(layer, i, values[i], tuple(values[row[i]] for row in attended))
            for i in range(model.n)
        ]
        activations.append(tuple(values))
        attentions.append(attended)
    return Trace(tuple(activations), tuple(attentions), model.readout(values[-1]))


def evaluate_batch(
    model: AbstractHardTransformer, batch: npt.NDArray[np.uint8]
) -> npt.NDArray[Any]:
    """Return the outputs on a batch of words.

    Parameters
    ----------
    model
        Any hard-attention transformer.
    batch
        Symbol indices into ``model.alphabet``, shape (b, n).

    Returns
    -------
    ndarray
        Shape (b,); bool if all outputs are, else object.

    Notes
    -----
    One vectorised pass a word; for all words of a short length see :mod:`attention.bitparallel`.
    """
    if batch.ndim != 2 or batch.shape[1] != model.n:
        raise ModelError(f"the batch has shape {batch.shape}: use (words, {model.n})")
    if batch.size and batch.max() >= len(model.alphabet):
        raise ModelError(f"symbol index {batch.max()}: the alphabet has {len(model.alphabet)}")
    outputs = [model.readout(value) for value in _final_values(model, batch)]
    if all(isinstance(output, (bool, np.bool_)) for output in outputs):
        return np.array(outputs, dtype=np.bool_)
    found = np.empty(len(outputs), dtype=object)
    found[:] = outputs
    return found


def evaluate_logits(model: DotProductTransformer, batch: npt.NDArray[np.uint8]) -> list[Fraction]:
    """Return the exact logit ``y . w + b`` of each word; shape (b, n) in, b numbers out."""
    return [model.logit(value) for value in _final_values(model, batch)]


def final_activations(
    model: AbstractHardTransformer, batch: npt.NDArray[np.uint8]
) -> list[Hashable]:
    """Return the last position's final activation of each word; shape (b, n) in, b values out."""
    return list(_final_values(model, batch))


def _final_values(
    model: AbstractHardTransformer, batch: npt.NDArray[np.uint8]
) -> Iterator[Hashable]:
    for row in batch.tolist():
        yield _evaluate_row(model, row)


def _evaluate_row(model: AbstractHardTransformer, row: list[int]) -> Hashable:
    values = [model.embed(i, model.alphabet[s]) for i, s in enumerate(row)]
    everyone = list(range(model.n))
    for layer in range(1, model.layers + 1):
        rows = everyone if layer < model.layers else everyone[-1:]
        own = [values[i] for i in rows]
        attended = []
        for head in range(model.heads):
            scores = score_rows(model, layer, head, rows, own, everyone, values)
            if model.mask == "causal":
                hidden = np.array(everyone)[None, :] > np.array(rows)[:, None]
                scores = np.where(hidden, scores.min() - 1, scores)
            if model.ties == "leftmost":
                best = scores.argmax(axis=1)
            else:
                best = scores.shape[1] - 1 - scores[:, ::-1].argmax(axis=1)
            attended.append([values[j] for j in best.tolist()])
        values[rows[0] :] = unpack(act_rows(model, layer, rows, own, attended))
    return values[-1]
