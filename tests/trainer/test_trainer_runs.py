"""Training runs: what they promise whoever interrupts, resumes or repeats them."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rasp.trainer.result import Result, ResultError
from rasp.trainer.setting import Setting, SettingError
from rasp.trainer.tables import Row, settings
from rasp.trainer.tasks import task
from rasp.trainer.train import StoppedError, attention_loss, train, trained

torch = pytest.importorskip("torch")

SMALL = Setting(
    task=task("reverse", longest=4),
    width=16,
    steps=24,
    batch=16,
    check_every=6,
    held_out=50,
    test=100,
    supervise=1.0,
)


def facts(result: Result) -> dict[str, object]:
    """What must not depend on interruptions: everything but processor time."""
    curve = tuple(replace(check, cpu=0.0) for check in result.curve)
    return replace(result, cpu_seconds=0.0, curve=curve).data()


def test_a_stopped_run_goes_on_as_if_nothing_had_happened(tmp_path: Path) -> None:
    whole = train(SMALL, example="abca")
    path = tmp_path / "state.pt"
    for stops in (7, 6, 3):
        left = iter(range(stops))
        with pytest.raises(StoppedError):
            train(SMALL, checkpoint=path, stop=lambda left=left: next(left, None) is None)
    resumed = train(SMALL, checkpoint=path, example="abca")
    assert facts(resumed) == facts(whole)
    assert facts(train(SMALL, checkpoint=path, example="abca")) == facts(whole)


def test_a_checkpoint_of_another_run_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "state.pt"
    train(SMALL, checkpoint=path)
    with pytest.raises(SettingError, match="another run"):
        train(replace(SMALL, seed=1), checkpoint=path)
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(SettingError, match="no checkpoint"):
        train(SMALL, checkpoint=path)


def test_a_result_survives_json(tmp_path: Path) -> None:
    result = train(SMALL, example="ab")
    result.save(tmp_path / "r.json")
    assert Result.load(tmp_path / "r.json") == result
    assert [path.name for path in tmp_path.iterdir()] == ["r.json"]
    with pytest.raises(ResultError):
        Result.from_data({"schema": "other"})


def test_counts_are_consistent() -> None:
    result = train(SMALL)
    assert result.sequences == SMALL.test == sum(row[2] for row in result.by_length)
    assert result.sequences_right == sum(row[1] for row in result.by_length)
    assert result.probes_right <= result.probes <= result.sequences
    assert result.attention_probes_right is not None
    assert result.attention_probes_right <= result.probes
    assert result.tokens == sum(n * count for n, _, count in result.by_length)
    assert [check.step for check in result.curve] == [6, 12, 18, 24]


def test_words_are_probed_in_proportion_to_their_length() -> None:
    from rasp.trainer.encoder import initial_weights
    from rasp.trainer.lessons import Lesson
    from rasp.trainer.measure import Model, score

    lesson = Lesson(SMALL.task)
    model = Model(SMALL, lesson, initial_weights(SMALL, symbols=10, positions=4, classes=10))
    rng = np.random.default_rng(1)
    for n in range(1, 5):
        probes = score(model, [lesson.of_length(n, 800, rng)], rng=rng).probes
        assert abs(probes - 200 * n) < 60  # five standard deviations
        assert (probes == 800) == (n == 4)


def test_the_attention_loss_is_the_mean_squared_distance_of_selecting_rows() -> None:
    from rasp.trainer.encoder import initial_weights
    from rasp.trainer.lessons import Lesson
    from rasp.trainer.measure import Model

    setting = Setting(task=task("hist-nobos", longest=5), supervise=1.0, width=16)
    lesson = Lesson(setting.task)
    weights = initial_weights(
        setting, symbols=len(lesson.symbols), positions=5, classes=len(lesson.classes)
    )
    model = Model(setting, lesson, weights)
    batch = lesson.packed(3, np.random.default_rng(1), patterns=True)
    _, attentions = model.run(batch)
    expected = []
    for number, place in enumerate(lesson.placed):
        rows = [
            (
                (attentions[place.layer][r, place.head, i].numpy() - batch.patterns[number, r, i])
                ** 2
            ).sum()
            for r in range(3)
            for i in range(batch.tokens.shape[1])
            if batch.selecting[number, r, i]
        ]
        assert len(rows) > 0
        expected.append(sum(rows) / len(rows))
    assert not batch.selecting.all()
    found = attention_loss(model, batch, attentions)
    assert float(found) == pytest.approx(float(sum(expected) / len(expected)), rel=1e-5)


def test_packing_two_words_in_a_row_changes_nothing() -> None:
    from rasp.trainer.encoder import initial_weights
    from rasp.trainer.lessons import Lesson
    from rasp.trainer.measure import Model

    for name, mask in (("dyck1", "full"), ("hist-bos", "window:2")):
        setting = Setting(task=task(name, longest=5), width=16, mask=mask)
        lesson = Lesson(setting.task)
        weights = initial_weights(
            setting,
            symbols=len(lesson.symbols),
            positions=lesson.longest,
            classes=len(lesson.classes),
        )
        model = Model(setting, lesson, weights)
        batch = lesson.packed(4, np.random.default_rng(2), patterns=False)
        together, _ = model.run(batch)
        for row in range(4):
            for word in (0, 1):
                here = np.flatnonzero(batch.words[row] == word)
                symbols = [lesson.symbols[t] for t in batch.tokens[row, here]]
                alone, _ = model.run(lesson.of_words(["".join(symbols[bool(setting.task.bos) :])]))
                np.testing.assert_allclose(together[row, here].numpy(), alone[0].numpy(), atol=1e-5)


def test_the_weights_of_a_finished_run_can_be_loaded(tmp_path: Path) -> None:
    train(SMALL, checkpoint=tmp_path / "state.pt")
    model = trained(tmp_path / "state.pt")
    given, _ = model.outputs(model.lesson.of_words(["abc"]))
    assert given.shape == (1, 3)


@pytest.mark.parametrize("device", ["cuda", "nonsense", "meta"])
def test_a_device_that_is_not_there_is_named(device: str) -> None:
    if device == "cuda" and pytest.importorskip("torch").cuda.is_available():
        pytest.skip("there is a device")
    with pytest.raises(SettingError, match=f"cannot compute on '{device}'"):
        train(SMALL, device=device)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["reverse", "double-hist", "dyck2"])
def test_runs_of_the_papers_size_start(name: str) -> None:
    (setting,) = settings(Row(name, "supervised"), "paper", seeds=(0,))
    assert (setting.width, setting.task.longest) == (256, 100)
    short = replace(setting, steps=2, check_every=2, held_out=20, test=20)
    result = train(short)
    assert result.steps == 2
    assert result.parameters > 1_000_000
    assert 0 < result.curve[0].loss < 20
