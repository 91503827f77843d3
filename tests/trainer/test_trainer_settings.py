"""Settings, tasks and lessons: plain data, and what the program itself says."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rasp.trainer.distributions import DISTRIBUTIONS
from rasp.trainer.lessons import NOT_SCORED, Lesson
from rasp.trainer.masks import Mask, MaskError, allowed
from rasp.trainer.placement import placement
from rasp.trainer.setting import Setting, SettingError
from rasp.trainer.tasks import TASKS, TaskError, task, task_from_text

SIZES = {
    "reverse": (2, 1),
    "hist-bos": (1, 1),
    "hist-nobos": (1, 2),
    "double-hist": (2, 2),
    "sort": (2, 1),
    "most-freq": (3, 2),
    "dyck1": (2, 1),
    "dyck2": (3, 1),
}


def test_predicted_sizes_are_those_of_the_paper() -> None:
    assert {name: known.predicted for name, known in TASKS.items()} == SIZES


@given(
    st.sampled_from(sorted(TASKS)),
    st.integers(0, 99),
    st.sampled_from([0.0, 1.0, 10.0]),
    st.sampled_from(["full", "window:3"]),
)
def test_a_setting_survives_json(name: str, seed: int, supervise: float, mask: str) -> None:
    setting = Setting(task=task(name), seed=seed, supervise=supervise, mask=mask)
    again = Setting.from_data(json.loads(json.dumps(setting.data())))
    assert again == setting
    assert again.digest() == setting.digest()


def test_every_field_changes_the_digest() -> None:
    one = Setting(task=task("reverse"))
    others = [
        Setting(task=task("reverse"), seed=1),
        Setting(task=task("reverse"), rate=2e-3),
        Setting(task=task("reverse", longest=19)),
    ]
    assert len({setting.digest() for setting in [one, *others]}) == 4


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"width": 63, "heads": 2}, "no multiple"),
        ({"batch": 3}, "even"),
        ({"layers": 1, "supervise": 1.0}, "needs 2 of 1"),
        ({"steps": 0}, "at least 1"),
        ({"rate": -1.0}, "rate = -1.0: use a positive"),
        ({"seed": -3}, "seed = -3: use at least 0"),
    ],
)
def test_impossible_settings_are_refused(fields: dict[str, float], message: str) -> None:
    with pytest.raises(SettingError, match=message):
        Setting(task=task("reverse"), **fields)  # type: ignore[arg-type]


def test_unknown_names_are_refused() -> None:
    with pytest.raises(TaskError, match="no task"):
        task("sorted")
    with pytest.raises(TaskError, match="defines no s-op 'nothing'"):
        task_from_text("x = indices;", "nothing", alphabet="ab")
    with pytest.raises(MaskError):
        Mask.parse("window:few")


@given(st.sampled_from(sorted(DISTRIBUTIONS)), st.integers(1, 9), st.integers(0, 5))
def test_words_have_the_asked_shape_and_symbols(name: str, n: int, seed: int) -> None:
    words = DISTRIBUTIONS[name].draw(17, n, 4, np.random.default_rng(seed))
    assert words.shape == (17, n)
    assert words.min() >= 0
    assert words.max() < 4


@pytest.mark.parametrize("name", sorted(TASKS))
def test_targets_and_patterns_are_the_programs(name: str) -> None:
    known = task(name, longest=6)
    lesson = Lesson(known)
    batch = lesson.packed(4, np.random.default_rng(5), patterns=True)
    for row in range(4):
        for word in range(2):
            here = np.flatnonzero(batch.words[row] == word)
            symbols = [lesson.symbols[token] for token in batch.tokens[row, here]]
            expected = known.program(symbols)
            for at, value in zip(here[bool(known.bos) :], expected[bool(known.bos) :], strict=True):
                assert lesson.classes[batch.targets[row, at]] == value
            for number, place in enumerate(placement(known)):
                from rasp.evaluate.engine import matrix

                rows = np.array(matrix(place.selector, symbols), float)
                count = rows.sum(1)
                assert (batch.selecting[number, row, here] == (count > 0)).all()
                normal = rows / np.maximum(count, 1)[:, None]
                np.testing.assert_allclose(
                    batch.patterns[number, row][np.ix_(here, here)], normal, atol=1e-6
                )
                outside = np.delete(batch.patterns[number, row, here], here, axis=1)
                assert not outside.any()


def test_the_mark_is_not_scored_and_lengths_are_uniform() -> None:
    lesson = Lesson(task("hist-bos", longest=5))
    batch = lesson.packed(600, np.random.default_rng(0), patterns=False)
    assert ((batch.targets == NOT_SCORED) == (batch.positions == 0)).all()
    lengths = [int((row == word).sum()) - 1 for row in batch.words for word in (0, 1)]
    counts = np.bincount(lengths, minlength=6)[1:]
    assert counts.sum() == 1200
    assert counts.min() > 180


def test_independent_words_are_one_to_a_row() -> None:
    batches = Lesson(task("dyck1", longest=5)).independent(200, np.random.default_rng(0))
    assert sum(len(batch.tokens) for batch in batches) == 200
    assert not any(batch.words.any() for batch in batches)


def test_masks_agree_with_the_profiles_of_the_analysis() -> None:
    window = allowed(Mask.parse("window:1"), 4, causal=False)
    assert window.sum(1).tolist() == [2, 3, 3, 2]
    assert allowed(Mask.parse("full"), 3, causal=True).tolist() == np.tri(3, dtype=bool).tolist()
