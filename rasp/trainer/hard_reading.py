r"""Trained models read with hard attention, as tables that the restriction engine takes.

Every head reads the one key of its largest weight.  The model is then one of the paper's hard-
attention transformers, and the engine finds words of which a few symbols decide its answer: it
must err on one of two words that agree there and differ in the right answer.  Scores are those of
double precision, rounded to multiples of :math:`2^{-40}`, and exact from then on; what is found is
replayed on the trained model itself.

Main definitions: :func:`hard_table`, :class:`Decided`, :func:`decided`.

References
----------
Hahn (2020), section 5: restrictions [hahn2020].
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np
import numpy.typing as npt

from attention.table import TableTransformer
from rasp.trainer.distributions import Ints
from rasp.trainer.encoder import absorb, classify, read, torch_or_error
from rasp.trainer.lessons import Batch
from rasp.trainer.measure import Model
from rasp.trainer.setting import SettingError
from restrictions.certify import Certified, certify
from restrictions.restriction import Restriction

SCALE = 2.0**40
"""Scores are multiples of one over this."""

Floats = npt.NDArray[np.float64]


def hard_table(model: Model, positions: Ints, letters: tuple[str, str]) -> TableTransformer:
    """Return the model on words of two letters, every head reading its largest weight.

    Parameters
    ----------
    model
        Of one head a layer and at most two layers, under no mask but a causal one.
    positions
        Rows of the positions of a word, the mark's included, in order.
    letters
        The alphabet of the table; a mark stands at the first position whatever is there.

    Raises
    ------
    SettingError
        For a model of another size.

    Notes
    -----
    The answer is that at the last position.  Values that no word leads to are left out.
    """
    setting, task = model.setting, model.setting.task
    if setting.heads != 1 or setting.layers > 2 or setting.mask != "full":
        raise SettingError(f"{setting.title()}: tables are for one head and at most two layers")
    torch = torch_or_error()
    w = {name: value.detach().cpu().double() for name, value in model.weights.items()}
    n = len(positions)
    codes = [task.alphabet.index(letter) for letter in letters]
    place = np.repeat(np.arange(n), 2)
    symbol = np.tile(codes, n)
    if task.bos:
        symbol[:2] = len(task.alphabet)
    with torch.no_grad():
        x = w["tokens"][symbol] + w["positions"][np.asarray(positions)[place]]
        numbers = np.arange(2 * n).reshape(n, 2)  # of the values that each position can have
        scores, acts = [], []
        for layer in range(setting.layers):
            found, value = (part[0, 0] for part in read(w, layer, x[None], heads=1))
            table = np.rint(found.numpy() * SCALE).astype(np.int64)
            scores.append([table[None, :, None, :]])
            askers = np.arange(len(x)) if layer + 1 < setting.layers else _at(place, n - 1)
            pairs = _pairs(table, place, askers, causal=task.causal, first=layer == 0)
            after = absorb(w, layer, x[pairs[:, 0]], value[pairs[:, 1]])
            act = np.zeros((1, len(x), len(x)), np.int64)
            if layer + 1 < setting.layers:
                act[0, pairs[:, 0], pairs[:, 1]] = np.arange(len(pairs))
            else:
                act[0, pairs[:, 0], pairs[:, 1]] = classify(w, after).argmax(-1).numpy()
            acts.append(act)
            x, place = after, place[pairs[:, 0]]
    return TableTransformer(
        n=n,
        alphabet=letters,
        embedding=numbers,
        scores=scores,
        acts=acts,
        outputs=model.lesson.classes,
        mask="causal" if task.causal else "full",
    )


def _at(place: Ints, where: int) -> Ints:
    return np.flatnonzero(place == where)


def _pairs(scores: Ints, place: Ints, askers: Ints, *, causal: bool, first: bool) -> Ints:
    """Return pairs of a value and one that it may read, shape (pairs, 2).

    A key is read only if it beats the worst value of every other position; a position's own value
    is the asking one.
    """
    n = int(place.max()) + 1
    starts = np.searchsorted(place, np.arange(n))
    out = []
    for asker in askers:
        row, at = scores[asker], int(place[asker])
        end = len(place) if not causal else int(np.searchsorted(place, at + 1))
        least = np.minimum.reduceat(row[:end], starts[starts < end])
        least[at] = row[asker]
        open_to = row[:end] >= least.max()
        if first:
            open_to &= (place[:end] != at) | (np.arange(end) == asker)
        out += [(asker, key) for key in np.flatnonzero(open_to)]
    return np.array(out)


@final
@dataclass(frozen=True, slots=True)
class Decided:
    """A word of which a few symbols decide the answer of a model read with hard attention.

    Attributes
    ----------
    length
        Symbols, the mark not counted.
    fixed
        The deciding positions, from 0, and their symbols; all others are one of two letters.
    answer
        What the model says at the last position.
    words, truths
        Two words that agree on ``fixed``, and what is right at their last positions.
    replayed
        Whether the trained model, its attention read as argmax, gives ``answer`` on both.
    """

    length: int
    fixed: tuple[tuple[int, str], ...]
    answer: Any
    words: tuple[str, str]
    truths: tuple[Any, Any]
    replayed: bool

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> "Decided":
        """Read a record's fields, lists or tuples."""
        pairs = tuple((int(i), str(symbol)) for i, symbol in data["fixed"])
        first, second = data["words"]
        one, other = data["truths"]
        return cls(**{**data, "fixed": pairs, "words": (first, second), "truths": (one, other)})


def decided(
    model: Model,
    positions: Ints,
    letters: tuple[str, str],
    *,
    trials: int,
    rng: np.random.Generator,
) -> Decided | None:
    """Find few symbols that decide the model's answer but not the right one.

    Parameters
    ----------
    model, positions, letters
        As for :func:`hard_table`.
    trials
        Budget of the search.
    rng
        Draws restarts, and words.

    Returns
    -------
    Decided or None
        ``None`` if nothing was found, which says nothing about the model.
    """
    task = model.setting.task
    mark = int(bool(task.bos))
    table = hard_table(model, positions, letters)
    ground = Restriction.free(letters, table.n)
    if mark:
        ground = ground.fix({0: letters[0]})
    found = certify(table, ground=ground, seconds=600, trials=trials, rng=rng)
    if not isinstance(found, Certified):
        return None
    choices = found.restriction.choices[mark:]
    drawn = ["".join(rng.choice(list(map(str, c))) for c in choices) for _ in range(400)]
    classes = np.array([*model.lesson.classes, None], object)  # an unknown class is the last
    truths = classes[model.lesson.of_words(drawn, patterns=False).targets[:, -1]]
    pair = next(((0, k) for k in range(400) if truths[k] != truths[0]), None)
    if pair is None:
        return None
    words = drawn[pair[0]], drawn[pair[1]]
    batch = model.lesson.of_words(words, patterns=False)
    given = classes[_hard(model, batch, positions)[:, -1]]
    fixed = tuple((i, str(c[0])) for i, c in enumerate(choices) if len(c) == 1)
    replayed = bool((given == found.output).all())
    return Decided(
        table.n - mark, fixed, found.output, words, (truths[pair[0]], truths[pair[1]]), replayed
    )


def _hard(model: Model, batch: Batch, positions: Ints) -> Ints:
    rows = np.broadcast_to(positions, batch.tokens.shape).copy()
    return model.hard_outputs(replace(batch, positions=rows))
