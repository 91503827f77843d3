r"""A trained histogram at longer lengths, beside what its attention allows and a compiled one.

The model counts a letter by the weight on the mark: one key against ``c`` keys of the same letter.
At length ``n`` every other key takes part with a weight that is small but not zero, because trained
logits are bounded; ``c`` then looks like ``c`` plus the *leak*, the sum of those weights.  The leak
grows with the length and no margin survives it: for logits of absolute value at most ``A`` it is at
least ``(n - c) exp(-2A)``, so a count that is read off one weight fails at the latest near
``n = c + exp(2A)/2``.  How large it is on a word follows from one row of attention.

Positions past the training range have no trained rows.  The histogram does not depend on
positions, so the trained rows are used again and again (:func:`wrapped`): every symbol stands on a
position that it was trained on.

Main definitions: :func:`wrapped`, :func:`leaks`, :func:`measure`, :class:`Point`,
:func:`recorded_points`.

References
----------
Weiss, Goldberg & Yahav (2021), section 5 [weiss2021]; Hahn (2020), Lemma 5, for bounded logits
[hahn2020]; the leak is our own.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import final

import numpy as np
import numpy.typing as npt

from rasp.compiler.pipeline import compile_program
from rasp.trainer.distributions import Ints
from rasp.trainer.lessons import Batch, Bools, Floats
from rasp.trainer.measure import Model
from rasp.weights.run import run

COUNTS = (1, 2, 3, 4)
"""Counts that are frequent in training."""

LENGTHS = (20, 30, 40, 60, 80, 120, 160, 320, 640)
"""Training ends at the first."""

VARIANTS = ("supervised", "predicted")
"""With attention supervision, and on outputs alone; rows of Table 1."""


@final
@dataclass(frozen=True, slots=True)
class Point:
    """What came of one count at one length.

    Attributes
    ----------
    length, count
        Symbols of a word, and how often its scored letter occurs.
    words
        Random words, whose scored letters take turns.
    trained, hard, compiled
        Words at which every scored token is right: of the trained model, of the trained model with
        its attention read as argmax, of the compiled program.
    leak
        Mean over the words of the largest leak at a scored token, in units of one occurrence.
    foretold
        Words whose largest leak is below one half.
    """

    length: int
    count: int
    words: int
    trained: int
    hard: int
    compiled: int
    leak: float
    foretold: int


def wrapped(batch: Batch, longest: int) -> Batch:
    """Return the batch with positions 1 to ``longest`` repeated; 0 is that of the mark alone."""
    at = batch.positions
    return replace(batch, positions=np.where(at > 0, 1 + (at - 1) % longest, 0))


def leaks(attention: Floats, own: Bools) -> npt.NDArray[np.float64]:
    """Return the weight of keys of other letters in units of one key of the own letter.

    Parameters
    ----------
    attention
        Rows of weights, the mark's left out, shape (rows, keys).
    own
        Which keys are of the row's letter, shape (rows, keys).

    Examples
    --------
    >>> leaks(np.array([[0.2, 0.2, 0.05]]), np.array([[True, True, False]])).round(3).tolist()
    [0.25]
    """
    weights = attention.astype(np.float64)
    mean = np.where(own, weights, 0).sum(-1) / own.sum(-1)
    return np.asarray(np.where(own, 0, weights).sum(-1) / mean)


def measure(
    model: Model, lengths: Sequence[int], *, words: int, rng: np.random.Generator
) -> list[Point]:
    """Test counts of one letter among uniform others, at several lengths.

    Parameters
    ----------
    model
        A trained histogram with the mark, of one layer and one head.
    lengths
        Lengths, each above every count.
    words
        Per length and count.
    rng
        Draws the words.
    """
    task = model.setting.task
    out = []
    for n in lengths:
        # the program reads its mark as a symbol like any other
        compiled = compile_program(task.program, vocabulary=model.lesson.symbols, length=n + 1)
        for count in COUNTS:
            codes, scored = _words(n, count, words, len(task.alphabet), rng)
            texts = ["".join(task.alphabet[c] for c in row) for row in codes]
            batch = wrapped(model.lesson.of_words(texts), task.longest)
            given, (attention,) = model.outputs(batch)
            rows = attention[:, 0, 1:, 1:][scored]
            keys = np.repeat(scored, count, axis=0)  # scored tokens are those of the own letter
            leak = leaks(rows, keys).reshape(words, count).max(1)
            outputs = np.array(run(compiled, [task.bos + text for text in texts]).output())
            point = Point(
                length=n,
                count=count,
                words=words,
                trained=_right(given, batch, scored),
                hard=_right(model.hard_outputs(batch), batch, scored),
                compiled=int(((outputs[:, 1:] == count) | ~scored).all(1).sum()),
                leak=round(float(leak.mean()), 6),
                foretold=int((leak < 0.5).sum()),
            )
            out.append(point)
    return out


def _words(
    n: int, count: int, words: int, letters: int, rng: np.random.Generator
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """Return words of codes in which letter i mod ``letters`` occurs ``count`` times, and where."""
    own = np.arange(words)[:, None] % letters
    others = (own + rng.integers(1, letters, (words, n))) % letters
    order = rng.permuted(np.broadcast_to(np.arange(n), (words, n)), axis=1)
    scored = order < count
    return np.where(scored, own, others), scored


def _right(given: Ints, batch: Batch, scored: Bools) -> int:
    """Count the words at which every scored token is right."""
    return int(((given == batch.targets)[:, 1:] | ~scored).all(1).sum())


@cache
def recorded_points() -> Mapping[str, tuple[Point, ...]]:
    """Return the measurements that come with the package, by variant."""
    text = (files("rasp.trainer") / "recorded" / "lengths.json").read_text(encoding="utf-8")
    return {
        name: tuple(Point(**point) for point in points) for name, points in json.loads(text).items()
    }
