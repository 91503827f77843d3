"""Training for real: reverse at length 10 and Dyck-1, at the size needed and a layer less."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from attnlimits.boundary import run
from attnlimits.commands.rasp import app
from rasp.trainer.statistics import surely_above, surely_below

pytest.importorskip("torch")


@pytest.mark.slow
@pytest.mark.timeout(900)  # half a minute, but machines may be busy
def test_models_of_the_size_needed_learn_and_smaller_ones_fail_to_reverse(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--quick", "--seeds", "1", "--out", str(tmp_path), "--format", "json"]
    assert run(app, ["table1", *arguments]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["task"] for row in rows] == ["reverse", "dyck1"]
    for row in rows:
        (found,) = row["runs"]
        assert surely_above(found["probes_right"], found["probes"], Fraction(99, 100))
        assert found["attention_error"] < 0.05
    assert run(app, ["table2", *arguments]) == 0
    rows = json.loads(capsys.readouterr().out)
    smaller = {row["task"]: row["runs"][0] for row in rows if row["variant"] == "one layer fewer"}
    found = smaller["reverse"]
    assert surely_below(found["probes_right"], found["probes"], Fraction(7, 10))
    written = {path: path.stat().st_mtime_ns for path in tmp_path.glob("*.json")}
    assert len(written) == 4
    assert run(app, ["table1", *arguments]) == 0  # nothing left to train
    assert [row["task"] for row in json.loads(capsys.readouterr().out)] == ["reverse", "dyck1"]
    assert written == {path: path.stat().st_mtime_ns for path in tmp_path.glob("*.json")}
