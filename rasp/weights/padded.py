"""Run words of different lengths together: pad, mask, and read the results word by word.

Main definitions: :func:`run_padded`, :class:`Forward`.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np

from rasp.weights.exact import require_returns
from rasp.weights.matrix import Floats, Indexes
from rasp.weights.model import CompiledModel
from rasp.weights.runs import RETURNS, Run

TOLERANCE = 0.25
"""How far a coordinate may be from the 0, 1 or integer that it stands for."""

CELLS = 2**21
"""Words are run together as long as their attention matrices have no more cells than this."""

Patterns: TypeAlias = dict[str, Floats] | None
Stages: TypeAlias = list[Floats] | None


class Forward(Protocol):
    """Maps padded ids (words, rows) to the last residual rows (words, rows, width)."""

    def __call__(self, ids: Indexes, patterns: Patterns, stages: Stages) -> Floats:
        """Run; fill in the softmax per head name and the rows per stage where asked to."""


def run_padded(
    model: CompiledModel,
    forward: Forward,
    words: Sequence[Sequence[Any]],
    *,
    returns: Sequence[str] = ("outputs",),
) -> Run:
    """Return what a forward pass in floats gives, word by word.

    Parameters
    ----------
    model
        Whose vocabulary and readouts are used.
    forward
        The forward pass; it masks PAD itself.
    words, returns
        As in :func:`rasp.weights.run.run`.

    Raises
    ------
    WordError
        If the model cannot read a word.
    MalformedModelError
        If something else is to be returned.
    """
    require_returns(returns, RETURNS)
    count = len(words)
    ids = [model.encode(word) for word in words]
    outputs: dict[str, list[Any]] = {r.name: [None] * count for r in model.readouts}
    attention: dict[str, list[Any]] = {h.name: [None] * count for _, h in model.heads()}
    residuals: list[list[Any]] = [[None] * count for _ in range(2 * model.depth + 1)]
    for members in _batches(ids):
        lengths = [len(ids[word]) for word in members]
        padded = np.full((len(members), max(lengths)), model.vocabulary.pad, dtype=np.int64)
        for row, word in enumerate(members):
            padded[row, : lengths[row]] = ids[word]
        patterns: Patterns = {} if "attention" in returns else None
        stages: Stages = [] if "residuals" in returns else None
        last = forward(padded, patterns, stages)
        for row, (word, n) in enumerate(zip(members, lengths, strict=True)):
            for name, weights in (patterns or {}).items():
                attention[name][word] = weights[row, :n, :n]
            for stage, x in enumerate(stages or ()):
                residuals[stage][word] = x[row, :n]
        if "outputs" in returns:
            _read(model, last, members, lengths, outputs)
    return Run(
        model=model,
        outputs=outputs if "outputs" in returns else {},
        attention=attention if "attention" in returns else {},
        residuals=residuals if "residuals" in returns else (),
    )


def _read(
    model: CompiledModel,
    last: Floats,
    members: list[int],
    lengths: list[int],
    outputs: dict[str, list[Any]],
) -> None:
    for readout in model.readouts:
        flat = readout.read_rows(last.reshape(-1, model.width), tolerance=TOLERANCE)
        for row, (word, n) in enumerate(zip(members, lengths, strict=True)):
            start = row * last.shape[1]
            outputs[readout.name][word] = flat[start + model.bos : start + n]


def _batches(ids: list[list[int]]) -> Iterator[list[int]]:
    """Yield words of similar length together, whose attention is not too large."""
    order = sorted(range(len(ids)), key=lambda word: len(ids[word]))
    members: list[int] = []
    for word in order:
        if members and (len(members) + 1) * len(ids[word]) ** 2 > CELLS:
            yield members
            members = []
        members.append(word)
    if members:
        yield members
