"""Models read with hard attention: the table answers as the model does."""

from typing import Any

import numpy as np
import pytest

from attention.hard import evaluate
from rasp.trainer.hard_reading import decided, hard_table
from rasp.trainer.lessons import Lesson
from rasp.trainer.setting import Setting, SettingError
from rasp.trainer.tasks import task


def _model(setting: Setting, seed: int = 0) -> Any:
    torch = pytest.importorskip("torch")
    from rasp.trainer.encoder import initial_weights
    from rasp.trainer.measure import Model

    lesson = Lesson(setting.task)
    sizes = {"symbols": len(lesson.symbols), "positions": lesson.longest}
    weights = initial_weights(setting, classes=len(lesson.classes), **sizes)
    return Model(setting, lesson, {k: torch.as_tensor(v) for k, v in weights.items()})


@pytest.mark.parametrize(
    ("name", "letters", "seed"),
    [("reverse", "ab", 0), ("dyck1", "()", 1), ("hist-bos", "ab", 2), ("reverse", "bc", 3)],
)
def test_the_table_answers_as_the_model_does(name: str, letters: str, seed: int) -> None:
    model = _model(Setting(task=task(name, longest=6), width=16, seed=seed))
    mark = int(bool(model.setting.task.bos))
    table = hard_table(model, np.arange(6 + mark), (letters[0], letters[1]))
    rng = np.random.default_rng(seed)
    words = ["".join(rng.choice(list(letters), 6)) for _ in range(30)]
    batch = model.lesson.of_words(words, patterns=False)
    classes = np.array(model.lesson.classes, object)
    given = classes[model.hard_outputs(batch)[:, -1]]
    assert [evaluate(table, letters[0] * mark + word) for word in words] == given.tolist()


def test_few_symbols_decide_a_random_model_of_one_layer() -> None:
    model = _model(Setting(task=task("hist-bos", longest=12), width=16))
    rng = np.random.default_rng(0)
    found = decided(model, np.arange(13), ("a", "b"), trials=50, rng=rng)
    assert found is not None
    assert len(found.fixed) <= 2  # its own symbol, and the one that its head reads
    assert found.replayed
    assert found.truths[0] != found.truths[1]


def test_larger_models_are_refused() -> None:
    with pytest.raises(SettingError, match="one head and at most two layers"):
        hard_table(
            _model(Setting(task=task("dyck2", longest=4), width=16)), np.arange(4), ("(", ")")
        )
