"""What a model is shown: words, the program's outputs on them, and its selection patterns.

Outputs and patterns come from the batched evaluator of the language, never from a second
implementation.  Training words are packed two to a row, lengths ``n`` and
``shortest + longest - n``: all rows have the same length, nothing is padding, and each length is
still uniform.  Test words are independent and lie in one batch per length.

Main definitions: :class:`Lesson`, :class:`Batch`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias, final

import numpy as np
import numpy.typing as npt

from rasp.errors import RaspError
from rasp.evaluate.columnar import ColumnarEvaluation
from rasp.trainer.distributions import DISTRIBUTIONS, Ints
from rasp.trainer.placement import Placed, placement
from rasp.trainer.tasks import Task, TaskError

Bools: TypeAlias = npt.NDArray[np.bool_]
Floats: TypeAlias = npt.NDArray[np.float32]

NOT_SCORED = -1
"""Target of the mark at the beginning."""

UNKNOWN = -2
"""Target of an output that the model has no class for: always counted as wrong."""

SURVEY = 4096
"""Random words that the classes are collected from."""


@final
@dataclass(frozen=True, slots=True)
class Batch:
    """Rows of words laid end to end; ``r`` rows of ``s`` positions.

    Attributes
    ----------
    tokens, positions
        Symbols, and positions within the word, shape (r, s).
    words
        Number of the word that each position belongs to, within its row, shape (r, s).
    targets
        Class of each output, :data:`NOT_SCORED` or :data:`UNKNOWN`, shape (r, s).
    patterns
        Normalised rows of every placed selector, shape (p, r, s, s); no selectors: p = 0.
    selecting
        Which of these rows select something, shape (p, r, s).
    """

    tokens: Ints
    positions: Ints
    words: Ints
    targets: Ints
    patterns: Floats
    selecting: Bools

    def rows(self, begin: int, end: int) -> "Batch":
        """Return some of the rows."""
        return Batch(
            self.tokens[begin:end],
            self.positions[begin:end],
            self.words[begin:end],
            self.targets[begin:end],
            self.patterns[:, begin:end],
            self.selecting[:, begin:end],
        )


@final
@dataclass(frozen=True)
class Lesson:
    """The task made ready: classes of outputs and places of selectors.

    Notes
    -----
    The classes are the outputs on :data:`SURVEY` words of the distribution and on words of one
    repeated symbol, collected with a generator of their own: the same for every seed.
    """

    task: Task
    placed: tuple[Placed, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "placed", placement(self.task))

    @property
    def longest(self) -> int:
        """Positions of the longest word, its mark included."""
        return self.task.longest + bool(self.task.bos)

    @property
    def symbols(self) -> tuple[str, ...]:
        """The alphabet, and the mark if there is one: token ``i`` is the ``i``-th of these."""
        return self.task.alphabet + ((self.task.bos,) if self.task.bos else ())

    @cached_property
    def classes(self) -> tuple[Any, ...]:
        """The outputs that a model can give."""
        task, rng = self.task, np.random.default_rng(2021)
        lengths = rng.integers(task.shortest, task.longest + 1, SURVEY)
        words = self._draw(lengths, rng)
        for n in range(task.shortest, task.longest + 1):
            words += [np.full(n, symbol) for symbol in range(len(task.alphabet))]
        values = self._evaluation([self._marked(word) for word in words]).column(task.program.node)
        found: dict[Any, None] = {}
        _, distinct = values.factor()
        for value in distinct:
            found.setdefault(value)
        return tuple(sorted(found, key=lambda value: (isinstance(value, str), value)))

    @cached_property
    def _numbers(self) -> dict[Any, int]:
        return {value: number for number, value in enumerate(self.classes)}

    def _draw(self, lengths: Ints, rng: np.random.Generator) -> list[Ints]:
        """Return words of these lengths, without marks."""
        draw = DISTRIBUTIONS[self.task.distribution].draw
        words: list[Any] = [None] * len(lengths)
        for n in np.unique(lengths).tolist():
            chosen = np.flatnonzero(lengths == n)
            drawn = draw(len(chosen), n, len(self.task.alphabet), rng)
            for where, word in zip(chosen.tolist(), drawn, strict=True):
                words[where] = word
        return words

    def _marked(self, word: Ints) -> Ints:
        return np.concatenate([[len(self.task.alphabet)], word]) if self.task.bos else word

    def _evaluation(self, words: Sequence[Ints]) -> ColumnarEvaluation:
        names = np.array(self.symbols, object)
        return ColumnarEvaluation([names[word].tolist() for word in words])

    def _batch(self, words: Sequence[Ints], rows: int, *, patterns: bool) -> Batch:
        """Lay words end to end in ``rows`` rows of equal length."""
        evaluation = self._evaluation(words)
        layout = evaluation.layout
        try:
            codes, distinct = evaluation.column(self.task.program.node).factor()
        except RaspError as error:
            raise TaskError(
                f"{self.task.name}: the program fails on some word of its distribution: {error}"
            ) from None
        known = np.array([self._numbers.get(value, UNKNOWN) for value in distinct], np.int64)
        targets = known[codes]
        if self.task.bos:
            targets[layout.position == 0] = NOT_SCORED
        across = layout.size // rows
        shape = (rows, across)
        placed = self.placed if patterns else ()
        target = np.zeros((len(placed), rows, across, across), np.float32)
        selecting = np.zeros((len(placed), rows, across), np.bool_)
        for number, place in enumerate(placed):
            for queries, keys, block in evaluation.blocks(place.selector):
                count = block.sum(axis=2)
                where, which = queries // across, queries % across
                target[number, where[:, :, None], which[:, :, None], keys[:, None, :] % across] = (
                    block / np.maximum(count, 1)[:, :, None]
                )
                selecting[number, where, which] = count > 0
        first = layout.segment.reshape(shape)[:, :1]
        return Batch(
            np.concatenate(words).reshape(shape),
            layout.position.reshape(shape),
            layout.segment.reshape(shape) - first,
            targets.reshape(shape),
            target,
            selecting,
        )

    def packed(self, rows: int, rng: np.random.Generator, *, patterns: bool) -> Batch:
        """Draw two words for each row; their lengths add up to shortest + longest."""
        task = self.task
        one = rng.integers(task.shortest, task.longest + 1, rows)
        lengths = np.stack([one, task.shortest + task.longest - one], axis=1).ravel()
        words = [self._marked(word) for word in self._draw(lengths, rng)]
        return self._batch(words, rows, patterns=patterns)

    def independent(
        self, words: int, rng: np.random.Generator, *, patterns: bool = False
    ) -> list[Batch]:
        """Draw independent words, one per row, in one batch for each length that occurs."""
        task = self.task
        lengths = rng.integers(task.shortest, task.longest + 1, words)
        return [
            self.of_length(int(n), int(count), rng, patterns=patterns)
            for n, count in zip(*np.unique(lengths, return_counts=True), strict=True)
        ]

    def of_length(
        self, n: int, words: int, rng: np.random.Generator, *, patterns: bool = False
    ) -> Batch:
        """Draw words of one length, one per row."""
        drawn = [self._marked(word) for word in self._draw(np.full(words, n), rng)]
        return self._batch(drawn, words, patterns=patterns)

    def of_words(self, words: Sequence[str], *, patterns: bool = True) -> Batch:
        """Return given words of one length, one per row.

        Raises
        ------
        TaskError
            If a word uses a symbol that is not in the alphabet.
        """
        known = {symbol: number for number, symbol in enumerate(self.task.alphabet)}
        try:
            numbers = [np.array([known[symbol] for symbol in word], np.int64) for word in words]
        except KeyError as missing:
            raise TaskError(f"{missing} is not in the alphabet {self.task.alphabet}") from None
        return self._batch([self._marked(word) for word in numbers], len(words), patterns=patterns)
