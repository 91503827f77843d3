"""Restricted attention: what is opened, what is foretold, what is recorded."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from attnlimits.boundary import run
from attnlimits.commands.rasp import app
from rasp.trainer.masks import Mask, MaskError
from rasp.trainer.restricted import MASKS, PROGRAMS, SEEDS, ceiling, foretold, settings
from rasp.trainer.setting import Setting, SettingError
from rasp.trainer.store import recorded
from rasp.trainer.tasks import task


def test_low_rank_attention_has_that_rank_and_no_more() -> None:
    torch = pytest.importorskip("torch")
    from rasp.trainer.encoder import initial_weights
    from rasp.trainer.lessons import Lesson
    from rasp.trainer.measure import Model

    base = Setting(task=task("reverse", longest=9), width=16, heads=2)
    lesson = Lesson(base.task)
    batch = lesson.of_words(["abcdefghi", "ihgfedcba"])
    for rank in (1, 3):
        setting = replace(base, mask=f"lowrank:{rank}")
        sizes = {"symbols": 10, "positions": 9, "classes": len(lesson.classes)}
        weights = initial_weights(setting, **sizes)
        _, attentions = Model(setting, lesson, {k: v.double() for k, v in weights.items()}).run(
            batch
        )
        for attention in attentions:
            assert torch.linalg.matrix_rank(attention, rtol=1e-9).max() == rank
            np.testing.assert_allclose(attention.sum(-1), 1)


def test_restrictions_that_make_no_sense_are_refused() -> None:
    with pytest.raises(MaskError, match="at least 1"):
        Mask.parse("lowrank")
    with pytest.raises(SettingError, match="no 17 features"):
        Setting(task=task("reverse"), width=16, mask="lowrank:17")


def test_the_ceiling_counts_positions_out_of_reach() -> None:
    (setting,) = settings("reverse", "window:3", seeds=(0,))
    one = replace(setting, layers=1, task=replace(setting.task, shortest=6))
    # lengths 6 to 12; one layer sees 3 positions: |n - 1 - 2i| <= 3
    seen = sum(abs(n - 1 - 2 * i) <= 3 for n in range(6, 13) for i in range(n))
    total = sum(range(6, 13))
    assert ceiling(one) == (seen + Fraction(total - seen, 10)) / total
    assert ceiling(replace(one, mask="full")) == 1


def test_programs_foretell_as_expected() -> None:
    assert [foretold("reverse", mask) for mask in MASKS] == [True, *5 * [False]]
    assert [foretold("previous", mask) for mask in MASKS] == [*4 * [True], False, False]


def test_every_run_is_recorded() -> None:
    wanted = {s.digest() for p in PROGRAMS for m in MASKS for s in settings(p, m, seeds=SEEDS)}
    assert set(recorded("restricted")) == wanted


def test_the_runs_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(app, ["restricted"]) == 0
    shown = capsys.readouterr().out
    assert len(shown.splitlines()) == 37
    assert "lowrank:4  no" in shown
