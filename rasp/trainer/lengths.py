r"""Trained models on words longer than any they were trained on, beside compiled programs.

Positions past the training range have no trained rows.  Counting does not depend on positions: the
trained rows are used *again and again*, so that every symbol stands on a position it was trained
on.  Dyck-1 needs to know no more of a late position than that it is late: it gets the *last* row
again.  Reverse does need positions, and gets rows that were *never trained*, random as at the start
of training, which is what a longer table would hold.

Words are drawn so that the right outputs occur in training: counts of one letter from 1 to 4 among
uniform others; one to four letters that occur once among three that occur more often; uniform
words; brackets.  A trained model hands on what is right as long as nothing grows with the length;
what does is in :mod:`rasp.trainer.leak`, :mod:`rasp.trainer.limit` and
:mod:`rasp.trainer.hard_reading`.

Main definitions: :class:`Study`, :data:`STUDIES`, :func:`trials`, :func:`measure`,
:class:`Point`.

References
----------
Weiss, Goldberg & Yahav (2021), section 5 [weiss2021].
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, final

import numpy as np
import numpy.typing as npt

from rasp.compiler.pipeline import compile_program
from rasp.trainer.distributions import Ints, brackets, uniform
from rasp.trainer.encoder import torch_or_error
from rasp.trainer.leak import leaks
from rasp.trainer.lessons import Batch, Bools, Lesson
from rasp.trainer.measure import Model
from rasp.trainer.tasks import TASKS
from rasp.weights.run import run

VARIANTS = ("supervised", "predicted")
"""With attention supervision, and on outputs alone; rows of Table 1."""

Positions: TypeAlias = Literal["again and again", "last", "never trained"]
Words: TypeAlias = tuple[Ints, Bools]
"""Codes and which of them are scored, both of shape (words, n)."""


@final
@dataclass(frozen=True, slots=True)
class Study:
    """A task, how its positions go on past the training range, and the words it is asked.

    ``cases`` are numbers that the words depend on; 0 where there is nothing to vary.  Training
    ends at the first of ``lengths``.
    """

    task: str
    positions: Positions
    cases: tuple[int, ...]
    draw: Callable[[int, int, int, int, np.random.Generator], Words]
    lengths: tuple[int, ...] = (20, 30, 40, 60, 80, 120, 160, 320)


def one_letter(n: int, count: int, words: int, letters: int, rng: np.random.Generator) -> Words:
    """Draw words in which letter i mod ``letters`` occurs ``count`` times, which are scored."""
    own = np.arange(words)[:, None] % letters
    others = (own + rng.integers(1, letters, (words, n))) % letters
    scored = _first(rng, words, n) < count
    return np.where(scored, own, others), scored


def single_letters(n: int, count: int, words: int, letters: int, rng: np.random.Generator) -> Words:
    """Draw words with ``count`` letters that occur once and are scored, and three that recur."""
    names = rng.permuted(np.tile(np.arange(letters), (words, 1)), axis=1)
    place = _first(rng, words, n)
    fill = rng.integers(0, 3, (words, n))
    fill = np.where(
        place < count + 6, (place - count) % 3, fill
    )  # each of the three at least twice
    chosen = np.where(place < count, place, count + fill)
    return np.take_along_axis(names, chosen, axis=1), place < count


def every_letter(n: int, count: int, words: int, letters: int, rng: np.random.Generator) -> Words:
    """Draw uniform words, all scored."""
    return uniform(words, n, letters, rng), np.ones((words, n), np.bool_)


def every_bracket(n: int, count: int, words: int, letters: int, rng: np.random.Generator) -> Words:
    """Draw prefixes of Dyck words, half of them spoilt; all symbols are scored."""
    return brackets(words, n, letters, rng), np.ones((words, n), np.bool_)


def _first(rng: np.random.Generator, words: int, n: int) -> npt.NDArray[np.int64]:
    """Return a random order of the positions of each word."""
    return rng.permuted(np.broadcast_to(np.arange(n), (words, n)), axis=1)


STUDIES: Mapping[str, Study] = {
    study.task: study
    for study in (
        Study("hist-bos", "again and again", (1, 2, 3, 4), one_letter),
        Study(
            "double-hist",
            "again and again",
            (1, 2, 3, 4),
            single_letters,
            (10, 12, 15, 20, 30, 40, 80, 160),
        ),
        Study("reverse", "never trained", (0,), every_letter),
        Study("dyck1", "last", (0,), every_bracket),
    )
}


@final
@dataclass(frozen=True, slots=True)
class Point:
    """What came of one model on words of one length.

    Attributes
    ----------
    task, variant, seed
        Which model.
    length, case
        Symbols of a word, and the study's number: how often the scored letter occurs, or how many
        letters occur once.
    words, tokens
        Words, and scored tokens in them.
    trained, hard, compiled
        Words at which every scored token is right: of the trained model, of the trained model with
        its attention read as argmax, of the compiled program.
    tokens_right
        Scored tokens that the trained model gets right.
    leak
        Histogram only: mean over the words of the largest leak at a scored token, in units of one
        occurrence.
    foretold
        Histogram only: words whose largest leak is below one half.
    """

    task: str
    variant: str
    seed: int
    length: int
    case: int
    words: int
    tokens: int
    trained: int
    hard: int
    compiled: int
    tokens_right: int
    leak: float | None = None
    foretold: int | None = None


def continued(model: Model, batch: Batch, positions: Positions, rng: np.random.Generator) -> Any:
    """Return a model and a batch in which positions past the training range go on as told.

    Examples
    --------
    >>> from rasp.trainer.lessons import Lesson
    >>> from rasp.trainer.tasks import task
    >>> batch = Lesson(task("hist-bos")).of_words(["abcdefg"])
    >>> repeated(batch.positions, 3, bos=True).tolist()
    [[0, 1, 2, 3, 1, 2, 3, 1]]
    """
    task, at = model.setting.task, batch.positions
    match positions:
        case "again and again":
            at = repeated(at, task.longest, bos=bool(task.bos))
        case "last":
            at = np.minimum(at, model.lesson.longest - 1)
        case "never trained":
            model = _longer(model, int(at.max()) + 1, rng)
    return model, replace(batch, positions=at)


def repeated(at: Ints, longest: int, *, bos: bool) -> Ints:
    """Return positions that start again after ``longest``; 0 is that of a mark alone."""
    if not bos:
        return at % longest
    return np.where(at > 0, 1 + (at - 1) % longest, 0)


def _longer(model: Model, positions: int, rng: np.random.Generator) -> Model:
    """Return the model with further rows of positions, random as before training."""
    torch = torch_or_error()
    known = model.weights["positions"]
    rows, width = known.shape
    if positions <= rows:
        return model
    new = torch.from_numpy(rng.normal(0, 0.5**0.5, (positions - rows, width))).to(known)
    return replace(model, weights=model.weights | {"positions": torch.cat([known, new])})


@final
@dataclass(frozen=True, slots=True)
class Trial:
    """Words of one length and case, the same for all models of a study.

    Attributes
    ----------
    length, case
        As in :class:`Point`.
    batch
        The words, at their own positions.
    scored
        Which symbols are scored, shape (words, n).
    compiled
        Words at which the compiled program gets every scored symbol right.
    """

    length: int
    case: int
    batch: Batch
    scored: Bools
    compiled: int


def trials(
    study: Study, *, words: int, rng: np.random.Generator, lengths: Sequence[int] = ()
) -> list[Trial]:
    """Draw the words of a study and run its compiled program on them.

    Parameters
    ----------
    study
        What is asked.
    words
        Per length and case.
    rng
        Draws the words.
    lengths
        Lengths, each at least 10; the study's own if empty.
    """
    task = TASKS[study.task]
    lesson = Lesson(task)
    numbers = {value: number for number, value in enumerate(lesson.classes)}
    out = []
    for n in lengths or study.lengths:
        # the program reads its mark as a symbol like any other
        length = n + bool(task.bos)
        compiled = compile_program(task.program, vocabulary=lesson.symbols, length=length)
        for case in study.cases:
            codes, scored = study.draw(n, case, words, len(task.alphabet), rng)
            texts = ["".join(task.alphabet[c] for c in row) for row in codes]
            batch = lesson.of_words(texts, patterns=False)
            outputs = run(compiled, [task.bos + text for text in texts]).output()
            given = np.array([[numbers.get(value, -1) for value in row] for row in outputs])
            right = int(_right(given, batch, scored).all(1).sum())
            out.append(Trial(n, case, batch, scored, right))
    return out


def measure(
    study: Study,
    variant: str,
    model: Model,
    asked: Sequence[Trial],
    *,
    rng: np.random.Generator,
) -> list[Point]:
    """Test a model of a study on the words of trials.

    Parameters
    ----------
    study, variant
        What the model was trained on; it may be of any size.
    model
        The model.
    asked
        What :func:`trials` drew.
    rng
        Draws rows of positions that were never trained.
    """
    out = []
    for trial in asked:
        scored, words = trial.scored, len(trial.scored)
        longer, batch = continued(model, trial.batch, study.positions, rng)
        given, attentions = longer.outputs(batch)
        good = _right(given, batch, scored)
        point = Point(
            task=study.task,
            variant=variant,
            seed=model.setting.seed,
            length=trial.length,
            case=trial.case,
            words=words,
            tokens=int(scored.sum()),
            trained=int(good.all(1).sum()),
            hard=int(_right(longer.hard_outputs(batch), batch, scored).all(1).sum()),
            compiled=trial.compiled,
            tokens_right=int((good & scored).sum()),
        )
        if study.task == "hist-bos":
            own = np.repeat(scored, trial.case, axis=0)  # scored are those of the own letter
            rows = attentions[0][:, 0, 1:, 1:][scored]
            leak = leaks(rows, own).reshape(words, trial.case).max(1)
            point = replace(
                point, leak=round(float(leak.mean()), 6), foretold=int((leak < 0.5).sum())
            )
        out.append(point)
    return out


def _right(given: Ints, batch: Batch, scored: Bools) -> Bools:
    """Return which tokens are right or not scored, the mark left out."""
    good = given == batch.targets
    return np.asarray(good[:, good.shape[1] - scored.shape[1] :] | ~scored)
