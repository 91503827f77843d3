"""A training process that is killed, and the run that goes on from what it left."""

import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from rasp.trainer.result import Result
from rasp.trainer.setting import Setting
from rasp.trainer.tasks import task
from rasp.trainer.train import train

pytest.importorskip("torch")


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_killed_process_loses_nothing_but_time(tmp_path: Path) -> None:
    state, out = tmp_path / "state.pt", tmp_path / "result.json"
    command = [sys.executable, "-m", "attnlimits", "rasp", "train", "reverse", "--out", str(out)]
    command += ["--longest", "5", "--width", "16", "--steps", "200", "--batch", "16"]
    command += ["--test", "100", "--stop-at", "2", "--checkpoint", str(state)]
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=Path(__file__).parents[2]
    )
    while not state.exists() and process.poll() is None:
        time.sleep(0.005)
    process.kill()
    assert process.wait() == -signal.SIGKILL
    assert not out.exists()
    setting = Setting(
        task=task("reverse", longest=5), width=16, steps=200, batch=16, rate=3e-3, test=100
    )
    steps: list[int] = []
    resumed = train(setting, checkpoint=state, progress=lambda check: steps.append(check.step))
    assert steps[0] > 100  # it did not begin anew
    assert without_time(resumed) == without_time(train(setting))


def without_time(result: Result) -> Result:
    curve = tuple(replace(check, cpu=0.0) for check in result.curve)
    return replace(result, cpu_seconds=0.0, curve=curve)
