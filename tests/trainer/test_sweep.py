"""Sweeps: what is finished is kept, what is lost is repeated, on any executor."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Executor, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from attnlimits.commands.rasp_where import Where
from rasp.trainer.checkpoint import load_state, save_state
from rasp.trainer.result import Result
from rasp.trainer.setting import Setting, SettingError
from rasp.trainer.store import Store
from rasp.trainer.sweep import SweepError, Workers, checkpoint_of, cluster, local, sweep
from rasp.trainer.tasks import task
from rasp.trainer.train import StoppedError, train

pytest.importorskip("torch")

SMALL = Setting(
    task=task("reverse", longest=4), width=16, steps=20, batch=16, check_every=10,
    held_out=50, test=100,
)  # fmt: skip
RUNS = [replace(SMALL, seed=seed) for seed in range(3)]


@contextmanager
def _thread() -> Iterator[Executor]:
    with ThreadPoolExecutor(1) as pool:
        yield pool


THREAD = Workers(_thread, (BrokenExecutor,))


def _facts(result: Result) -> dict[str, object]:
    curve = tuple(replace(check, cpu=0.0) for check in result.curve)
    return replace(result, cpu_seconds=0.0, curve=curve).data()


def test_finished_runs_are_found_and_not_repeated(tmp_path: Path) -> None:
    store = Store(tmp_path)
    first = {r.setting: r for r in sweep(RUNS[:2], THREAD, store=store)}
    assert {*first} == {*RUNS[:2]}
    again = list(sweep([*RUNS, RUNS[0]], THREAD, store=store))
    assert [r.setting for r in again] == RUNS
    assert again[0].cpu_seconds == first[RUNS[0]].cpu_seconds  # read, not computed
    assert _facts(again[2]) == _facts(train(RUNS[2], example="abcd"))


class _Breaking(ThreadPoolExecutor):
    """Loses its worker at the call that is told, once or always."""

    left = 0

    def submit(self, function, /, *arguments, **named):  # type: ignore[no-untyped-def]
        if type(self).left:
            type(self).left -= 1
            raise BrokenExecutor("the worker is gone")
        return super().submit(function, *arguments, **named)


def test_lost_runs_are_repeated_and_given_up_at_last(tmp_path: Path) -> None:
    @contextmanager
    def breaking() -> Iterator[Executor]:
        with _Breaking(1) as pool:
            yield pool

    workers = Workers(breaking, (BrokenExecutor,))
    _Breaking.left = 2
    assert len(list(sweep(RUNS[:1], workers, store=Store(tmp_path)))) == 1
    _Breaking.left = 99
    with pytest.raises(SweepError, match="seed 1: its worker was lost again and again"):
        list(sweep(RUNS[:2], workers, store=Store(tmp_path)))


def test_a_run_that_cannot_be_is_reported_after_the_others(tmp_path: Path) -> None:
    path = tmp_path / f"{RUNS[0].digest()}.pt"
    path.write_bytes(b"no checkpoint")
    done: list[Setting] = []

    def consume() -> None:
        for result in sweep(RUNS[:2], THREAD, checkpoints=tmp_path):
            done.append(result.setting)

    with pytest.raises(SweepError, match=r"1 runs have no result: reverse .* no checkpoint"):
        consume()
    assert done == [RUNS[1]]


def test_workers_say_what_is_missing() -> None:
    with pytest.raises(SettingError, match="0 processes"):
        local(0)


@pytest.mark.slow
def test_processes_that_are_killed_lose_nothing(tmp_path: Path) -> None:
    store = Store(tmp_path)
    runs = [replace(run, steps=60) for run in RUNS]
    workers = local(1)
    killed = False
    for _ in sweep(runs, workers, store=store):
        if not killed:  # the next run has begun, or is about to
            for child in _children():
                os.kill(child, signal.SIGKILL)
                killed = True
    assert killed
    assert [_facts(r) for r in map(store.find, runs) if r] == [
        _facts(train(run, example="abcd")) for run in runs
    ]


def _children() -> list[int]:
    import multiprocessing

    return [child.pid for child in multiprocessing.active_children() if child.pid]


@pytest.mark.slow
@pytest.mark.filterwarnings("default")  # of libraries that are not ours
def test_a_cluster_whose_worker_is_killed_finishes_all_runs(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    place = tmp_path / "scheduler.json"
    runs = [replace(SMALL, seed=seed, steps=80, check_every=10) for seed in range(5)]
    store, checkpoints = Store(tmp_path / "runs"), tmp_path / "checkpoints"
    with ExitStack() as stack:
        stack.enter_context(_process("scheduler", "--host", "127.0.0.1", "--port", "0",
                                     "--no-dashboard", "--scheduler-file", str(place)))  # fmt: skip
        for _ in range(2):
            stack.enter_context(_process("worker", "--scheduler-file", str(place), "--no-nanny",
                                         "--no-dashboard", "--death-timeout", "60",
                                         "--nthreads", "1", "--host", "127.0.0.1",
                                         "--local-directory", str(tmp_path)))  # fmt: skip
        _wait_for(place.exists)
        watcher = stack.enter_context(
            distributed.Client(scheduler_file=str(place), set_as_default=False)
        )
        watcher.wait_for_workers(2, timeout=60)
        pids = watcher.run(os.getpid)
        address = watcher.scheduler.address
        done: list[Setting] = []
        for result in sweep(runs, cluster(address), store=store, checkpoints=checkpoints):
            if not done:
                first = store.path(result.setting).stat().st_mtime_ns
                busy = [worker for worker, tasks in watcher.processing().items() if tasks]
                _wait_for(lambda: len(list(checkpoints.glob("*.pt"))) > 1)
                os.kill(pids[busy[-1]], signal.SIGKILL)
            done.append(result.setting)
        assert len(watcher.scheduler_info()["workers"]) == 1
    assert sorted(done, key=lambda s: s.seed) == runs
    assert store.path(done[0]).stat().st_mtime_ns == first
    found = store.find(done[-1])
    assert found is not None
    assert _facts(found) == _facts(train(done[-1], example="abcd"))


@contextmanager
def _process(kind: str, *arguments: str) -> Iterator[None]:
    root = Path(__file__).resolve().parents[2]
    command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", *arguments]
    with subprocess.Popen(command, cwd=root, stderr=subprocess.DEVNULL) as process:
        try:
            yield
        finally:
            process.kill()


def _wait_for(condition: object, seconds: float = 60) -> None:
    assert callable(condition)
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.slow
def test_a_table_goes_on_with_the_run_that_was_interrupted(tmp_path: Path) -> None:
    run, unfinished = RUNS[0], tmp_path / "unfinished"
    path = checkpoint_of(unfinished, run)
    stops = iter(range(12))
    with pytest.raises(StoppedError):
        train(run, checkpoint=path, stop=lambda: next(stops, None) == 11)
    spoilt = load_state(path)
    spoilt.curve[0] = replace(spoilt.curve[0], loss=-1.0)  # to be recognised in what comes of it
    save_state(spoilt, path)
    found = Where(out=tmp_path, processes=1).train([run])[run.digest()]
    assert found.curve[0].loss == -1.0
    assert found.steps == run.steps
    assert not path.exists()
    assert Store(tmp_path).find(run) == found
