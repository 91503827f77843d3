"""Everything that is found out about trained models at longer lengths, and the record of it.

Main definitions: :class:`Found`, :class:`Scope`, :func:`examine`, :func:`recorded_lengths`.

References
----------
Weiss, Goldberg & Yahav (2021), section 5 [weiss2021]; Hahn (2020), section 5 and Lemma 5
[hahn2020].
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from typing import Any, final

import numpy as np

from rasp.trainer.balls import head_of
from rasp.trainer.hard_reading import Decided, decided
from rasp.trainer.leak import least_ratio
from rasp.trainer.lengths import (
    STUDIES,
    VARIANTS,
    Point,
    Study,
    Trial,
    continued,
    measure,
)
from rasp.trainer.limit import Limit, limit_of
from rasp.trainer.measure import Model
from rasp.trainer.setting import Setting
from rasp.trainer.tables import SEEDS, Row, settings

READ_HARD = {"hist-bos": ("a", "b"), "reverse": ("a", "b"), "dyck1": ("(", ")")}
"""Studies whose models have one head a layer, and the two letters of the words to be found."""


@final
@dataclass(frozen=True, slots=True)
class Scope:
    """Which models are examined and on how much.

    Attributes
    ----------
    studies, variants, seeds
        Which models.
    lengths, words
        Of the tests, the studies' own if empty, and words per length and case.
    hard
        Lengths at which deciding symbols are searched.
    trials
        Budget of each search.
    letters
        Letters of the histogram whose families are examined.
    """

    studies: tuple[str, ...] = tuple(STUDIES)
    variants: tuple[str, ...] = VARIANTS
    seeds: tuple[int, ...] = SEEDS
    lengths: tuple[int, ...] = ()
    words: int = 100
    hard: tuple[int, ...] = (20, 30, 40)
    trials: int = 200
    letters: tuple[int, ...] = (0, 1, 2)

    def models(self) -> dict[Setting, tuple[Study, str]]:
        """Return the models to train, with what is asked of them: rows of Table 1."""
        return {
            setting: (STUDIES[name], variant)
            for name in self.studies
            for variant in self.variants
            for setting in settings(Row(name, variant), "laptop", seeds=self.seeds)
        }


QUICK = Scope(("reverse", "dyck1"), ("supervised",), (0,), (20, 30, 40), 20)
"""Two models that are trained in a quarter of a minute."""


@final
@dataclass(frozen=True, slots=True)
class Found:
    """What was found out about one model.

    Attributes
    ----------
    task, variant, seed
        Which model.
    points
        Its tests.
    ratio
        Histogram only: lower bound on the least weight of another letter's key in units of an own
        one.
    limits
        Histogram only: what is certain about its families.
    decided
        Words of which a few symbols decide its answer, its attention read as argmax.
    """

    task: str
    variant: str
    seed: int
    points: tuple[Point, ...]
    ratio: float | None
    limits: tuple[Limit, ...]
    decided: tuple[Decided, ...]

    def data(self) -> dict[str, Any]:
        """Return everything as JSON-compatible data."""
        return asdict(self)

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> "Found":
        """Read what :meth:`data` returned, before or after a round trip through JSON."""
        return cls(
            **{
                **data,
                "points": tuple(Point(**point) for point in data["points"]),
                "limits": tuple(Limit(**limit) for limit in data["limits"]),
                "decided": tuple(Decided.from_data(one) for one in data["decided"]),
            }
        )


def examine(
    model: Model,
    study: Study,
    variant: str,
    asked: Sequence[Trial],
    scope: Scope,
    *,
    rng: np.random.Generator,
) -> Found:
    """Test a model at longer lengths, and find what theory has to say about it.

    Parameters
    ----------
    model, study, variant
        The model and what is asked of it.
    asked
        The words.
    scope
        On how much.
    rng
        Draws rows of positions that were never trained, and restarts of searches.
    """
    points = measure(study, variant, model, asked, rng=rng)
    limits, ratio = [], None
    if study.task == "hist-bos":
        head = head_of(model.setting, model.arrays())
        ratio = least_ratio(head)
        classes = model.lesson.classes
        limits = [
            limit_of(head, letter, count, classes.index(count))
            for letter in scope.letters
            for count in study.cases
        ]
    found = []
    for n in scope.hard if study.task in READ_HARD else ():
        example = model.lesson.of_words([model.setting.task.alphabet[0] * n], patterns=False)
        longer, batch = continued(model, example, study.positions, rng)
        letters = READ_HARD[study.task]
        one = decided(longer, batch.positions[0], letters, trials=scope.trials, rng=rng)
        found += [] if one is None else [one]
    return Found(
        study.task, variant, model.setting.seed, tuple(points), ratio, tuple(limits), tuple(found)
    )


@cache
def recorded_lengths() -> tuple[Found, ...]:
    """Return what comes with the package: all models of the default :class:`Scope`."""
    text = (files("rasp.trainer") / "recorded" / "lengths.json").read_text(encoding="utf-8")
    return tuple(map(Found.from_data, json.loads(text)))
