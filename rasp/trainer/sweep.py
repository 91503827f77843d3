r"""Many runs on a pool of processes or on a cluster; finished ones are kept and never repeated.

Any executor of the standard interface does the work: processes of this machine, or the workers of a
dask scheduler.  Results come back to the caller, who alone writes files, so workers need no shared
folder; with a shared folder for checkpoints a run goes on where its lost worker stopped.

Main definitions: :func:`sweep`, :func:`local`, :func:`cluster`, :class:`Workers`.

References
----------
Weiss, Goldberg & Yahav (2021), section 5: the runs [weiss2021].
"""

import multiprocessing
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import (
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    as_completed,
)
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import final

from rasp.trainer.result import Result
from rasp.trainer.setting import Setting, SettingError
from rasp.trainer.store import Store
from rasp.trainer.tables import EXAMPLES
from rasp.trainer.train import train


class SweepError(ValueError):
    """Some runs have no result; those that have one are stored."""


@final
@dataclass(frozen=True, slots=True)
class Workers:
    """Where runs are computed.

    Attributes
    ----------
    open
        Returns a context with an executor; called again if the executor broke.
    lost
        Exceptions by which a future says that its worker is gone; the run is then repeated.
    """

    open: Callable[[], AbstractContextManager[Executor]]
    lost: tuple[type[BaseException], ...]


def local(processes: int) -> Workers:
    """Return workers that are processes of this machine.

    Raises
    ------
    SettingError
        If ``processes`` is not positive.
    """
    if processes < 1:
        raise SettingError(f"{processes} processes: give at least 1")

    @contextmanager
    def pool() -> Iterator[Executor]:
        context = multiprocessing.get_context("spawn")  # PyTorch's threads do not survive a fork
        executor = ProcessPoolExecutor(processes, mp_context=context)
        try:
            yield executor
        finally:
            executor.shutdown(cancel_futures=True)

    return Workers(pool, (BrokenExecutor,))


def cluster(address: str, *, seconds: float = 30) -> Workers:
    """Return the workers of a dask scheduler.

    Parameters
    ----------
    address
        Of the scheduler, as in ``tcp://10.0.0.1:8786``; workers must have this package installed.
    seconds
        To wait for the scheduler's answer.

    Raises
    ------
    SettingError
        If ``distributed`` is not installed; when opened, if no scheduler answers.
    """
    try:
        from distributed import Client
        from distributed.scheduler import KilledWorker
    except ImportError:
        raise SettingError(
            "a cluster needs dask distributed: install attention-limits[cluster]"
        ) from None

    @contextmanager
    def connected() -> Iterator[Executor]:
        try:
            client = Client(address, timeout=seconds, set_as_default=False)
        except (OSError, ValueError) as error:
            raise SettingError(
                f"no scheduler answers at {address!r} ({error}): start one with `dask scheduler`"
            ) from None
        with client:
            yield client.get_executor(pure=False)

    return Workers(connected, (KilledWorker, CancelledError, BrokenExecutor))


def sweep(
    settings: Iterable[Setting],
    workers: Workers,
    *,
    store: Store | None = None,
    checkpoints: Path | None = None,
    attempts: int = 3,
    device: str = "cpu",
) -> Iterator[Result]:
    """Yield the result of every setting: stored ones first, then new ones as they come.

    Parameters
    ----------
    settings
        The runs, in the order in which to start them; equal ones are run once.
    workers
        See :func:`local` and :func:`cluster`.
    store
        Where finished runs are and where new ones go.
    checkpoints
        Folder that all workers share, for runs to go on from after a loss.
    attempts
        Give up after that many rounds in a row in which workers were lost and no run finished.
    device
        Where to compute, in PyTorch's words.

    Raises
    ------
    SweepError
        At the end, if runs failed or their workers were lost again and again.

    Notes
    -----
    Results do not depend on the workers, nor on losses; their order does.
    """
    waiting: list[Setting] = []
    for setting in dict.fromkeys(settings):
        known = None if store is None else store.find(setting)
        if known is None:
            waiting.append(setting)
        else:
            yield known
    failed: list[str] = []
    idle = 0
    while waiting and idle < attempts:
        lost: list[Setting] = []
        idle += 1
        with workers.open() as executor:
            futures = _submitted(executor, waiting, lost, checkpoints, device)
            try:
                for future in as_completed(futures):
                    setting = futures[future]
                    try:
                        result = future.result()
                    except workers.lost:
                        lost.append(setting)
                    except ValueError as error:
                        failed.append(f"{setting.title()}: {error}")
                    else:
                        idle = 0
                        if store is not None:
                            store.save(result)
                        yield result
            finally:
                for future in futures:
                    future.cancel()
        waiting = lost
    failed += [f"{setting.title()}: its worker was lost again and again" for setting in waiting]
    if failed:
        raise SweepError(f"{len(failed)} runs have no result: " + "; ".join(failed))


def _submitted(
    executor: Executor,
    waiting: Sequence[Setting],
    lost: list[Setting],
    checkpoints: Path | None,
    device: str,
) -> dict[Future[Result], Setting]:
    """Hand over all settings; those that an executor broken meanwhile refuses are ``lost``."""
    futures: dict[Future[Result], Setting] = {}
    for number, setting in enumerate(waiting):
        path = None if checkpoints is None else checkpoint_of(checkpoints, setting)
        try:
            futures[executor.submit(run_one, setting, path, device)] = setting
        except BrokenExecutor:
            lost += waiting[number:]
            break
    return futures


def checkpoint_of(folder: Path, setting: Setting) -> Path:
    """Return the checkpoint of a setting in a folder of checkpoints."""
    return folder / f"{setting.digest()}.pt"


def run_one(setting: Setting, checkpoint: Path | None, device: str) -> Result:
    """Train one model; what a worker does."""
    example = EXAMPLES.get(setting.task.name, "")[: setting.task.longest]
    if not {*example} <= {*setting.task.alphabet}:
        example = ""
    return train(setting, checkpoint=checkpoint, example=example, device=device)
