"""Decide claims in processes that can be killed.

A checker that exceeds its budget, dies or raises leaves its own claim UNDECIDED, with the
reason; every other claim is untouched.  Claims hold functions and do not travel between
processes, so a worker is told package names and ids and collects the claims itself.

Main definitions: :func:`decide`, :class:`Decided`, :func:`cores`.
"""

import functools
import math
import multiprocessing
import os
import signal
import time
from collections.abc import Generator, Sequence
from concurrent.futures import as_completed
from dataclasses import dataclass

from pebble import ProcessExpired, ProcessPool

from attnlimits.twins import with_twins
from claims import Budget, Claim, Outcome, Verdict, collect

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


class PoolError(ValueError):
    """A pool that cannot be set up as asked."""


def cores() -> int:
    """Return the number of processors that this process may use, at least 1."""
    return len(os.sched_getaffinity(0))


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

    Notes
    -----
    Closing the generator early (or Ctrl-C) kills the workers.  Scripts that call this need the
    usual ``if __name__ == "__main__":`` guard, because workers import the main module.
    """
    if workers < 1:
        raise PoolError(f"workers={workers}: at least 1 is needed")
    if not ids:
        return
    # forkserver: workers restarted later are forked from a process without threads
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["sympy", "pebble", "attnlimits.pool"])
    pool = ProcessPool(
        max_workers=min(workers, len(ids)),
        context=context,
        initializer=_collected,
        initargs=(tuple(packages),),
    )
    try:
        futures = {
            pool.schedule(_decide, args=(tuple(packages), i, budget), timeout=budget.seconds): i
            for i in ids
        }
        for future in as_completed(futures):
            failure = future.exception()
            if failure is None:
                yield future.result()
            else:
                undecided = Outcome(Verdict.UNDECIDED, KILLED, detail=_reason(failure, budget))
                yield Decided(futures[future], undecided, budget.seconds)
        pool.close()
    finally:
        pool.stop()
        pool.join()


def _reason(failure: BaseException, budget: Budget) -> str:
    if isinstance(failure, TimeoutError):
        return f"the checker was killed after {budget.seconds:g} s, its budget"
    if isinstance(failure, ProcessExpired):
        return f"the checker's process died with exit code {failure.exitcode}"
    return f"the checker raised {type(failure).__name__}: {failure}"


@functools.lru_cache(maxsize=1)
def _collected(packages: tuple[str, ...]) -> dict[str, Claim]:
    return with_twins(collect(*packages))


def _decide(packages: tuple[str, ...], claim_id: str, budget: Budget) -> Decided:
    # kills this process even inside a solver, should nobody be left to do it
    signal.alarm(math.ceil(min(budget.seconds, _LONGEST)) + _GRACE)
    claim = _collected(packages)[claim_id]
    start = time.process_time()
    outcome = claim.check(claim.statement, budget)
    signal.alarm(0)
    return Decided(claim_id, outcome, time.process_time() - start)
