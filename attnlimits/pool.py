"""Decide claims in processes that can be killed.

A checker that exceeds its budget, dies or raises leaves its own claim UNDECIDED, with the
reason; every other claim is untouched.  Claims hold functions and do not travel between
processes, so a worker is told package names and ids and collects the claims itself.

Main definitions: :func:`decide`, :class:`Decided`, :func:`run`, :func:`cores`.
"""

import contextlib
import functools
import math
import multiprocessing
import multiprocessing.connection
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import as_completed
from dataclasses import dataclass
from typing import Any, TypeVar

from pebble import ProcessExpired, ProcessPool

from attnlimits.twins import with_twins
from claims import Budget, Claim, Outcome, Verdict, collect

R = TypeVar("R")

KILLED = "pool"
"""``Outcome.by`` of an UNDECIDED that comes from here and not from a checker."""

_GRACE = 30  # seconds after the budget at which a worker whose parent is gone ends itself
_LONGEST = 10**8  # seconds that an alarm clock can be set to


@dataclass(frozen=True, slots=True)
class Decided:
    """One claim decided: its id, the outcome, and the CPU seconds that the checker took."""

    claim: str
    outcome: Outcome
    seconds: float


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a task has no result, in words that continue "the checker"."""

    reason: str


class PoolError(ValueError):
    """A pool that cannot be set up as asked."""


def cores() -> int:
    """Return the number of processors that this process may use, at least 1."""
    if hasattr(os, "sched_getaffinity"):  # Linux: only those that this process may use
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def decide(
    ids: Sequence[str], *, packages: Sequence[str], budget: Budget, workers: int
) -> Generator[Decided, None, None]:
    """Decide claims in ``workers`` processes and yield each as soon as it is decided.

    Parameters
    ----------
    ids
        Ids of claims or of their twins, in the order in which to start them.
    packages
        Importable packages in which the claims are declared.
    budget
        Limits of each single check; ``budget.seconds`` is enforced by killing the process.
    workers
        Number of processes, at least 1.

    Yields
    ------
    Decided
        In order of completion, once per id.

    Raises
    ------
    PoolError
        If ``workers < 1``.
    """
    tasks = [(i, budget) for i in ids]
    with contextlib.closing(
        run(_decide, tasks, packages=packages, seconds=budget.seconds, workers=workers)
    ) as done:
        for (claim_id, _), ended in done:
            if isinstance(ended, Failure):
                undecided = Outcome(Verdict.UNDECIDED, KILLED, detail=f"the checker {ended.reason}")
                ended = Decided(claim_id, undecided, budget.seconds)
            yield ended


def run(
    function: Callable[..., R],
    tasks: Sequence[tuple[Any, ...]],
    *,
    packages: Sequence[str],
    seconds: float,
    workers: int,
) -> Generator[tuple[tuple[Any, ...], R | Failure], None, None]:
    """Call ``function(claims, *task)`` for every task, in processes that can be killed.

    Parameters
    ----------
    function
        A module-level function; ``claims`` are all claims and twins of ``packages``, by id.
    tasks
        Tuples of picklable arguments.
    packages
        Importable packages in which the claims are declared.
    seconds
        Wall-clock limit of one call, positive.
    workers
        Number of processes, at least 1.

    Yields
    ------
    tuple
        The task with what the function returned or a :class:`Failure`, in order of completion.

    Notes
    -----
    Closing the generator early (or Ctrl-C) kills the workers.  Scripts that call this need the
    usual ``if __name__ == "__main__":`` guard, because workers import the main module.
    """
    if workers < 1:
        raise PoolError(f"workers={workers}: at least 1 is needed")
    if not tasks:
        return
    names = tuple(packages)
    # forkserver: workers restarted later are forked from a process without threads
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["attnlimits.pool", *_loaded(names)])
    pool = ProcessPool(
        max_workers=min(workers, len(tasks)),
        context=context,
        initializer=_prepare,
        initargs=(names,),
    )
    try:
        futures = {
            pool.schedule(_call, args=(function, names, seconds, task), timeout=seconds): task
            for task in tasks
        }
        for future in as_completed(futures):
            failure = future.exception()
            ended = future.result() if failure is None else Failure(_reason(failure, seconds))
            yield futures[future], ended
        pool.close()
    finally:
        pool.stop()
        pool.join()


def _reason(failure: BaseException, seconds: float) -> str:
    if isinstance(failure, TimeoutError):
        return f"was killed after {seconds:g} s, its budget"
    if isinstance(failure, ProcessExpired):
        return f"died with exit code {failure.exitcode}"
    return f"raised {type(failure).__name__}: {failure}"


def _loaded(packages: tuple[str, ...]) -> list[str]:
    """Return the modules of ``packages`` loaded here, to be loaded once for all workers."""
    return sorted(m for m in sys.modules if m.partition(".")[0] in packages)


def _prepare(packages: tuple[str, ...]) -> None:
    """Set a worker up: it ends with its parent, and has collected the claims."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _collected(packages)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        multiprocessing.connection.wait([parent.sentinel])
        os._exit(1)


@functools.lru_cache(maxsize=1)
def _collected(packages: tuple[str, ...]) -> dict[str, Claim]:
    return with_twins(collect(*packages))


def _call(
    function: Callable[..., R], packages: tuple[str, ...], seconds: float, task: tuple[Any, ...]
) -> R:
    # ends this process even inside a solver that lets no other thread run
    signal.alarm(math.ceil(min(seconds, _LONGEST)) + _GRACE)
    result = function(_collected(packages), *task)
    signal.alarm(0)
    return result


def _decide(claims: Mapping[str, Claim], claim_id: str, budget: Budget) -> Decided:
    claim = claims[claim_id]
    start = time.process_time()
    outcome = claim.check(claim.statement, budget)
    return Decided(claim_id, outcome, time.process_time() - start)
