"""Measure a model: tokens, whole words, probes, attention; and look at it on one word.

Main definitions: :class:`Model`, :class:`Score`, :func:`score`, :func:`look`.

References
----------
Weiss, Goldberg & Yahav (2021), section 5 [weiss2021].
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import permutations
from typing import Any, final

import numpy as np
import numpy.typing as npt

from rasp.sequences import show_atom
from rasp.trainer.distributions import Ints
from rasp.trainer.encoder import Tensor, Weights, forward, torch_or_error
from rasp.trainer.lessons import NOT_SCORED, Batch, Bools, Floats, Lesson
from rasp.trainer.masks import Mask, allowed
from rasp.trainer.result import Example
from rasp.trainer.setting import Setting

AT_ONCE = 128
"""Words of one forward pass."""


@final
@dataclass(frozen=True)
class Model:
    """Weights with the setting and the lesson they were trained on."""

    setting: Setting
    lesson: Lesson
    weights: Weights

    def arrays(self) -> dict[str, npt.NDArray[np.float32]]:
        """Return the weights as arrays."""
        return {name: value.detach().cpu().numpy() for name, value in self.weights.items()}

    def barrier(self, batch: Batch) -> Tensor | None:
        """Return the barrier of a batch for :func:`rasp.trainer.encoder.forward`."""
        torch = torch_or_error()
        setting = self.setting
        open_to_all = Mask.parse(setting.mask).profile().kind == "full" and not setting.task.causal
        single = not batch.words.any()
        if open_to_all and single:
            return None
        # what a lone word's positions are told to be does not matter: its places are in order
        n = batch.tokens.shape[1] if single else int(batch.positions.max()) + 1
        cells = allowed(Mask.parse(setting.mask), n, causal=setting.task.causal)
        if not single:
            same = batch.words[:, :, None] == batch.words[:, None, :]
            at = batch.positions
            cells = same if open_to_all else same & cells[at[:, :, None], at[:, None, :]]
        closed = torch.from_numpy(~cells)
        return torch.zeros(()).masked_fill(closed, float("-inf")).to(self.weights["tokens"].device)

    def run(self, batch: Batch, *, hard: bool = False) -> tuple[Tensor, list[Tensor]]:
        """Return logits and attention on a batch; ``hard`` reads attention as argmax."""
        torch = torch_or_error()
        device = self.weights["tokens"].device
        return forward(
            self.weights,
            torch.from_numpy(batch.tokens).to(device),
            torch.from_numpy(batch.positions).to(device),
            self.barrier(batch),
            layers=self.setting.layers,
            heads=self.setting.heads,
            rank=Mask.parse(self.setting.mask).rank,
            hard=hard,
        )

    def outputs(self, batch: Batch) -> tuple[Ints, list[Floats]]:
        """Return the classes with the highest logits and the attention, without gradients."""
        torch = torch_or_error()
        with torch.no_grad():
            logits, attentions = self.run(batch)
            return logits.argmax(-1).cpu().numpy(), [
                attention.cpu().numpy() for attention in attentions
            ]

    def hard_outputs(self, batch: Batch) -> Ints:
        """Return the classes when every head reads the one key of its largest weight."""
        with torch_or_error().no_grad():
            logits: Ints = self.run(batch, hard=True)[0].argmax(-1).cpu().numpy()
            return logits


@final
@dataclass(frozen=True, slots=True)
class Score:
    """Counts over a sample; fields as in :class:`rasp.trainer.result.Result`."""

    tokens_right: int
    tokens: int
    sequences_right: int
    sequences: int
    probes_right: int
    probes: int
    by_length: tuple[tuple[int, int, int], ...]
    attention_error: float | None
    attention_probes_right: int
    unevenness: tuple[tuple[float, ...], ...]


def score(
    model: Model, batches: Iterable[Batch], *, rng: np.random.Generator | None = None
) -> Score:
    """Count what a model gets right.

    Parameters
    ----------
    model
        The model.
    batches
        Words, one per row, as :meth:`Lesson.independent` draws them.
    rng
        Draws the words and positions that are probed; no probes if ``None``.
    """
    right = tokens = whole = words = probes = probed = faithful = 0
    lengths: dict[int, tuple[int, int]] = {}
    errors, evenness = _Errors(model), _Evenness(model)
    for batch in batches:
        for begin in range(0, len(batch.tokens), AT_ONCE):
            part = batch.rows(begin, begin + AT_ONCE)
            given, attentions = model.outputs(part)
            scored = part.targets != NOT_SCORED
            correct = (given == part.targets)[scored].reshape(len(given), -1)
            perfect = correct.all(axis=1)
            right, tokens = right + int(correct.sum()), tokens + correct.size
            whole, words = whole + int(perfect.sum()), words + len(perfect)
            if rng is not None:
                # kept in proportion to its length, a word's random position is a random token
                size = correct.shape[1]
                kept = rng.random(len(correct)) < size / model.setting.task.longest
                at = rng.integers(0, size, len(correct))
                probes += int(kept.sum())
                probed += int((correct[np.arange(len(correct)), at] & kept).sum())
                at += scored.shape[1] - size
                faithful += int((errors.faithful(part, attentions, at) & kept).sum())
            before = lengths.get(correct.shape[1], (0, 0))
            lengths[correct.shape[1]] = before[0] + int(perfect.sum()), before[1] + len(perfect)
            errors.add(part, attentions)
            evenness.add(part, attentions)
    by_length = tuple((n, good, count) for n, (good, count) in sorted(lengths.items()))
    return Score(
        right,
        tokens,
        whole,
        words,
        probed,
        probes,
        by_length,
        errors.mean(),
        faithful,
        evenness.mean(),
    )


class _Errors:
    """Squared distances between rows of attention and of selectors, for all pairs in a layer."""

    def __init__(self, model: Model) -> None:
        self.placed = model.lesson.placed
        setting = model.setting
        fits = all(p.layer < setting.layers and p.head < setting.heads for p in self.placed)
        self.fits = fits and bool(self.placed)
        self.heads = setting.heads
        self.sums = np.zeros((len(self.placed), setting.heads))
        self.rows = np.zeros(len(self.placed))

    def add(self, batch: Batch, attentions: list[Floats]) -> None:
        if not self.fits or len(batch.patterns) != len(self.placed):
            return
        for number, place in enumerate(self.placed):
            rows: Bools = batch.selecting[number]
            self.rows[number] += rows.sum()
            for head in range(self.heads):
                apart = attentions[place.layer][:, head] - batch.patterns[number]
                self.sums[number, head] += float((apart**2).sum(-1)[rows].sum())

    def faithful(self, batch: Batch, attentions: list[Floats], at: Ints) -> Bools:
        """Return in which words every head has more than half its weight where it should."""
        if not self.fits or len(batch.patterns) != len(self.placed):
            return np.zeros(len(at), np.bool_)
        each = np.arange(len(at))
        good = np.ones(len(at), np.bool_)
        for number, place in enumerate(self.placed):
            row = attentions[place.layer][each, place.head, at]
            weight = (row * (batch.patterns[number][each, at] > 0)).sum(-1)
            good &= (weight > 0.5) | ~batch.selecting[number][each, at]
        return good

    def mean(self) -> float | None:
        if not self.fits or not self.rows.all():
            return None
        table = self.sums / self.rows[:, None]
        total = 0.0
        for layer in sorted({place.layer for place in self.placed}):
            mine = [i for i, place in enumerate(self.placed) if place.layer == layer]
            total += min(
                float(sum(table[i, head] for i, head in zip(mine, order, strict=True)))
                for order in permutations(range(self.heads), len(mine))
            )
        return total / len(self.placed)


class _Evenness:
    """Squared distances between rows of attention and the uniform row over the open keys."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.sums = np.zeros((model.setting.layers, model.setting.heads))
        self.rows = 0

    def add(self, batch: Batch, attentions: list[Floats]) -> None:
        barrier = self.model.barrier(batch)
        keys = batch.tokens.shape[1]
        opened = np.ones((keys, keys)) if barrier is None else (barrier.cpu().numpy() == 0) * 1.0
        uniform = opened / opened.sum(-1, keepdims=True)
        for layer, attention in enumerate(attentions):
            self.sums[layer] += ((attention - uniform) ** 2).sum((0, 2, 3))
        self.rows += batch.tokens.size

    def mean(self) -> tuple[tuple[float, ...], ...]:
        table = self.sums / max(1, self.rows)
        return tuple(tuple(round(float(value), 5) for value in row) for row in table)


def look(model: Model, word: str) -> Example:
    """Return attention and outputs on one word, beside the program's."""
    lesson = model.lesson
    batch = lesson.of_words([word])
    given, attentions = model.outputs(batch)
    classes = [show_atom(value) for value in lesson.classes]

    def shown(numbers: Any) -> tuple[str, ...]:
        return tuple(classes[i] if i >= 0 else "" for i in numbers)

    def table(rows: Any) -> tuple[tuple[float, ...], ...]:
        return tuple(tuple(round(float(value), 3) for value in row) for row in rows)

    return Example(
        tuple(lesson.symbols[token] for token in batch.tokens[0]),
        shown(batch.targets[0]),
        shown(np.where(batch.targets[0] == NOT_SCORED, NOT_SCORED, given[0])),
        tuple(tuple(table(head) for head in attention[0]) for attention in attentions),
        tuple(
            (place.layer, place.head, table(batch.patterns[number, 0]))
            for number, place in enumerate(lesson.placed)
        ),
    )
