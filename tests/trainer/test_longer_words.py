"""Longer words: what is asked, how positions go on, what is certain, what a few symbols decide."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flint import arb

from attnlimits.boundary import run
from attnlimits.commands.rasp import app
from rasp.trainer.balls import head_of
from rasp.trainer.leak import leaking_length, leaks, least_ratio
from rasp.trainer.lengths import STUDIES, Point, continued, measure, repeated, trials
from rasp.trainer.lessons import Lesson
from rasp.trainer.limit import family, limit_of
from rasp.trainer.longer import Found, Scope, recorded_lengths
from rasp.trainer.longer_text import failing_length
from rasp.trainer.setting import Setting, SettingError
from rasp.trainer.store import recorded_weights
from rasp.trainer.tasks import TASKS, task


def _model(setting: Setting, scale: float = 1.0) -> Any:
    torch = pytest.importorskip("torch")
    from rasp.trainer.encoder import initial_weights
    from rasp.trainer.measure import Model

    lesson = Lesson(setting.task)
    sizes = {"symbols": len(lesson.symbols), "positions": lesson.longest}
    weights = initial_weights(setting, classes=len(lesson.classes), **sizes)
    weights["layer0.qkv"] *= scale
    return Model(setting, lesson, {k: torch.as_tensor(v) for k, v in weights.items()})


@pytest.mark.parametrize("name", STUDIES)
@pytest.mark.parametrize("n", [20, 33])
def test_scored_outputs_are_known_from_training(name: str, n: int) -> None:
    study, lesson = STUDIES[name], Lesson(TASKS[name])
    for case in study.cases:
        codes, scored = study.draw(n, case, 20, len(lesson.task.alphabet), np.random.default_rng(0))
        words = ["".join(lesson.task.alphabet[c] for c in row) for row in codes]
        targets = lesson.of_words(words, patterns=False).targets[:, -n:]
        classes = np.array(lesson.classes, object)[targets[scored]]
        if name in ("hist-bos", "double-hist"):
            assert set(classes) == {case}  # the right answer is the study's number
            assert (scored.sum(1) == case).all()
        assert (targets[scored] >= 0).all()


def test_positions_go_on_as_told() -> None:
    setting = Setting(task=task("dyck1", longest=4), width=16)
    model = _model(setting)
    batch = model.lesson.of_words(["(()())"])
    rng = np.random.default_rng(0)
    assert continued(model, batch, "last", rng)[1].positions.tolist() == [[0, 1, 2, 3, 3, 3]]
    assert repeated(batch.positions, 4, bos=False).tolist() == [[0, 1, 2, 3, 0, 1]]
    assert repeated(np.arange(8), 3, bos=True).tolist() == [0, 1, 2, 3, 1, 2, 3, 1]
    longer, same = continued(model, batch, "never trained", rng)
    assert same.positions.tolist() == [[0, 1, 2, 3, 4, 5]]
    assert longer.weights["positions"].shape[0] == 6
    assert (longer.weights["positions"][:4] == model.weights["positions"]).all()


def test_a_causal_model_looks_back_whatever_its_positions_are_called() -> None:
    model = _model(Setting(task=task("dyck1", longest=4), width=16))
    words = model.lesson.of_words(["(()()())", "(()())))"], patterns=False)
    longer, batch = continued(model, words, "last", np.random.default_rng(0))
    given, attentions = longer.outputs(batch)
    assert (given[0, :6] == given[1, :6]).all()  # they differ from the seventh symbol on
    assert all((np.triu(layer, 1) == 0).all() for layer in attentions)


def test_leaks_are_in_units_of_one_occurrence() -> None:
    weights = np.array([[0.2, 0.2, 0.05, 0.15], [0.4, 0.1, 0.1, 0.2]])
    own = np.array([[True, True, False, False], [True, False, False, False]])
    np.testing.assert_allclose(leaks(weights, own), [1.0, 1.0])
    assert leaking_length(1.0, 2) == 3  # (3 - 2) * 1 is at least one half
    assert leaking_length(0.25, 2) == 4


def test_a_trained_histogram_is_measured_beside_the_compiled_one() -> None:
    model = _model(Setting(task=task("hist-bos", longest=6), width=16), scale=0)
    study, rng = STUDIES["hist-bos"], np.random.default_rng(0)
    points = measure(
        study, "predicted", model, trials(study, words=10, rng=rng, lengths=[12]), rng=rng
    )
    assert [p.case for p in points] == [*study.cases]
    for point in points:
        assert point.compiled == 10
        assert point.leak == pytest.approx(12 - point.case, rel=1e-5)  # attention is even
        assert point.foretold == 0
    ratio = least_ratio(head_of(model.setting, model.arrays()))
    assert ratio == pytest.approx(1)


def test_balls_hold_what_the_model_computes() -> None:
    torch = pytest.importorskip("torch")
    model = _model(Setting(task=task("hist-bos", longest=6), width=16, seed=3), scale=3)
    double = replace(model, weights={k: v.double() for k, v in model.weights.items()})
    words = family(head_of(model.setting, model.arrays()), 2, 2)
    for periods in (1, 3):
        places = [*range(1, 7)] * periods
        letters = [(2 + 1 + p % 9) % 10 for p in places]
        letters[:2] = [2, 2]
        text = "".join(model.setting.task.alphabet[c] for c in letters)
        batch = model.lesson.of_words([text], patterns=False)
        batch = replace(batch, positions=repeated(batch.positions, 6, bos=True))
        with torch.no_grad():
            logits = double.run(batch)[0][0, 1].tolist()
        balls = words.segment.logits(words.share(periods))
        assert [float(ball.mid()) for ball in balls] == pytest.approx(logits, rel=1e-9)
    # a ball of shares holds what every share in it gives
    wide = words.segment.logits(arb(0).union(arb(1)), right=1)
    for share in (0, 0.3, 1):
        narrow = words.segment.logits(arb(share), right=1)
        assert all(a.contains(b) for a, b in zip(wide, narrow, strict=True))


def test_what_is_certain_of_the_recorded_model_is_what_it_does() -> None:
    setting, weights = recorded_weights()
    head = head_of(setting, weights)
    (record,) = (f for f in recorded_lengths() if f.limits and f.seed == 0
                 and f.variant == "supervised")  # fmt: skip
    known = next(x for x in record.limits if (x.letter, x.count) == (2, 4))
    assert limit_of(head, 2, 4, 4) == known
    words = family(head, 2, 4)
    assert known.wrong is not None
    assert not words.beaten(4, words.share(known.right // words.period))
    # planted fault: one period too early is not certified
    assert words.beaten_from(4, words.share(known.right // words.period)) is None


def test_heads_of_another_shape_are_refused() -> None:
    with pytest.raises(SettingError, match="one layer of one head"):
        head_of(Setting(task=task("reverse")), {})


def test_the_record_is_whole_and_consistent() -> None:
    found = recorded_lengths()
    scope = Scope()
    assert {(f.task, f.variant, f.seed) for f in found} == {
        (study.task, variant, setting.seed) for setting, (study, variant) in scope.models().items()
    }
    for one in found:
        assert Found.from_data(one.data()) == one
        assert {p.length for p in one.points} == {*STUDIES[one.task].lengths}
        for point in one.points:
            assert point.compiled == point.words  # the compiled program never fails
            assert point.trained <= point.words
        for word in one.decided:
            assert word.replayed
            assert word.truths[0] != word.truths[1]
            for i, symbol in word.fixed:
                assert {text[i] for text in word.words} == {symbol}
        for limit in one.limits:
            assert limit.wrong is None or limit.wrong > limit.right


def test_the_failing_length_is_where_half_of_the_words_are_wrong_from() -> None:
    base = Point("t", "v", 0, 20, 1, 10, 10, 10, 0, 10, 10)
    shares = {20: 10, 30: 4, 40: 6, 60: 3, 80: 0}
    points = [replace(base, length=n, trained=k) for n, k in shares.items()]
    assert failing_length(points) == 60
    assert failing_length(points[:1]) is None


def test_lengths_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(app, ["lengths"]) == 0
    shown = capsys.readouterr().out
    assert "wrong for good from" in shown
    assert "symbols that decide" in shown
    assert run(app, ["lengths", "--train", "--cluster", "tcp://127.0.0.1:1"]) == 2
    assert "--cluster" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_two_models_are_trained_and_examined(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("torch")
    arguments = ["lengths", "--quick", "--processes", "1", "--out", str(tmp_path)]
    assert run(app, [*arguments, "--format", "json"]) == 0
    found = [Found.from_data(one) for one in json.loads(capsys.readouterr().out)]
    assert [one.task for one in found] == ["reverse", "dyck1"]
    for one in found:
        shares = {point.length: point.trained / point.words for point in one.points}
        assert shares[20] > 0.9
        assert shares[40] < shares[20]
        assert all(word.replayed for word in one.decided)
    assert len(list(tmp_path.glob("*.pt"))) == 2  # the models stay
